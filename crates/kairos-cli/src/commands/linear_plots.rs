//! Drawings of linear models: Bode diagrams, and poles and zeros in the complex plane.

use kairos_analysis::Linear;
use kairos_plot::{Drawing, Marker, Pane, Series};

/// Points of a Bode diagram.
const POINTS: usize = 600;

/// Magnitude and phase over the frequency, from every input to every output.
pub fn bode(linear: &Linear, range: Option<(f64, f64)>) -> Drawing {
    let frequencies = match range {
        None => linear.frequencies(POINTS),
        Some((low, high)) => {
            let step = (high / low).ln() / (POINTS - 1) as f64;
            (0..POINTS).map(|k| low * (step * k as f64).exp()).collect()
        }
    };
    let (mut magnitudes, mut phases) = (Pane::default(), Pane::default());
    for response in linear.responses(&frequencies) {
        let name = pair(linear, response.input, response.output);
        let line = |unit: &str, values: &[f64]| {
            let points = frequencies.iter().copied().zip(values.iter().copied()).collect();
            Series { name: name.clone(), unit: unit.into(), points, ..Series::default() }
        };
        magnitudes.series.push(line("dB", &response.decibels()));
        phases.series.push(line("deg", &response.phases()));
    }
    Drawing {
        title: format!("{} at time {}", linear.model, linear.time),
        across: Some("frequency in Hz".into()),
        panes: vec![magnitudes, phases],
        log: (true, false),
        ..Drawing::default()
    }
}

/// Poles as crosses and zeros as circles, real part across and imaginary part up.
pub fn poles(linear: &Linear) -> Drawing {
    let marked = |name: String, unit: &str, marker: Marker, points: Vec<(f64, f64)>| Series {
        name,
        unit: unit.into(),
        points,
        marker: Some(marker),
        ..Series::default()
    };
    let poles = linear.modes.iter().map(|mode| (mode.real, mode.imaginary)).collect();
    let mut series = vec![marked("poles".into(), "rad/s", Marker::Cross, poles)];
    for transfer in linear.transfers().into_iter().filter(|transfer| !transfer.zeros.is_empty()) {
        let name = format!("zeros of {}", pair(linear, transfer.input, transfer.output));
        let zeros = transfer.zeros.iter().map(|zero| (zero.re, zero.im)).collect();
        series.push(marked(name, "rad/s", Marker::Circle, zeros));
    }
    Drawing {
        title: format!("{} at time {}", linear.model, linear.time),
        across: Some("real part in 1/s".into()),
        panes: vec![Pane { series }],
        ..Drawing::default()
    }
}

/// How a transfer function is named.
pub fn pair(linear: &Linear, input: usize, output: usize) -> String {
    format!("{} to {}", linear.inputs[input].name, linear.outputs[output].name)
}
