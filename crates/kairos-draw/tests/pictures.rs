//! Pictures of small classes, compared with what the annotations say by hand.

use kairos_base::World;
use kairos_draw::{Fill, Form, Matrix, Picture, Scene, View, scene, svg};
use kairos_sema::{Library, MadeRefs, Sema, Trees};

struct Nowhere;

impl World for Nowhere {
    fn read(&self, _: &str) -> std::io::Result<String> {
        Err(std::io::ErrorKind::NotFound.into())
    }
    fn list(&self, _: &str) -> std::io::Result<Vec<String>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

fn seen(text: &str, class: &str, view: View) -> Scene {
    let (trees, made) = (Trees::default(), MadeRefs::default());
    let library = Library::new(&trees, &Nowhere, Vec::new());
    library.add_text("test.mo", text);
    let mut sema = Sema::new(&library, &made);
    let class = sema.find_class(class).expect("the class is there");
    scene(&mut sema, class, view)
}

const PARTS: &str = r#"
connector Pin Real v; flow Real i;
  annotation(Icon(graphics={Rectangle(extent={{-100,-100},{100,100}}, fillPattern=FillPattern.Solid)}));
end Pin;
partial model TwoPin
  Pin p annotation(Placement(transformation(extent={{-110,-10},{-90,10}})));
  Pin n annotation(Placement(transformation(extent={{90,-10},{110,10}})));
  annotation(Icon(graphics={Line(points={{-90,0},{90,0}}, color={0,0,255})}));
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
  parameter Boolean heat = false;
  Pin h if heat annotation(Placement(transformation(extent={{-10,-110},{10,-90}})));
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
  annotation(Icon(graphics={
    Rectangle(extent={{-70,30},{70,-30}}, fillPattern=FillPattern.HorizontalCylinder),
    Text(extent={{-150,90},{150,50}}, textString="%name"),
    Text(extent={{-150,-40},{150,-80}}, textString="R=%R %% %{none}"),
    Ellipse(extent={{-10,-10},{10,10}}, visible=heat)}));
end Resistor;
model Circuit
  Resistor a(R=2*3) annotation(Placement(transformation(extent={{-60,20},{-40,40}})));
  Resistor b(heat=true) annotation(Placement(transformation(extent={{10,-10},{-10,10}}, rotation=90, origin={50,30})));
equation
  connect(a.n, b.p) annotation(Line(points={{-40,30},{50,30}}, color={0,0,255}));
end Circuit;
"#;

#[test]
fn icons_show_what_is_inherited_first() {
    let icon = seen(PARTS, "Resistor", View::Icon);
    let forms: Vec<&Form> = icon.shapes.iter().map(|s| &s.form).collect();
    assert!(matches!(forms[0], Form::Line { .. }), "the line of the base comes first: {forms:?}");
    assert_eq!(icon.shapes[1].fill, Fill::HorizontalCylinder);
    // What a parameter hides is not there.
    assert!(!forms.iter().any(|form| matches!(form, Form::Ellipse { .. })));
    let names: Vec<(&str, bool)> = icon.parts.iter().map(|p| (p.name.as_str(), p.disabled)).collect();
    assert_eq!(names, [("p", false), ("n", false), ("h", true)]);
}

#[test]
fn texts_have_their_macros_replaced() {
    let diagram = seen(PARTS, "Circuit", View::Diagram);
    let texts = |k: usize| -> Vec<String> {
        let text = |form: &Form| match form {
            Form::Text(text) => Some(text.text.clone()),
            _ => None,
        };
        diagram.parts[k].shapes.iter().filter_map(|shape| text(&shape.form)).collect()
    };
    assert_eq!(texts(0), ["a", "R=2*3 % %none"]);
    assert_eq!(texts(1), ["b", "R=1 % %none"]);
}

#[test]
fn parts_stand_where_their_placement_says() {
    let diagram = seen(PARTS, "Circuit", View::Diagram);
    let [a, b] = &diagram.parts[..] else { panic!("two parts") };
    // 200 units of the icon are 20 of the diagram, the middle is at (-50, 30).
    assert_eq!(a.matrix, Matrix([0.1, 0.0, 0.0, 0.1, -50.0, 30.0]));
    // Flipped left to right, then turned by a quarter around (50, 30): the icon's x axis points downwards.
    let right = b.matrix.apply([100.0, 0.0]);
    assert!((right[0] - 50.0).abs() < 1e-12 && (right[1] - 20.0).abs() < 1e-12, "{right:?}");
    let top = b.matrix.apply([0.0, 100.0]);
    assert!((top[0] - 40.0).abs() < 1e-12 && (top[1] - 30.0).abs() < 1e-12, "{top:?}");
    // The connector that a condition switches on is shown only there.
    let connectors =
        |part: &kairos_draw::Part| part.connectors.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(connectors(a), ["p", "n"]);
    assert_eq!(connectors(b), ["p", "n", "h"]);
}

#[test]
fn wires_know_their_ends_and_svg_is_well_formed() {
    let diagram = seen(PARTS, "Circuit", View::Diagram);
    assert_eq!((diagram.wires[0].from.as_str(), diagram.wires[0].to.as_str()), ("a.n", "b.p"));
    let text = svg(&diagram, &Picture::default());
    assert!(text.contains("data-from=\"a.n\" data-to=\"b.p\""));
    let mut depth = 0i32;
    for tag in text.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or("");
        depth += match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => -1,
            (_, true) => 0,
            _ => 1,
        };
        assert!(depth >= 0, "closed too often: {tag}");
    }
    assert_eq!(depth, 0, "every group is closed");
}

