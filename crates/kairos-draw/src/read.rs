//! Graphical annotations to graphical items: literals directly, other expressions by the values of parameters.

use crate::geometry::{Extent, Point};
use crate::graphics::{
    Alignment, Arrow, Border, Closure, Color, CoordinateSystem, Fill, Form, Pattern, Shape, Stroke, TextForm,
};
use crate::now::Now;
use kairos_expr::Value;
use kairos_sema::annotations::find;
use kairos_sema::{InstId, Sema};
use kairos_syntax::ast::{Argument, Expr, ExprKind, NamedArg, UnaryOp};
use kairos_syntax::expr_to_string;

/// Reads annotations that stand in one class.
pub struct Reader<'s, 'a> {
    pub sema: &'s mut Sema<'a>,
    /// Names in the annotations are looked up here.
    pub scope: InstId,
    /// The instant of a run that is shown; without one attributes are as they are while nothing is simulated.
    pub now: Option<Now<'s>>,
}

/// A placement of a part: where it stands in a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transformation {
    pub visible: bool,
    pub extent: Option<Extent>,
    pub origin: Point,
    pub rotation: f64,
}

impl<'a> Reader<'_, 'a> {
    /// The coordinate system of a layer: `None` if the annotation gives none.
    pub fn system(&mut self, layer: &'a [Argument]) -> Option<CoordinateSystem> {
        let (args, _) = find(layer, "coordinateSystem")?;
        let default = CoordinateSystem::default();
        let extent = find(args, "extent").and_then(|(_, value)| self.extent(value?));
        let aspect = find(args, "preserveAspectRatio").and_then(|(_, value)| self.flag(value?));
        let scale = find(args, "initialScale").and_then(|(_, value)| self.number(value?));
        let grid = find(args, "grid").and_then(|(_, value)| self.point(value?));
        Some(CoordinateSystem {
            extent: extent.unwrap_or(default.extent),
            preserve_aspect_ratio: aspect.unwrap_or(true),
            initial_scale: scale.unwrap_or(default.initial_scale),
            grid: grid.unwrap_or(default.grid),
        })
    }

    /// The visible items of a layer, in order.
    pub fn shapes(&mut self, layer: &'a [Argument]) -> Vec<Shape> {
        let Some((_, Some(list))) = find(layer, "graphics") else { return Vec::new() };
        match &list.kind {
            ExprKind::Array(items) => items.iter().filter_map(|item| self.shape(item)).collect(),
            _ => Vec::new(),
        }
    }

    /// One item written as a call, `Line(points=…)`; `None` if it is not to be seen.
    pub fn shape(&mut self, item: &'a Expr) -> Option<Shape> {
        let ExprKind::Call { function, args } = &item.kind else { return None };
        let kind = function.parts.last()?.name.name;
        let values = args.named.iter().map(|NamedArg { name, value }| (name.name.as_str(), value)).collect();
        self.item(kind.as_str(), Values(values))
    }

    /// One item written as a modifier, as the `Line` of a connection is.
    pub fn annotated(&mut self, kind: &str, args: &'a [Argument]) -> Option<Shape> {
        let names = ["points", "color", "pattern", "thickness", "arrow", "arrowSize", "smooth", "visible"];
        let more = ["extent", "string", "textString", "lineColor", "textColor", "fontSize", "origin"];
        let value = |name: &'static str| Some((name, find(args, name)?.1?));
        let values: Vec<(&str, &'a Expr)> = names.into_iter().chain(more).filter_map(value).collect();
        self.item(kind, Values(values))
    }

    fn item(&mut self, kind: &str, values: Values<'a>) -> Option<Shape> {
        let dynamic = values.dynamic();
        if values.get("visible").and_then(|e| self.flag(e)) == Some(false) {
            return None;
        }
        let line_color = values.get("lineColor").and_then(|e| self.color(e));
        let color = values.get("color").and_then(|e| self.color(e));
        let thickness = values.get("thickness").or(values.get("lineThickness"));
        let stroke = Stroke {
            color: color.or(line_color).unwrap_or_default(),
            pattern: pattern(self.word(values.get("pattern"))),
            thickness: thickness.and_then(|e| self.number(e)).unwrap_or(0.25),
        };
        Some(Shape {
            origin: values.get("origin").and_then(|e| self.point(e)).unwrap_or_default(),
            rotation: values.get("rotation").and_then(|e| self.number(e)).unwrap_or(0.0),
            stroke,
            fill: fill(self.word(values.get("fillPattern"))),
            fill_color: values.get("fillColor").and_then(|e| self.color(e)).unwrap_or_default(),
            form: self.form(kind, &values, line_color.unwrap_or_default())?,
            dynamic,
        })
    }

    fn form(&mut self, kind: &str, values: &Values<'a>, line_color: Color) -> Option<Form> {
        let smooth = self.word(values.get("smooth")) == "Bezier";
        let extent = match values.get("extent") {
            Some(e) => self.extent(e),
            None => None,
        };
        Some(match kind {
            "Line" => {
                let heads: Vec<Arrow> =
                    self.list(values.get("arrow")).iter().map(|e| arrow(name_of(e))).collect();
                Form::Line {
                    points: self.points(values.get("points")?)?,
                    arrows: [0, 1].map(|k| heads.get(k).copied().unwrap_or_default()),
                    arrow_size: values.get("arrowSize").and_then(|e| self.number(e)).unwrap_or(3.0),
                    smooth,
                }
            }
            "Polygon" => Form::Polygon { points: self.points(values.get("points")?)?, smooth },
            "Rectangle" => Form::Rectangle {
                extent: extent?,
                radius: values.get("radius").and_then(|e| self.number(e)).unwrap_or(0.0),
                border: border(self.word(values.get("borderPattern"))),
            },
            "Ellipse" => {
                let start = values.get("startAngle").and_then(|e| self.number(e)).unwrap_or(0.0);
                let end = values.get("endAngle").and_then(|e| self.number(e)).unwrap_or(360.0);
                let whole = (end - start).abs() >= 360.0;
                let default = if whole { Closure::Chord } else { Closure::Radial };
                let closure = values.get("closure").map_or(default, |e| closure(self.word(Some(e))));
                Form::Ellipse { extent: extent?, start, end, closure }
            }
            "Text" => Form::Text(self.text(values, extent?, line_color)),
            "Bitmap" => Form::Bitmap {
                extent: extent?,
                file: values.get("fileName").and_then(|e| self.string(e)).unwrap_or_default(),
                data: values.get("imageSource").and_then(|e| self.string(e)).unwrap_or_default(),
            },
            _ => return None,
        })
    }

    fn text(&mut self, values: &Values<'a>, extent: Extent, line_color: Color) -> TextForm {
        let text = values.get("textString").or(values.get("string"));
        let styles = self.list(values.get("textStyle"));
        let has = |style: &str| styles.iter().any(|e| name_of(e) == style);
        let color = values.get("textColor").and_then(|e| self.color(e));
        TextForm {
            extent,
            text: text.and_then(|e| self.string(e)).unwrap_or_default(),
            size: values.get("fontSize").and_then(|e| self.number(e)).unwrap_or(0.0),
            font: values.get("fontName").and_then(|e| self.string(e)).unwrap_or_default(),
            bold: has("Bold"),
            italic: has("Italic"),
            underline: has("UnderLine") || has("Underline"),
            alignment: alignment(self.word(values.get("horizontalAlignment"))),
            color: color.unwrap_or(line_color),
        }
    }

    /// `Placement(…)`: where a part stands in the diagram, and in the icon. `None`: it is in neither.
    pub fn placement(&mut self, args: &'a [Argument]) -> Option<(Transformation, Transformation)> {
        let (args, _) = find(args, "Placement")?;
        let visible = find(args, "visible").and_then(|(_, e)| self.flag(e?)).unwrap_or(true);
        let diagram =
            self.transformation(find(args, "transformation").map_or(&[], |(args, _)| args), visible);
        let shown = find(args, "iconVisible").and_then(|(_, e)| self.flag(e?)).unwrap_or(visible);
        let icon = match find(args, "iconTransformation") {
            Some((args, _)) => self.transformation(args, shown),
            None => Transformation { visible: shown, ..diagram },
        };
        Some((diagram, icon))
    }

    fn transformation(&mut self, args: &'a [Argument], visible: bool) -> Transformation {
        let extent = find(args, "extent").and_then(|(_, e)| self.extent(e?));
        let origin = find(args, "origin").and_then(|(_, e)| self.point(e?)).unwrap_or_default();
        let rotation = find(args, "rotation").and_then(|(_, e)| self.number(e?)).unwrap_or(0.0);
        Transformation { visible, extent, origin, rotation }
    }

    /// `IconMap(extent=…, primitivesVisible=…)` of an extends clause.
    pub fn map(&mut self, args: &'a [Argument]) -> (Option<Extent>, bool) {
        let extent = find(args, "extent").and_then(|(_, e)| self.extent(e?));
        let visible = find(args, "primitivesVisible").and_then(|(_, e)| self.flag(e?));
        (extent.filter(|e| e[0] != e[1]), visible.unwrap_or(true))
    }

    /// An attribute as it is at the instant that is shown, or else while nothing is simulated.
    fn present<T>(&mut self, e: &'a Expr, read: fn(&mut Self, &'a Expr) -> Option<T>) -> Option<T> {
        match (dynamic_select(e), &self.now) {
            (Some([still, moving, ..]), Some(now)) => {
                let moving = now.branch(moving).and_then(|e| read(self, e));
                moving.or_else(|| read(self, still))
            }
            (Some([still, ..]), _) => read(self, still),
            _ => read(self, e),
        }
    }

    /// The value of an expression: in the run that is shown, or else by the parameters of the class.
    fn value(&mut self, e: &'a Expr) -> Option<Value> {
        let now = self.now.as_ref().and_then(|now| now.value(e));
        now.or_else(|| self.sema.value_in(self.scope, e))
    }

    pub fn flag(&mut self, e: &'a Expr) -> Option<bool> {
        self.present(e, |reader, e| match e.kind {
            ExprKind::Bool(b) => Some(b),
            _ => match reader.value(e)? {
                Value::Bool(b) => Some(b),
                _ => None,
            },
        })
    }

    fn number(&mut self, e: &'a Expr) -> Option<f64> {
        self.present(e, |reader, e| {
            let number = match &e.kind {
                ExprKind::Real(x) => *x,
                ExprKind::Integer(i) => *i as f64,
                ExprKind::Unary(UnaryOp::Minus, inner) => -reader.number(inner)?,
                _ => match reader.value(e)? {
                    Value::Real(x) => x,
                    Value::Int(i) => i as f64,
                    _ => return None,
                },
            };
            number.is_finite().then_some(number)
        })
    }

    fn string(&mut self, e: &'a Expr) -> Option<String> {
        self.present(e, |reader, e| match &e.kind {
            ExprKind::String(text) => Some(text.to_string()),
            _ => match reader.value(e)? {
                Value::Str(text) => Some(text.to_string()),
                _ => None,
            },
        })
    }

    /// The last part of a name that stands for a literal.
    fn word(&mut self, e: Option<&'a Expr>) -> &'a str {
        e.and_then(|e| self.present(e, |_, e| Some(name_of(e)))).unwrap_or("")
    }

    /// The elements of an array of names.
    fn list(&mut self, e: Option<&'a Expr>) -> Vec<&'a Expr> {
        e.and_then(|e| self.present(e, |_, e| Some(items(e)))).unwrap_or_default()
    }

    /// The numbers of an array, written out or computed.
    fn numbers(&mut self, e: &'a Expr) -> Option<Vec<f64>> {
        self.present(e, Self::numbers_of)
    }

    fn numbers_of(&mut self, e: &'a Expr) -> Option<Vec<f64>> {
        if let ExprKind::Array(items) = &e.kind {
            return items.iter().map(|item| self.number(item)).collect();
        }
        let Value::Array(array) = self.sema.value_in(self.scope, e)? else { return None };
        let number = |value: &Value| match value {
            Value::Real(x) => Some(*x),
            Value::Int(i) => Some(*i as f64),
            _ => None,
        };
        array.data.iter().map(number).collect()
    }

    fn point(&mut self, e: &'a Expr) -> Option<Point> {
        match self.numbers(e)?[..] {
            [x, y] => Some([x, y]),
            _ => None,
        }
    }

    fn points(&mut self, e: &'a Expr) -> Option<Vec<Point>> {
        self.present(e, Self::points_of)
    }

    fn points_of(&mut self, e: &'a Expr) -> Option<Vec<Point>> {
        if let ExprKind::Array(items) = &e.kind {
            return items.iter().map(|item| self.point(item)).collect();
        }
        let flat = self.numbers(e)?;
        Some(flat.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    fn extent(&mut self, e: &'a Expr) -> Option<Extent> {
        match self.points(e)?[..] {
            [a, b] => Some([a, b]),
            _ => None,
        }
    }

    fn color(&mut self, e: &'a Expr) -> Option<Color> {
        match self.numbers(e)?[..] {
            [r, g, b] => Some(Color([r, g, b].map(|x| x.clamp(0.0, 255.0) as u8))),
            _ => None,
        }
    }
}

/// Attributes by name.
struct Values<'a>(Vec<(&'a str, &'a Expr)>);

impl<'a> Values<'a> {
    fn get(&self, name: &str) -> Option<&'a Expr> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, e)| *e)
    }

    /// The attributes that follow the simulation.
    fn dynamic(&self) -> Vec<(String, String)> {
        let live = |&(name, e): &(&str, &Expr)| {
            let args = dynamic_select(e)?;
            Some((name.to_string(), expr_to_string(args.get(1)?)))
        };
        self.0.iter().filter_map(live).collect()
    }
}

fn dynamic_select(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Call { function, args }
            if function.parts.last().is_some_and(|p| p.name.name.as_str() == "DynamicSelect") =>
        {
            Some(&args.positional)
        }
        _ => None,
    }
}

/// The elements of a written array; a single value counts as one.
fn items(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Array(items) => items.iter().collect(),
        _ => vec![e],
    }
}

