//! Conversions: the examples of MLS 18.8.2.1, and texts whose layout must stay.

use kairos_base::{FileId, SourceMap};
use kairos_edit::apply;
use kairos_edit::convert::{Rules, Source, convert, use_version};

/// Converts one text; the codes and messages that it gives are returned, too.
fn converted(script: &str, text: &str) -> (String, Vec<String>) {
    let (rules, unread) = Rules::read(FileId(0), script);
    assert!(unread.is_empty(), "{unread:?}");
    let mut sources = SourceMap::default();
    let file = sources.add("Text.mo", text);
    let mut wrong = Vec::new();
    let source = Source::parse(file, &sources, &mut wrong).expect("a text without mistakes");
    let conversion = convert(std::slice::from_ref(&source), &rules);
    let after = apply(text, &conversion.patches[0]);
    let (_, mistakes) = kairos_syntax::parse(FileId(0), &after);
    assert!(mistakes.iter().all(|d| !d.is_error()), "{after}\n{mistakes:?}");
    (after, conversion.messages.into_iter().map(|d| d.message).collect())
}

fn after(script: &str, text: &str) -> String {
    let (after, messages) = converted(script, text);
    assert!(messages.is_empty(), "{messages:?}");
    after
}

const UNITS: &str = r#"
// The order does not matter.
convertClass("Old.SIunits", "Old.Units.SI");
convertClass("Old.SIunits.Icons", "Old.Units.Icons")
convertClass({"Old.A", "Old.B"}, {"New.A", "New.C"});
"#;

#[test]
fn longer_names_go_first() {
    let text = "model M\n  Old.SIunits.Length s; // keep\n  extends Old.SIunits.Icons.Unit;\n  .Old.A a;\n  Old.Ab ab;\nend M;\n";
    assert_eq!(
        after(UNITS, text),
        "model M\n  Old.Units.SI.Length s; // keep\n  extends Old.Units.Icons.Unit;\n  .New.A a;\n  Old.Ab ab;\nend M;\n"
    );
}

#[test]
fn imports_keep_the_names_they_give() {
    let text = r#"package P
  import SI = Old.SIunits;
  import Old.B;
  import Old.SIunits.{Length, Mass};
  model M
    SI.Length s;
    SI.Icons.Unit u;
    B b;
    Mass m;
  end M;
end P;
"#;
    let new = after(UNITS, text);
    assert!(new.contains("import SI = Old.Units.SI;"), "{new}");
    assert!(new.contains("import B = New.C;"), "{new}");
    assert!(new.contains("import Old.Units.SI.Length; import Old.Units.SI.Mass;"), "{new}");
    assert!(new.contains("    SI.Length s;") && new.contains("    Old.Units.Icons.Unit u;"), "{new}");
    assert!(new.contains("    B b;") && new.contains("    Mass m;"), "{new}");
}

#[test]
fn what_the_user_calls_by_the_same_name_is_his() {
    let text = "model M\n  package Old\n    model A end A;\n  end Old;\n  Old.A a;\n  Real A;\nequation\n  A = 1;\nend M;\n";
    assert_eq!(after(UNITS, text), text);
}

#[test]
fn elements_are_renamed_wherever_they_are_named() {
    let script = r#"
convertElement({"Lib.World", "Lib.World.gravity"}, "mue", "mu");
convertElement("Lib.Tank", "ports.medium", "port.fluid");
"#;
    let text = r#"model M
  Lib.World world(mue=2, g(fixed = true));
  function f = Lib.World.gravity(mue=4);
  Lib.Tank t[2];
  Real x = world.mue + Lib.World.gravity(r, mue = 3);
  Real y = sum(mue for mue in 1:3);
equation
  connect(t[1].ports.medium, world.a);
end M;
model N
  extends M(world(mue = 5));
  Real z = world.mue;
end N;
model W
  extends Lib.World(mue = 1);
  Real m = mue;
end W;
model V
  extends W;
  Real n = mue;
end V;
model Own
  extends Lib.World;
  Real mine = other.mue;
  Other other;
end Own;
record Other
  Real mue;
end Other;
"#;
    let expected = text
        .replace("world(mue", "world(mu")
        .replace("gravity(mue", "gravity(mu")
        .replace("world.mue", "world.mu")
        .replace("r, mue", "r, mu")
        .replace("t[1].ports.medium", "t[1].port.fluid")
        .replace("World(mue", "World(mu")
        .replace("Real m = mue", "Real m = mu")
        .replace("Real n = mue", "Real n = mu");
    assert_eq!(after(script, text), expected);
}

