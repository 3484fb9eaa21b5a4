// run: stop=1 ; check: n(1)=0 ; check: m(1)=3 ; check: k(1)=2
model SizeOfNoParts "Arrays of connectors and models without elements have sizes, too (MLS 10.3.1)"
  connector Port
    Real height;
    flow Real f;
  end Port;
  model Part
    parameter Integer count = 0;
    Port ports[count];
    Integer n = size(ports, 1);
  equation
    for i in 1:size(ports, 1) loop
      if cardinality(ports[i]) == 0 then
        ports[i].height = 1;
      end if;
    end for;
  end Part;
  Part none, two(count = 2);
  Part rows[0, 3];
  Integer n = none.n, m = size(rows, 2), k = two.n;
end SizeOfNoParts;
