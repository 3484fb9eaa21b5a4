//! Every algorithm against brute force on small random graphs.

use kairos_graph::*;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn rows(&mut self, rows: usize, columns: u32, chance: u32) -> Vec<Vec<u32>> {
        (0..rows).map(|_| (0..columns).filter(|_| self.below(100) < chance).collect()).collect()
    }
}

/// The size of a maximum matching by trying everything.
fn brute_matching(rows: &[Vec<u32>], used: u32) -> usize {
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let skipped = brute_matching(rest, used);
    let taken =
        first.iter().filter(|&&c| used & 1 << c == 0).map(|&c| 1 + brute_matching(rest, used | 1 << c));
    taken.max().unwrap_or(0).max(skipped)
}

#[test]
fn matching_is_maximum_and_grows() {
    let mut random = Random(7);
    for round in 0..400 {
        let (m, n) = (1 + random.below(7) as usize, 1 + random.below(7));
        let rows = random.rows(m, n, 15 + round % 40);
        let graph = Incidence::from_rows(n as usize, &rows);
        let matching = Matching::maximum(&graph);
        let best = brute_matching(&rows, 0);
        assert_eq!(matching.len(), best);
        let pairs = (0..m as u32).filter_map(|r| matching.column_of(r).map(|c| (r, c)));
        for (row, column) in pairs {
            assert!(rows[row as usize].contains(&column));
            assert_eq!(matching.row_of(column), Some(row));
        }
        let half = Incidence::from_rows(n as usize, &rows[..m / 2]);
        let mut grown = Matching::maximum(&half);
        grown.extend(&graph);
        assert_eq!(grown.len(), best);
        let mut single = Matching::default();
        for row in 0..m as u32 {
            if let Err(singular) = single.augment(row, &rows, |_, _| true) {
                assert_minimal(&rows, &singular);
            }
        }
        assert_eq!(single.len(), best);
    }
}

fn assert_minimal(rows: &[Vec<u32>], singular: &Singular) {
    let subset: Vec<Vec<u32>> = singular.rows.iter().map(|&r| rows[r as usize].clone()).collect();
    assert_eq!(brute_matching(&subset, 0), subset.len() - 1);
    assert_eq!(singular.columns.len(), subset.len() - 1);
    for skip in 0..subset.len() {
        let fewer: Vec<Vec<u32>> =
            subset.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, r)| r.clone()).collect();
        assert_eq!(brute_matching(&fewer, 0), fewer.len());
    }
}

#[test]
fn dulmage_mendelsohn_finds_the_rows_and_columns_that_can_stay_free() {
    let mut random = Random(11);
    for _ in 0..300 {
        let (m, n) = (1 + random.below(6) as usize, 1 + random.below(6));
        let rows = random.rows(m, n, 30);
        let graph = Incidence::from_rows(n as usize, &rows);
        let parts = dulmage_mendelsohn(&graph, &Matching::maximum(&graph));
        let best = brute_matching(&rows, 0);
        for row in 0..m {
            let others: Vec<_> = (0..m).filter(|&r| r != row).map(|r| rows[r].clone()).collect();
            assert_eq!(parts.over.rows.contains(&(row as u32)), brute_matching(&others, 0) == best);
        }
        for column in 0..n {
            assert_eq!(parts.under.columns.contains(&column), brute_matching(&rows, 1 << column) == best);
        }
        assert_eq!(parts.well.rows.len(), parts.well.columns.len());
        assert_eq!(parts.over.rows.len() + parts.well.rows.len() + parts.under.rows.len(), m);
    }
}

fn reach(rows: &[Vec<u32>], from: u32) -> u64 {
    let (mut seen, mut stack) = (0u64, vec![from]);
    while let Some(node) = stack.pop() {
        for &next in &rows[node as usize] {
            if seen & 1 << next == 0 {
                seen |= 1 << next;
                stack.push(next);
            }
        }
    }
    seen
}

