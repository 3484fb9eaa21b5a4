//! LAPACK routines, checked by the equations that their results satisfy.

mod support;

use kairos_native::Arg;
use support::{Numbers, call, int, near, real, reals};

type Matrix = Vec<Vec<f64>>;

fn shaped(data: &[f64], columns: usize) -> Matrix {
    data.chunks(columns).map(<[f64]>::to_vec).collect()
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, b)| x * b[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn assert_same(a: &Matrix, b: &Matrix, tolerance: f64) {
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!(near(*a, *b, tolerance), "{a} is not {b}");
    }
}

fn identity(n: usize) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect()
}

fn zeros(n: usize) -> Arg {
    Arg::reals(vec![0.0; n])
}

fn square(n: usize) -> Arg {
    Arg::matrix(n, n, vec![0.0; n * n])
}

fn size(n: usize) -> Arg {
    Arg::Int(n as i64)
}

#[test]
fn a_linear_system_with_exact_solution() {
    // 2x + y = 3, x + 3y = 5
    let a = Arg::matrix(2, 2, vec![2.0, 1.0, 1.0, 3.0]);
    let (_, out) = call(
        "dgesv",
        vec![
            size(2),
            size(1),
            a,
            size(2),
            Arg::ints(vec![0; 2]),
            Arg::reals(vec![3.0, 5.0]),
            size(2),
            size(0),
        ],
    );
    assert_eq!(int(&out[7]), 0);
    assert!(near(reals(&out[5])[0], 0.8, 1e-15) && near(reals(&out[5])[1], 1.4, 1e-15));
    let singular = Arg::matrix(2, 2, vec![1.0, 2.0, 2.0, 4.0]);
    let (_, out) = call(
        "dgesv",
        vec![
            size(2),
            size(1),
            singular,
            size(2),
            Arg::ints(vec![0; 2]),
            Arg::reals(vec![3.0, 5.0]),
            size(2),
            size(0),
        ],
    );
    assert_eq!(int(&out[7]), 2);
}

#[test]
fn factors_solve_invert_and_tell_the_condition() {
    let n = 6;
    let data = Numbers(3).take(n * n);
    let a = shaped(&data, n);
    let (_, lu) = call(
        "dgetrf",
        vec![size(n), size(n), Arg::matrix(n, n, data.clone()), size(n), Arg::ints(vec![0; n]), size(0)],
    );
    let (_, inverse) =
        call("dgetri", vec![size(n), lu[2].clone(), size(n), lu[4].clone(), zeros(n), size(n), size(0)]);
    let inverse_matrix = shaped(&reals(&inverse[1]), n);
    assert_same(&times(&a, &inverse_matrix), &identity(n), 1e-12);
    for (flag, matrix) in [("N", a.clone()), ("T", transposed(&a))] {
        let b = Numbers(5).take(2 * n);
        let arguments = vec![
            Arg::str(flag),
            size(n),
            size(2),
            lu[2].clone(),
            size(n),
            lu[4].clone(),
            Arg::matrix(n, 2, b.clone()),
            size(n),
            size(0),
        ];
        let (_, out) = call("dgetrs", arguments);
        assert_same(&times(&matrix, &shaped(&reals(&out[6]), 2)), &shaped(&b, 2), 1e-12);
    }
    let norm = |matrix: &[f64], kind: &str| {
        real(
            &call(
                "dlange",
                vec![Arg::str(kind), size(n), size(n), Arg::matrix(n, n, matrix.to_vec()), size(n), zeros(n)],
            )
            .0,
        )
    };
    for kind in ["1", "I"] {
        let arguments = vec![
            Arg::str(kind),
            size(n),
            lu[2].clone(),
            size(n),
            Arg::Real(norm(&data, kind)),
            Arg::Real(0.0),
            zeros(4 * n),
            Arg::ints(vec![0; n]),
            size(0),
        ];
        let (_, out) = call("dgecon", arguments);
        let expected = 1.0 / (norm(&data, kind) * norm(&reals(&inverse[1]), kind));
        assert!(matches!(out[5], Arg::Real(rcond) if near(rcond, expected, 1e-10)));
    }
}

#[test]
fn norms_by_hand() {
    let norm = |kind: &str| {
        let a = Arg::matrix(2, 3, vec![1.0, -2.0, 3.0, -4.0, 5.0, -6.0]);
        real(&call("dlange", vec![Arg::str(kind), size(2), size(3), a, size(2), zeros(2)]).0)
    };
    assert_eq!((norm("M"), norm("1"), norm("I")), (6.0, 9.0, 15.0));
    assert!(near(norm("F"), 91f64.sqrt(), 1e-15));
}

