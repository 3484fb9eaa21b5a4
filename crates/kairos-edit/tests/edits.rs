//! Edits of a text with comments and a layout of its own: what they change, and that nothing else changes.

use kairos_edit::{Document, Line, NewComponent, Patch, Placement, Unfit, apply, invert};

const TEXT: &str = r#"within Plant;
model Circuit   "A small circuit" // keep me
  /* resistors */ Resistor a(R = 2 /* ohms */), b, c(final R=1);
  Resistor d(R=3)
    annotation (Placement(transformation(extent={{-10,-10},{10,10}}, rotation = 90, origin={0 , 20})));
  parameter Real k = 1   "gain";   // the gain
  Real x[3](each start = k);
protected
  Real hidden;
equation
  connect(a.n, b.p) annotation (Line(points={{0,0},{10,0}}, color={0,0,255})); // first
  if k > 0 then
    connect(b.n, d.p);
  end if;
  x[1] = a.v + sum(a.i for a in 1:3);
  annotation (Icon(graphics={Text(textString="a")}));
end Circuit;
"#;

fn edited(text: &str, edit: impl FnOnce(&Document<'_>) -> Result<Vec<Patch>, Unfit>) -> String {
    let document = Document::parse(text);
    assert_eq!(document.errors, 0, "the text before is right:\n{text}");
    let patches = edit(&document).expect("the edit can be made");
    let after = apply(text, &patches);
    assert_eq!(Document::parse(&after).errors, 0, "the text after is right:\n{after}");
    assert_eq!(apply(&after, &invert(text, &patches)), text, "the inverse gives the text back");
    after
}

/// The lines that differ, with their signs; both texts are the same elsewhere.
fn difference(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let removed = old[same..old.len() - rest].iter().map(|l| format!("-{l}"));
    removed.chain(new[same..new.len() - rest].iter().map(|l| format!("+{l}"))).collect()
}

fn at(x: f64, y: f64) -> Placement {
    Placement { extent: [[-10.0, -10.0], [10.0, 10.0]], origin: [x, y], rotation: 0.0 }
}

#[test]
fn a_move_changes_the_numbers_that_differ() {
    let to = Placement { rotation: 90.0, ..at(5.0, 20.0) };
    let after = edited(TEXT, |d| d.place("Plant.Circuit", "d", &to));
    assert_eq!(
        difference(TEXT, &after),
        [
            "-    annotation (Placement(transformation(extent={{-10,-10},{10,10}}, rotation = 90, origin={0 , 20})));",
            "+    annotation (Placement(transformation(extent={{-10,-10},{10,10}}, rotation = 90, origin={5,20})));",
        ]
    );
    let after = edited(TEXT, |d| d.place("Circuit", "b", &at(0.0, 0.0)));
    assert!(after.contains(
        "a(R = 2 /* ohms */), b annotation (Placement(transformation(extent={{-10,-10},{10,10}}))), c(final R=1);"
    ));
}

#[test]
fn parts_come_and_go() {
    let new = NewComponent {
        type_name: "Modelica.Electrical.Analog.Basic.Ground".into(),
        name: "g".into(),
        modifiers: String::new(),
        placement: Some(at(0.0, -40.0)),
    };
    let after = edited(TEXT, |d| d.add_component("Circuit", &new));
    assert_eq!(
        difference(TEXT, &after),
        [
            "+  Modelica.Electrical.Analog.Basic.Ground g annotation (Placement(transformation(extent={{-10,-10},{10,10}}, origin={0,-40})));"
        ]
    );
    let without = edited(TEXT, |d| d.remove_component("Circuit", "d"));
    assert!(!without.contains("Resistor d") && !without.contains("connect(b.n, d.p)"));
    assert!(
        without.contains("// keep me") && without.contains("// the gain") && without.contains("// first")
    );
    let without = edited(TEXT, |d| d.remove_component("Circuit", "b"));
    assert!(without.contains("/* resistors */ Resistor a(R = 2 /* ohms */), c(final R=1);"));
    let without = edited(TEXT, |d| d.remove_component("Circuit", "c"));
    assert!(without.contains("Resistor a(R = 2 /* ohms */), b;"));
}

#[test]
fn a_new_name_reaches_references_but_no_iterators_and_no_texts() {
    let after = edited(TEXT, |d| d.rename_component("Circuit", "a", "first"));
    assert!(after.contains("Resistor first(R = 2"));
    assert!(after.contains("connect(first.n, b.p)"));
    assert!(after.contains("x[1] = first.v + sum(a.i for a in 1:3);"), "{after}");
    assert!(after.contains("textString=\"a\""));
}

#[test]
fn values_are_given_and_taken_back() {
    let after = edited(TEXT, |d| d.modify("Circuit", "a", "R", Some("4.7e3")));
    assert!(after.contains("a(R = 4.7e3 /* ohms */)"));
    let after = edited(TEXT, |d| d.modify("Circuit", "b", "R", Some("2*k")));
    assert!(after.contains(", b(R=2*k), c"));
    let after = edited(TEXT, |d| d.modify("Circuit", "d", "v.start", Some("1")));
    assert!(after.contains("Resistor d(R=3, v(start=1))"));
    let after = edited(TEXT, |d| d.modify("Circuit", "d", "R", None));
    assert!(after.contains("Resistor d\n    annotation"));
    let after = edited(TEXT, |d| d.modify("Circuit", "k", "", Some("2")));
    assert!(after.contains("parameter Real k = 2   \"gain\";"));
    let after = edited(TEXT, |d| d.modify("Circuit", "k", "", None));
    assert!(after.contains("parameter Real k   \"gain\";"));
    let after = edited(TEXT, |d| d.modify("Circuit", "k", "unit", Some("\"m\"")));
    assert!(after.contains("parameter Real k(unit=\"m\") = 1"));
    let after = edited(TEXT, |d| d.modify("Circuit", "x", "each_", Some("1")));
    assert!(after.contains("Real x[3](each start = k, each_=1);"));
}

#[test]
fn connections_come_with_their_lines_and_go() {
    let line = Line { points: vec![[0.0, 0.0], [0.0, 20.5]], color: [0, 0, 255] };
    let after = edited(TEXT, |d| d.connect("Circuit", "c.p", "d.n", Some(&line)));
    assert_eq!(
        difference(TEXT, &after),
        ["+  connect(c.p, d.n) annotation (Line(points={{0,0},{0,20.5}}, color={0,0,255}));"]
    );
    let after = edited(TEXT, |d| d.route("Circuit", "b.p", "a.n", &line));
    assert!(after.contains("Line(points={{0,0},{0,20.5}}, color={0,0,255})); // first"));
    let after = edited(TEXT, |d| d.disconnect("Circuit", "b.n", "d.p"));
    assert_eq!(difference(TEXT, &after), ["-    connect(b.n, d.p);"]);
    let empty = "model E\nend E;\n";
    let after = edited(empty, |d| d.connect("E", "a", "b", None));
    assert_eq!(after, "model E\nequation\n  connect(a, b);\nend E;\n");
}

#[test]
fn what_cannot_be_done_says_why() {
    let document = Document::parse(TEXT);
    assert_eq!(document.place("Circuit", "z", &at(0.0, 0.0)), Err(Unfit::NoComponent("z".into())));
    assert_eq!(document.rename_component("Circuit", "a", "b"), Err(Unfit::BadName("b".into())));
    assert_eq!(document.rename_component("Circuit", "a", "end"), Err(Unfit::BadName("end".into())));
    assert_eq!(document.modify("Circuit", "a", "R", Some("1 +")), Err(Unfit::BadValue("1 +".into())));
    assert!(document.connect("Circuit", "a.n); x", "b", None).is_err());
    assert_eq!(document.class("Nothing").err(), Some(Unfit::NoClass("Nothing".into())));
}

/// A sequence that is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn a_thousand_random_edits_are_undone_byte_by_byte() {
    let mut dice = Dice(7);
    let (mut text, mut undo) = (TEXT.to_string(), Vec::new());
    let mut names: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
    for k in 0..1000 {
        let document = Document::parse(&text);
        let one = names[dice.roll(names.len())].clone();
        let other = names[dice.roll(names.len())].clone();
        let place = at(dice.roll(200) as f64, dice.roll(200) as f64);
        let made = match dice.roll(8) {
            0 => {
                let new = NewComponent {
                    type_name: "Resistor".into(),
                    name: format!("r{k}"),
                    modifiers: if k % 2 == 0 { "R=1".into() } else { String::new() },
                    placement: (k % 3 > 0).then_some(place),
                };
                names.push(new.name.clone());
                document.add_component("Circuit", &new)
            }
            1 if names.len() > 4 => {
                names.retain(|name| *name != one);
                document.remove_component("Circuit", &one)
            }
            2 => {
                let to = format!("n{k}");
                let made = document.rename_component("Circuit", &one, &to);
                names.iter_mut().filter(|name| **name == one).for_each(|name| *name = to.clone());
                made
            }
            3 => document.modify("Circuit", &one, "R", Some("7")),
            4 => document.modify("Circuit", &one, "R", None),
            5 => {
                let line = Line { points: vec![[0.0, 1.0], [2.0, 3.0]], color: [1, 2, 3] };
                document.connect("Circuit", &format!("{one}.p"), &format!("{other}.n"), Some(&line))
            }
            6 => {
                document.disconnect("Circuit", &format!("{one}.p"), &format!("{other}.n")).or(Ok(Vec::new()))
            }
            _ => document.place("Circuit", &one, &place),
        };
        let patches = made.expect("each of these can be made");
        undo.push(invert(&text, &patches));
        text = apply(&text, &patches);
        assert_eq!(Document::parse(&text).errors, 0, "after edit {k}:\n{text}");
    }
    for patches in undo.iter().rev() {
        text = apply(&text, patches);
    }
    assert_eq!(text, TEXT);
}

#[test]
fn a_redeclaration_goes_among_the_modifiers_and_away() {
    let text = "model M\n  Plant plain \"one\";\n  Plant given(k=1) annotation (Placement());\nend M;\n";
    let edited = |text: &str, part: &str, value: Option<&str>| {
        let patches = Document::parse(text).redeclare("M", part, "law", value).expect("it can be edited");
        apply(text, &patches)
    };
    let plain = edited(text, "plain", Some("redeclare A.B law"));
    assert_eq!(plain, text.replace("plain", "plain(redeclare A.B law)"));
    assert_eq!(edited(&plain, "plain", Some("redeclare C law")), plain.replace("A.B", "C"));
    assert_eq!(edited(&plain, "plain", None), text);
    let given = edited(text, "given", Some("redeclare model law = A.B"));
    assert_eq!(given, text.replace("k=1", "k=1, redeclare model law = A.B"));
    assert_eq!(edited(&given, "given", None), text);
    assert!(Document::parse(text).redeclare("M", "plain", "law", Some("redeclare )(")).is_err());
}
