//! Crossings of functions with known zeros.

use kairos_numerics::integrate::{Direction, RootFinder};

/// All crossings when a function is searched in steps of a given length.
fn crossings(f: impl Fn(f64) -> Vec<f64>, end: f64, step: f64) -> (Vec<(f64, Vec<usize>)>, u64) {
    let count = f(0.0).len();
    let mut finder = RootFinder::new(count);
    finder.reset(0.0, &f(0.0));
    let mut found = Vec::new();
    let mut to: f64 = 0.0;
    while to < end {
        to = (to + step).min(end);
        while let Some(t) = finder
            .search(to, &mut |t, out| {
                out.copy_from_slice(&f(t));
                Ok(())
            })
            .unwrap()
        {
            found.push((t, finder.crossings().iter().map(|c| c.index).collect()));
        }
    }
    (found, finder.evaluations())
}

#[test]
fn zeros_are_found_to_the_last_places() {
    let (found, evaluations) = crossings(|t| vec![(3.0 * t).sin() + 0.5], 10.0, 0.37);
    assert_eq!(found.len(), 9);
    for (t, _) in &found {
        assert!(((3.0 * t).sin() + 0.5).abs() < 1e-13);
    }
    assert!(evaluations < 200, "{evaluations}");
}

#[test]
fn the_earliest_comes_first_and_equal_ones_together() {
    let f = |t: f64| vec![t - 0.7, 0.3 - t, t * t * t - 0.027, t - 0.300_000_1];
    let (found, _) = crossings(f, 1.0, 1.0);
    let indices: Vec<Vec<usize>> = found.iter().map(|(_, indices)| indices.clone()).collect();
    assert_eq!(indices, [vec![1, 2], vec![3], vec![0]]);
    assert!((found[0].0 - 0.3).abs() < 1e-15);
}

#[test]
fn two_crossings_in_one_step_are_found() {
    let (found, _) = crossings(|t| vec![(t - 0.4).powi(2) - 1e-6, 1.0], 1.0, 1.0);
    assert_eq!(found.len(), 2);
    assert!((found[0].0 - 0.399).abs() < 1e-12 && (found[1].0 - 0.401).abs() < 1e-12);
    let (found, evaluations) = crossings(|t| vec![(t - 0.4).powi(2) + 1e-3], 1.0, 1.0);
    assert!(found.is_empty() && evaluations < 70, "{evaluations}");
    let (found, _) = crossings(|t| vec![0.001 - (7.0 * (t - 0.77)).tanh().powi(2)], 1.0, 0.5);
    assert_eq!(found.len(), 2);
}

#[test]
fn zero_at_the_start_is_watched_on_both_sides() {
    let (found, _) = crossings(|t| vec![t, -t, 0.0 * t, t + t * t], 1.0, 0.5);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].1, [0, 1, 3]);
    assert!(found[0].0 < 1e-18, "{found:?}");
}

#[test]
fn touching_zero_at_a_grid_point_is_no_crossing_but_passing_is() {
    let (found, _) = crossings(|t| vec![(t - 0.5).powi(2)], 1.0, 0.5);
    assert!(found.is_empty(), "{found:?}");
    let (found, _) = crossings(|t| vec![t - 0.5], 1.0, 0.5);
    assert_eq!(found.len(), 1);
}

#[test]
fn directions_mask_crossings() {
    let mut finder = RootFinder::new(2);
    finder.set_direction(0, Direction::Rising);
    finder.set_direction(1, Direction::Falling);
    let f = |t: f64, out: &mut [f64]| {
        out.fill((t * std::f64::consts::PI).cos());
        Ok(())
    };
    finder.reset(0.0, &[1.0, 1.0]);
    let first = finder.search(2.0, &mut { f }).unwrap().unwrap();
    assert!((first - 0.5).abs() < 1e-14 && finder.crossings()[0].index == 1 && !finder.crossings()[0].rising);
    let second = finder.search(2.0, &mut { f }).unwrap().unwrap();
    assert!((second - 1.5).abs() < 1e-14 && finder.crossings()[0].index == 0);
    assert_eq!(finder.search(2.0, &mut { f }).unwrap(), None);
}

#[test]
fn round_off_after_an_event_is_no_crossing() {
    // Just past a crossing at 4, rising slowly at first: the subtraction leaves noise of either sign near the start.
    let f = |t: f64| vec![((4.0 + 1e-15) + 1e-9 * t + t * t * t * (0.5 + t)) - 4.0];
    let (found, _) = crossings(f, 1.0, 0.25);
    assert!(found.is_empty(), "{found:?}");
}
