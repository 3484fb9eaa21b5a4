//! Crossings of closed forms.

use super::*;

fn watch(count: usize) -> Watch {
    Watch::new(count, (0..count as u32).collect(), 1.0, 1e-9)
}

fn all_hits(functions: &[&dyn Fn(f64) -> f64], a: f64, b: f64) -> Vec<f64> {
    let mut watch = watch(functions.len());
    let held = vec![false; functions.len()];
    let (mut t, mut hits) = (a, Vec::new());
    while t < b {
        for (z, f) in watch.z.iter_mut().zip(functions) {
            *z = f(t);
        }
        let rate = |r: usize| ((functions[r](t + 1e-7) - functions[r](t)) / 1e-7, 0.0);
        watch.rearm(&held, Some(&rate));
        let mut curve = |t: f64, z: &mut [f64]| -> Eval {
            z.iter_mut().zip(functions).for_each(|(z, f)| *z = f(t));
            Ok(())
        };
        match watch.search(t, b, &held, &mut curve).expect("no failure") {
            Some(hit) => {
                hits.push(hit);
                t = hit;
            }
            None => t = b,
        }
    }
    hits
}

#[test]
fn finds_the_first_of_several() {
    let hits = all_hits(&[&|t| t - 0.7, &|t| 0.3 - t, &|t| t - 5.0], 0.0, 1.0);
    assert_eq!(hits.len(), 2);
    assert!((hits[0] - 0.3).abs() < 1e-13 && (hits[1] - 0.7).abs() < 1e-13, "{hits:?}");
}

#[test]
fn finds_both_zeros_of_a_narrow_dip() {
    for width in [1e-2, 1e-3, 1e-4, 1e-6] {
        let hits = all_hits(&[&|t: f64| (t - 1.3).powi(2) - width * width], 0.0, 10.0);
        assert_eq!(hits.len(), 2, "width {width}");
        assert!((hits[0] - 1.3 + width).abs() < 1e-12 && (hits[1] - 1.3 - width).abs() < 1e-12);
    }
}

#[test]
fn finds_all_zeros_of_an_oscillation() {
    let steps = 15;
    let step =
        |k: i32| all_hits(&[&|t: f64| (40.0 * t).sin() - 0.995], 0.2 * f64::from(k), 0.2 * f64::from(k + 1));
    let hits: Vec<f64> = (0..steps).flat_map(step).collect();
    assert_eq!(hits.len(), 2 * 19, "{hits:?}");
}

#[test]
fn leaving_zero_is_seen_at_once_and_staying_is_not() {
    let hits = all_hits(&[&|t| t, &|_| 0.0], 0.0, 1.0);
    assert_eq!(hits.len(), 1);
    assert!(hits[0] < 1e-13);
    let hits = all_hits(&[&|t: f64| -(t - 1.0) * (t - 1.0)], 1.0, 2.0);
    assert_eq!(hits.len(), 1);
    assert!(hits[0] - 1.0 < 1e-6);
}

#[test]
fn simultaneous_crossings_are_one() {
    let hits = all_hits(&[&|t| t - 0.1 * 3.0, &|t| t - 0.3], 0.0, 1.0);
    assert_eq!(hits.len(), 1);
}
