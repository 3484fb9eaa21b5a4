//! Interpolation, checked against closed forms and cases calculated by hand.

mod support;

use std::sync::Arc;

use kairos_native::{
    CombiTable1D, CombiTable2D, CombiTimeTable, Extrapolation, Grid, Smoothness, TimeEvents, TimeOptions,
};
use support::near;

fn grid(columns: usize, data: &[f64]) -> Grid {
    Grid::new("t", data.len() / columns, columns, Arc::new(data.to_vec())).unwrap()
}

fn curve(data: &[f64], smoothness: Smoothness, extrapolation: Extrapolation) -> CombiTable1D {
    CombiTable1D::new(&grid(2, data), &[2], smoothness, extrapolation).unwrap()
}

const DOCUMENTED: [f64; 8] = [0.0, 0.0, 1.0, 1.0, 2.0, 4.0, 4.0, 16.0];
const SPLINES: [Smoothness; 4] =
    [Smoothness::Akima, Smoothness::FritschButland, Smoothness::Steffen, Smoothness::ModifiedAkima];

#[test]
fn the_documented_example() {
    let table = curve(&DOCUMENTED, Smoothness::Linear, Extrapolation::LastTwoPoints);
    for (u, y) in [(1.0, 1.0), (1.5, 2.5), (2.0, 4.0), (-1.0, -1.0), (5.0, 22.0)] {
        assert_eq!(table.value(1, u), Ok(y));
    }
    assert_eq!(table.derivative(1, 3.0, 2.0), Ok(12.0));
    assert_eq!(table.second_derivative(1, 3.0, 2.0, 0.5), Ok(3.0));
    assert_eq!((table.minimum_abscissa(), table.maximum_abscissa()), (0.0, 4.0));
}

#[test]
fn extrapolation() {
    let at = |kind, u| curve(&DOCUMENTED, Smoothness::Linear, kind).value(1, u);
    assert_eq!((at(Extrapolation::Hold, -3.0), at(Extrapolation::Hold, 9.0)), (Ok(0.0), Ok(16.0)));
    for (u, y) in [(5.0, 1.0), (8.0, 16.0), (8.5, 0.5), (-1.0, 10.0), (-4.0, 0.0), (401.0, 1.0)] {
        assert_eq!(at(Extrapolation::Periodic, u), Ok(y));
    }
    assert_eq!(at(Extrapolation::Forbidden, 4.0), Ok(16.0));
    let reason = at(Extrapolation::Forbidden, 4.5).unwrap_err();
    assert!(reason.contains("4.5") && reason.contains("0 to 4") && reason.contains("NoExtrapolation"));
    // Splines continue with the slope at their ends, or flat.
    for smoothness in SPLINES {
        let table = curve(&DOCUMENTED, smoothness, Extrapolation::LastTwoPoints);
        let slope = table.derivative(1, 4.0, 1.0).unwrap();
        assert!(near(table.value(1, 6.0).unwrap(), 16.0 + 2.0 * slope, 1e-14));
        let held = curve(&DOCUMENTED, smoothness, Extrapolation::Hold);
        assert_eq!((held.value(1, -1.0), held.derivative(1, -1.0, 1.0)), (Ok(0.0), Ok(0.0)));
    }
}

#[test]
fn constant_segments_take_the_value_on_the_left() {
    let table = curve(&DOCUMENTED, Smoothness::Constant, Extrapolation::Hold);
    for (u, y) in [(0.0, 0.0), (0.99, 0.0), (1.0, 1.0), (3.9, 4.0), (4.0, 16.0)] {
        assert_eq!(table.value(1, u), Ok(y));
    }
    assert_eq!(table.derivative(1, 1.5, 1.0), Ok(0.0));
}

#[test]
fn akima_reproduces_parabolas_on_equal_steps() {
    let data: Vec<f64> = (0..6).flat_map(|i| [i as f64, (i * i) as f64]).collect();
    let table = curve(&data, Smoothness::Akima, Extrapolation::LastTwoPoints);
    for k in 0..=50 {
        let u = k as f64 / 10.0;
        assert!(near(table.value(1, u).unwrap(), u * u, 1e-13));
        assert!(near(table.derivative(1, u, 3.0).unwrap(), 6.0 * u, 1e-13));
        assert!(near(table.second_derivative(1, u, 3.0, 0.5).unwrap(), 18.0 + u, 1e-12));
    }
}

