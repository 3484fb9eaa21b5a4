//! Sorting by dependency, or the cycle that forbids it.

use crate::Incidence;

/// Nodes in an order where each follows all it depends on, or one cycle `a -> b -> … -> a` (first not repeated).
///
/// Nodes keep their numeric order where the dependencies leave a choice.
pub fn topological_sort(depends_on: &Incidence) -> Result<Vec<u32>, Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Fresh,
        Open,
        Done,
    }
    let count = depends_on.rows();
    let mut mark = vec![Mark::Fresh; count];
    let mut order = Vec::with_capacity(count);
    let mut calls: Vec<(u32, u32)> = Vec::new();
    for root in 0..count as u32 {
        if mark[root as usize] != Mark::Fresh {
            continue;
        }
        mark[root as usize] = Mark::Open;
        calls.push((root, 0));
        while let Some(&mut (node, ref mut at)) = calls.last_mut() {
            let Some(&next) = depends_on.row(node).get(*at as usize) else {
                mark[node as usize] = Mark::Done;
                order.push(node);
                calls.pop();
                continue;
            };
            *at += 1;
            match mark[next as usize] {
                Mark::Done => {}
                Mark::Fresh => {
                    mark[next as usize] = Mark::Open;
                    calls.push((next, 0));
                }
                Mark::Open => {
                    let first = calls.iter().position(|call| call.0 == next).unwrap_or(0);
                    return Err(calls[first..].iter().map(|call| call.0).collect());
                }
            }
        }
    }
    Ok(order)
}
