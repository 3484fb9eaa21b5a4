//! A scene as PNG, painted with a font of its own so that it looks the same on every machine.

use crate::layout::{Anchor, Scene, Shape};
use fontdue::{Font, FontSettings};
use tiny_skia::{Color, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};

/// Pixels per unit of the sheet: sharp on dense screens.
const SCALE: f64 = 2.0;

/// The file's content; empty if the sheet is too large for a picture.
pub fn paint(scene: &Scene) -> Vec<u8> {
    let size = |length: f64| (length * SCALE).ceil() as u32;
    let Some(mut sheet) = Pixmap::new(size(scene.width), size(scene.height)) else { return Vec::new() };
    sheet.fill(Color::WHITE);
    let font = Font::from_bytes(dejavu::sans::regular(), FontSettings::default()).ok();
    for shape in scene.shapes() {
        match shape {
            Shape::Stroke { points, colour, width, dashes, .. } => {
                stroke(&mut sheet, points, rgb(colour), *width, dashes);
            }
            Shape::Area { corner, size, colour, opacity, .. } => {
                fill(&mut sheet, *corner, *size, rgb(colour), *opacity);
            }
            Shape::Text { at, anchor, upwards, colour, size, text, .. } => {
                if let Some(font) = &font {
                    let word = Word { at: *at, anchor: *anchor, upwards: *upwards, size: *size };
                    write(&mut sheet, font, text, word, rgb(colour));
                }
            }
        }
    }
    sheet.encode_png().unwrap_or_default()
}

fn stroke(sheet: &mut Pixmap, points: &[(f64, f64)], colour: [u8; 3], width: f64, dashes: &[f64]) {
    let mut builder = PathBuilder::new();
    for (k, (x, y)) in points.iter().enumerate() {
        let (x, y) = ((x * SCALE) as f32, (y * SCALE) as f32);
        if k == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    let Some(path) = builder.finish() else { return };
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour[0], colour[1], colour[2], 255);
    let lengths: Vec<f32> = dashes.iter().map(|d| (d * SCALE) as f32).collect();
    let dash = if lengths.is_empty() { None } else { StrokeDash::new(lengths, 0.0) };
    let stroke = Stroke { width: (width * SCALE) as f32, dash, ..Stroke::default() };
    sheet.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
}

fn fill(sheet: &mut Pixmap, (x, y): (f64, f64), (w, h): (f64, f64), colour: [u8; 3], opacity: f64) {
    let [x, y, w, h] = [x, y, w, h].map(|v| (v * SCALE) as f32);
    let Some(area) = Rect::from_xywh(x, y, w, h) else { return };
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour[0], colour[1], colour[2], (opacity * 255.0) as u8);
    sheet.fill_rect(area, &paint, Transform::identity(), None);
}

/// How a text stands.
struct Word {
    at: (f64, f64),
    anchor: Anchor,
    upwards: bool,
    size: f64,
}

fn write(sheet: &mut Pixmap, font: &Font, text: &str, word: Word, colour: [u8; 3]) {
    let Word { at: (x, y), anchor, upwards, size } = word;
    let size = (size * SCALE) as f32;
    let length: f32 = text.chars().map(|c| font.metrics(c, size).advance_width).sum();
    let mut along = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * length,
        Anchor::End => -length,
    };
    let (x, y) = ((x * SCALE) as f32, (y * SCALE) as f32);
    for c in text.chars() {
        let (metrics, cover) = font.rasterize(c, size);
        for (k, &part) in cover.iter().enumerate() {
            let (column, row) = ((k % metrics.width) as f32, (k / metrics.width) as f32);
            let right = along + metrics.xmin as f32 + column;
            let down = row - metrics.ymin as f32 - metrics.height as f32;
            let (px, py) = if upwards { (x + down, y - right) } else { (x + right, y + down) };
            blend(sheet, px.round() as i64, py.round() as i64, colour, part);
        }
        along += metrics.advance_width;
    }
}

/// Lays a colour over a pixel of the opaque sheet.
fn blend(sheet: &mut Pixmap, x: i64, y: i64, colour: [u8; 3], part: u8) {
    let (width, height) = (i64::from(sheet.width()), i64::from(sheet.height()));
    if part == 0 || !(0..width).contains(&x) || !(0..height).contains(&y) {
        return;
    }
    let at = 4 * (y * width + x) as usize;
    for (below, above) in sheet.data_mut()[at..at + 3].iter_mut().zip(colour) {
        let mix = u32::from(*below) * u32::from(255 - part) + u32::from(above) * u32::from(part);
        *below = (mix / 255) as u8;
    }
}

fn rgb(colour: &str) -> [u8; 3] {
    let part = |k: usize| colour.get(k..k + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    [part(1), part(3), part(5)]
}

#[cfg(test)]
mod tests {
    use crate::layout::COLOURS;
    use crate::{Drawing, Form, Pane, Series, render};

    #[test]
    fn a_picture_shows_its_line_where_the_values_are() {
        let time = [0.0, 1.0];
        let series = vec![Series::new("x", "V", &time, &[0.25, 0.25])];
        let drawing = Drawing { title: "t".into(), panes: vec![Pane { series }], ..Drawing::default() };
        let bytes = render(&drawing, Form::Png);
        let picture = tiny_skia::Pixmap::decode_png(&bytes).expect("a PNG");
        assert_eq!(picture.width(), 1600);
        let [r, g, b] = super::rgb(COLOURS[0]);
        // A constant stands in the middle of its pane: below title (30), legend (18) and room (12) half of 300 further down.
        let pixel = picture.pixel(800, 2 * 210).expect("inside");
        assert_eq!((pixel.red(), pixel.green(), pixel.blue()), (r, g, b));
        let dark = picture.pixels().iter().filter(|p| p.red() < 64 && p.blue() < 64).count();
        assert!(dark > 200, "labels are written");
    }
}
