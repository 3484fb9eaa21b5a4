//! A drawing as one page that carries its numbers and its script.

use crate::drawing::{Drawing, Lane, Pane, Series};
use crate::layout::style;
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
    let (unit, seconds) = drawing.time_unit();
    let across = drawing.across.clone().unwrap_or_else(|| format!("time in {unit}"));
    format!(
        "{{\"title\":{},\"across\":{},\"seconds\":{seconds:?},\"log\":[{},{}],\"display\":{},\"marks\":{},\"times\":[{}],\"panes\":[{panes}]}}",
        quoted(&drawing.title),
        quoted(&across),
        drawing.log.0,
        drawing.log.1,
        drawing.display_units,
        numbers(drawing.marks.iter().copied()),
        times.join(",")
    )
}

fn write_pane(out: &mut String, pane: &Pane, times: &mut Vec<Vec<f64>>) {
    out.push_str("{\"series\":[");
    for (k, series) in pane.series.iter().enumerate() {
        let Series { name, unit, points, stepped, lane, display, marker } = series;
        let time: Vec<f64> = points.iter().map(|p| p.0).collect();
        let place = times.iter().position(|t| *t == time).unwrap_or_else(|| {
            times.push(time);
            times.len() - 1
        });
        let (colour, dashes) = style(k);
        let lane = match lane {
            None => "null".into(),
            Some(Lane::Boolean) => "[]".into(),
            Some(Lane::Literals(names)) => {
                let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                format!("[{}]", names.join(","))
            }
        };
        let display = match display {
            None => "null".into(),
            Some(d) => format!(
                "{{\"unit\":{},\"factor\":{:?},\"offset\":{:?}}}",
                quoted(&d.unit),
                d.factor,
                d.offset
            ),
        };
        let _ = write!(
            out,
            "{}{{\"name\":{},\"unit\":{},\"display\":{display},\"lane\":{lane},\"colour\":\"{colour}\",\"dashes\":{dashes:?},\
             \"stepped\":{stepped},\"marker\":{},\"time\":{place},\"values\":{}}}",
            if k == 0 { "" } else { "," },
            quoted(name),
            quoted(unit),
            marker.map_or("null".into(), |marker| quoted(&format!("{marker:?}").to_lowercase())),
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
