//! A scene as PDF: one page with lines, areas and Helvetica, which every reader has.

use crate::layout::{Anchor, Scene, Shape};
use std::fmt::Write;

/// The file's content.
pub fn print(scene: &Scene) -> Vec<u8> {
    let mut page = String::from("1 j 1 J\n");
    for shape in scene.shapes() {
        draw(&mut page, shape, scene.height);
    }
    let (width, height) = (scene.width, scene.height);
    let fade: String = (0..=20).map(|k| format!("/O{k} << /ca {:.2} >> ", f64::from(k) / 20.0)).collect();
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_string(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R \
             /Resources << /Font << /F 5 0 R >> /ExtGState << {fade}>> >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{page}endstream", page.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_string(),
        format!("<< /Title {} /Producer (Kairos) >>", literal(&scene.title)),
    ];
    let mut out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = Vec::new();
    for (k, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", k + 1).into_bytes());
    }
    let table = out.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    places.iter().for_each(|place| {
        let _ = writeln!(end, "{place:010} 00000 n ");
    });
    let count = objects.len();
    let _ = write!(
        end,
        "trailer\n<< /Size {} /Root 1 0 R /Info {count} 0 R >>\nstartxref\n{table}\n%%EOF\n",
        count + 1
    );
    out.extend(end.into_bytes());
    out
}

fn draw(page: &mut String, shape: &Shape, height: f64) {
    match shape {
        Shape::Stroke { points, colour, width, dashes, .. } => {
            let list: Vec<String> = dashes.iter().map(f64::to_string).collect();
            let _ = writeln!(page, "{} RG {width} w [{}] 0 d", rgb(colour), list.join(" "));
            for (k, (x, y)) in points.iter().enumerate() {
                let _ = writeln!(page, "{x:.2} {:.2} {}", height - y, if k == 0 { 'm' } else { 'l' });
            }
            if !points.is_empty() {
                page.push_str("S\n");
            }
        }
        Shape::Area { corner: (x, y), size: (w, h), colour, opacity, .. } => {
            let step = (opacity * 20.0).round().clamp(0.0, 20.0) as u32;
            let _ = writeln!(
                page,
                "q /O{step} gs {} rg {x:.2} {:.2} {w:.2} {h:.2} re f Q",
                rgb(colour),
                height - y - h
            );
        }
        Shape::Text { at: (x, y), anchor, upwards, colour, size, text, .. } => {
            let length = size * width_of(text);
            let back = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => 0.5 * length,
                Anchor::End => length,
            };
            let (x, y) = if *upwards { (*x, height - y - back) } else { (x - back, height - y) };
            let turn = if *upwards { "0 1 -1 0" } else { "1 0 0 1" };
            let _ = writeln!(
                page,
                "BT /F {size} Tf {} rg {turn} {x:.2} {y:.2} Tm {} Tj ET",
                rgb(colour),
                literal(text)
            );
        }
    }
}

/// Helvetica's widths of the printable ASCII characters, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

fn width_of(text: &str) -> f64 {
    let letter = |c: char| (c as usize).checked_sub(32).and_then(|k| WIDTHS.get(k)).map_or(556, |w| *w);
    text.chars().map(|c| f64::from(letter(c))).sum::<f64>() / 1000.0
}

fn rgb(colour: &str) -> String {
    let part = |k: usize| colour.get(k..k + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let parts = [1, 3, 5].map(|k| format!("{:.3}", f64::from(part(k)) / 255.0));
    parts.join(" ")
}

/// A text as PDF writes it, in the encoding of Windows; letters that it does not have are spelled.
fn literal(text: &str) -> String {
    let mut out = String::from("(");
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~' => out.push(c),
            'Ω' => out.push_str("Ohm"),
            '…' => out.push_str("\\205"),
            '\u{a0}'..='\u{ff}' => {
                let _ = write!(out, "\\{:03o}", c as u32);
            }
            _ => out.push('?'),
        }
    }
    out + ")"
}

#[cfg(test)]
mod tests {
    use crate::{Drawing, Form, Pane, Series, render};

    #[test]
    fn the_table_of_objects_leads_to_them() {
        let series = vec![Series::new("x (m)", "Ω", &[0.0, 1.0], &[1.0, 2.0])];
        let drawing = Drawing { title: "a".into(), panes: vec![Pane { series }], ..Drawing::default() };
        let bytes = render(&drawing, Form::Pdf);
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("%PDF-1.4") && text.ends_with("%%EOF\n"));
        let raw: Vec<u8> = bytes.clone();
        let at: usize =
            text.rsplit("startxref\n").next().and_then(|t| t.lines().next()?.parse().ok()).expect("a place");
        assert!(raw[at..].starts_with(b"xref"));
        let table = String::from_utf8_lossy(&raw[at..]).into_owned();
        for (k, line) in table.lines().skip(3).take(6).enumerate() {
            let place: usize = line[..10].parse().expect("an offset");
            assert!(raw[place..].starts_with(format!("{} 0 obj", k + 1).as_bytes()), "object {}", k + 1);
        }
        assert!(text.contains("(in Ohm)") && text.contains("(x \\(m\\))"));
    }
}