/// The last part of a name: `LinePattern.Dash` gives `Dash`.
fn name_of(e: &Expr) -> &str {
    match &e.kind {
        ExprKind::Ref(r) => r.parts.last().map_or("", |part| part.name.name.as_str()),
        _ => "",
    }
}

fn pattern(name: &str) -> Pattern {
    match name {
        "None" => Pattern::None,
        "Dash" => Pattern::Dash,
        "Dot" => Pattern::Dot,
        "DashDot" => Pattern::DashDot,
        "DashDotDot" => Pattern::DashDotDot,
        _ => Pattern::Solid,
    }
}

fn fill(name: &str) -> Fill {
    match name {
        "Solid" => Fill::Solid,
        "Horizontal" => Fill::Horizontal,
        "Vertical" => Fill::Vertical,
        "Cross" => Fill::Cross,
        "Forward" => Fill::Forward,
        "Backward" => Fill::Backward,
        "CrossDiag" => Fill::CrossDiag,
        "HorizontalCylinder" => Fill::HorizontalCylinder,
        "VerticalCylinder" => Fill::VerticalCylinder,
        "Sphere" => Fill::Sphere,
        _ => Fill::None,
    }
}

fn arrow(name: &str) -> Arrow {
    match name {
        "Open" => Arrow::Open,
        "Filled" => Arrow::Filled,
        "Half" => Arrow::Half,
        _ => Arrow::None,
    }
}

fn border(name: &str) -> Border {
    match name {
        "Raised" => Border::Raised,
        "Sunken" => Border::Sunken,
        "Engraved" => Border::Engraved,
        _ => Border::None,
    }
}

fn closure(name: &str) -> Closure {
    match name {
        "None" => Closure::None,
        "Radial" => Closure::Radial,
        _ => Closure::Chord,
    }
}

fn alignment(name: &str) -> Alignment {
    match name {
        "Left" => Alignment::Left,
        "Right" => Alignment::Right,
        _ => Alignment::Center,
    }
}
