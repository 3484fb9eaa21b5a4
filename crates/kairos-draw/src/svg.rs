//! A scene as SVG.
//!
//! Shapes keep their own coordinates and have a matrix; the widths of their lines are divided by its scale, so that lines
//! are as thick in a small icon as in a large one. Texts are placed on
//! the page one by one, because they stay upright and readable however their part is turned or flipped (MLS 18.6.5.5).
//! Groups of parts, connectors and wires carry names in `data-` attributes, by which an editor finds them.

use crate::geometry::{Extent, Matrix, Point, sorted};
use crate::graphics::{Alignment, Arrow, Border, Closure, Color, Fill, Form, Pattern, Shape, TextForm};
use crate::metrics;
use crate::scene::{Part, Scene, Wire};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a picture is for.
#[derive(Default)]
pub struct Picture<'p> {
    /// Reads the file that a bitmap names.
    pub file: Option<&'p dyn Fn(&str) -> Option<Vec<u8>>>,
    /// Width on the page in pixels; without it the page decides.
    pub width: Option<f64>,
    /// The frame of the coordinate system is drawn.
    pub frame: bool,
}

/// Draws a scene.
pub fn svg(scene: &Scene, picture: &Picture<'_>) -> String {
    let mut pen = Pen { body: String::new(), defs: BTreeMap::new(), picture };
    let page = Matrix::PAGE;
    if picture.frame {
        let [x, y, w, h] = sorted(scene.system.extent);
        let _ = write!(
            pen.body,
            "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fff\" stroke=\"none\"/>",
            num(x),
            num(-y - h),
            num(w),
            num(h)
        );
    }
    pen.body.push_str("<g class=\"layer\">");
    pen.shapes(&scene.shapes, &page);
    pen.body.push_str("</g>");
    scene.parts.iter().for_each(|part| pen.part(part, &page));
    for (k, wire) in scene.wires.iter().enumerate() {
        pen.wire(k, wire, &page);
    }
    let [x, y, w, h] = bounds(scene);
    let size = picture.width.map_or(String::new(), |width| {
        format!(" width=\"{}\" height=\"{}\"", num(width), num(width * h / w.max(1e-9)))
    });
    let defs: String = pen.defs.values().map(String::as_str).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"modelica\" viewBox=\"{} {} {} {}\"{size}>\
         <style>.modelica text{{font-family:Arial,Helvetica,\"Liberation Sans\",sans-serif}}</style>\
         <defs>{defs}</defs>{}</svg>\n",
        num(x),
        num(-y - h),
        num(w),
        num(h),
        pen.body
    )
}

/// Everything that can be seen, with a little room around it.
fn bounds(scene: &Scene) -> [f64; 4] {
    let [x, y, w, h] = sorted(scene.system.extent);
    let (mut low, mut high) = ([x, y], [x + w, y + h]);
    let mut take = |p: Point| {
        for k in 0..2 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    };
    for part in &scene.parts {
        corners(part.extent).into_iter().for_each(|p| take(part.matrix.apply(p)));
    }
    for shape in scene.shapes.iter().chain(scene.wires.iter().flat_map(|wire| &wire.shapes)) {
        let points = match &shape.form {
            Form::Line { points, .. } | Form::Polygon { points, .. } => points.clone(),
            Form::Rectangle { extent, .. } | Form::Ellipse { extent, .. } | Form::Bitmap { extent, .. } => {
                corners(*extent).to_vec()
            }
            Form::Text(text) if text.text.trim().is_empty() => Vec::new(),
            Form::Text(text) => corners(text.extent).to_vec(),
        };
        points.iter().for_each(|p| take(shape.matrix().apply(*p)));
    }
    let room = 0.02 * (high[0] - low[0]).max(high[1] - low[1]);
    [low[0] - room, low[1] - room, high[0] - low[0] + 2.0 * room, high[1] - low[1] + 2.0 * room]
}

fn corners([a, b]: Extent) -> [Point; 4] {
    [a, b, [a[0], b[1]], [b[0], a[1]]]
}

