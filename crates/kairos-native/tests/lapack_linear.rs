//! LAPACK routines for linear systems, checked by the equations that their results satisfy.

mod support;

use kairos_native::Arg;
use support::matrix::*;
use support::{Numbers, call, int, near, real, reals};

#[test]
fn a_linear_system_with_exact_solution() {
    let solve = |a: Vec<f64>| {
        let (b, pivots) = (Arg::reals(vec![3.0, 5.0]), Arg::ints(vec![0; 2]));
        let a = Arg::matrix(2, 2, a);
        call("dgesv", vec![size(2), size(1), a, size(2), pivots, b, size(2), size(0)]).1
    };
    // 2x + y = 3, x + 3y = 5
    let out = solve(vec![2.0, 1.0, 1.0, 3.0]);
    assert_eq!(int(&out[7]), 0);
    assert!(near(reals(&out[5])[0], 0.8, 1e-15) && near(reals(&out[5])[1], 1.4, 1e-15));
    let out = solve(vec![1.0, 2.0, 2.0, 4.0]);
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
