//! Cost stays close to linear: large systems of the kinds that compilers meet.

use kairos_graph::*;

#[test]
fn many_pendulums_are_reduced_quickly() {
    let count = 40_000u32;
    let mut rows = Vec::new();
    let mut derivative = vec![None; 9 * count as usize];
    for k in 0..count {
        let at = |v: u32| 9 * k + v;
        // Coupled to the pendulum before through the force.
        let before = if k > 0 { 9 * (k - 1) + 4 } else { 4 };
        rows.push(vec![at(5), at(2)]);
        rows.push(vec![at(6), at(3)]);
        rows.push(vec![at(7), at(0), at(4), before]);
        rows.push(vec![at(8), at(1), at(4)]);
        rows.push(vec![at(0), at(1)]);
        for v in 0..4 {
            derivative[at(v) as usize] = Some(at(v + 5));
        }
    }
    let found = pantelides(&rows, &derivative).unwrap();
    assert!(found.differentiations.chunks(5).all(|counts| counts == [1, 1, 0, 0, 2]));
}

#[test]
fn a_long_chain_matches_sorts_and_tears_without_recursion() {
    // Each equation names its predecessor first, so every cheap choice has to be undone along the whole chain.
    let n = 300_000u32;
    let mut rows: Vec<Vec<u32>> = (0..n).map(|i| if i == 0 { vec![0] } else { vec![i - 1, i] }).collect();
    rows.reverse();
    let graph = Incidence::from_rows(n as usize, &rows);
    let matching = Matching::maximum(&graph);
    assert!(matching.is_perfect(&graph));
    assert_eq!(block_triangular(&graph, &matching).len(), n as usize);

    let edge = |column| Edge { column, solvable: true };
    let ring: Vec<Vec<Edge>> = (0..n).map(|i| vec![edge(i), edge((i + 1) % n)]).collect();
    assert_eq!(tear(n as usize, &ring, &[]).iteration.len(), 1);
}