struct Pen<'p> {
    body: String,
    /// Gradients and hatchings by their names.
    defs: BTreeMap<String, String>,
    picture: &'p Picture<'p>,
}

impl Pen<'_> {
    fn part(&mut self, part: &Part, page: &Matrix) {
        let kind = if part.is_connector { "part connector" } else { "part" };
        let faded = if part.disabled { " opacity=\"0.3\"" } else { "" };
        let fixed = if part.inherited { " data-inherited=\"1\"" } else { "" };
        let _ = write!(
            self.body,
            "<g class=\"{kind}\" data-name=\"{}\" data-class=\"{}\"{fixed}{faded}>",
            escaped(&part.name),
            escaped(&part.class)
        );
        let matrix = page.after(&part.matrix);
        self.shapes(&part.shapes, &matrix);
        for connector in &part.connectors {
            let _ = write!(
                self.body,
                "<g class=\"connector\" data-name=\"{}\" data-class=\"{}\">",
                escaped(&connector.name),
                escaped(&connector.class)
            );
            self.shapes(&connector.shapes, &matrix.after(&connector.matrix));
            self.body.push_str("</g>");
        }
        self.body.push_str("</g>");
    }

    fn wire(&mut self, k: usize, wire: &Wire, page: &Matrix) {
        let fixed = if wire.inherited { " data-inherited=\"1\"" } else { "" };
        let _ = write!(
            self.body,
            "<g class=\"wire\" data-wire=\"{k}\" data-from=\"{}\" data-to=\"{}\"{fixed}>",
            escaped(&wire.from),
            escaped(&wire.to)
        );
        self.shapes(&wire.shapes, page);
        self.body.push_str("</g>");
    }

    fn shapes(&mut self, shapes: &[Shape], page: &Matrix) {
        for shape in shapes {
            let matrix = page.after(&shape.matrix());
            match &shape.form {
                Form::Text(text) => self.text(text, &matrix),
                Form::Bitmap { extent, file, data } => self.bitmap(*extent, file, data, &matrix),
                _ => self.outline(shape, &matrix),
            }
        }
    }

    fn outline(&mut self, shape: &Shape, matrix: &Matrix) {
        let transform = transform(matrix);
        let stroke = stroke(shape, matrix.scale());
        match &shape.form {
            Form::Line { points, arrows, arrow_size, smooth } => {
                let path = if *smooth { curve(points) } else { polyline(points) };
                let _ = write!(self.body, "<path d=\"{path}\" fill=\"none\"{stroke}{transform}/>");
                self.heads(shape, points, (*arrows, *arrow_size), matrix);
            }
            Form::Polygon { points, smooth } => {
                let path = if *smooth { closed_curve(points) } else { polyline(points) + "Z" };
                let fill = self.fill(shape);
                let _ = write!(self.body, "<path d=\"{path}\"{fill}{stroke}{transform}/>");
            }
            Form::Rectangle { extent, radius, border } => {
                let [x, y, w, h] = sorted(*extent);
                let fill = self.fill(shape);
                let _ = write!(
                    self.body,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{fill}{stroke}{transform}/>",
                    num(x),
                    num(y),
                    num(w),
                    num(h),
                    num(radius.min(w / 2.0).min(h / 2.0).max(0.0))
                );
                self.border(*border, [x, y, w, h], matrix);
            }
            Form::Ellipse { extent, start, end, closure } => {
                let fill = if *closure == Closure::None { " fill=\"none\"".into() } else { self.fill(shape) };
                let form = ellipse(*extent, *start, *end, *closure);
                let _ = write!(self.body, "<{form}{fill}{stroke}{transform}/>");
            }
            Form::Text(_) | Form::Bitmap { .. } => {}
        }
    }

    /// The heads of a line.
    fn heads(&mut self, shape: &Shape, points: &[Point], (arrows, size): ([Arrow; 2], f64), matrix: &Matrix) {
        let transform = transform(matrix);
        let ends = [(0, 1), (points.len().wrapping_sub(1), points.len().wrapping_sub(2))];
        for (arrow, (tip, before)) in arrows.into_iter().zip(ends) {
            let (Some(&tip), Some(&before)) = (points.get(tip), points.get(before)) else { continue };
            let (dx, dy) = (tip[0] - before[0], tip[1] - before[1]);
            let length = dx.hypot(dy);
            if arrow == Arrow::None || length == 0.0 {
                continue;
            }
            let (ux, uy) = (dx / length * size, dy / length * size);
            let side = |s: f64| [tip[0] - ux - s * 0.4 * uy, tip[1] - uy + s * 0.4 * ux];
            let (left, right) = (side(1.0), side(-1.0));
            let color = color(shape.stroke.color);
            let (points, fill) = match arrow {
                Arrow::Filled => (vec![left, tip, right, left], color.as_str()),
                Arrow::Open => (vec![left, tip, right], "none"),
                _ => (vec![left, tip], "none"),
            };
            let path = polyline(&points);
            let _ = write!(
                self.body,
                "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{color}\" stroke-width=\"{}\"{transform}/>",
                num(width(shape) / matrix.scale())
            );
        }
    }

    /// The bright and the dark edge of a rectangle that stands out.
    fn border(&mut self, border: Border, [x, y, w, h]: [f64; 4], matrix: &Matrix) {
        let (transform, width) = (transform(matrix), num(0.5 / matrix.scale()));
        let (top, bottom) = match border {
            Border::None => return,
            Border::Raised => ("#ffffff", "#808080"),
            Border::Sunken | Border::Engraved => ("#808080", "#ffffff"),
        };
        let upper = polyline(&[[x, y], [x, y + h], [x + w, y + h]]);
        let lower = polyline(&[[x, y], [x + w, y], [x + w, y + h]]);
        for (path, color) in [(upper, top), (lower, bottom)] {
            let _ = write!(
                self.body,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{transform}/>"
            );
        }
    }

    fn fill(&mut self, shape: &Shape) -> String {
        let (line, fill) = (color(shape.stroke.color), color(shape.fill_color));
        let name = format!("{:?}{}{}", shape.fill, &line[1..], &fill[1..]);
        let stops = format!(
            "<stop offset=\"0\" stop-color=\"{line}\"/><stop offset=\"0.5\" stop-color=\"{fill}\"/>\
             <stop offset=\"1\" stop-color=\"{line}\"/>"
        );
        let made = match shape.fill {
            Fill::None => return " fill=\"none\"".into(),
            Fill::Solid => return format!(" fill=\"{fill}\""),
            Fill::HorizontalCylinder => {
                format!(
                    "<linearGradient id=\"{name}\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">{stops}</linearGradient>"
                )
            }
            Fill::VerticalCylinder => {
                format!(
                    "<linearGradient id=\"{name}\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"0\">{stops}</linearGradient>"
                )
            }
            Fill::Sphere => format!(
                "<radialGradient id=\"{name}\"><stop offset=\"0\" stop-color=\"{fill}\"/>\
                 <stop offset=\"1\" stop-color=\"{line}\"/></radialGradient>"
            ),
            hatch => hatching(&name, hatch, &line, &fill),
        };
        self.defs.insert(name.clone(), made);
        format!(" fill=\"url(#{name})\"")
    }

    fn text(&mut self, text: &TextForm, matrix: &Matrix) {
        let lines: Vec<&str> = text.text.lines().collect();
        if lines.is_empty() {
            return;
        }
        let [a, b] = text.extent;
        let (right, up) = (matrix.turn([b[0] - a[0], 0.0]), matrix.turn([0.0, b[1] - a[1]]));
        let (wide, high) = (right[0].hypot(right[1]), up[0].hypot(up[1]));
        let widest = lines.iter().map(|line| metrics::width(line)).fold(0.0, f64::max).max(0.1);
        let by_height = if high > 0.0 { high / (1.15 * lines.len() as f64) } else { f64::INFINITY };
        let by_width = if wide > 0.0 { wide / widest } else { f64::INFINITY };
        let fits = by_height.min(by_width);
        let size = if text.size > 0.0 { (text.size * POINT).min(by_width) } else { fits };
        if !size.is_finite() || size <= 0.0 {
            return;
        }
        // The direction of reading is the one of the box's two that does not go to the left.
        let mut along = matrix.turn([1.0, 0.0]);
        if along[0] < -1e-9 * along[1].abs() || (along[0].abs() <= 1e-9 * along[1].abs() && along[1] > 0.0) {
            along = [-along[0], -along[1]];
        }
        let length = along[0].hypot(along[1]).max(1e-12);
        let along = [along[0] / length, along[1] / length];
        let centre = matrix.apply([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]);
        let (shift, anchor) = match text.alignment {
            Alignment::Left => (-wide / 2.0, "start"),
            Alignment::Center => (0.0, "middle"),
            Alignment::Right => (wide / 2.0, "end"),
        };
        let (x, y) = (centre[0] + shift * along[0], centre[1] + shift * along[1]);
        let angle = along[1].atan2(along[0]).to_degrees();
        let mut style = String::new();
        if angle.abs() > 1e-9 {
            let _ = write!(style, " transform=\"rotate({} {} {})\"", num(angle), num(x), num(y));
        }
        if text.bold {
            style.push_str(" font-weight=\"bold\"");
        }
        if text.italic {
            style.push_str(" font-style=\"italic\"");
        }
        if text.underline {
            style.push_str(" text-decoration=\"underline\"");
        }
        let fill = color(text.color);
        for (k, line) in lines.iter().enumerate() {
            let drop = (k as f64 - (lines.len() as f64 - 1.0) / 2.0) * 1.15 + 0.35;
            let _ = write!(
                self.body,
                "<text x=\"{}\" y=\"{}\" dy=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{fill}\"{style}>{}</text>",
                num(x),
                num(y),
                num(drop * size),
                num(size),
                escaped(line)
            );
        }
    }

    fn bitmap(&mut self, extent: Extent, file: &str, data: &str, matrix: &Matrix) {
        let bytes = match data.is_empty() {
            true => self.picture.file.and_then(|read| read(file)).map(|bytes| base64(&bytes)),
            false => Some(data.chars().filter(|c| !c.is_whitespace()).collect()),
        };
        let Some(data) = bytes else { return };
        let [x, y, w, h] = sorted(extent);
        // The rows of a picture go downwards.
        let upright = matrix.after(&Matrix([1.0, 0.0, 0.0, -1.0, x, y + h]));
        let _ = write!(
            self.body,
            "<image width=\"{}\" height=\"{}\" href=\"data:{};base64,{}\"{}/>",
            num(w),
            num(h),
            kind(&data),
            escaped(&data),
            transform(&upright)
        );
    }
}

