//! What a class shows: its shapes, its parts with their icons, its connection lines.
//!
//! Layers come in the order of inheritance, bases first, so that what a class adds is drawn over what it inherits. A part
//! is seen through its declaration after all redeclarations and modifications of the class that is drawn; its icon has the
//! connectors that a user can connect, unless a condition switches them off.

use crate::geometry::{Extent, Matrix, Point, middle};
use crate::graphics::{CoordinateSystem, Form, Shape};
use crate::now::{Lookup, Now};
use crate::read::{Reader, Transformation};
use crate::texts::{Subject, fill};
use kairos_base::Span;
use kairos_sema::annotations::find;
use kairos_sema::{CompId, InstId, Layer, Sema};
use kairos_syntax::ast::{
    Argument, Class, ClassBody, Direction, Equation, EquationKind, Expr, ExprKind, Subscript,
};
use kairos_syntax::expr_to_string;

/// Which layer of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As a part of others looks.
    Icon,
    /// What it is composed of.
    Diagram,
}

/// A class as a picture, still in its own coordinates.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The qualified name.
    pub class: String,
    pub system: CoordinateSystem,
    pub shapes: Vec<Shape>,
    pub parts: Vec<Part>,
    pub wires: Vec<Wire>,
}

/// A component in a diagram, or a connector of an icon.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    /// The qualified name of its class.
    pub class: String,
    /// From the coordinates of its icon to those of the picture that holds it.
    pub matrix: Matrix,
    /// The box of its icon, in the icon's own coordinates.
    pub extent: Extent,
    pub shapes: Vec<Shape>,
    pub is_connector: bool,
    /// The lengths of an array, as its declaration writes them; empty for a scalar.
    pub lengths: Vec<String>,
    pub direction: Option<Direction>,
    /// A condition switches it off.
    pub disabled: bool,
    /// Declared in a base of the class that is drawn.
    pub inherited: bool,
    /// The connectors of its icon.
    pub connectors: Vec<Part>,
    /// Where it is declared.
    pub span: Span,
}

/// A line between two connectors, or a transition between states.
#[derive(Clone, Debug)]
pub struct Wire {
    pub from: String,
    pub to: String,
    /// The line and its label.
    pub shapes: Vec<Shape>,
    pub inherited: bool,
    /// Where the equation stands.
    pub span: Span,
}

/// Collects the picture of a class.
pub fn scene(sema: &mut Sema<'_>, class: InstId, view: View) -> Scene {
    scene_at(sema, class, view, None)
}

/// The same at an instant of a run, whose values the lookup has.
pub fn scene_at(sema: &mut Sema<'_>, class: InstId, view: View, values: Option<Lookup<'_>>) -> Scene {
    let root = sema.look_at(class);
    let Some(class) = sema.class_of(root) else { return Scene::default() };
    let name = sema.class_name(class);
    let short = name.rsplit('.').next().unwrap_or(&name).to_string();
    let subject = Subject { comp: root, name: &short, class: &name };
    let layers = sema.layers(class);
    let now = values.map(|lookup| Now { lookup, prefix: String::new() });
    let (system, shapes) = graphics(sema, &layers, view, subject, now.as_ref());
    let mut scene = Scene { class: name.clone(), system, shapes, ..Scene::default() };
    for part in sema.declared_parts(root) {
        scene.parts.extend(placed(sema, part, view, class, now.as_ref()));
    }
    if view == View::Diagram {
        let wires = layers.iter().flat_map(|layer| wires_of(sema, layer));
        scene.wires = wires.collect();
    }
    scene
}

fn layer_name(view: View) -> (&'static str, &'static str) {
    match view {
        View::Icon => ("Icon", "IconMap"),
        View::Diagram => ("Diagram", "DiagramMap"),
    }
}