#[test]
fn components_and_topological_order() {
    let mut random = Random(13);
    for round in 0..300 {
        let n = 1 + random.below(9);
        let rows = random.rows(n as usize, n, 5 + round % 25);
        let graph = Incidence::from_rows(n as usize, &rows);
        let blocks = strongly_connected(&graph);
        let mut place = vec![0; n as usize];
        for (index, block) in blocks.iter().enumerate() {
            block.iter().for_each(|&node| place[node as usize] = index);
        }
        for a in 0..n {
            let from_a = reach(&rows, a);
            for b in 0..n {
                let together = a == b || (from_a >> b & 1 == 1 && reach(&rows, b) >> a & 1 == 1);
                assert_eq!(place[a as usize] == place[b as usize], together);
                if from_a >> b & 1 == 1 {
                    assert!(place[b as usize] <= place[a as usize]);
                }
            }
        }
        let cyclic = (0..n).any(|a| reach(&rows, a) >> a & 1 == 1);
        match topological_sort(&graph) {
            Ok(order) => {
                assert!(!cyclic && order.len() == n as usize);
                let at = |node: u32| order.iter().position(|&o| o == node);
                assert!((0..n).all(|a| rows[a as usize].iter().all(|&b| at(b) < at(a))));
            }
            Err(cycle) => {
                assert!(cyclic);
                for (i, &node) in cycle.iter().enumerate() {
                    assert!(rows[node as usize].contains(&cycle[(i + 1) % cycle.len()]));
                }
            }
        }
    }
}

#[test]
fn block_triangular_order_solves_dependencies_first() {
    let mut random = Random(17);
    for _ in 0..200 {
        let n = 2 + random.below(8);
        let mut rows = random.rows(n as usize, n, 12);
        for (i, row) in rows.iter_mut().enumerate() {
            row.push((i as u32 + 3) % n);
            row.sort_unstable();
            row.dedup();
        }
        let graph = Incidence::from_rows(n as usize, &rows);
        let matching = Matching::maximum(&graph);
        assert!(matching.is_perfect(&graph));
        let mut known = vec![false; n as usize];
        for block in block_triangular(&graph, &matching).iter() {
            for &row in block {
                known[matching.column_of(row).unwrap() as usize] = true;
            }
            assert!(block.iter().all(|&row| rows[row as usize].iter().all(|&c| known[c as usize])));
        }
    }
}

/// The smallest number of differentiations by trying all vectors in order of their sum.
fn brute_index(rows: &[Vec<u32>], order: &[Vec<Option<u32>>], limit: u32) -> Option<u32> {
    let n = rows.len();
    let mut best = None;
    let mut counts = vec![0u32; n];
    loop {
        let highest: Vec<u32> = (0..n)
            .map(|v| (0..n).filter_map(|e| order[e][v].map(|o| o + counts[e])).max().unwrap_or(0))
            .collect();
        let leading: Vec<Vec<u32>> = (0..n)
            .map(|e| {
                (0..n as u32)
                    .filter(|&v| order[e][v as usize].is_some_and(|o| o + counts[e] == highest[v as usize]))
                    .collect()
            })
            .collect();
        if brute_matching(&leading, 0) == n {
            let sum = counts.iter().sum();
            best = Some(best.map_or(sum, |b: u32| b.min(sum)));
        }
        let Some(place) = (0..n).find(|&i| counts[i] < limit) else { return best };
        counts[place] += 1;
        counts[..place].fill(0);
    }
}

#[test]
fn pantelides_differentiates_as_little_as_possible() {
    let mut random = Random(23);
    let (mut singular, mut reduced) = (0, 0);
    for _ in 0..600 {
        // Variables 0..n and their first derivatives n..2n where some equation uses them.
        let n = 2 + random.below(2) as usize;
        let order: Vec<Vec<Option<u32>>> = (0..n)
            .map(|_| {
                (0..n)
                    .map(|_| match random.below(10) {
                        0..=3 => None,
                        4..=7 => Some(0),
                        _ => Some(1),
                    })
                    .collect()
            })
            .collect();
        let rows: Vec<Vec<u32>> = order
            .iter()
            .map(|row| {
                row.iter().enumerate().filter_map(|(v, o)| o.map(|o| v as u32 + o * n as u32)).collect()
            })
            .collect();
        let used = |v: usize| order.iter().any(|row| row[v] == Some(1));
        let derivative: Vec<Option<u32>> =
            (0..2 * n).map(|v| (v < n && used(v)).then_some((v + n) as u32)).collect();
        match (pantelides(&rows, &derivative), brute_index(&rows, &order, 3)) {
            (Ok(found), Some(sum)) => {
                assert_eq!(found.differentiations.iter().sum::<u32>(), sum, "{order:?}");
                reduced += usize::from(sum > 0);
                for equation in 0..found.incidence.len() {
                    assert_eq!(
                        found.assignment[equation].is_some(),
                        found.equation_derivative[equation].is_none()
                    );
                }
            }
            (Err(set), None) => {
                let base: Vec<Vec<u32>> =
                    rows.iter().map(|r| r.iter().map(|&v| v % n as u32).collect()).collect();
                assert_minimal(&base, &set);
                singular += 1;
            }
            (found, brute) => panic!("{order:?}: {found:?} against {brute:?}"),
        }
    }
    assert!(singular > 50 && reduced > 50);
}

