//! Factorisations against products with known solutions.

use kairos_numerics::linear::*;

pub struct Random(pub u64);

impl Random {
    pub fn draw(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        ((self.draw() + 1.0) * 0.5 * bound as f64) as usize % bound
    }
}

fn dense<const N: usize>(rows: &[[f64; N]]) -> Dense {
    let mut matrix = Dense::new(rows.len(), N);
    matrix.data_mut().copy_from_slice(rows.as_flattened());
    matrix
}

/// A matrix of (row, column, value) triples, those of one place added.
fn sparse(columns: usize, triples: &[(u32, u32, f64)]) -> Csc {
    let entries: Vec<(u32, u32)> = triples.iter().map(|&(row, column, _)| (row, column)).collect();
    let mut csc = Csc::new(Pattern::from_entries(columns, &entries));
    for &(row, column, value) in triples {
        csc.add(row, column as usize, value);
    }
    csc
}

fn sparse_product(a: &Csc, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for (column, x) in x.iter().enumerate() {
        a.pattern.range(column).for_each(|at| y[a.pattern.rows[at] as usize] += a.values[at] * x);
    }
    y
}

fn product(a: &Dense, x: &[f64]) -> Vec<f64> {
    (0..a.rows()).map(|row| a.row(row).iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

#[test]
fn dense_lu_solves_badly_scaled_systems() {
    let mut random = Random(3);
    for n in 1..20 {
        let mut a = Dense::new(n, n);
        a.data_mut().iter_mut().for_each(|v| *v = random.draw());
        for row in 0..n {
            let scale = 10f64.powi(row as i32 % 7 * 3 - 9);
            (0..n).for_each(|column| a[(row, column)] *= scale);
        }
        let x: Vec<f64> = (0..n).map(|_| random.draw()).collect();
        let mut b = product(&a, &x);
        let mut lu = DenseLu::new(n);
        lu.factor(&a).unwrap();
        lu.solve(&mut b);
        assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-9), "{b:?} {x:?}");
    }
    let mut lu = DenseLu::new(2);
    assert!(lu.factor(&dense(&[[1.0, 2.0], [2.0, 4.0]])).is_err());
    assert!(lu.factor(&dense(&[[f64::NAN, 2.0], [2.0, 4.0]])).is_err());
}

#[test]
fn rank_revealing_finds_minimum_norm_and_contradictions() {
    let a = dense(&[[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 3.0]]);
    let factors = RankRevealing::new(&a, 1e-12);
    let found = factors.solve(&a, &[2.0, 4.0, 6.0], 1e-10);
    assert!(found.consistent);
    assert!(found.x.iter().zip([1.0, 1.0, 2.0]).all(|(x, e)| (x - e).abs() < 1e-14), "{:?}", found.x);
    assert!(!factors.solve(&a, &[2.0, 5.0, 6.0], 1e-10).consistent);
    let wide = dense(&[[1.0, 2.0, 2.0]]);
    let found = RankRevealing::new(&wide, 1e-12).solve(&wide, &[9.0], 1e-12);
    assert!(found.x.iter().zip([1.0, 2.0, 2.0]).all(|(x, e)| (x - e).abs() < 1e-14));
    let mut random = Random(5);
    for _ in 0..50 {
        // Rank two of five rows: minimum norm means orthogonal to the null space, i.e. in the row space.
        let (u, v): (Vec<f64>, Vec<f64>) =
            ((0..5).map(|_| random.draw()).collect(), (0..5).map(|_| random.draw()).collect());
        let mut a = Dense::new(5, 5);
        for row in 0..5 {
            let (p, q) = (random.draw(), random.draw());
            (0..5).for_each(|column| a[(row, column)] = p * u[column] + q * v[column]);
        }
        let x: Vec<f64> = (0..5).map(|i| 0.3 * u[i] - 0.8 * v[i]).collect();
        let found = RankRevealing::new(&a, 1e-10).solve(&a, &product(&a, &x), 1e-9);
        assert!(found.consistent && found.x.iter().zip(&x).all(|(f, x)| (f - x).abs() < 1e-9));
    }
}

fn random_sparse(random: &mut Random, n: usize, extra: usize) -> Csc {
    let mut triples = Vec::new();
    let shift = random.below(n);
    for i in 0..n {
        triples.push((((i + shift) % n) as u32, i as u32, 1.0 + random.draw()));
    }
    for _ in 0..extra {
        triples.push((random.below(n) as u32, random.below(n) as u32, random.draw()));
    }
    sparse(n, &triples)
}

fn residual(a: &Csc, x: &[f64], b: &[f64]) -> f64 {
    sparse_product(a, x).iter().zip(b).fold(0.0, |m, (v, b)| m.max((v - b).abs()))
}

