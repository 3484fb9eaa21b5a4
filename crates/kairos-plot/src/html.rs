//! A drawing as one page that carries its numbers and its script.

use crate::drawing::{Drawing, Pane, Series};
use crate::layout::COLOURS;
use crate::svg::escape;
use std::fmt::Write;

const PAGE: &str = include_str!("page/page.html");
const SCRIPT: &str = include_str!("page/page.js");
const STYLE: &str = include_str!("page/page.css");

pub fn page(drawing: &Drawing) -> String {
    PAGE.replace("{{title}}", &escape(&drawing.title))
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        // Last, so that no name in the data is taken for a place to fill.
        .replace("{{data}}", &data(drawing))
}

/// The numbers as JSON; instants that several lines share are written once.
fn data(drawing: &Drawing) -> String {
    let mut times: Vec<Vec<f64>> = Vec::new();
    let mut panes = String::new();
    for (k, pane) in drawing.panes.iter().enumerate() {
        panes.push_str(if k == 0 { "" } else { "," });
        write_pane(&mut panes, pane, &mut times);
    }
    let times: Vec<String> = times.iter().map(|t| numbers(t.iter().copied())).collect();
    format!(
        "{{\"title\":{},\"across\":{},\"marks\":{},\"times\":[{}],\"panes\":[{panes}]}}",
        quoted(&drawing.title),
        quoted(&drawing.across),
        numbers(drawing.marks.iter().copied()),
        times.join(",")
    )
}

fn write_pane(out: &mut String, pane: &Pane, times: &mut Vec<Vec<f64>>) {
    let _ = write!(out, "{{\"unit\":{},\"series\":[", quoted(pane.unit().unwrap_or("")));
    for (k, series) in pane.series.iter().enumerate() {
        let Series { name, unit, points, stepped } = series;
        let time: Vec<f64> = points.iter().map(|p| p.0).collect();
        let place = times.iter().position(|t| *t == time).unwrap_or_else(|| {
            times.push(time);
            times.len() - 1
        });
        let _ = write!(
            out,
            "{}{{\"name\":{},\"unit\":{},\"colour\":\"{}\",\"stepped\":{stepped},\"time\":{place},\"values\":{}}}",
            if k == 0 { "" } else { "," },
            quoted(name),
            quoted(unit),
            COLOURS[k % COLOURS.len()],
            numbers(points.iter().map(|p| p.1))
        );
    }
    out.push_str("]}");
}

fn numbers(values: impl Iterator<Item = f64>) -> String {
    let mut out = String::from("[");
    for (k, value) in values.enumerate() {
        out.push_str(if k == 0 { "" } else { "," });
        match value.is_finite() {
            true => {
                let _ = write!(out, "{value:?}");
            }
            false => out.push_str("null"),
        }
    }
    out.push(']');
    out
}

/// A JSON text that cannot end the script element it stands in.
fn quoted(text: &str) -> String {
    kairos_base::json::quote(text).replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_place_in_the_page() {
        let series = vec![Series::new("</script>{{data}}\"", "V", &[0.0, 1.0], &[f64::NAN, 2.5])];
        let page = page(&Drawing { title: "<b>".into(), panes: vec![Pane { series }], ..Drawing::default() });
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/script>{{data}}\\\"") && page.contains("[null,2.5]"));
        assert!(!page.contains("src=") && !page.contains("@import"), "works without a network");
    }
}