#[test]
fn a_step_stays_flat_beside_the_step() {
    // Slopes 0, 0, 1, 0, 0: both ends of the step are flat, between them lies 3s^2 - 2s^3.
    let data = [0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 1.0, 4.0, 1.0, 5.0, 1.0];
    for smoothness in SPLINES {
        let table = curve(&data, smoothness, Extrapolation::Hold);
        for (u, y) in [(1.5, 0.0), (2.25, 0.15625), (2.5, 0.5), (3.5, 1.0)] {
            assert!(near(table.value(1, u).unwrap(), y, 1e-15), "{smoothness:?}");
        }
    }
}

#[test]
fn slopes_calculated_by_hand() {
    let slope = |data: &[f64], smoothness, u| {
        curve(data, smoothness, Extrapolation::Hold).derivative(1, u, 1.0).unwrap()
    };
    // Sides 1, 1, 0, 0: Akima cannot decide and takes the mean, the modified weights prefer the flat side.
    let knee = [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 2.0, 4.0, 2.0];
    assert!(near(slope(&knee, Smoothness::Akima, 2.0), 0.5, 1e-15));
    assert!(near(slope(&knee, Smoothness::ModifiedAkima, 2.0), 0.0, 1e-15));
    // Steps 1 and 2 with sides 1 and 1/2: 3 (1+2) / ((1+4)/1 + (2+2)/0.5) = 9/13; the parabola has 5/6.
    let bend = [0.0, 0.0, 1.0, 1.0, 3.0, 2.0];
    assert!(near(slope(&bend, Smoothness::FritschButland, 1.0), 9.0 / 13.0, 1e-15));
    assert!(near(slope(&bend, Smoothness::Steffen, 1.0), 5.0 / 6.0, 1e-15));
    // Sides 1 and 10: the parabola's 5.5 is limited to twice the flatter side.
    let steep = [0.0, 0.0, 1.0, 1.0, 2.0, 11.0];
    assert!(near(slope(&steep, Smoothness::Steffen, 1.0), 2.0, 1e-15));
    // Monotone curves are flat at a peak.
    let peak = [0.0, 0.0, 1.0, 1.0, 2.0, 0.0];
    assert_eq!(slope(&peak, Smoothness::Steffen, 1.0), 0.0);
    assert_eq!(slope(&peak, Smoothness::FritschButland, 1.0), 0.0);
}

#[test]
fn small_and_wrong_tables() {
    let single = curve(&[3.0, 7.0], Smoothness::Akima, Extrapolation::Forbidden);
    assert_eq!((single.value(1, 99.0), single.derivative(1, 0.0, 1.0)), (Ok(7.0), Ok(0.0)));
    let pair = curve(&[0.0, 1.0, 2.0, 5.0], Smoothness::Steffen, Extrapolation::LastTwoPoints);
    assert_eq!(pair.value(1, 3.0), Ok(7.0));
    let make = |data: &[f64], columns: &[i64]| {
        CombiTable1D::new(&grid(2, data), columns, Smoothness::Linear, Extrapolation::Hold).unwrap_err()
    };
    assert!(make(&[0.0, 1.0, 0.0, 2.0], &[2]).contains("strictly increasing"));
    assert!(make(&[0.0, 1.0], &[3]).contains("column 3"));
    assert!(pair.value(2, 0.0).unwrap_err().contains("output 2"));
}

fn time_table(
    data: &[f64],
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    options: TimeOptions,
) -> CombiTimeTable {
    CombiTimeTable::new(&grid(2, data), &[2], smoothness, extrapolation, options).unwrap()
}

fn options(events: TimeEvents) -> TimeOptions {
    TimeOptions { start_time: 0.0, shift_time: 0.0, events }
}

const JUMP: [f64; 8] = [0.0, 0.0, 1.0, 1.0, 1.0, 5.0, 2.0, 6.0];

