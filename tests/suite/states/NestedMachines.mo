// run: stop=1.5 ; check: v(0.05)=3 ; check: v(0.25)=9 ; check: v(0.55)=9 ; check: v(0.65)=5 ; check: v(0.85)=-3 ; check: v(0.95)=0 ; check: v(1.25)=9
// run: stop=1.5 ; check: s1.x.k(0.45)=5 ; check: s1.x.k(0.85)=5 ; check: s1.x.k(0.95)=1 ; check: s1.y.j(0.55)=1 ; check: s1.y.j(0.95)=1 ; check: s1.y.j(1.45)=1 ; check: s1.n(0.25)=3 ; check: s1.n(0.55)=6 ; check: s1.n(0.95)=1
model NestedMachines "Two machines in a state, which is left when both are at their end and entered again from the beginning"
  // v: 3, 6, 9 at ticks 0 to 2, then it waits in d. k: 1 to 5 at ticks 0 to 4, y at tick 5. Both are at their ends at
  // tick 5, so s2 counts 5, 1, -3 at ticks 6, 7, 8, and s1 begins again at tick 9: v = 0, 3, 6, 9; k = 1; y with j = 1
  // at tick 14. n belongs to s1 itself and counts its ticks since it was entered.
  inner Integer v(start = 0);
  block Outer
    inner outer output Integer v;
    Integer n(start = 0) = previous(n) + 1;
    block Up
      outer output Integer v;
    equation
      v = previous(v) + 3;
    end Up;
    block Nothing
    end Nothing;
    block Count
      Integer k(start = 0) = previous(k) + 1;
    end Count;
    block Last
      Integer j(start = 0) = previous(j) + 1;
    end Last;
    Up a;
    Nothing d;
    Count x;
    Last y;
  equation
    initialState(a);
    transition(a, d, v >= 9, immediate = false);
    initialState(x);
    transition(x, y, x.k >= 5, immediate = false, reset = false);
  end Outer;
  block Down
    outer output Integer v;
  equation
    v = previous(v) - 4;
  end Down;
  Outer s1;
  Down s2;
  Boolean ticks = sample(true, Clock(1, 10));
equation
  initialState(s1);
  transition(s1, s2, ticks, immediate = false, synchronize = true);
  transition(s2, s1, v <= 0, immediate = false);
end NestedMachines;