/// The coordinate system and the shapes of all layers of a class.
fn graphics<'a>(
    sema: &mut Sema<'a>,
    layers: &[Layer<'a>],
    view: View,
    subject: Subject<'_>,
    now: Option<&Now<'_>>,
) -> (CoordinateSystem, Vec<Shape>) {
    let (kind, map) = layer_name(view);
    let (mut system, mut shapes) = (None, Vec::new());
    for layer in layers {
        let args: &[Argument] = layer.annotation().map_or(&[], |annotation| &annotation.args);
        let Some((args, _)) = find(args, kind) else { continue };
        let mut reader = Reader { sema, scope: layer.scope, now: now.cloned() };
        let own = reader.system(args);
        let mut found = reader.shapes(args);
        if let Some((args, _)) = layer.extends.and_then(|annotation| find(&annotation.args, map)) {
            let (extent, visible) = reader.map(args);
            if !visible {
                found.clear();
            }
            if let Some(extent) = extent {
                let from = own.unwrap_or_default().extent;
                found.iter_mut().for_each(|shape| move_into(shape, from, extent));
            }
        }
        for shape in &mut found {
            if let Form::Text(text) = &mut shape.form {
                text.text = fill(sema, subject, &text.text);
            }
        }
        shapes.append(&mut found);
        // The class's own system counts, else that of the first base that has one.
        system = if layer.inherited { system.or(own) } else { own.or(system) };
    }
    (system.unwrap_or_default(), shapes)
}

/// Maps an inherited shape from the box of its class into the box that the extends clause gives.
fn move_into(shape: &mut Shape, from: Extent, to: Extent) {
    let matrix = Matrix::between(from, to);
    shape.origin = matrix.apply(shape.origin);
    let scale = |p: &mut Point| *p = matrix.turn(*p);
    match &mut shape.form {
        Form::Line { points, .. } | Form::Polygon { points, .. } => points.iter_mut().for_each(scale),
        Form::Rectangle { extent, .. } | Form::Ellipse { extent, .. } | Form::Bitmap { extent, .. } => {
            extent.iter_mut().for_each(scale);
        }
        Form::Text(text) => text.extent.iter_mut().for_each(scale),
    }
}

/// A part of the class that is drawn, if it has a place in the picture.
fn placed(
    sema: &mut Sema<'_>,
    comp: CompId,
    view: View,
    owner: InstId,
    now: Option<&Now<'_>>,
) -> Option<Part> {
    let (_, component, scope) = sema.declaration(comp)?;
    let annotation = component.comment.annotation.as_ref()?;
    let (diagram, icon) = Reader { sema, scope, now: None }.placement(&annotation.args)?;
    let class = sema.class_of(comp)?;
    let is_connector = sema.is_connector(comp);
    let place = match view {
        View::Diagram => diagram,
        View::Icon => icon,
    };
    let hidden = view == View::Icon && (!is_connector || sema.comp(comp).protected);
    if hidden || !place.visible {
        return None;
    }
    let now =
        now.map(|now| Now { prefix: format!("{}{}.", now.prefix, sema.comp(comp).name), ..now.clone() });
    let now = now.as_ref();
    let mut part = drawn(sema, comp, class, place, if is_connector { view } else { View::Icon }, now);
    part.inherited = scope != owner;
    if !is_connector {
        for inner in sema.declared_parts(comp) {
            let connector = placed(sema, inner, View::Icon, class, now).filter(|part| !part.disabled);
            part.connectors.extend(connector);
        }
    }
    Some(part)
}

/// A part with the graphics of one layer of its class.
fn drawn(
    sema: &mut Sema<'_>,
    comp: CompId,
    class: InstId,
    place: Transformation,
    view: View,
    now: Option<&Now<'_>>,
) -> Part {
    let (name, class_name) = (sema.comp(comp).name.to_string(), sema.class_name(class));
    let subject = Subject { comp, name: &name, class: &class_name };
    let layers = sema.layers(class);
    let (mut system, mut shapes) = graphics(sema, &layers, view, subject, now);
    if shapes.is_empty() && view == View::Diagram {
        // A connector that has no diagram of its own looks as it does in icons.
        (system, shapes) = graphics(sema, &layers, View::Icon, subject, now);
    }
    let lengths = lengths(sema, comp);
    let found = sema.comp(comp);
    Part {
        lengths,
        matrix: matrix(&system, place),
        extent: system.extent,
        shapes,
        is_connector: sema.is_connector(comp),
        direction: found.direction,
        disabled: found.disabled,
        inherited: false,
        connectors: Vec::new(),
        span: found.span,
        class: class_name,
        name,
    }
}

