//! LAPACK routines for eigenvalues, checked by the equations that their results satisfy.

mod support;

use kairos_native::Arg;
use support::matrix::*;
use support::{Numbers, call, int, near, reals};

fn eigen(a: &[f64], n: usize) -> (Vec<f64>, Vec<f64>, Matrix, Matrix) {
    let out = dgeev(a, n);
    assert_eq!(int(&out[13]), 0);
    (reals(&out[5]), reals(&out[6]), shaped(&reals(&out[7]), n), shaped(&reals(&out[9]), n))
}

fn dgeev(a: &[f64], n: usize) -> Vec<Arg> {
    let arguments = vec![
        Arg::str("V"),
        Arg::str("V"),
        size(n),
        Arg::matrix(n, n, a.to_vec()),
        size(n),
        zeros(n),
        zeros(n),
        square(n),
        size(n),
        square(n),
        size(n),
        zeros(9),
        size(9),
        size(9),
    ];
    call("dgeev", arguments).1
}

/// A x = (re + i im) x for vectors in LAPACK's packing.
fn assert_eigen(a: &Matrix, re: &[f64], im: &[f64], vectors: &Matrix, tolerance: f64) {
    let n = a.len();
    let column = |j: usize| -> Vec<f64> { vectors.iter().map(|row| row[j]).collect() };
    let product = |x: &[f64], i: usize| -> f64 { a[i].iter().zip(x).map(|(a, x)| a * x).sum() };
    for j in 0..n {
        if im[j] < 0.0 {
            continue;
        }
        let x = column(j);
        let y = if im[j] > 0.0 { column(j + 1) } else { vec![0.0; n] };
        for i in 0..n {
            assert!(near(product(&x, i), re[j] * x[i] - im[j] * y[i], tolerance));
            assert!(near(product(&y, i), re[j] * y[i] + im[j] * x[i], tolerance));
        }
        let length: f64 = x.iter().chain(&y).map(|x| x * x).sum();
        assert!(near(length, 1.0, 1e-12));
    }
}

#[test]
fn eigenvalues_and_vectors() {
    // x^2 + 1 and a companion matrix with roots 1, 2, 3.
    let (re, im, ..) = eigen(&[0.0, 1.0, -1.0, 0.0], 2);
    assert!(near(re[0], 0.0, 1e-15) && near(im[0], 1.0, 1e-15) && near(im[1], -1.0, 1e-15));
    let (mut re, im, ..) = eigen(&[6.0, -11.0, 6.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], 3);
    re.sort_by(f64::total_cmp);
    assert!(im.iter().all(|im| *im == 0.0));
    (0..3).for_each(|k| assert!(near(re[k], k as f64 + 1.0, 1e-12)));
    for n in 1..12 {
        let data = Numbers(100 + n as u64).take(n * n);
        let a = shaped(&data, n);
        let (re, im, left, right) = eigen(&data, n);
        assert_eigen(&a, &re, &im, &right, 1e-12);
        // y' A = lambda y' means A' y = conj(lambda) y.
        let opposite: Vec<f64> = im.iter().map(|im| -im).collect();
        let flipped: Matrix = left;
        let transposed_a = transposed(&a);
        let conjugated: Matrix = flipped
            .iter()
            .map(|row| row.iter().zip(&opposite).map(|(x, im)| if *im > 0.0 { -x } else { *x }).collect())
            .collect();
        assert_eigen(&transposed_a, &re, &im, &conjugated, 1e-12);
    }
}

#[test]
fn eigenvalues_of_awkward_matrices() {
    for n in [2, 3, 4, 5, 8, 20] {
        let filled = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n * n).map(|k| entry(k / n, k % n)).collect()
        };
        let cyclic = filled(&|i, j| if (i + 1) % n == j { 1.0 } else { 0.0 });
        let jordan = filled(&|i, j| if i == j { 2.0 } else { f64::from(u8::from(i + 1 == j)) });
        let ones = filled(&|_, _| 1.0);
        let graded = filled(&|i, j| 10f64.powi(-((i + j) as i32)) * (1 + (3 * i + 5 * j) % 4) as f64);
        for data in [cyclic, jordan, ones, graded, vec![0.0; n * n]] {
            let (re, im, _, right) = eigen(&data, n);
            assert_eigen(&shaped(&data, n), &re, &im, &right, 1e-12);
        }
    }
    // No numbers in, no numbers out, but an end.
    let n = 5;
    let out = dgeev(&vec![f64::NAN; n * n], n);
    assert!(int(&out[13]) > 0);
}

