package Plant "Plants of 1,000 states, alone and beside a controller that they do not see"
  partial model Sampler "10 kHz"
    Real y(start = 0, fixed = true);
    Integer k(start = 0, fixed = true);
  equation
    when sample(0, 1e-4) then
      k = mod(pre(k)*1103 + 12345, 65536);
      y = 0.9*pre(y) + k/65536;
    end when;
  end Sampler;

  model Springs "A chain of masses, shaken at 16 Hz"
    parameter Integer n = 500;
    Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
  equation
    der(x) = v;
    der(v[1]) = 4e4*(sin(100*time) - 2*x[1] + x[2]) - 2*v[1];
    for i in 2:n - 1 loop
      der(v[i]) = 4e4*(x[i - 1] - 2*x[i] + x[i + 1]) - 2*v[i];
    end for;
    der(v[n]) = 4e4*(x[n - 1] - 2*x[n]) - 2*v[n];
  end Springs;

  model Rod "A rod, heated at one end"
    parameter Integer n = 1000;
    Real T[n](each start = 300, each fixed = true);
  equation
    der(T[1]) = 100*(T[2] - T[1]) + 50*sin(5*time);
    for i in 2:n - 1 loop
      der(T[i]) = 100*(T[i - 1] - 2*T[i] + T[i + 1]);
    end for;
    der(T[n]) = 100*(T[n - 1] - 2*T[n] + 300);
  end Rod;

  model Lags "A row of lags, so slow that a thousand samples fall into each step"
    parameter Integer n = 1000;
    Real x[n](each start = 0, each fixed = true);
  equation
    der(x[1]) = sin(time) - x[1];
    for i in 2:n loop
      der(x[i]) = 10*(x[i - 1] - x[i]);
    end for;
  end Lags;

  model SampledSprings
    extends Springs;
    extends Sampler;
  end SampledSprings;

  model SampledRod
    extends Rod;
    extends Sampler;
  end SampledRod;

  model SampledLags
    extends Lags;
    extends Sampler;
  end SampledLags;
end Plant;