/// The lengths that the declaration of an array gives, those of its own name first.
fn lengths(sema: &Sema<'_>, comp: CompId) -> Vec<String> {
    let Some((clause, component, _)) = sema.declaration(comp) else { return Vec::new() };
    let text = |subscript: &Subscript| match subscript {
        Subscript::All(_) => ":".to_string(),
        Subscript::Expr(e) => expr_to_string(e),
    };
    component.dims.iter().chain(&clause.dims).map(text).collect()
}

/// From the coordinates of an icon to where its transformation puts it (MLS 18.6.2.1).
fn matrix(system: &CoordinateSystem, place: Transformation) -> Matrix {
    let to = place.extent.unwrap_or_else(|| {
        let [a, b] = system.extent;
        let scale = system.initial_scale;
        [[a[0] * scale, a[1] * scale], [b[0] * scale, b[1] * scale]]
    });
    let moved = Matrix::between(system.extent, to);
    let turned = Matrix::shift(place.origin).after(&Matrix::rotation(place.rotation));
    turned.after(&moved)
}

/// The connection lines that a class itself has.
fn wires_of<'a>(sema: &mut Sema<'a>, layer: &Layer<'a>) -> Vec<Wire> {
    let mut wires = Vec::new();
    for equation in connections(layer.class) {
        let Some(annotation) = &equation.comment.annotation else { continue };
        let mut reader = Reader { sema, scope: layer.scope, now: None };
        let line = find(&annotation.args, "Line");
        let mut shapes: Vec<Shape> =
            line.and_then(|(args, _)| reader.annotated("Line", args)).into_iter().collect();
        let (from, to) = ends(equation);
        if let Some((args, _)) = find(&annotation.args, "Text")
            && let Some(mut label) = reader.annotated("Text", args)
        {
            if let Form::Text(text) = &mut label.form {
                text.text = text.text.replace("%condition", &condition(equation));
            }
            shapes.push(label);
        }
        if !shapes.is_empty() {
            wires.push(Wire { from, to, shapes, inherited: layer.inherited, span: equation.span });
        }
    }
    wires
}

/// The equations of a class that can have a line, those inside loops and conditions included.
fn connections(class: &Class) -> Vec<&Equation> {
    let ClassBody::Long(body) = &class.body else { return Vec::new() };
    let mut found = Vec::new();
    let mut todo: Vec<&Equation> =
        body.equations.iter().rev().flat_map(|s| s.equations.iter().rev()).collect();
    while let Some(equation) = todo.pop() {
        match &equation.kind {
            EquationKind::Connect(..) | EquationKind::Call(_) => found.push(equation),
            EquationKind::For { body, .. } => todo.extend(body.iter().rev()),
            EquationKind::If { branches, otherwise } => {
                todo.extend(otherwise.iter().rev());
                todo.extend(branches.iter().rev().flat_map(|(_, body)| body.iter().rev()));
            }
            _ => {}
        }
    }
    found
}

/// The two ends of a connection or a transition, as they are written.
fn ends(equation: &Equation) -> (String, String) {
    match &equation.kind {
        EquationKind::Connect(from, to) => (expr_to_string(from), expr_to_string(to)),
        EquationKind::Call(call) => {
            let args = positional(call);
            let text = |k: usize| args.get(k).map_or(String::new(), expr_to_string);
            (text(0), text(1))
        }
        _ => Default::default(),
    }
}

/// The condition of a transition.
fn condition(equation: &Equation) -> String {
    match &equation.kind {
        EquationKind::Call(call) => positional(call).get(2).map_or(String::new(), expr_to_string),
        _ => String::new(),
    }
}

fn positional(call: &Expr) -> &[Expr] {
    match &call.kind {
        ExprKind::Call { args, .. } => &args.positional,
        _ => &[],
    }
}

impl Part {
    /// The middle of its icon, in the coordinates of the picture that holds it.
    pub fn middle(&self) -> Point {
        self.matrix.apply(middle(self.extent))
    }
}
