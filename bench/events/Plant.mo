package Plant "A plant of 1,000 states, alone and beside a controller that it does not see"
  model Alone
    parameter Integer n = 1000;
    Real x[n](each start = 0, each fixed = true);
  equation
    der(x[1]) = sin(time) - x[1];
    for i in 2:n loop
      der(x[i]) = 10*(x[i - 1] - x[i]);
    end for;
  end Alone;

  model Sampled "10 kHz"
    extends Alone;
    Real y(start = 0, fixed = true);
    Integer k(start = 0, fixed = true);
  equation
    when sample(0, 1e-4) then
      k = mod(pre(k)*1103 + 12345, 65536);
      y = 0.9*pre(y) + k/65536;
    end when;
  end Sampled;
end Plant;