#[test]
fn turned_texts_are_read_upright() {
    let text = "model M annotation(Icon(graphics={Text(extent={{-100,20},{100,-20}}, rotation=180, textString=\"up\"),
      Text(extent={{-100,20},{100,-20}}, rotation=90, textString=\"side\")})); end M;";
    let text = svg(&seen(text, "M", View::Icon), &Picture::default());
    let line = |word: &str| text.split("<text").find(|t| t.contains(word)).expect("it is drawn").to_string();
    assert!(!line(">up<").contains("rotate"), "half a turn is taken back");
    assert!(line(">side<").contains("rotate(-90"), "a quarter counterclockwise is read from below");
}

#[test]
fn values_that_follow_a_simulation_show_what_editors_see() {
    let text = "model M Real x; annotation(Icon(graphics={Rectangle(extent=DynamicSelect({{0,0},{1,2}},{{0,0},{1,x}}),
      fillColor=DynamicSelect({1,2,3}, if x > 0 then {9,9,9} else {0,0,0}), fillPattern=FillPattern.Solid)})); end M;";
    let icon = seen(text, "M", View::Icon);
    assert!(matches!(icon.shapes[0].form, Form::Rectangle { extent: [[0.0, 0.0], [1.0, 2.0]], .. }));
    assert_eq!(icon.shapes[0].fill_color.0, [1, 2, 3]);
    let live: Vec<&str> = icon.shapes[0].dynamic.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(live, ["extent", "fillColor"]);
}

#[test]
fn rubbish_in_annotations_is_passed_over() {
    let text = "model M annotation(Icon(coordinateSystem(extent={{1,2}}), graphics={Line(points={{1,2},{3}}), Nonsense(a=1),
      Rectangle(extent=unknown), Text(textString=\"x\"), 3, Polygon(points={}), Ellipse(extent={{0,0},{0,0}})})); end M;";
    let icon = seen(text, "M", View::Icon);
    let text = svg(&icon, &Picture::default());
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn arrays_of_connectors_tell_their_lengths_as_they_are_written() {
    let text = r#"
connector Pin Real v; flow Real i; end Pin;
model Node
  parameter Integer n = 2;
  Pin one annotation(Placement(transformation(extent={{-110,-10},{-90,10}})));
  Pin many[n + 1] annotation(Placement(transformation(extent={{90,-10},{110,10}})));
end Node;
model Net
  Node node annotation(Placement(transformation(extent={{-10,-10},{10,10}})));
end Net;
"#;
    let net = seen(text, "Net", View::Diagram);
    let lengths: Vec<&[String]> = net.parts[0].connectors.iter().map(|c| c.lengths.as_slice()).collect();
    assert_eq!(lengths, [&[][..], &["n + 1".to_string()][..]]);
}