fn schur(data: &[f64], n: usize) -> (Matrix, Matrix, Vec<Arg>) {
    let arguments = vec![
        Arg::str("V"),
        Arg::str("N"),
        size(0),
        size(n),
        Arg::matrix(n, n, data.to_vec()),
        size(n),
        size(0),
        zeros(n),
        zeros(n),
        square(n),
        size(n),
        zeros(9),
        size(9),
        size(0),
        size(9),
    ];
    let (_, out) = call("dgees", arguments);
    assert_eq!(int(&out[14]), 0);
    (shaped(&reals(&out[4]), n), shaped(&reals(&out[9]), n), out)
}

#[test]
fn schur_form_and_its_reordering() {
    for n in [3, 6, 9] {
        let data = Numbers(40 + n as u64).take(n * n);
        let a = shaped(&data, n);
        let (t, z, _) = schur(&data, n);
        assert_same(&times(&transposed(&z), &z), &identity(n), 1e-13);
        assert_same(&times(&times(&z, &t), &transposed(&z)), &a, 1e-12);
        (0..n).for_each(|i| (0..n).for_each(|j| assert!(i <= j + 1 || t[i][j] == 0.0)));
        // Bring the last eigenvalues to the top.
        let select: Vec<bool> = (0..n).map(|k| k + 2 >= n).collect();
        let wanted: f64 = (n - 2..n).map(|k| t[k][k]).sum();
        let whole_pairs = t[n - 2][n - 3] == 0.0;
        let arguments = vec![
            Arg::str("N"),
            Arg::str("V"),
            Arg::BoolArray { dims: vec![n], data: select.into() },
            size(n),
            Arg::matrix(n, n, t.concat()),
            size(n),
            Arg::matrix(n, n, z.concat()),
            size(n),
            zeros(n),
            zeros(n),
            size(0),
            Arg::Real(0.0),
            Arg::Real(0.0),
            zeros(9),
            size(9),
            Arg::ints(vec![0]),
            size(1),
            size(9),
        ];
        let (_, out) = call("dtrsen", arguments);
        let (t, q) = (shaped(&reals(&out[4]), n), shaped(&reals(&out[6]), n));
        assert_same(&times(&times(&q, &t), &transposed(&q)), &a, 1e-11);
        if whole_pairs {
            assert_eq!(int(&out[10]), 2);
            assert!(near(t[0][0] + t[1][1], wanted, 1e-11));
        }
    }
}

#[test]
fn hessenberg_reduction() {
    let n = 6;
    let data = Numbers(77).take(n * n);
    let (_, h) = call(
        "dgehrd",
        vec![
            size(n),
            size(1),
            size(n),
            Arg::matrix(n, n, data.clone()),
            size(n),
            zeros(n - 1),
            zeros(9),
            size(9),
            size(9),
        ],
    );
    let (_, q) = call(
        "dorghr",
        vec![size(n), size(1), size(n), h[3].clone(), size(n), h[5].clone(), zeros(9), size(9), size(9)],
    );
    let factors = shaped(&reals(&h[3]), n);
    let hessenberg: Matrix =
        (0..n).map(|i| (0..n).map(|j| if i <= j + 1 { factors[i][j] } else { 0.0 }).collect()).collect();
    let q = shaped(&reals(&q[3]), n);
    assert_same(&times(&times(&q, &hessenberg), &transposed(&q)), &shaped(&data, n), 1e-13);
    // A Q = Q H, with the routine that never forms Q.
    let arguments = vec![
        Arg::str("R"),
        Arg::str("N"),
        size(n),
        size(n),
        size(1),
        size(n),
        h[3].clone(),
        size(n),
        h[5].clone(),
        Arg::matrix(n, n, data.clone()),
        size(n),
        zeros(9),
        size(9),
        size(9),
    ];
    let (_, product) = call("dormhr", arguments);
    assert_same(&shaped(&reals(&product[9]), n), &times(&q, &hessenberg), 1e-13);
    // The Schur form from here has the same eigenvalues.
    let arguments = vec![
        Arg::str("S"),
        Arg::str("V"),
        size(n),
        size(1),
        size(n),
        Arg::matrix(n, n, hessenberg.concat()),
        size(n),
        zeros(n),
        zeros(n),
        Arg::matrix(n, n, q.concat()),
        size(n),
        zeros(9),
        size(9),
        size(9),
    ];
    let (_, out) = call("dhseqr", arguments);
    let (t, z) = (shaped(&reals(&out[5]), n), shaped(&reals(&out[9]), n));
    assert_same(&times(&times(&z, &t), &transposed(&z)), &shaped(&data, n), 1e-12);
    let arguments = vec![
        Arg::str("R"),
        Arg::str("B"),
        Arg::BoolArray { dims: vec![n], data: vec![false; n].into() },
        size(n),
        out[5].clone(),
        size(n),
        square(n),
        size(n),
        out[9].clone(),
        size(n),
        size(n),
        size(n),
        zeros(9),
        size(9),
    ];
    let (_, vectors) = call("dtrevc", arguments);
    assert_eq!(int(&vectors[13]), 0);
    let largest = reals(&vectors[8]).iter().fold(0.0, |x: f64, y| x.max(y.abs()));
    assert!(near(largest, 1.0, 1e-12));
}

