// run: stop=2 tolerance=1e-6 ; check: k(2)=14178 ; check: j(2)=41879 ; check: m(2)=-1 ; check: y(2)=0.45969867849797147±1e-14
model WholeNumbersGoRound
  "Remainders by powers of two, 20001 times: one starts outside the range that it goes round in, one has negative products. Values from exact whole-number arithmetic"
  Integer k(start = 7, fixed = true), j(start = -12345, fixed = true), m(start = 0, fixed = true);
  Real y(start = 0, fixed = true), x(start = 1, fixed = true);
equation
  der(x) = -x;
  when sample(0, 1e-4) then
    k = mod(pre(k)*1103 + 12345, 65536);
    j = mod(pre(j)*75 + 74, 65536);
    m = mod(pre(m)*5 + 3, 8) - 4;
    y = 0.5*pre(y) + k/65536;
  end when;
end WholeNumbersGoRound;
