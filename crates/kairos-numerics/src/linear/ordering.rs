//! Minimum degree ordering: which unknown to eliminate next so that little fills in.

use super::Pattern;

const NONE: u32 = u32::MAX;

/// An elimination order for `A + Aᵀ` (approximate minimum degree on the quotient graph, Amestoy–Davis–Duff).
pub fn minimum_degree(pattern: &Pattern) -> Vec<u32> {
    let mut graph = Quotient::new(pattern);
    while let Some(pivot) = graph.next() {
        graph.eliminate(pivot);
    }
    graph.finish()
}

struct Quotient {
    n: usize,
    /// Original variables that are not eliminated yet.
    remaining: usize,
    /// Variables next to a variable, and elements (eliminated pivots) it belongs to.
    variables: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    /// Members of an element; empty once absorbed into another.
    members: Vec<Vec<u32>>,
    size: Vec<usize>,
    alive: Vec<bool>,
    /// How many original variables a supervariable stands for; 0 once eliminated or merged.
    weight: Vec<usize>,
    merged: Vec<Vec<u32>>,
    degree: Vec<usize>,
    head: Vec<u32>,
    after: Vec<u32>,
    before: Vec<u32>,
    lowest: usize,
    mark: Vec<u32>,
    stamp: u32,
    outside: Vec<usize>,
    outside_stamp: Vec<u32>,
    order: Vec<u32>,
    dense: Vec<u32>,
}

impl Quotient {
    fn new(pattern: &Pattern) -> Self {
        let n = pattern.columns();
        let mut variables: Vec<Vec<u32>> = vec![Vec::new(); n];
        for column in 0..n {
            for &row in pattern.column(column).iter().filter(|&&row| row as usize != column) {
                variables[column].push(row);
                variables[row as usize].push(column as u32);
            }
        }
        for list in &mut variables {
            list.sort_unstable();
            list.dedup();
        }
        // Rows that touch almost everything would make each elimination scan the matrix; they go last anyway.
        let limit = ((10.0 * (n as f64).sqrt()) as usize).max(16);
        let dense: Vec<u32> = (0..n as u32).filter(|&v| variables[v as usize].len() > limit).collect();
        let is_dense = |v: u32| dense.binary_search(&v).is_ok();
        if !dense.is_empty() {
            variables.iter_mut().for_each(|list| list.retain(|&v| !is_dense(v)));
        }
        let mut graph = Quotient {
            n,
            remaining: n,
            elements: vec![Vec::new(); n],
            members: vec![Vec::new(); n],
            size: vec![0; n],
            alive: vec![false; n],
            weight: vec![1; n],
            merged: vec![Vec::new(); n],
            degree: variables.iter().map(Vec::len).collect(),
            variables,
            head: vec![NONE; n + 1],
            after: vec![NONE; n],
            before: vec![NONE; n],
            lowest: 0,
            mark: vec![0; n],
            stamp: 0,
            outside: vec![0; n],
            outside_stamp: vec![0; n],
            order: Vec::with_capacity(n),
            dense,
        };
        for v in (0..n as u32).rev() {
            if graph.dense.binary_search(&v).is_ok() {
                graph.weight[v as usize] = 0;
            } else {
                graph.insert(v);
            }
        }
        graph
    }

    fn insert(&mut self, v: u32) {
        let degree = self.degree[v as usize];
        let first = self.head[degree];
        self.after[v as usize] = first;
        self.before[v as usize] = NONE;
        if first != NONE {
            self.before[first as usize] = v;
        }
        self.head[degree] = v;
        self.lowest = self.lowest.min(degree);
    }

    fn remove(&mut self, v: u32) {
        let (before, after) = (self.before[v as usize], self.after[v as usize]);
        match before {
            NONE => self.head[self.degree[v as usize]] = after,
            _ => self.after[before as usize] = after,
        }
        if after != NONE {
            self.before[after as usize] = before;
        }
    }

    fn next(&mut self) -> Option<u32> {
        while self.lowest < self.n && self.head[self.lowest] == NONE {
            self.lowest += 1;
        }
        let pivot = *self.head.get(self.lowest)?;
        (pivot != NONE).then(|| {
            self.remove(pivot);
            pivot
        })
    }