#[test]
fn sylvester_equations() {
    let (m, n) = (4, 5);
    let (a, ..) = schur(&Numbers(21).take(m * m), m);
    let (b, ..) = schur(&Numbers(24).take(n * n), n);
    let c = Numbers(23).take(m * n);
    for (ta, tb, sign) in [("N", "N", 1), ("T", "N", -1), ("N", "T", 1), ("T", "T", -1)] {
        let arguments = vec![
            Arg::str(ta),
            Arg::str(tb),
            Arg::Int(sign),
            size(m),
            size(n),
            Arg::matrix(m, m, a.concat()),
            size(m),
            Arg::matrix(n, n, b.concat()),
            size(n),
            Arg::matrix(m, n, c.clone()),
            size(m),
            Arg::Real(0.0),
            size(9),
        ];
        let (_, out) = call("dtrsyl", arguments);
        let x = shaped(&reals(&out[9]), n);
        let a = if ta == "T" { transposed(&a) } else { a.clone() };
        let b = if tb == "T" { transposed(&b) } else { b.clone() };
        let (left, right) = (times(&a, &x), times(&x, &b));
        let sum: Matrix = left
            .iter()
            .zip(&right)
            .map(|(l, r)| l.iter().zip(r).map(|(l, r)| l + sign as f64 * r).collect())
            .collect();
        assert_same(&sum, &shaped(&c, n), 1e-10);
    }
}

#[test]
fn generalized_eigenvalues() {
    let n = 5;
    let (a, mut b) = (Numbers(51).take(n * n), Numbers(52).take(n * n));
    // A singular B: one eigenvalue is infinite.
    (0..n).for_each(|j| b[(n - 1) * n + j] = b[j] - b[n + j]);
    let arguments = vec![
        Arg::str("V"),
        Arg::str("V"),
        size(n),
        Arg::matrix(n, n, a.clone()),
        size(n),
        Arg::matrix(n, n, b.clone()),
        size(n),
        zeros(n),
        zeros(n),
        zeros(n),
        square(n),
        size(n),
        square(n),
        size(n),
        zeros(9),
        size(9),
        size(9),
    ];
    let (_, out) = call("dggev", arguments);
    let (re, im, beta) = (reals(&out[7]), reals(&out[8]), reals(&out[9]));
    assert_eq!(beta.iter().filter(|beta| **beta == 0.0).count(), 1);
    let (a, b) = (shaped(&a, n), shaped(&b, n));
    for (vectors, a, b, sign) in [
        (shaped(&reals(&out[12]), n), a.clone(), b.clone(), 1.0),
        (shaped(&reals(&out[10]), n), transposed(&a), transposed(&b), -1.0),
    ] {
        for j in 0..n {
            if im[j] < 0.0 {
                continue;
            }
            assert!(im[j] == 0.0 || im[j + 1] < 0.0);
            let x: Vec<f64> = vectors.iter().map(|row| row[j]).collect();
            let y: Vec<f64> =
                vectors.iter().map(|row| if im[j] > 0.0 { sign * row[j + 1] } else { 0.0 }).collect();
            let product =
                |a: &Matrix, x: &[f64], i: usize| -> f64 { a[i].iter().zip(x).map(|(a, x)| a * x).sum() };
            for i in 0..n {
                let (bx, by) = (product(&b, &x, i), product(&b, &y, i));
                assert!(near(beta[j] * product(&a, &x, i), re[j] * bx - im[j] * by, 1e-10));
                assert!(near(beta[j] * product(&a, &y, i), re[j] * by + im[j] * bx, 1e-10));
            }
        }
    }
}
