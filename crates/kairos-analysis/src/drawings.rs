//! Drawings of linear models: Bode diagrams, and poles and zeros in the complex plane.

use crate::linear::Linear;
use kairos_plot::{Drawing, Marker, Pane, Series};

/// Points of a Bode diagram.
const POINTS: usize = 600;

impl Linear {
    /// Magnitude and phase over the frequency in Hz, from every input to every output; without a range around all poles and zeros.
    pub fn bode(&self, range: Option<(f64, f64)>) -> Drawing {
        let frequencies = match range {
            None => self.frequencies(POINTS),
            Some((low, high)) => {
                let step = (high / low).ln() / (POINTS - 1) as f64;
                (0..POINTS).map(|k| low * (step * k as f64).exp()).collect()
            }
        };
        let (mut magnitudes, mut phases) = (Pane::default(), Pane::default());
        for response in self.responses(&frequencies) {
            let name = self.pair(response.input, response.output);
            let line = |unit: &str, values: &[f64]| {
                let points = frequencies.iter().copied().zip(values.iter().copied()).collect();
                Series { name: name.clone(), unit: unit.into(), points, ..Series::default() }
            };
            magnitudes.series.push(line("dB", &response.decibels()));
            phases.series.push(line("deg", &response.phases()));
        }
        Drawing {
            title: format!("{} at time {}", self.model, self.time),
            across: Some("frequency in Hz".into()),
            panes: vec![magnitudes, phases],
            log: (true, false),
            ..Drawing::default()
        }
    }

    /// Poles as crosses and zeros as circles, real part across and imaginary part up.
    pub fn pole_diagram(&self) -> Drawing {
        let marked = |name: String, marker: Marker, points: Vec<(f64, f64)>| Series {
            name,
            unit: "rad/s".into(),
            points,
            marker: Some(marker),
            ..Series::default()
        };
        let poles = self.modes.iter().map(|mode| (mode.real, mode.imaginary)).collect();
        let mut series = vec![marked("poles".into(), Marker::Cross, poles)];
        for transfer in self.transfers().into_iter().filter(|transfer| !transfer.zeros.is_empty()) {
            let name = format!("zeros of {}", self.pair(transfer.input, transfer.output));
            let zeros = transfer.zeros.iter().map(|zero| (zero.re, zero.im)).collect();
            series.push(marked(name, Marker::Circle, zeros));
        }
        Drawing {
            title: format!("{} at time {}", self.model, self.time),
            across: Some("real part in 1/s".into()),
            panes: vec![Pane { series }],
            ..Drawing::default()
        }
    }

    /// How the way from an input to an output is named.
    pub fn pair(&self, input: usize, output: usize) -> String {
        format!("{} to {}", self.inputs[input].name, self.outputs[output].name)
    }
}