/// A point of a font in the units of a diagram, which are millimetres.
const POINT: f64 = 0.3528;

fn stroke(shape: &Shape, scale: f64) -> String {
    let width = width(shape) / scale;
    let dashes = match shape.stroke.pattern {
        Pattern::None => return " stroke=\"none\"".into(),
        Pattern::Solid => "",
        Pattern::Dash => "4 2",
        Pattern::Dot => "1 2",
        Pattern::DashDot => "4 2 1 2",
        Pattern::DashDotDot => "4 2 1 2 1 2",
    };
    let mut text = format!(" stroke=\"{}\" stroke-width=\"{}\"", color(shape.stroke.color), num(width));
    if !dashes.is_empty() {
        let list: Vec<String> =
            dashes.split(' ').map(|d| num(d.parse().unwrap_or(1.0) * width.max(0.25 / scale))).collect();
        let _ = write!(text, " stroke-dasharray=\"{}\"", list.join(" "));
    }
    text
}

/// The width of a line on the page, whose unit is a millimetre.
fn width(shape: &Shape) -> f64 {
    shape.stroke.thickness.clamp(0.1, 20.0)
}

fn hatching(name: &str, fill: Fill, line: &str, back: &str) -> String {
    let path = match fill {
        Fill::Horizontal => "M0 2H4",
        Fill::Vertical => "M2 0V4",
        Fill::Cross => "M0 2H4M2 0V4",
        Fill::Forward => "M0 0L4 4",
        Fill::Backward => "M0 4L4 0",
        _ => "M0 0L4 4M0 4L4 0",
    };
    format!(
        "<pattern id=\"{name}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
         <rect width=\"4\" height=\"4\" fill=\"{back}\"/><path d=\"{path}\" stroke=\"{line}\"/></pattern>"
    )
}

