model Slips "What people write by mistake"
  paramter Real a = 1; // error[unexpected-token]
  Real b = 1,5; // error[unexpected-token]
equation
  if a > 1 then
    b = 1;
  elsif a < 1 then // error[unexpected-token]
    b = 2;
  end if;
  end if; // error[unexpected-token]
  b = 2;
algorithm
  if a > 1 then
    b := 1;
  else if a < 1 then
    b := 2;
  end if;
  b := 3;
end Slips; // error[unclosed-block]
modle Second // error[unexpected-token]
end Second;
