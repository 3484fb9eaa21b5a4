//! Routines whose arguments rest: of the columns of a Jacobian those are run that a column concerns.

mod common;

use common::Text;
use kairos::{Goal, Request};
use kairos_machine::NoExternals;
use kairos_machine::run::Frame;
use kairos_program::Program;
use std::sync::Arc;

/// Two unknowns, each the argument of a function that is too long to be copied into its caller: exp(x) after Horner.
const MODEL: &str = "
model M
  function series
    input Real x;
    output Real y = 1;
  algorithm
    for k in 40:-1:1 loop
      y := 1 + y*x/k;
    end for;
  end series;
  Real x[2](each start = 0.5);
equation
  series(x[1]) + series(x[2]) = exp(1 + time) + exp(2 - time);
  series(x[1]) - 2*series(x[2]) = exp(1 + time) - 2*exp(2 - time);
end M;
";

fn program() -> Arc<Program> {
    let request = Request { file: Some(Text::NAME.into()), ..Request::default() };
    let compiled = kairos::compile(&Text(MODEL.into()), &request, Goal::Machine);
    assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
    compiled.program.expect("a program")
}

#[test]
fn what_rests_is_not_run_again() {
    let program = program();
    let routines = &program.memory.routines;
    let with_tangents = |routine: u32| routines.list[routine as usize].before_tangents == Some((1, 1));
    let site = routines.invocations.iter().position(|call| with_tangents(call.routine));
    let site = site.expect("a call with tangents");
    let call = &routines.invocations[site];
    let mut frame = Frame::new(&program, Arc::new(NoExternals));
    let column = |frame: &mut Frame, x: f64, seed: f64| {
        (frame.values[call.arguments[0] as usize], frame.values[call.arguments[1] as usize]) = (x, seed);
        frame.invoke_site(&program, site as u32).expect("a result");
        call.outputs.iter().map(|&slot| frame.values[slot as usize]).collect::<Vec<f64>>()
    };
    let close = |found: &[f64], wanted: [f64; 2]| {
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, not {wanted:?}");
    };
    let e = std::f64::consts::E;
    // The exponential function is its own derivative.
    close(&column(&mut frame, 1.0, 2.0), [e, 2.0 * e]);
    // On no move: the result is taken from where it was kept, and no tangent of the column before is left.
    frame.last_calls[site][1] = 7.0;
    close(&column(&mut frame, 1.0, 0.0), [7.0, 0.0]);
    // On the move, or another argument: it is run.
    close(&column(&mut frame, 1.0, 1.0), [e, e]);
    frame.last_calls[site][1] = 7.0;
    close(&column(&mut frame, 0.0, 0.0), [1.0, 0.0]);
    // The two zeros are different arguments, since results may be.
    frame.last_calls[site][1] = 7.0;
    close(&column(&mut frame, -0.0, 0.0), [1.0, 0.0]);
}