fn polyline(points: &[Point]) -> String {
    let mut path = String::new();
    for (k, p) in points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if k == 0 { 'M' } else { 'L' }, num(p[0]), num(p[1]));
    }
    path
}

/// A curve that begins and ends at the outer points and touches the segments in their middles (MLS 18.6.5.1).
fn curve(points: &[Point]) -> String {
    if points.len() < 3 {
        return polyline(points);
    }
    let mut path = format!("M{} {}", num(points[0][0]), num(points[0][1]));
    let first = between(points[0], points[1]);
    let _ = write!(path, "L{} {}", num(first[0]), num(first[1]));
    for pair in points[1..].windows(2) {
        let to = between(pair[0], pair[1]);
        let _ = write!(path, "Q{} {} {} {}", num(pair[0][0]), num(pair[0][1]), num(to[0]), num(to[1]));
    }
    let last = points[points.len() - 1];
    let _ = write!(path, "L{} {}", num(last[0]), num(last[1]));
    path
}

fn closed_curve(points: &[Point]) -> String {
    let points = match points {
        [first, .., last] if first == last => &points[..points.len() - 1],
        _ => points,
    };
    if points.len() < 3 {
        return polyline(points) + "Z";
    }
    let start = between(points[points.len() - 1], points[0]);
    let mut path = format!("M{} {}", num(start[0]), num(start[1]));
    for (k, p) in points.iter().enumerate() {
        let to = between(*p, points[(k + 1) % points.len()]);
        let _ = write!(path, "Q{} {} {} {}", num(p[0]), num(p[1]), num(to[0]), num(to[1]));
    }
    path + "Z"
}

