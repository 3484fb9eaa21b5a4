// run: stop=1 ; check: y(1)=2±0 ; check: z(1)=3±0
// compile: ; print: flat
model AlikeEnumerations "Enumerations with the same literals in the same order fit each other (MLS 6.4)"
  type Here = enumeration(unix, custom, later);
  type There = enumeration(unix, custom, later);
  model Part
    parameter There kind = There.unix;
    Integer y = Integer(kind);
  end Part;
  parameter Here kind = Here.custom;
  Part part(kind = kind);
  Integer y = part.y;
  Integer z = if part.kind == Here.custom then 3 else 0;
end AlikeEnumerations;