#[test]
fn sparse_lu_solves_and_refactors() {
    let mut random = Random(9);
    for round in 0..200 {
        let n = 1 + random.below(60);
        let extra = random.below(3 * n);
        let mut a = random_sparse(&mut random, n, extra);
        let mut lu = SparseLu::new(&a.pattern).unwrap();
        for again in 0..3 {
            let x: Vec<f64> = (0..n).map(|_| random.draw()).collect();
            let mut b = sparse_product(&a, &x);
            lu.factor(&a.values).unwrap();
            let right = b.clone();
            lu.solve(&mut b);
            assert!(residual(&a, &b, &right) < 1e-8, "round {round}.{again}: {}", residual(&a, &b, &right));
            a.values.iter_mut().for_each(|v| *v *= 1.0 + 0.1 * random.draw());
        }
    }
    let singular = sparse(2, &[(0, 0, 1.0), (0, 1, 1.0)]);
    assert!(SparseLu::<f64>::new(&singular.pattern).is_err());
    let cancelling = sparse(2, &[(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)]);
    assert!(SparseLu::new(&cancelling.pattern).unwrap().factor(&cancelling.values).is_err());
}

#[test]
fn refactorisation_gives_up_on_a_vanishing_pivot() {
    let mut a = sparse(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 3.0), (1, 1, 1.0)]);
    let mut lu = SparseLu::new(&a.pattern).unwrap();
    lu.factor(&a.values).unwrap();
    let at = a.pattern.find(0, 0).unwrap();
    a.values[at] = 0.0;
    lu.factor(&a.values).unwrap();
    assert_eq!(lu.refactorisations(), 0);
    let mut b = [2.0, 4.0];
    lu.solve(&mut b);
    assert!((b[0] - 1.0).abs() < 1e-15 && (b[1] - 1.0).abs() < 1e-15);
}

/// The five-point Laplacian on a square grid.
fn grid(side: usize) -> Csc {
    let mut triples = Vec::new();
    let at = |i: usize, j: usize| (i * side + j) as u32;
    for i in 0..side {
        for j in 0..side {
            triples.push((at(i, j), at(i, j), 4.1));
            if i + 1 < side {
                triples.push((at(i, j), at(i + 1, j), -1.0));
                triples.push((at(i + 1, j), at(i, j), -1.0));
            }
            if j + 1 < side {
                triples.push((at(i, j), at(i, j + 1), -1.0));
                triples.push((at(i, j + 1), at(i, j), -1.0));
            }
        }
    }
    sparse(side * side, &triples)
}

#[test]
fn minimum_degree_keeps_a_grid_sparse() {
    let a = grid(40);
    let mut lu = SparseLu::new(&a.pattern).unwrap();
    lu.factor(&a.values).unwrap();
    // Banded elimination would fill about 128,000 entries.
    assert!(lu.fill() < 60_000, "{}", lu.fill());
    let mut b = vec![1.0; 1600];
    lu.solve(&mut b);
    assert!(residual(&a, &b, &vec![1.0; 1600]) < 1e-12);
    let mut seen = minimum_degree(&a.pattern);
    seen.sort_unstable();
    assert!(seen.iter().enumerate().all(|(i, &v)| i as u32 == v));
}

#[test]
fn triangular_patterns_fall_into_single_blocks_without_fill() {
    let n = 2000;
    let mut triples: Vec<(u32, u32, f64)> = (0..n).map(|i| (i, (i + 7) % n, 2.0)).collect();
    triples.extend((1..n).map(|i| (i, (i + 6) % n, 1.0)));
    let a = sparse(n as usize, &triples);
    let mut lu = SparseLu::new(&a.pattern).unwrap();
    lu.factor(&a.values).unwrap();
    assert_eq!(lu.fill(), n as usize);
}

#[test]
fn complex_factorisation() {
    let mut lu = DenseLu::<Complex>::new(2);
    let c = |re, im| Complex { re, im };
    lu.matrix_mut().copy_from_slice(&[c(0.0, 1.0), c(2.0, 0.0), c(1.0, 1.0), c(0.0, -3.0)]);
    lu.factor_in_place().unwrap();
    let mut b = [c(2.0, 1.0), c(1.0, -2.0)];
    lu.solve(&mut b);
    assert!((b[0] - c(1.0, 0.0)).size() < 1e-15 && (b[1] - c(1.0, 0.0)).size() < 1e-15);
}

#[test]
fn colouring_groups_columns_without_common_rows() {
    let a = grid(12);
    let colouring = Colouring::new(a.pattern.lists());
    assert!(colouring.len() <= 9, "{}", colouring.len());
    let mut count = 0;
    for group in colouring.groups() {
        let mut seen = [false; 144];
        for &column in group {
            count += 1;
            for &row in a.pattern.column(column as usize) {
                assert!(!std::mem::replace(&mut seen[row as usize], true));
            }
        }
    }
    assert_eq!(count, 144);
    // Full columns have nothing in common but themselves, empty ones are all alike.
    let full: Vec<u32> = (0..200).collect();
    let none: Vec<u32> = Vec::new();
    let colouring = Colouring::new([&full[..]; 200].into_iter().chain([&none[..]; 3]));
    assert_eq!((colouring.len(), colouring.groups().map(<[u32]>::len).sum::<usize>()), (200, 203));
    assert!(Colouring::new([].into_iter()).is_empty());
}

