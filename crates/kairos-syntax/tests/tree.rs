//! What the tree holds of a source text.

use kairos_base::{FileId, SourceMap};
use kairos_syntax::ast::*;
use kairos_syntax::{expr_to_string, parse, path_to_string, reference_to_string};

fn tree(text: &str) -> SourceTree {
    let (tree, diagnostics) = parse(FileId::new(0), text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    tree
}

fn body(class: &Class) -> &Composition {
    match &class.body {
        ClassBody::Long(body) => body,
        other => panic!("not a long class: {other:?}"),
    }
}

fn clause(element: &Element) -> &ComponentClause {
    match &element.kind {
        ElementKind::Components(clause) => clause,
        other => panic!("not a component: {other:?}"),
    }
}

#[test]
fn within_tells_absent_from_empty() {
    assert!(tree("model A end A;").within.is_none());
    assert!(tree("within; model A end A;").within.is_some_and(|path| path.parts.is_empty()));
    assert_eq!(path_to_string(&tree("within A.B;").within.expect("given")), "A.B");
}

#[test]
fn classes_keep_their_prefixes() {
    let kinds = [
        ("class", ClassKind::Class),
        ("model", ClassKind::Model),
        ("record", ClassKind::Record),
        ("operator record", ClassKind::OperatorRecord),
        ("block", ClassKind::Block),
        ("connector", ClassKind::Connector),
        ("expandable connector", ClassKind::ExpandableConnector),
        ("type", ClassKind::Type),
        ("package", ClassKind::Package),
        ("function", ClassKind::Function),
        ("operator function", ClassKind::OperatorFunction),
        ("operator", ClassKind::Operator),
    ];
    for (words, kind) in kinds {
        let tree = tree(&format!("encapsulated partial {words} A end A; {words} B end B;"));
        let [a, b] = &tree.classes[..] else { panic!() };
        assert_eq!((a.kind, a.encapsulated, a.partial, a.pure), (kind, true, true, None));
        assert_eq!((b.kind, b.encapsulated, b.partial), (kind, false, false));
    }
    let tree = tree("pure function f end f; impure operator function g end g;");
    assert_eq!((tree.classes[0].pure, tree.classes[1].pure), (Some(true), Some(false)));
}

#[test]
fn elements_know_their_section_and_prefixes() {
    let tree = tree(
        "model M Real a; protected redeclare final inner outer replaceable flow parameter input A.B b[2] = 1
           if c \"text\" constrainedby C; public Real x, y; equation protected Real z; end M;",
    );
    let body = body(&tree.classes[0]);
    let protected: Vec<bool> = body.elements.iter().map(|e| e.protected).collect();
    assert_eq!(protected, [false, true, false, true]);
    let b = clause(&body.elements[1]);
    assert_eq!(
        b.prefix,
        ElementPrefix { redeclare: true, is_final: true, inner: true, outer: true, replaceable: true }
    );
    assert_eq!(
        b.type_prefix,
        TypePrefix {
            flow: true,
            stream: false,
            variability: Some(Variability::Parameter),
            direction: Some(Direction::Input)
        }
    );
    assert_eq!(path_to_string(&b.type_name), "A.B");
    assert_eq!(b.constraining.as_ref().map(|c| path_to_string(&c.base)), Some("C".to_string()));
    let component = &b.components[0];
    assert_eq!(component.condition.as_ref().map(|c| expr_to_string(c)), Some("c".to_string()));
    assert_eq!(component.comment.description.text.as_deref(), Some("text"));
    assert_eq!(clause(&body.elements[2]).components.len(), 2);
}

#[test]
fn modifiers_nest() {
    let tree = tree(
        "model M extends A(break b, break connect(p, q.n), each final x.y(start = 1) = 2 \"d\", z = break,
           redeclare replaceable model N = B(k = 3) constrainedby C, replaceable Real r = 4); end M;",
    );
    let ElementKind::Extends(extends) = &body(&tree.classes[0]).elements[0].kind else { panic!() };
    assert!(matches!(extends.breaks[..], [Break::Component(_), Break::Connect(..)]));
    let [x, z, n, r] = &extends.mods[..] else { panic!("{:?}", extends.mods) };
    assert!(x.each && x.is_final);
    let ArgumentKind::Modify { path, modification: Some(modification), description } = &x.kind else {
        panic!()
    };
    assert_eq!(path.len(), 2);
    assert_eq!(modification.args.len(), 1);
    assert!(matches!(&modification.value, Some(ModValue::Expr(e)) if expr_to_string(e) == "2"));
    assert_eq!(description.text.as_deref(), Some("d"));
    assert!(matches!(
        &z.kind,
        ArgumentKind::Modify { modification: Some(Modification { value: Some(ModValue::Break(_)), .. }), .. }
    ));
    assert!(matches!(
        &n.kind,
        ArgumentKind::Class { redeclare: true, replaceable: true, constraining: Some(_), .. }
    ));
    assert!(matches!(&r.kind, ArgumentKind::Component { redeclare: false, replaceable: true, .. }));
}