fn between(a: Point, b: Point) -> Point {
    [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]
}

fn ellipse(extent: Extent, start: f64, end: f64, closure: Closure) -> String {
    let [x, y, w, h] = sorted(extent);
    let (cx, cy, rx, ry) = (x + w / 2.0, y + h / 2.0, w / 2.0, h / 2.0);
    if (end - start).abs() >= 360.0 {
        let (cx, cy, rx, ry) = (num(cx), num(cy), num(rx), num(ry));
        return format!("ellipse cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\"");
    }
    let at = |angle: f64| [cx + rx * angle.to_radians().cos(), cy + ry * angle.to_radians().sin()];
    let (from, to) = (at(start), at(end));
    let large = u8::from((end - start).abs() > 180.0);
    let sweep = u8::from(end > start);
    let mut path = match closure {
        Closure::Radial => format!("M{} {}L{} {}", num(cx), num(cy), num(from[0]), num(from[1])),
        _ => format!("M{} {}", num(from[0]), num(from[1])),
    };
    let _ = write!(path, "A{} {} 0 {large} {sweep} {} {}", num(rx), num(ry), num(to[0]), num(to[1]));
    if closure != Closure::None {
        path.push('Z');
    }
    format!("path d=\"{path}\"")
}

fn transform(matrix: &Matrix) -> String {
    let [a, b, c, d, e, f] = matrix.0.map(num);
    format!(" transform=\"matrix({a} {b} {c} {d} {e} {f})\"")
}

fn color(Color([r, g, b]): Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A number in few digits.
fn num(x: f64) -> String {
    let rounded = (x * 1e4).round() / 1e4;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Text that is safe between tags and in attributes; control characters, which XML does not have, are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The kind of a picture, by how its base64 begins.
fn kind(data: &str) -> &'static str {
    const KINDS: [(&str, &str); 5] = [
        ("iVBOR", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("Qk", "image/bmp"),
        ("PD94", "image/svg+xml"),
    ];
    KINDS.iter().find(|(start, _)| data.starts_with(start)).map_or("image/svg+xml", |(_, kind)| kind)
}

/// Bytes as the text that pages and annotations carry them in (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for k in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * k)) as usize & 63];
            out.push(if k <= three.len() { char::from(digit) } else { '=' });
        }
    }
    out
}
