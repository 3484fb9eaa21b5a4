// run: stop=1 ; check: n(1)=2 ; check: m(1)=3
model SizeOfParts "Arrays of models and connectors have sizes, though no values (MLS 10.3.1)"
  connector Port
    Real height;
  end Port;
  model Part
    parameter Real p = 1;
  end Part;
  Port ports[2];
  Part parts[2, 3];
  Integer n = size(ports, 1);
  Integer m = size(parts, 2);
equation
  for i in 1:2 loop
    ports[i].height = 1;
  end for;
  assert(sum(ports.height)/size(ports, 1) - ports[1].height < 1e-12, "heights differ");
end SizeOfParts;