#[test]
fn short_classes_have_their_own_bodies() {
    let tree = tree(
        "type A = enumeration(a, b \"B\"); type B = enumeration(:); function f = der(g, x, y);
         connector C = input Real[3](unit = \"m\") \"text\"; model extends M(x = 1) end M;",
    );
    let [a, b, f, c, m] = &tree.classes[..] else { panic!() };
    assert!(matches!(&a.body, ClassBody::Enumeration(Some(literals), _) if literals.len() == 2));
    assert!(matches!(&b.body, ClassBody::Enumeration(None, _)));
    assert!(matches!(&f.body, ClassBody::Derivative(_, inputs, _) if inputs.len() == 2));
    let ClassBody::Short(c) = &c.body else { panic!() };
    assert_eq!((c.prefix.direction, c.dims.len(), c.mods.len()), (Some(Direction::Input), 1, 1));
    let m = body(m);
    assert!(m.is_class_extends && m.extends_modifier.as_ref().is_some_and(|mods| mods.len() == 1));
}

#[test]
fn external_calls_and_annotations_are_kept() {
    let tree = tree(
        "function f external \"C\" y.z = g(a, 2) annotation(Library = \"m\"); annotation(Inline = true); end f;",
    );
    let body = body(&tree.classes[0]);
    let external = body.external.as_ref().expect("given");
    assert_eq!(external.language.as_deref(), Some("C"));
    assert_eq!(external.output.as_ref().map(reference_to_string), Some("y.z".to_string()));
    assert_eq!(external.args.len(), 2);
    assert!(external.annotation.is_some() && body.annotation.is_some());
}

#[test]
fn imports_have_four_forms() {
    let tree = tree("model M import A.B; import C = A.B; import A.B.*; import A.B.{D, E}; end M;");
    let kinds: Vec<&ImportKind> = body(&tree.classes[0])
        .elements
        .iter()
        .map(|element| match &element.kind {
            ElementKind::Import(import) => &import.kind,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(matches!(
        kinds[..],
        [ImportKind::Qualified, ImportKind::Renamed(_), ImportKind::All, ImportKind::List(_)]
    ));
}

#[test]
fn spans_cover_what_they_name() {
    let text = "within A;\nmodel M // note\n  Real x = 1 + 2 \"d\";\nequation\n  x = f(y) \"e\";\nend M;\n";
    let mut sources = SourceMap::default();
    let file = sources.add("m.mo", text);
    let (tree, _) = parse(file, text);
    let class = &tree.classes[0];
    assert!(sources.slice(class.span).starts_with("model M") && sources.slice(class.span).ends_with("end M"));
    let body = body(class);
    assert_eq!(sources.slice(body.elements[0].span), "Real x = 1 + 2 \"d\"");
    let equation = &body.equations[0].equations[0];
    assert_eq!(sources.slice(equation.span), "x = f(y)");
    assert_eq!(sources.slice(tree.comments[0]), "// note");
}

#[test]
fn what_is_correct_survives_what_is_not() {
    let text =
        "model M Real a; Real = 3; Real b; equation a = ; b = 2; c == 3; d d; e = 4; end M; model N end N;";
    let (tree, diagnostics) = parse(FileId::new(0), text);
    assert_eq!(diagnostics.len(), 4, "{diagnostics:?}");
    assert_eq!(tree.classes.len(), 2);
    let body = body(&tree.classes[0]);
    assert_eq!(body.elements.len(), 2);
    assert_eq!(body.equations[0].equations.len(), 4);
}

#[test]
fn quoted_names_keep_their_quotes() {
    let tree = tree(r#"model 'a b' Real '\"', '"', '\'', x; end 'a b';"#);
    assert_eq!(tree.classes[0].name.name, "'a b'");
    let names: Vec<&str> = clause(&body(&tree.classes[0]).elements[0])
        .components
        .iter()
        .map(|component| component.name.name.as_str())
        .collect();
    assert_eq!(names, ["'\"'", "'\"'", "'\\''", "x"]);
}
