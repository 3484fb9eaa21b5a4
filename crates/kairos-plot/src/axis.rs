//! Round numbers for the ticks of an axis.

/// About `count` round values between two bounds, each with its label.
pub fn ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let rough = (high - low) / count.max(1) as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![(low, label(low, 0))];
    }
    let power = rough.log10().floor();
    let base = 10f64.powf(power);
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * base).into_iter().find(|s| *s >= rough).unwrap_or(base);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
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
    use super::ticks;

    #[test]
    fn ticks_are_round() {
        let labels = |low, high| ticks(low, high, 5).into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-3.0, 12.0), ["0", "5", "10"]);
        assert_eq!(ticks(2.0, 2.0, 5).len(), 1);
    }
}