/// A system with the matrix `a`, dense or in the pattern of its entries.
fn system(a: &Csc, sparse: bool) -> LinearSystem {
    let n = a.pattern.columns();
    let mut system = LinearSystem::new(n, sparse.then_some(&a.pattern));
    match system.matrix_mut() {
        Matrix::Dense(dense) => *dense = Matrix::Sparse(a.clone()).dense(),
        Matrix::Sparse(csc) => csc.values.copy_from_slice(&a.values),
    }
    system
}

#[test]
fn linear_systems_may_repeat_themselves_but_not_contradict() {
    let shuffled = sparse(3, &[(0, 0, 2.0), (1, 2, 4.0), (2, 1, 5.0)]);
    // Two currents in parallel ideal wires: only their sum is determined.
    let parallel = sparse(3, &[(0, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0), (2, 0, 2.0), (2, 1, 2.0)]);
    let unknown = sparse(3, &[(0, 0, f64::NAN), (1, 1, 1.0), (2, 2, 1.0)]);
    for sparse in [false, true] {
        let mut regular = system(&shuffled, sparse);
        assert!(regular.factor());
        let mut b = [2.0, 4.0, 10.0];
        regular.solve(&mut b);
        assert_eq!(b, [1.0, 2.0, 1.0]);
        let mut singular = system(&parallel, sparse);
        assert!(!singular.factor());
        let found = singular.solve_singular(&[4.0, 7.0, 8.0]);
        assert!(found.consistent);
        assert!(found.x.iter().zip([2.0, 2.0, 7.0]).all(|(b, e)| (b - e).abs() < 1e-14), "{found:?}");
        assert!(!singular.solve_singular(&[4.0, 7.0, 9.0]).consistent);
        assert!(!system(&unknown, sparse).factor());
    }
    // A pattern that no values make regular has dense factors, and is found singular by them.
    let empty = sparse(2, &[(0, 0, 1.0), (1, 0, 1.0)]);
    let mut structural = system(&empty, true);
    assert!(matches!(structural.matrix(), Matrix::Dense(_)) && !structural.factor());
}

#[test]
fn linear_systems_tell_bad_scaling_from_singularity() {
    // x + 1e15 y = 2, x = 1e15 y: badly scaled, with the solution (1, 1e-15).
    let units = sparse(2, &[(0, 0, 1.0), (0, 1, 1e15), (1, 0, 1.0), (1, 1, -1e15)]);
    for sparse in [false, true] {
        let mut system = system(&units, sparse);
        assert!(system.factor());
        let mut b = [2.0, 0.0];
        system.solve(&mut b);
        assert!((b[0] - 1.0).abs() < 1e-14 && (b[1] - 1e-15).abs() < 1e-29, "{b:?}");
    }
}

#[test]
fn the_weakest_pivot_is_what_separates_a_sparse_matrix_from_a_singular_one() {
    // Rows (1, 1) and (1, 1 + e): the last pivot is e, or e / (1 + e) in the other order.
    for power in 1..40 {
        let e = 0.5f64.powi(power);
        let mut a = sparse(3, &[(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0 + e), (2, 2, 1.0)]);
        let weakest = |a: &Csc| {
            let mut lu = SparseLu::new(&a.pattern).unwrap();
            lu.factor(&a.values).unwrap();
            lu.weakest_pivot()
        };
        let expected = 0.99 * e / (1.0 + e)..1.01 * e;
        assert!(expected.contains(&weakest(&a)), "{e:e}: {:e}", weakest(&a));
        // A row by itself is as good in any unit.
        let alone = a.pattern.find(2, 2).unwrap();
        a.values[alone] = 1e-20;
        assert!(expected.contains(&weakest(&a)), "{e:e}: {:e}", weakest(&a));
    }
    // Factors that are good for one matrix are used for the next: its weakest pivot is its own.
    let mut a = grid(6);
    let mut lu = SparseLu::new(&a.pattern).unwrap();
    lu.factor(&a.values).unwrap();
    let first = lu.weakest_pivot();
    a.values.iter_mut().for_each(|value| *value *= 1e-18);
    lu.factor(&a.values).unwrap();
    // Rows are scaled by powers of two, hence by the same up to a factor of two.
    assert!((0.5..=2.0).contains(&(lu.weakest_pivot() / first)), "{:e}", lu.weakest_pivot());
}