#[test]
fn a_jump_has_a_value_before_and_after_its_event() {
    for events in [TimeEvents::Always, TimeEvents::AtDiscontinuities] {
        let table = time_table(&JUMP, Smoothness::Linear, Extrapolation::Hold, options(events));
        assert_eq!(table.next_time_event(0.0), 1.0);
        assert_eq!(table.value(1, 0.5, 1.0, 1.0), Ok(0.5));
        assert_eq!(table.value(1, 1.0, 1.0, 1.0), Ok(1.0));
        assert_eq!(table.next_time_event(1.0), 2.0);
        assert_eq!(table.value(1, 1.0, 2.0, 1.0), Ok(5.0));
        assert_eq!(table.value(1, 1.5, 2.0, 2.0), Ok(5.5));
        assert_eq!(table.next_time_event(2.0), f64::MAX);
        assert_eq!(table.value(1, 3.0, f64::MAX, f64::MAX), Ok(6.0));
    }
    // Constant segments too keep the old value until the event has happened.
    let steps = time_table(
        &[0.0, 1.0, 1.0, 2.0, 2.0, 3.0],
        Smoothness::Constant,
        Extrapolation::Hold,
        options(TimeEvents::Always),
    );
    assert_eq!((steps.value(1, 1.0, 1.0, 1.0), steps.value(1, 1.0, 2.0, 1.0)), (Ok(1.0), Ok(2.0)));
    assert_eq!((steps.value(1, 2.0, 2.0, 2.0), steps.value(1, 2.0, f64::MAX, 2.0)), (Ok(2.0), Ok(3.0)));
}