#[test]
fn the_pendulum_has_index_three() {
    // x' = u, y' = v, u' = -x F, v' = -y F - g, x^2 + y^2 = 1; variables x y u v F x' y' u' v'.
    let rows = vec![vec![5, 2], vec![6, 3], vec![7, 0, 4], vec![8, 1, 4], vec![0, 1]];
    let derivative = [Some(5), Some(6), Some(7), Some(8), None, None, None, None, None];
    let found = pantelides(&rows, &derivative).unwrap();
    assert_eq!(found.differentiations, [1, 1, 0, 0, 2]);
}

#[test]
fn tearing_is_causal_and_complete() {
    let mut random = Random(29);
    for _ in 0..500 {
        let n = 1 + random.below(10);
        let mut rows: Vec<Vec<Edge>> = random
            .rows(n as usize, n, 25)
            .into_iter()
            .map(|row| row.into_iter().map(|column| Edge { column, solvable: column % 3 != 1 }).collect())
            .collect();
        for (i, row) in rows.iter_mut().enumerate() {
            if row.iter().all(|edge| edge.column != i as u32) {
                row.push(Edge { column: i as u32, solvable: true });
            }
        }
        let torn = tear(n as usize, &rows, &[]);
        let mut known = vec![false; n as usize];
        torn.iteration.iter().for_each(|&c| known[c as usize] = true);
        assert_eq!(torn.iteration.len(), torn.residuals.len());
        let solve = |known: &mut Vec<bool>, &(row, column): &(u32, u32)| {
            for edge in &rows[row as usize] {
                assert!(if edge.column == column { edge.solvable } else { known[edge.column as usize] });
            }
            assert!(!std::mem::replace(&mut known[column as usize], true));
        };
        torn.causal.iter().for_each(|pair| solve(&mut known, pair));
        for &row in &torn.residuals {
            assert!(rows[row as usize].iter().all(|edge| known[edge.column as usize]));
        }
        torn.afterwards.iter().for_each(|pair| solve(&mut known, pair));
        assert!(known.iter().all(|&k| k));
    }
}

#[test]
fn a_chain_needs_one_iteration_variable() {
    let edge = |column| Edge { column, solvable: true };
    let n = 200u32;
    let rows: Vec<Vec<Edge>> =
        (0..n).map(|i| (i.saturating_sub(1)..(i + 2).min(n)).map(edge).collect()).collect();
    assert_eq!(tear(n as usize, &rows, &[]).iteration.len(), 1);
    let ring: Vec<Vec<Edge>> = (0..n).map(|i| vec![edge(i), edge((i + 1) % n)]).collect();
    assert_eq!(tear(n as usize, &ring, &[]).iteration.len(), 1);
    let mut wanted = vec![0; n as usize];
    wanted[77] = 1;
    assert_eq!(tear(n as usize, &ring, &wanted).iteration, [77]);
}

#[test]
fn union_find_collects_sets() {
    let mut sets = UnionFind::new(6);
    assert!(sets.union(4, 1) && sets.union(1, 5) && !sets.union(5, 4));
    assert!(sets.same(4, 5) && !sets.same(0, 5));
    assert_eq!(sets.sets(), [vec![0], vec![1, 4, 5], vec![2], vec![3]]);
}

#[test]
fn a_large_random_graph_is_quick() {
    let n = 400_000u32;
    let mut random = Random(31);
    let rows: Vec<[u32; 3]> = (0..n).map(|i| [random.below(n), (i * 7 + 1) % n, random.below(n)]).collect();
    let graph = Incidence::from_rows(n as usize, &rows);
    let matching = Matching::maximum(&graph);
    assert!(matching.is_perfect(&graph));
    let blocks = block_triangular(&graph, &matching);
    assert_eq!(blocks.iter().map(<[u32]>::len).sum::<usize>(), n as usize);
}