#[test]
fn structured_systems_agree_with_their_full_form() {
    let n = 5;
    let mut numbers = Numbers(9);
    let (below, diagonal, above, b) =
        (numbers.take(n - 1), numbers.take(n), numbers.take(n - 1), numbers.take(n));
    let (_, out) = call(
        "dgtsv",
        vec![
            size(n),
            size(1),
            Arg::reals(below.clone()),
            Arg::reals(diagonal.clone()),
            Arg::reals(above.clone()),
            Arg::reals(b.clone()),
            size(n),
            size(0),
        ],
    );
    let x = reals(&out[5]);
    let product = |x: &[f64], i: usize| {
        let mut sum = diagonal[i] * x[i];
        if i > 0 {
            sum += below[i - 1] * x[i - 1];
        }
        if i + 1 < n {
            sum += above[i] * x[i + 1];
        }
        sum
    };
    (0..n).for_each(|i| assert!(near(product(&x, i), b[i], 1e-12)));
    // The same matrix in band storage: one row of fill, then above, diagonal, below.
    let mut band = vec![0.0; 4 * n];
    for j in 0..n {
        band[n + j] = if j > 0 { above[j - 1] } else { 0.0 };
        band[2 * n + j] = diagonal[j];
        band[3 * n + j] = if j + 1 < n { below[j] } else { 0.0 };
    }
    let (_, out) = call(
        "dgbsv",
        vec![
            size(n),
            size(1),
            size(1),
            size(1),
            Arg::matrix(4, n, band),
            size(4),
            Arg::ints(vec![0; n]),
            Arg::reals(b),
            size(n),
            size(0),
        ],
    );
    reals(&out[7]).iter().zip(&x).for_each(|(a, b)| assert!(near(*a, *b, 1e-12)));
}

#[test]
fn cholesky_and_triangular_solution() {
    let a = vec![4.0, 2.0, 2.0, 5.0];
    let (_, out) =
        call("dpotrf", vec![Arg::str("U"), size(2), Arg::matrix(2, 2, a.clone()), size(2), size(9)]);
    // [2 1; 0 2]; the lower triangle is left alone.
    assert_eq!(reals(&out[2]), [2.0, 1.0, 2.0, 2.0]);
    let (_, out) = call(
        "dpotrf",
        vec![Arg::str("L"), size(2), Arg::matrix(2, 2, vec![1.0, 2.0, 2.0, 1.0]), size(2), size(9)],
    );
    assert_eq!(int(&out[4]), 2);
    // X [2 1; 0 2] = [2 5]
    let triangle = Arg::matrix(2, 2, vec![2.0, 1.0, 7.0, 2.0]);
    let arguments = vec![
        Arg::str("R"),
        Arg::str("U"),
        Arg::str("N"),
        Arg::str("N"),
        size(1),
        size(2),
        Arg::Real(1.0),
        triangle,
        size(2),
        Arg::matrix(1, 2, vec![2.0, 5.0]),
        size(1),
    ];
    assert_eq!(reals(&call("dtrsm", arguments).1[9]), [1.0, 2.0]);
}

#[test]
fn orthogonal_factorization_reproduces_the_matrix() {
    let (m, n) = (5, 3);
    let data = Numbers(11).take(m * n);
    let (_, qr) = call(
        "dgeqp3",
        vec![
            size(m),
            size(n),
            Arg::matrix(m, n, data.clone()),
            size(m),
            Arg::ints(vec![0; n]),
            zeros(n),
            zeros(20),
            size(20),
            size(0),
        ],
    );
    let (_, q) = call(
        "dorgqr",
        vec![size(m), size(n), size(n), qr[2].clone(), size(m), qr[5].clone(), zeros(9), size(9), size(0)],
    );
    let factors = shaped(&reals(&qr[2]), n);
    let r: Matrix =
        (0..n).map(|i| (0..n).map(|j| if i <= j { factors[i][j] } else { 0.0 }).collect()).collect();
    assert!(r[0][0].abs() >= r[1][1].abs() && r[1][1].abs() >= r[2][2].abs());
    let Arg::IntArray { data: order, .. } = &qr[4] else { panic!() };
    let a = shaped(&data, n);
    let permuted: Matrix = a.iter().map(|row| order.iter().map(|&j| row[j as usize - 1]).collect()).collect();
    let q = shaped(&reals(&q[3]), n);
    assert_same(&times(&q, &r), &permuted, 1e-13);
    let arguments = vec![
        Arg::str("L"),
        Arg::str("T"),
        size(m),
        size(n),
        size(n),
        qr[2].clone(),
        size(m),
        qr[5].clone(),
        Arg::matrix(m, n, permuted.concat()),
        size(m),
        zeros(9),
        size(9),
        size(0),
    ];
    let (_, turned) = call("dormqr", arguments);
    assert_same(&shaped(&reals(&turned[8]), n)[..3].to_vec(), &r, 1e-13);
}