#[test]
fn events_by_option() {
    let bends = [0.0, 0.0, 1.0, 1.0, 2.0, 0.0, 3.0, 1.0];
    let all = |events, extrapolation, smoothness| {
        let table = time_table(&bends, smoothness, extrapolation, options(events));
        let mut events = Vec::new();
        let mut t = 0.0;
        while events.len() < 5 && t < f64::MAX {
            t = table.next_time_event(t);
            events.push(t);
        }
        events
    };
    use Extrapolation::{Hold, Periodic};
    assert_eq!(all(TimeEvents::Always, Hold, Smoothness::Linear), [1.0, 2.0, 3.0, f64::MAX]);
    assert_eq!(all(TimeEvents::AtDiscontinuities, Hold, Smoothness::Linear), [3.0, f64::MAX]);
    assert_eq!(all(TimeEvents::Never, Hold, Smoothness::Linear), [3.0, f64::MAX]);
    assert_eq!(all(TimeEvents::Always, Hold, Smoothness::Akima), [3.0, f64::MAX]);
    assert_eq!(all(TimeEvents::Always, Periodic, Smoothness::Linear), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(all(TimeEvents::Never, Periodic, Smoothness::Linear), [3.0, 6.0, 9.0, 12.0, 15.0]);
}

#[test]
fn periods_repeat_with_their_jump() {
    // A saw tooth.
    let table = time_table(
        &[0.0, 0.0, 0.1, 1.0],
        Smoothness::Linear,
        Extrapolation::Periodic,
        options(TimeEvents::Always),
    );
    let mut t: f64 = 0.0;
    for period in 0..2000 {
        let next = table.next_time_event(t);
        assert!(near(next, (period + 1) as f64 * 0.1, 1e-12));
        assert!(table.value(1, t, next, t).unwrap() < 1e-9);
        assert!(near(table.value(1, 0.5 * (t + next), next, next).unwrap(), 0.5, 1e-9));
        assert!(near(table.value(1, next, next, next).unwrap(), 1.0, 1e-9));
        t = next;
    }
}

#[test]
fn start_and_shift() {
    let placed = TimeOptions { start_time: 2.0, shift_time: 1.0, events: TimeEvents::Always };
    let table = time_table(
        &[0.0, 10.0, 1.0, 11.0, 4.0, 14.0],
        Smoothness::Linear,
        Extrapolation::LastTwoPoints,
        placed,
    );
    assert_eq!(table.next_time_event(0.0), 2.0);
    assert_eq!(table.value(1, 1.9, 2.0, 2.0), Ok(0.0));
    // At the start itself the output is zero until its event has happened.
    assert_eq!(table.value(1, 2.0, 2.0, 2.0), Ok(0.0));
    assert_eq!(table.next_time_event(2.0), 5.0);
    assert_eq!(table.value(1, 2.0, 5.0, 2.0), Ok(11.0));
    assert_eq!(table.value(1, 3.0, 5.0, 5.0), Ok(12.0));
    assert_eq!(table.value(1, 7.0, f64::MAX, f64::MAX), Ok(16.0));
    assert_eq!(table.derivative(1, 3.0, 5.0, 5.0, 2.0), Ok(2.0));
    // A table that begins later announces its beginning.
    let late = TimeOptions { start_time: 0.0, shift_time: 1.0, events: TimeEvents::Always };
    let table = time_table(&[0.0, 10.0, 1.0, 11.0], Smoothness::Linear, Extrapolation::Hold, late);
    assert_eq!(table.next_time_event(0.0), 1.0);
    assert_eq!(table.value(1, 0.5, 1.0, 0.0), Ok(10.0));
}

fn surface(
    f: impl Fn(f64, f64) -> f64,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
) -> CombiTable2D {
    let mut data = vec![0.0, 0.0, 1.0, 2.0, 3.0];
    for i in 0..5 {
        data.push(i as f64);
        data.extend((0..4).map(|j| f(i as f64, j as f64)));
    }
    CombiTable2D::new(&grid(5, &data), smoothness, extrapolation).unwrap()
}

#[test]
fn surfaces() {
    let plane = surface(|x, y| x * y, Smoothness::Linear, Extrapolation::LastTwoPoints);
    assert_eq!(plane.value(1.5, 2.5), Ok(3.75));
    assert_eq!(plane.value(5.0, -1.0), Ok(-5.0));
    assert_eq!(plane.derivative(1.5, 2.5, 2.0, 10.0), Ok(20.0));
    assert_eq!(plane.second_derivative(1.5, 2.5, 2.0, 10.0, 1.0, 0.0), Ok(42.5));
    assert_eq!((plane.minimum_abscissae(), plane.maximum_abscissae()), ([0.0, 0.0], [4.0, 3.0]));
    let held = surface(|x, y| x * y, Smoothness::Linear, Extrapolation::Hold);
    assert_eq!((held.value(9.0, 1.5), held.value(9.0, 9.0)), (Ok(6.0), Ok(12.0)));
    let patches = surface(|x, y| x * y, Smoothness::Constant, Extrapolation::Hold);
    assert_eq!((patches.value(1.9, 2.9), patches.value(4.0, 3.0)), (Ok(2.0), Ok(12.0)));
    let periodic = surface(|x, y| x * y, Smoothness::Linear, Extrapolation::Periodic);
    assert_eq!(periodic.value(5.5, -0.5), Ok(3.75));
    assert!(
        surface(|x, y| x * y, Smoothness::Linear, Extrapolation::Forbidden)
            .value(5.0, 0.0)
            .unwrap_err()
            .contains("u1 = 5")
    );
    assert!(
        CombiTable2D::new(&grid(2, &[0.0, 1.0, 0.0, 2.0]), Smoothness::Steffen, Extrapolation::Hold).is_err()
    );
}

#[test]
fn smooth_surfaces_reproduce_products_of_parabolas() {
    let table = surface(|x, y| x * x * y * y, Smoothness::Akima, Extrapolation::LastTwoPoints);
    for k in 0..=20 {
        let (x, y) = (k as f64 * 0.2, k as f64 * 0.15);
        assert!(near(table.value(x, y).unwrap(), x * x * y * y, 1e-12));
        assert!(near(table.derivative(x, y, 1.0, 0.0).unwrap(), 2.0 * x * y * y, 1e-12));
        assert!(near(table.derivative(x, y, 0.0, 1.0).unwrap(), 2.0 * x * x * y, 1e-12));
        if k > 0 && k < 20 {
            let expected = 2.0 * y * y + 8.0 * x * y + 2.0 * x * x + 2.0 * x * y * y;
            assert!(near(table.second_derivative(x, y, 1.0, 1.0, 1.0, 0.0).unwrap(), expected, 1e-11));
        }
    }
    // Beyond a corner the surface goes on with both slopes and the mixed one: 9 (16 + 8) at (5, 3).
    assert!(near(table.value(5.0, 3.0).unwrap(), 216.0, 1e-12));
    assert!(near(table.value(5.0, 4.0).unwrap(), (16.0 + 8.0) * (9.0 + 6.0), 1e-12));
    // Held beyond one border the surface still bends along it.
    let held = surface(|x, y| x * x * y * y, Smoothness::Akima, Extrapolation::Hold);
    assert!(near(held.value(2.5, 9.0).unwrap(), 56.25, 1e-12));
    assert!(near(held.derivative(2.5, 9.0, 1.0, 1.0).unwrap(), 45.0, 1e-12));
    assert!(near(held.second_derivative(2.5, 9.0, 1.0, 1.0, 0.0, 0.0).unwrap(), 18.0, 1e-12));
    // A single grid line is constant across, however far away.
    let line = grid(3, &[0.0, 0.0, 1.0, 7.0, 10.0, 20.0]);
    let line = CombiTable2D::new(&line, Smoothness::Linear, Extrapolation::Forbidden).unwrap();
    assert_eq!(line.value(99.0, 0.5), Ok(15.0));
}
