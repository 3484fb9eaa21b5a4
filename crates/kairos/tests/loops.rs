//! Large regular models, whose native code has loops: derivatives and Jacobians of both machines, bit for bit.

use kairos::{Disk, Engine, Goal, Machine, Request};
use std::path::PathBuf;

/// Forces between neighbours, a branch in each cell, and functions.
const CHAIN: &str = "model Chain\n  parameter Integer n = 400;\n  parameter Real k = 10, d = 0.1;\n  \
    Real x[n](start = {sin(i) for i in 1:n}, each fixed = true), v[n](start = {2*cos(3*i) for i in 1:n}, each fixed = true);\n  \
    Real f[n + 1], w[n];\nequation\n  f[1] = k*x[1];\n  for i in 2:n loop\n    \
    f[i] = k*(x[i] - x[i - 1]) + 0.3*(x[i] - x[i - 1])^3;\n  end for;\n  f[n + 1] = -k*x[n];\n  for i in 1:n loop\n    \
    w[i] = d*v[i]*(1 + exp(-v[i]^2)) + (if noEvent(v[i] > 1) then 0.01*v[i] elseif noEvent(x[i] > 0) then sin(x[i]) else 0.02*v[i]^3);\n    \
    der(x[i]) = v[i];\n    der(v[i]) = f[i + 1] - f[i] - w[i];\n  end for;\nend Chain;\n";

/// Every third cell is another one, coefficients are literals that differ, and a middle cell is read by all.
const MIXED: &str = "model Mixed\n  constant Integer n = 600;\n  constant Real c[n] = {1 + mod(i, 7) for i in 1:n};\n  \
    parameter Real m[n] = {2 + mod(i, 5) for i in 1:n};\n  Real x[n](start = {cos(i) for i in 1:n}, each fixed = true);\n  Real y[n];\n\
    equation\n  for i in 1:n loop\n    y[i] = x[i]*x[300] + x[n + 1 - i]*m[i];\n    \
    der(x[i]) = if mod(i, 3) == 0 then c[i]*y[i] - x[i] else -m[i]*x[i] + y[mod(i, n) + 1]/(1 + x[i]^2) + max(x[i], c[i]);\n  \
    end for;\nend Mixed;\n";

/// A diffusion on a torus: neighbours in two directions.
const GRID: &str = "model Grid\n  constant Integer n = 24;\n  Real u[n, n](start = {{sin(i*j) for j in 1:n} for i in 1:n}, each fixed = true);\n\
    equation\n  for i in 1:n loop\n    for j in 1:n loop\n      \
    der(u[i, j]) = u[mod(i, n) + 1, j] + u[mod(i - 2, n) + 1, j] + u[i, mod(j, n) + 1] + u[i, mod(j - 2, n) + 1] - 4*u[i, j] + u[i, j]^2;\n    \
    end for;\n  end for;\nend Grid;\n";

#[test]
fn loops_of_native_code_do_what_the_interpreter_does() {
    for (name, text) in [("Chain", CHAIN), ("Mixed", MIXED), ("Grid", GRID)] {
        let [interpreted, native] =
            [Engine::Interpreter, Engine::Jit].map(|engine| derivatives(name, text, engine));
        assert!(interpreted.len() > 500);
        for (k, (a, b)) in interpreted.iter().zip(&native).enumerate() {
            assert_eq!(a.to_bits(), b.to_bits(), "{name}: {k} is {a} and {b}");
        }
        assert_eq!(interpreted.len(), native.len());
    }
}

/// The derivatives at several states, and the values of all variables there.
fn derivatives(name: &str, text: &str, engine: Engine) -> Vec<f64> {
    let folder: PathBuf = std::env::temp_dir().join(format!("kairos-loops-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.mo"));
    std::fs::write(&file, text).expect("a file");
    let request = Request { file: Some(file.to_string_lossy().into_owned()), engine, ..Request::default() };
    let mut compiled = kairos::compile(&Disk, &request, Goal::Machine);
    assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
    let machine: &mut dyn Machine = compiled.machine.as_deref_mut().expect("a machine");
    machine.initialise().expect("an initial state");
    let n = machine.info().states.len();
    let (mut x, mut dx) = (vec![0.0; n], vec![0.0; n]);
    machine.get_states(&mut x);
    let mut out = Vec::new();
    for round in 0..3 {
        x.iter_mut().enumerate().for_each(|(k, x)| *x += 0.37 * f64::from(round) * (k as f64).sin());
        machine.set_states(&x);
        machine.derivatives(&mut dx).expect("derivatives");
        out.extend_from_slice(&dx);
    }
    out
}
