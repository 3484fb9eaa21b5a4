//! Computed jumps of random networks against the spectral projector of their equations, and runs of the acceptance
//! cases with other parameters.

mod common;

use common::{Dice, Ran, run, suite, within};
use kairos::{Request, RunRequest};
use std::fmt::Write;
use std::time::Duration;

type Matrix = Vec<Vec<f64>>;

fn zeros(n: usize) -> Matrix {
    vec![vec![0.0; n]; n]
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let mut c = zeros(n);
    for i in 0..n {
        for k in 0..n {
            if a[i][k] != 0.0 {
                for j in 0..n {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
    }
    c
}

/// Solves `a x = b` for several right sides, the columns of `b`, by elimination with row pivots.
fn solve(mut a: Matrix, mut b: Matrix) -> Matrix {
    let n = a.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).expect("a row");
        a.swap(k, p);
        b.swap(k, p);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            if factor != 0.0 {
                let (pivot, right) = (a[k].clone(), b[k].clone());
                a[i].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
                b[i].iter_mut().zip(&right).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    for k in 0..n {
        let pivot = a[k][k];
        b[k].iter_mut().for_each(|x| *x /= pivot);
    }
    b
}

/// A basis of the columns of a matrix and one of its null space, by elimination with complete pivots.
fn range_and_null(m: &Matrix) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let n = m.len();
    let mut a = m.clone();
    let largest = a.iter().flatten().fold(0.0f64, |x, y| x.max(y.abs()));
    let (mut pivots, mut rows): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..n).collect());
    for k in 0..n {
        let free = (k..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let free = free.filter(|(_, j)| !pivots.contains(j));
        let Some((p, q)) = free.max_by(|x, y| a[x.0][x.1].abs().total_cmp(&a[y.0][y.1].abs())) else { break };
        if a[p][q].abs() <= 1e-9 * largest {
            break;
        }
        a.swap(k, p);
        rows.swap(k, p);
        pivots.push(q);
        let pivot = a[k].iter().map(|x| x / a[k][q]).collect::<Vec<f64>>();
        a[k].clone_from(&pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][q];
            a[i].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let range = pivots.iter().map(|&q| (0..n).map(|i| m[i][q]).collect()).collect();
    let null = (0..n).filter(|q| !pivots.contains(q));
    let null = null.map(|q| {
        let mut v = vec![0.0; n];
        v[q] = 1.0;
        pivots.iter().enumerate().for_each(|(k, &p)| v[p] = -a[k][q]);
        v
    });
    (range, null.collect())
}

/// Where `E x' + A x = 0` goes from an inconsistent `x`: the spectral projector onto the finite part of the pencil
/// along its infinite part, for an index up to two.
fn project(e: &Matrix, a: &Matrix, x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut shifted = a.clone();
    for i in 0..n {
        for j in 0..n {
            shifted[i][j] += 0.73 * e[i][j];
        }
    }
    let m = solve(shifted, e.clone());
    let (range, null) = range_and_null(&product(&m, &m));
    let mut basis = zeros(n);
    for (k, v) in range.iter().chain(&null).enumerate() {
        (0..n).for_each(|i| basis[i][k] = v[i]);
    }
    let parts = solve(basis, x.iter().map(|&x| vec![x]).collect());
    let mut y = vec![0.0; n];
    for (v, part) in range.iter().zip(&parts) {
        y.iter_mut().zip(v).for_each(|(y, v)| *y += part[0] * v);
    }
    y
}

fn list(values: &[f64]) -> String {
    let items: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
    format!("{{{}}}", items.join(", "))
}

/// Simulates a text.
fn simulate(name: &str, text: &str, stop: f64) -> Ran {
    let folder = std::env::temp_dir().join(format!("kairos-jumps-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the model");
    let file = folder.join(format!("{name}.mo"));
    std::fs::write(&file, text).expect("the model");
    let file = Some(file.to_string_lossy().into_owned());
    let request = Request { file, ..Request::default() };
    run(&request, &RunRequest { stop: Some(stop), tolerance: Some(1e-10), ..RunRequest::default() })
}

/// Both limits of some variables at the instant of the switch.
fn limits(ran: &Ran, name: &str, count: usize, t: f64) -> (Vec<f64>, Vec<f64>) {
    assert!(!ran.failed(), "{}", ran.said());
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for k in 1..=count {
        let column = ran.recorded.column(&format!("{name}[{k}]")).expect("a variable");
        let at: Vec<f64> = column.iter().filter(|(time, _)| (time - t).abs() < 1e-12).map(|p| p.1).collect();
        left.push(at[0]);
        right.push(at[at.len() - 1]);
    }
    (left, right)
}

fn compare(what: &str, expected: &[f64], found: &[f64], scale: &[f64]) {
    let size = scale.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    for (k, (a, b)) in expected.iter().zip(found).enumerate() {
        assert!((a - b).abs() <= 1e-10 * size, "{what}: component {}: {b} instead of {a}", k + 1);
    }
}

/// Bodies in a row with drag, some of which are coupled rigidly: momentum. The same equations are those of capacitors
/// between which switches close: charge.
#[test]
fn chains_conserve_momentum() {
    let mut dice = Dice(1);
    for n in [2, 3, 5, 8, 13, 30, 50] {
        let (m, d, v) = (dice.list(n, 0.3, 3.0), dice.list(n, 0.0, 1.0), dice.list(n, -2.0, 2.0));
        let coupled: Vec<bool> = (1..n).map(|_| dice.roll() < 0.6).collect();
        let flags: Vec<&str> = coupled.iter().map(|&c| if c { "true" } else { "false" }).collect();
        let mut text = format!("model Chain\n  constant Integer n = {n};\n");
        let _ = writeln!(text, "  parameter Real m[n] = {}, d[n] = {};", list(&m), list(&d));
        let _ = writeln!(text, "  Real v[n](start = {}, each fixed = true), lam[n - 1];", list(&v));
        let _ = writeln!(text, "  constant Boolean c[n - 1] = {{{}}};", flags.join(", "));
        text.push_str(
            "  Boolean on[n - 1];\nequation\n  for k in 1:n - 1 loop\n    on[k] = time >= 0.5 and c[k];\n",
        );
        text.push_str(
            "    0 = if on[k] then v[k] - v[k + 1] else lam[k];\n  end for;\n  for k in 1:n loop\n",
        );
        text.push_str("    m[k]*der(v[k]) = -d[k]*v[k] + (if k > 1 then lam[max(k - 1, 1)] else 0)");
        text.push_str(" - (if k < n then lam[min(k, n - 1)] else 0);\n  end for;\nend Chain;\n");
        let ran = simulate(&format!("Chain{n}"), &text, 1.0);
        let (left, right) = limits(&ran, "v", n, 0.5);
        let size = 2 * n - 1;
        let (mut e, mut a) = (zeros(size), zeros(size));
        for k in 0..n {
            e[k][k] = m[k];
            a[k][k] = d[k];
            if k > 0 {
                a[k][n + k - 1] = -1.0;
            }
            if k + 1 < n {
                a[k][n + k] = 1.0;
                match coupled[k] {
                    true => (a[n + k][k], a[n + k][k + 1]) = (1.0, -1.0),
                    false => a[n + k][n + k] = 1.0,
                }
            }
        }
        let mut x = left.clone();
        x.resize(size, 0.0);
        compare(&format!("{n} bodies"), &project(&e, &a, &x)[..n], &right, &left);
        let momentum = |v: &[f64]| v.iter().zip(&m).map(|(v, m)| v * m).sum::<f64>();
        compare("momentum", &[momentum(&left)], &[momentum(&right)], &left);
    }
}

/// Inductors that meet in a node which a switch cuts from ground: flux.
#[test]
fn stars_conserve_flux() {
    let mut dice = Dice(2);
    for n in [2, 3, 7, 20, 50] {
        let (l, r, i) = (dice.list(n, 0.2, 2.0), dice.list(n, 0.1, 1.0), dice.list(n, -3.0, 3.0));
        let mut text = format!("model Star\n  constant Integer n = {n};\n");
        let _ = writeln!(text, "  parameter Real l[n] = {}, r[n] = {};", list(&l), list(&r));
        let _ = writeln!(text, "  Real i[n](start = {}, each fixed = true), u;", list(&i));
        text.push_str("equation\n  for k in 1:n loop\n    l[k]*der(i[k]) = u - r[k]*i[k];\n  end for;\n");
        text.push_str("  0 = if time >= 0.5 then sum(i) else u;\nend Star;\n");
        let ran = simulate(&format!("Star{n}"), &text, 1.0);
        let (left, right) = limits(&ran, "i", n, 0.5);
        let (mut e, mut a) = (zeros(n + 1), zeros(n + 1));
        for k in 0..n {
            (e[k][k], a[k][k], a[k][n], a[n][k]) = (l[k], r[k], -1.0, 1.0);
        }
        let mut x = left.clone();
        x.push(0.0);
        compare(&format!("{n} inductors"), &project(&e, &a, &x)[..n], &right, &left);
    }
}

/// Equations whose dependence only the numbers show, of index one.
#[test]
fn dependent_coefficients_are_found() {
    let mut dice = Dice(3);
    for n in [2usize, 3, 4, 6] {
        let rank = n - 1 - usize::from(n > 3);
        let (b, c) = (dice.list(n * rank, -1.0, 1.0), dice.list(n * rank, -1.0, 1.0));
        let mut e = zeros(n);
        for i in 0..n {
            for j in 0..n {
                e[i][j] = (0..rank).map(|k| b[i * rank + k] * c[k * n + j]).sum();
            }
        }
        let a: Matrix = (0..n).map(|_| dice.list(n, -1.0, 1.0)).collect();
        let start = dice.list(n, -1.0, 1.0);
        let show = |m: &Matrix| {
            let rows: Vec<String> = m.iter().map(|row| list(row)).collect();
            format!("{{{}}}", rows.join(", "))
        };
        let mut text = format!("model Pencil\n  constant Integer n = {n};\n");
        let _ = writeln!(text, "  parameter Real E[n, n] = {}, A[n, n] = {};", show(&e), show(&a));
        let _ = writeln!(text, "  Real x[n](start = {}, each fixed = true);", list(&start));
        text.push_str("equation\n  if time < 0.5 then\n    der(x) = zeros(n);\n  else\n");
        text.push_str("    E*der(x) + A*x = zeros(n);\n  end if;\nend Pencil;\n");
        let ran = simulate(&format!("Pencil{n}"), &text, 0.51);
        let (left, right) = limits(&ran, "x", n, 0.5);
        compare(&format!("pencil of {n}"), &project(&e, &a, &left), &right, &right);
    }
}

/// Every acceptance case with its parameters changed by factors from 0.1 to 10 ends with a trajectory or a message.
/// `KAIROS_VARIATIONS` sets the number of runs.
#[test]
fn variations_end() {
    let wanted = std::env::var("KAIROS_VARIATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(40usize);
    let folder = suite().join("hybrid");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("folder of cases")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".json").map(String::from))
        .collect();
    names.sort();
    let mut dice = Dice(4);
    let mut faults = String::new();
    let (mut runs, mut next) = (0, 0);
    while runs < wanted {
        // Steps through the cases so that a few runs meet all kinds.
        let name = &names[next % names.len()];
        next += 7;
        let text = std::fs::read_to_string(folder.join(format!("{name}.mo"))).expect("a model");
        let case = std::fs::read_to_string(folder.join(format!("{name}.json"))).expect("a case");
        let case: serde_json::Value = serde_json::from_str(&case).expect("a case");
        let model = case["model"].as_str().expect("a name").to_string();
        let parameters = parameters(&text, &model);
        if case["must_fail"].as_str().is_some_and(|text| text.starts_with("compile")) {
            continue;
        }
        runs += 1;
        let change = |(name, value): (String, f64)| {
            (name, format!("{:?}", value * 10f64.powf(dice.between(-1.0, 1.0))))
        };
        let settings: Vec<(String, String)> = parameters.into_iter().map(change).collect();
        let file = folder.join(format!("{name}.mo")).to_string_lossy().into_owned();
        let request = Request {
            file: Some(file),
            model: Some(model),
            settings: settings.clone(),
            ..Request::default()
        };
        let stop = case["stop"].as_f64();
        let wanted = RunRequest { stop, tolerance: Some(1e-6), intervals: Some(20), ..RunRequest::default() };
        let fate = match within(Duration::from_secs(30), move || run(&request, &wanted)) {
            Err(fate) => Some(fate),
            Ok(ran) if ran.recorded.rows.iter().flatten().any(|x| !x.is_finite()) => {
                Some("not a number".into())
            }
            Ok(ran) if ran.failed() && ran.said().trim().is_empty() => {
                Some("failed without a message".into())
            }
            Ok(_) => None,
        };
        if let Some(fate) = fate {
            let _ = writeln!(faults, "  {name} {settings:?}: {fate}");
        }
    }
    assert!(faults.is_empty(), "variations that do not end well:\n{faults}");
}

/// Scalar Real parameters of the model itself with literal values.
fn parameters(text: &str, model: &str) -> Vec<(String, f64)> {
    let start = text.find(&format!("model {model}")).unwrap_or(0);
    let mut found = Vec::new();
    for line in text[start..].lines().filter_map(|line| line.trim().strip_prefix("parameter Real ")) {
        for part in line.trim_end_matches(';').split(", ") {
            if let Some((name, value)) = part.split_once(" = ")
                && let Ok(value) = value.split(' ').next().unwrap_or("").parse::<f64>()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            {
                found.push((name.to_string(), value));
            }
        }
    }
    found
}
