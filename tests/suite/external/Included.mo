// run: stop=1 model=Included.M external=c ; check: twice(1)=2±1e-12 ; check: three(1)=3 ; check: sum(1)=10.5±1e-12 ; check: scaled[2,1](1)=6±1e-12 ; check: n(1)=5 ; check: yes(1)=1 ; check: day(1)=3 ; check: words(1)=8 ; check: whole[2](1)=-3 ; check: flags(1)=2 ; check: x(end)=0.6321205588±1e-6
package Included "C code in annotations: every kind of argument (MLS 12.9.1, 12.9.4)"
  type Day = enumeration(one, two, three);
  function twice
    input Real x;
    output Real y;
    external "C" y = twice(x) annotation(Include = "static double twice(double x) { return 2*x; }");
  end twice;
  function third "A macro, which only C can call"
    input Integer k;
    output Integer n;
    external "C" n = THIRD(k) annotation(Include = "#define THIRD(k) ((k) + 2)");
  end third;
  function sum
    input Real a[:, :];
    output Real s;
    external "C" s = sum_of(a, size(a, 1), size(a, 2)) annotation(Include = "#include \"sums.h\"");
  end sum;
  function scaled "Shares its header with another function; no explicit prototype of outputs"
    input Real a[:, :];
    input Real factor;
    output Real b[size(a, 1), size(a, 2)];
    external "C" scale(a, size(a, 1), size(a, 2), factor, b) annotation(Include = "#include \"sums.h\"");
  end scaled;
  function parts
    input Integer k;
    input Boolean b;
    input Day d;
    output Integer n;
    output Boolean yes;
    output Day day;
    output Integer whole[2];
    external "C" parts(k, b, d, n, yes, day, whole) annotation(Include = "
      static void parts(int k, int b, int d, int *n, int *yes, int *day, int *whole)
      { *n = k + 1; *yes = !b; *day = d + 1; whole[0] = k; whole[1] = -k + 1; }");
  end parts;
  function words
    input String list[:];
    input String last;
    output Integer n;
    external "C" n = words(list, size(list, 1), last) annotation(Include = "
      static int words(const char **list, size_t count, const char *last)
      { int n = (int)strlen(last); while (count-- > 0) n += (int)strlen(list[count]); return n; }");
  end words;
  function joined "A text that the code allocates"
    input String a;
    input String b;
    output String c;
    external "C" c = joined(a, b) annotation(Include = "
      #include \"ModelicaUtilities.h\"
      const char *joined(const char *a, const char *b)
      { char *c = ModelicaAllocateString(strlen(a) + strlen(b)); strcpy(c, a); strcat(c, b); return c; }");
  end joined;
  function split "Texts given through arguments"
    input String text;
    output String head;
    output String rest;
    external "C" split(text, head, rest) annotation(Include = "
      void split(const char *text, const char **head, const char **rest)
      { char *h = ModelicaAllocateString(1); h[0] = text[0]; *head = h; *rest = ModelicaDuplicateString(text + 1); }");
  end split;
  function flags
    input Boolean b[:];
    output Integer n;
    external "C" n = flags(b, size(b, 1)) annotation(Include = "
      int flags(const int *b, size_t count) { int n = 0; while (count-- > 0) n += b[count]; return n; }");
  end flags;

  model M
    parameter Integer made = third(9) "A parameter whose value only C knows";
    Real twice = Included.twice(time)*made/11;
    Integer three = third(1);
    Real sum = Included.sum([1, 2, 3; 0.5, 0, 4*time]);
    Real scaled[2, 2] = Included.scaled([time, 2; 3, 4], 2);
    Integer n;
    Boolean yes;
    Day day;
    Integer whole[2];
    Integer words = Included.words({"ab", "cde"}, joined("f", "gh"));
    Integer flags = Included.flags({true, false, true});
    String head;
    String rest;
    Real x(start = 0, fixed = true);
  algorithm
    (n, yes, day, whole) := parts(4, false, Day.two);
    (head, rest) := split("abc");
    assert(head + "+" + rest == "a+bc", "the texts are " + head + " and " + rest);
  equation
    der(x) = Included.twice(0.5*(1 - x));
  end M;
end Included;
