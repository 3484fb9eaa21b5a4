//! Round numbers for the ticks of an axis, and the axes themselves.

/// An axis from one value to another, linear or logarithmic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// A linear axis; `room` is added at both ends, as a part of the length.
    pub fn linear((low, high): (f64, f64), room: f64) -> Self {
        let room = room * (high - low);
        Axis { low: low - room, high: high + room, log: false }
    }

    /// A logarithmic axis around positive values; what is not positive has no place on it.
    pub fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        let positive = values.filter(|v| *v > 0.0 && v.is_finite());
        let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
        match low <= high {
            true => Axis { low: low / 1.1, high: high * 1.1, log: true },
            false => Axis { low: 0.1, high: 10.0, log: true },
        }
    }

    /// Where a value is, from 0 to 1; `None` where it has no place.
    pub fn place(&self, value: f64) -> Option<f64> {
        let (low, high, value) = match self.log {
            true if value <= 0.0 => return None,
            true => (self.low.ln(), self.high.ln(), value.ln()),
            false => (self.low, self.high, value),
        };
        let place = (value - low) / (high - low);
        place.is_finite().then_some(place)
    }

    /// Does the axis reach a value?
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// About `count` round values, each with its label.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        if !self.log {
            return ticks(self.low, self.high, count);
        }
        let (first, last) = (self.low.log10().ceil() as i32, self.high.log10().floor() as i32);
        if last - first < 1 {
            return ticks(self.low, self.high, count);
        }
        let every = ((last - first) as usize / count.max(1) + 1) as i32;
        (first..=last)
            .filter(|k| (k - first) % every == 0)
            .map(|k| (10f64.powi(k), format!("1e{k}")))
            .collect()
    }
}

/// About `count` round values between two bounds, those included, each with its label.
pub fn ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let rough = (high - low) / count.max(1) as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![(low, label(low, 0))];
    }
    let power = rough.log10().floor();
    let base = 10f64.powf(power);
    let fits = |s: &f64| *s >= rough * (1.0 - 1e-9);
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * base).into_iter().find(fits).unwrap_or(base);
    let decimals = (-(step * (1.0 + 1e-9)).log10().floor()).max(0.0) as usize;
    // Round-off of a bound must not lose the tick at it.
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).take(100).map(|k| (k as f64 * step, label(k as f64 * step, decimals))).collect()
}

fn label(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if size != 0.0 && (size >= 1e5 || decimals > 4) {
        return format!("{:e}", (value * 1e12 / size).round() * size / 1e12).replace("e0", "");
    }
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |low, high| ticks(low, high, 5).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-3.0, 12.0), ["0", "5", "10"]);
        assert_eq!(ticks(2.0, 2.0, 5).len(), 1);
    }

    #[test]
    fn the_ends_have_ticks_whatever_round_off_does() {
        for high in [0.04, 0.3, 0.7, 1.1, 35.0] {
            let list = ticks(0.0, high * (1.0 - 1e-15), 8);
            let (first, last) = (list[0].0, list[list.len() - 1].0);
            assert!(first == 0.0 && high - last < (high - first) / 4.0, "{high}: {list:?}");
        }
        assert_eq!(ticks(0.0, 0.04, 8).last().map(|t| t.0), Some(0.04));
    }

    #[test]
    fn logarithmic_axes_have_decades_and_no_place_for_zero() {
        let axis = Axis::logarithmic([0.0, 1e-3, 10.0].into_iter());
        assert_eq!(axis.place(0.0), None);
        assert!(axis.place(1e-3).is_some_and(|p| p > 0.0 && p < 0.05));
        let labels: Vec<String> = axis.ticks(8).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["1e-3", "1e-2", "1e-1", "1e0", "1e1"]);
    }
}
