model NestedConditions
 function f input Real u; output Real y; algorithm y := if u > 0 then u + 1 else u - 1; annotation(Inline=true); end f;
 Real x = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(time))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
end NestedConditions;
