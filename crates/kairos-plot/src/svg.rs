//! A scene as SVG.

use crate::layout::{Anchor, Scene, Shape};
use std::fmt::Write;

pub fn write(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escape(&scene.title)
    );
    scene.head.iter().for_each(|shape| write_shape(&mut out, shape));
    for pane in &scene.panes {
        out.push_str("<g class=\"pane\">\n");
        pane.iter().for_each(|shape| write_shape(&mut out, shape));
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn write_shape(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Stroke { class, points, colour, width, dashes } => {
            let dash = match dashes.is_empty() {
                true => String::new(),
                false => {
                    let list: Vec<String> = dashes.iter().map(f64::to_string).collect();
                    format!(" stroke-dasharray=\"{}\"", list.join(" "))
                }
            };
            let _ = write!(
                out,
                "<polyline class=\"{class}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash} points=\""
            );
            for (k, (x, y)) in points.iter().enumerate() {
                let _ = write!(out, "{}{x:.2},{y:.2}", if k == 0 { "" } else { " " });
            }
            out.push_str("\"/>\n");
        }
        Shape::Area { class, corner: (x, y), size: (width, height), colour, opacity } => {
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
                 fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
            );
        }
        Shape::Text { class, at: (x, y), anchor, upwards, colour, size, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let turn =
                if *upwards { format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"") } else { String::new() };
            let size = if *size == 12.0 { String::new() } else { format!(" font-size=\"{size}\"") };
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{size}{turn}>{}</text>",
                escape(text)
            );
        }
    }
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::{Drawing, Form, Pane, Series, render};

    #[test]
    fn a_drawing_has_its_parts() {
        let time: Vec<f64> = (0..50).map(f64::from).collect();
        let line = |name: &str, unit: &str, k: f64| {
            let values: Vec<f64> = time.iter().map(|t| k * t + 0.5).collect();
            Series::new(name, unit, &time, &values)
        };
        let switch: Vec<f64> = time.iter().map(|t| f64::from(u8::from(*t > 20.0))).collect();
        let panes = vec![
            Pane { series: vec![line("x", "m", 1.0), line("y<1>", "s", -1.0)] },
            Pane {
                series: vec![
                    line("z", "K", 1.0),
                    Series { lane: Some(crate::Lane::Boolean), ..Series::new("on", "", &time, &switch) },
                ],
            },
            Pane { series: vec![] },
        ];
        let drawing = Drawing { title: "a & b".into(), panes, marks: vec![10.0, 99.0], ..Drawing::default() };
        let text = String::from_utf8(render(&drawing, Form::Svg)).expect("SVG is text");
        let count = |what: &str| text.matches(what).count();
        assert_eq!(count("class=\"series\""), 3);
        assert_eq!(count("class=\"bar\""), 1, "a Boolean is a bar while it is true");
        assert_eq!(count("class=\"title\""), 1);
        assert_eq!(count("class=\"pane\""), 3);
        assert_eq!(count("class=\"mark\""), 2, "one mark lies within each pane with lines, one outside");
        assert_eq!(count(">time in s<"), 3);
        assert_eq!(count(">in K<"), 1, "a shared unit stands at the axis");
        assert!(text.contains(">x [m]<") && text.contains(">y&lt;1&gt; [s]<"), "others in the legend");
        assert!(text.contains("a &amp; b") && text.ends_with("</svg>\n"));
    }
}
