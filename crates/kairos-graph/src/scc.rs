//! Strongly connected components, and with them the block lower triangular order of a matched system.

use crate::{Incidence, Matching};

const NONE: u32 = u32::MAX;

/// A partition of nodes into blocks, each after everything it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    start: Vec<u32>,
    nodes: Vec<u32>,
}

impl Blocks {
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members of a block, ascending.
    pub fn block(&self, index: usize) -> &[u32] {
        &self.nodes[self.start[index] as usize..self.start[index + 1] as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.start.windows(2).map(|pair| &self.nodes[pair[0] as usize..pair[1] as usize])
    }
}

/// The blocks of rows in the order they can be solved: a row depends on the rows matched to its other columns.
///
/// Rows without a partner depend on others but nothing depends on them.
pub fn block_triangular(graph: &Incidence, matching: &Matching) -> Blocks {
    tarjan(graph, |column| matching.row_of(column).unwrap_or(NONE))
}

/// The components of a directed graph whose edges point from a node to what it depends on; dependencies first.
pub fn strongly_connected(depends_on: &Incidence) -> Blocks {
    tarjan(depends_on, |node| node)
}

/// Tarjan's algorithm with an explicit stack; `target` names the node an edge entry leads to.
fn tarjan(graph: &Incidence, target: impl Fn(u32) -> u32) -> Blocks {
    let count = graph.rows();
    let mut index = vec![NONE; count];
    let mut low = vec![0u32; count];
    let mut open = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    let mut blocks = Blocks { start: vec![0], nodes: Vec::with_capacity(count) };
    let mut next = 0;
    for root in 0..count as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut at)) = calls.last_mut() {
            let here = node as usize;
            if *at == 0 && index[here] == NONE {
                index[here] = next;
                low[here] = next;
                next += 1;
                open[here] = true;
                stack.push(node);
            }
            let Some(&entry) = graph.row(node).get(*at as usize) else {
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[here]);
                }
                if low[here] == index[here] {
                    let first = blocks.nodes.len();
                    while let Some(member) = stack.pop() {
                        open[member as usize] = false;
                        blocks.nodes.push(member);
                        if member == node {
                            break;
                        }
                    }
                    blocks.nodes[first..].sort_unstable();
                    blocks.start.push(blocks.nodes.len() as u32);
                }
                continue;
            };
            *at += 1;
            let to = target(entry);
            if to == NONE {
                continue;
            }
            if index[to as usize] == NONE {
                calls.push((to, 0));
            } else if open[to as usize] {
                low[here] = low[here].min(index[to as usize]);
            }
        }
    }
    blocks
}