#[test]
fn least_squares_of_a_line_and_of_a_deficient_matrix() {
    // The line through (0,1), (1,3), (2,4), (3,4): slope 1, offset 1.5.
    let a = Arg::matrix(4, 2, vec![1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
    let b = vec![1.0, 3.0, 4.0, 4.0];
    let arguments = |a: Arg| {
        vec![
            size(4),
            size(2),
            size(1),
            a,
            size(4),
            Arg::reals(b.clone()),
            size(4),
            Arg::ints(vec![0; 2]),
            Arg::Real(1e-13),
            size(0),
            zeros(20),
            size(20),
            size(9),
        ]
    };
    let (_, out) = call("dgelsy", arguments(a.clone()));
    assert!(near(reals(&out[5])[0], 1.5, 1e-14) && near(reals(&out[5])[1], 1.0, 1e-14));
    assert_eq!((int(&out[9]), int(&out[12])), (2, 0));
    let (_, out) = call(
        "dgels",
        vec![
            Arg::str("N"),
            size(4),
            size(2),
            size(1),
            a,
            size(4),
            Arg::reals(b.clone()),
            size(4),
            zeros(9),
            size(9),
            size(9),
        ],
    );
    assert!(near(reals(&out[6])[0], 1.5, 1e-14) && near(reals(&out[6])[1], 1.0, 1e-14));
    // Two equal columns share the mean of b.
    let (_, out) = call("dgelsy", arguments(Arg::matrix(4, 2, vec![1.0; 8])));
    assert_eq!(int(&out[9]), 1);
    assert!(near(reals(&out[5])[0], 1.5, 1e-14) && near(reals(&out[5])[1], 1.5, 1e-14));
}

#[test]
fn constrained_least_squares() {
    // The point of x + y = 1 nearest to (1, 1).
    let arguments = vec![
        size(2),
        size(2),
        size(1),
        Arg::matrix(2, 2, vec![1.0, 0.0, 0.0, 1.0]),
        size(2),
        Arg::matrix(1, 2, vec![1.0, 1.0]),
        size(1),
        Arg::reals(vec![1.0, 1.0]),
        Arg::reals(vec![1.0]),
        zeros(2),
        zeros(9),
        size(9),
        size(9),
    ];
    let (_, out) = call("dgglse", arguments);
    reals(&out[9]).iter().for_each(|x| assert!(near(*x, 0.5, 1e-14)));
}

#[test]
fn singular_values_and_vectors() {
    for (m, n) in [(4, 3), (3, 5), (1, 1), (4, 4)] {
        let mut data = Numbers(17).take(m * n);
        if m == 4 && n == 4 {
            // Rank two.
            for j in 0..4 {
                data[8 + j] = data[j] + data[4 + j];
                data[12 + j] = data[j] - data[4 + j];
            }
        }
        let arguments = vec![
            Arg::str("A"),
            Arg::str("A"),
            size(m),
            size(n),
            Arg::matrix(m, n, data.clone()),
            size(m),
            zeros(m.min(n)),
            square(m),
            size(m),
            square(n),
            size(n),
            zeros(50),
            size(50),
            size(9),
        ];
        let (_, out) = call("dgesvd", arguments);
        let (sigma, u, vt) = (reals(&out[6]), shaped(&reals(&out[7]), m), shaped(&reals(&out[9]), n));
        assert!(sigma.windows(2).all(|pair| pair[0] >= pair[1]));
        assert_same(&times(&transposed(&u), &u), &identity(m), 1e-13);
        assert_same(&times(&transposed(&vt), &vt), &identity(n), 1e-13);
        let scaled: Matrix = u
            .iter()
            .map(|row| (0..n).map(|j| if j < sigma.len() { row[j] * sigma[j] } else { 0.0 }).collect())
            .collect();
        assert_same(&times(&scaled, &vt), &shaped(&data, n), 1e-13);
    }
    // [3 0; 4 5]: singular values sqrt(45), sqrt(5).
    let arguments = vec![
        Arg::str("N"),
        Arg::str("N"),
        size(2),
        size(2),
        Arg::matrix(2, 2, vec![3.0, 0.0, 4.0, 5.0]),
        size(2),
        zeros(2),
        square(2),
        size(2),
        square(2),
        size(2),
        zeros(50),
        size(50),
        size(9),
    ];
    let sigma = reals(&call("dgesvd", arguments).1[6]);
    assert!(near(sigma[0], 45f64.sqrt(), 1e-14) && near(sigma[1], 5f64.sqrt(), 1e-14));
}

fn eigen(a: &[f64], n: usize) -> (Vec<f64>, Vec<f64>, Matrix, Matrix) {
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
    let (_, out) = call("dgeev", arguments);
    assert_eq!(int(&out[13]), 0);
    (reals(&out[5]), reals(&out[6]), shaped(&reals(&out[7]), n), shaped(&reals(&out[9]), n))
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