    /// Turns a variable into an element and updates the degrees around it.
    fn eliminate(&mut self, pivot: u32) {
        let p = pivot as usize;
        self.stamp += 1;
        self.mark[p] = self.stamp;
        let mut ring: Vec<u32> = Vec::new();
        let absorbed = std::mem::take(&mut self.elements[p]);
        let neighbours = std::mem::take(&mut self.variables[p]);
        for source in std::iter::once(neighbours).chain(absorbed.iter().map(|&e| {
            self.alive[e as usize] = false;
            std::mem::take(&mut self.members[e as usize])
        })) {
            for v in source {
                if self.weight[v as usize] > 0 && self.mark[v as usize] != self.stamp {
                    self.mark[v as usize] = self.stamp;
                    ring.push(v);
                }
            }
        }
        self.order.push(pivot);
        self.remaining -= self.weight[p];
        self.weight[p] = 0;
        self.alive[p] = true;
        let mut ring_size: usize = ring.iter().map(|&v| self.weight[v as usize]).sum();

        for &v in &ring {
            for &e in &self.elements[v as usize] {
                let e = e as usize;
                if self.outside_stamp[e] != self.stamp {
                    self.outside_stamp[e] = self.stamp;
                    self.outside[e] = self.size[e];
                }
                self.outside[e] = self.outside[e].saturating_sub(self.weight[v as usize]);
            }
        }
        let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(ring.len());
        for index in 0..ring.len() {
            let v = ring[index];
            self.remove(v);
            let (mut degree, mut hash) = (0, 0u64);
            let mut elements = std::mem::take(&mut self.elements[v as usize]);
            elements.retain(|&e| {
                let keep = self.alive[e as usize] && self.outside[e as usize] > 0;
                if keep {
                    degree += self.outside[e as usize];
                    hash = hash.wrapping_add(u64::from(e));
                } else if self.alive[e as usize] {
                    // All its members are members of the new element.
                    self.alive[e as usize] = false;
                    self.members[e as usize] = Vec::new();
                }
                keep
            });
            let mut variables = std::mem::take(&mut self.variables[v as usize]);
            variables.retain(|&u| {
                let keep = self.weight[u as usize] > 0 && self.mark[u as usize] != self.stamp;
                if keep {
                    degree += self.weight[u as usize];
                    hash = hash.wrapping_add(u64::from(u));
                }
                keep
            });
            let weight = self.weight[v as usize];
            if degree == 0 {
                // Nothing outside the ring: it can follow the pivot without more fill.
                self.order.push(v);
                self.weight[v as usize] = 0;
                ring_size -= weight;
                self.remaining -= weight;
                continue;
            }
            elements.push(pivot);
            self.degree[v as usize] = (degree + ring_size - weight)
                .min(self.degree[v as usize] + ring_size - weight)
                .min(self.remaining - weight);
            self.elements[v as usize] = elements;
            self.variables[v as usize] = variables;
            hashes.push((hash, v));
        }
        self.merge_twins(&mut hashes);
        ring.retain(|&v| self.weight[v as usize] > 0);
        for &v in &ring {
            self.degree[v as usize] = self.degree[v as usize].min(self.n - 1);
            self.insert(v);
        }
        self.size[p] = ring.iter().map(|&v| self.weight[v as usize]).sum();
        self.members[p] = ring;
    }

    /// Variables with the same neighbourhood are eliminated together from here on.
    fn merge_twins(&mut self, hashes: &mut [(u64, u32)]) {
        hashes.sort_unstable();
        for group in hashes.chunk_by(|a, b| a.0 == b.0) {
            for (at, &(_, keep)) in group.iter().enumerate() {
                if self.weight[keep as usize] == 0 {
                    continue;
                }
                let k = keep as usize;
                for &(_, other) in &group[at + 1..] {
                    let o = other as usize;
                    if self.weight[o] == 0
                        || self.variables[k].len() != self.variables[o].len()
                        || self.elements[k] != self.elements[o]
                        || self.variables[k] != self.variables[o]
                    {
                        continue;
                    }
                    let weight = std::mem::take(&mut self.weight[o]);
                    self.weight[k] += weight;
                    self.degree[k] = self.degree[k].saturating_sub(weight);
                    self.merged[k].push(other);
                }
            }
        }
    }

    fn finish(self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.n);
        let mut stack: Vec<u32> = Vec::new();
        for &pivot in &self.order {
            stack.push(pivot);
            while let Some(v) = stack.pop() {
                order.push(v);
                stack.extend(self.merged[v as usize].iter().rev());
            }
        }
        order.extend(&self.dense);
        order
    }
}
