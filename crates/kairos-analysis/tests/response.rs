//! Transfer functions and frequency responses against closed forms.

use kairos::{Error, Model, Options};
use kairos_analysis::{Complex, Linear, LinearRequest, linearise};

fn linear(text: &str) -> Result<Linear, Error> {
    linearise(&Model::from_text(text)?, &LinearRequest::default(), &Options::default())
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-8 * expected.abs().max(1e-3), "{found}, expected {expected}");
}

/// Both ways to a value, by poles and zeros and by elimination, and the formula.
fn check(linear: &Linear, formula: impl Fn(f64) -> (f64, f64)) {
    let transfer = linear.transfer(0, 0);
    for frequency in [0.001, 0.1, 0.37, 2.0, 50.0] {
        let omega = 2.0 * std::f64::consts::PI * frequency;
        let (real, imaginary) = formula(omega);
        for value in
            [transfer.at(Complex { re: 0.0, im: omega }), linear.responses(&[frequency])[0].values[0]]
        {
            near(value.re, real);
            near(value.im, imaginary);
        }
    }
}

#[test]
fn a_spring_and_a_mass() -> Result<(), Error> {
    let (m, d, k) = (2.0, 0.5, 8.0);
    let linear = linear(
        "model Spring parameter Real m = 2, d = 0.5, k = 8; input Real f; output Real y = x; Real x, v;
         equation der(x) = v; m*der(v) = f - d*v - k*x; end Spring;",
    )?;
    let transfer = linear.transfer(0, 0);
    assert!(transfer.zeros.is_empty());
    near(transfer.gain, 1.0 / m);
    near(transfer.steady_gain(), 1.0 / k);
    let denominator = transfer.denominator();
    near(denominator[1], d / m);
    near(denominator[2], k / m);
    check(&linear, |w| {
        let (re, im) = (k - m * w * w, d * w);
        (re / (re * re + im * im), -im / (re * re + im * im))
    });
    Ok(())
}

#[test]
fn a_lead_has_its_zero_and_a_hidden_part_cancels() -> Result<(), Error> {
    // (s + 1)/(s + 10), beside a state that the input moves and the output does not show.
    let linear = linear(
        "model Lead input Real u; output Real y = u - 9*x; Real x, hidden;
         equation der(x) = u - 10*x; der(hidden) = u - 3*hidden; end Lead;",
    )?;
    let transfer = linear.transfer(0, 0);
    near(transfer.gain, 1.0);
    assert_eq!((transfer.zeros.len(), transfer.poles.len()), (1, 1));
    near(transfer.zeros[0].re, -1.0);
    near(transfer.poles[0].re, -10.0);
    check(&linear, |w| {
        let square = 100.0 + w * w;
        ((10.0 + w * w) / square, 9.0 * w / square)
    });
    Ok(())
}

#[test]
fn the_phase_of_a_chain_goes_on_without_jumps() -> Result<(), Error> {
    let linear = linear(
        "model Chain input Real u; output Real y = x[4]; Real x[4];
         equation der(x[1]) = u - x[1]; for i in 2:4 loop der(x[i]) = x[i - 1] - x[i]; end for; end Chain;",
    )?;
    let frequencies = linear.frequencies(400);
    let responses = linear.responses(&frequencies);
    for (phase, frequency) in responses[0].phases().iter().zip(&frequencies) {
        let expected = -4.0 * (2.0 * std::f64::consts::PI * frequency).atan().to_degrees();
        assert!((phase - expected).abs() < 1e-6, "{phase}, expected {expected} at {frequency}");
    }
    Ok(())
}

#[test]
fn an_output_that_nothing_moves_has_no_transfer_function() -> Result<(), Error> {
    let linear =
        linear("model Still input Real u; output Real y = x; Real x; equation der(x) = -x; end Still;")?;
    assert_eq!(linear.transfer(0, 0).gain, 0.0);
    Ok(())
}