#[test]
fn the_example_of_the_specification() {
    let script = r#"
convertClass("Modelica.Thermal.FluidHeatFlow.Components.IsolatedPipe",
             "Modelica.Thermal.FluidHeatFlow.Components.Pipe");
convertModifiers({"Modelica.Thermal.FluidHeatFlow.Components.IsolatedPipe"},
                 fill("",0), {"useHeatPort=false"});
convertClass("Modelica.StateGraph.Temporary.NumericValue", "Modelica.Blocks.Interaction.Show.RealValue");
convertModifiers("Modelica.StateGraph.Temporary.NumericValue", {"Value"}, {"number=%Value%"});
convertModifiers("Modelica.StateGraph.Temporary.NumericValue",
                 {"hideConnector"}, {"use_numberPort=not %hideConnector%"});
convertModifiers("Modelica.Blocks.Math.LinearDependency",
                 {"y0=0", "k1=0", "k2=0"}, {"y0=%y0%", "k1=%y0%*%k1%", "k2=%y0%*%k2%"}, true);
convertClass("My.Library.BadPackage", "My.Library.Package");
convertElement("My.Library.BadPackage.ActualClass", "bad", "correct");
"#;
    let text = r#"model Uses
  Modelica.Thermal.FluidHeatFlow.Components.IsolatedPipe pipe1;
  Modelica.StateGraph.Temporary.NumericValue tempValue(Value = 10, hideConnector = true);
  Modelica.StateGraph.Temporary.NumericValue other(Value = 10, hideConnector = a or b);
  Modelica.Blocks.Math.LinearDependency linearDep(y0 = 2, k2 = 1);
end Uses;
model A
  import My.Library;
  extends Library.BadPackage.ActualClass;
end A;
model B
  extends A;
  Boolean b = bad;
end B;
"#;
    let expected = r#"model Uses
  Modelica.Thermal.FluidHeatFlow.Components.Pipe pipe1(useHeatPort=false);
  Modelica.Blocks.Interaction.Show.RealValue tempValue(number=10, use_numberPort=not true);
  Modelica.Blocks.Interaction.Show.RealValue other(number=10, use_numberPort=not (a or b));
  Modelica.Blocks.Math.LinearDependency linearDep(y0=2, k1=0, k2=2);
end Uses;
model A
  import My.Library;
  extends Library.Package.ActualClass;
end A;
model B
  extends A;
  Boolean b = correct;
end B;
"#;
    assert_eq!(after(script, text), expected);
}

#[test]
fn modifiers_go_with_their_commas() {
    let script = r#"convertModifiers("L.A", {"gone"}, fill("", 0));"#;
    let text = "model M\n  L.A a(gone = 1);\n  L.A b(gone = f(1), x = 2);\n  L.A c(x = 1, gone = 2);\n  L.A d(x = 1, gone = 2, y = 3) \"d\";\nend M;\n";
    assert_eq!(
        after(script, text),
        "model M\n  L.A a;\n  L.A b(x = 2);\n  L.A c(x = 1);\n  L.A d(x = 1, y = 3) \"d\";\nend M;\n"
    );
}

#[test]
fn modifiers_that_are_there_go_before_new_ones() {
    let script = r#"convertModifiers("L.A", fill("", 0), {"use=false"});"#;
    let text = "model M\n  L.A a(use = true);\n  L.A b(x = 1);\n  extends L.A;\nend M;\n";
    assert_eq!(
        after(script, text),
        "model M\n  L.A a(use = true);\n  L.A b(x = 1, use=false);\n  extends L.A(use=false);\nend M;\n"
    );
}

#[test]
fn connections_decide_about_modifiers() {
    let script = r#"
convertModifiers("L.A", {"cardinality(support)=0"}, {"useSupport=false"});
convertModifiers("L.A", {"cardinality(support)=1"}, {"useSupport=true"});
"#;
    let text = "model M\n  L.A a;\n  L.A b;\nequation\n  connect(a.support, b.flange);\nend M;\n";
    let new = after(script, text);
    assert!(new.contains("L.A a(useSupport=true);\n  L.A b(useSupport=false);"), "{new}");
}

#[test]
fn literal_modifiers_choose_classes() {
    let script = r#"
convertClassIf("L.Source", "kind", "Kinds.ramp", "L.Ramp");
convertClassIf("L.Source", "n", "2", "L.Pair");
convertClass("L.Source", "L.General");
"#;
    let text = "model M\n  L.Source a(kind = L.Kinds.ramp, h = 1);\n  L.Source b(n = 2);\n  L.Source c(n = 3);\nend M;\n";
    assert_eq!(
        after(script, text),
        "model M\n  L.Ramp a(h = 1);\n  L.Pair b;\n  L.General c(n = 3);\nend M;\n"
    );
    let (_, messages) = converted(script, "model M\n  L.Source a(n = 2), b;\nend M;\n");
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[test]
fn what_cannot_be_converted_is_told() {
    let script = r#"
convertMessage("L.Gone", "use another model");
convertMessage("L.Kept", "set it elsewhere", "old");
convertClass("L.Moved", "L.There");
convertMessage("L.Moved", "never told");
"#;
    let text = "model M\n  L.Gone g;\n  L.Kept k(old = 1);\n  L.Moved m;\nend M;\n";
    let (after, messages) = converted(script, text);
    assert_eq!(after, text.replace("L.Moved", "L.There"));
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("use another model") && messages[1].contains("set it elsewhere"));
}

#[test]
fn links_in_texts_follow() {
    let text = "model M\n  annotation (Documentation(info = \"see modelica://Old.SIunits.Icons. and modelica://Old/Resources/x.png\"));\nend M;\n";
    assert_eq!(after(UNITS, text), text.replace("Old.SIunits.Icons", "Old.Units.Icons"));
}

#[test]
fn rules_that_are_not_understood_are_told() {
    let (rules, messages) =
        Rules::read(FileId(0), "convertClass(\"A\", \"B\");\nconvertNothing(\"A\");\nconvertClass(x);\n");
    assert_eq!(rules.len(), 1);
    assert_eq!(messages.iter().map(|d| d.code).collect::<Vec<_>>(), ["conversion-rule"; 2]);
}

#[test]
fn the_version_asked_for_changes() {
    let text = "package P\n  annotation (uses(Lib(version = \"1.0\"), Other(version=\"3\")));\nend P;\n";
    let mut sources = SourceMap::default();
    let file = sources.add("P.mo", text);
    let source = Source::parse(file, &sources, &mut Vec::new()).expect("a text without mistakes");
    let new = apply(text, &use_version(&source, "Lib", "2.0"));
    assert_eq!(new, text.replace("\"1.0\"", "\"2.0\""));
}
