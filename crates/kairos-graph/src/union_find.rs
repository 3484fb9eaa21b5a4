//! Disjoint sets of integers.

/// Sets that merge; finding a representative is nearly constant time.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl UnionFind {
    /// Each of `0..count` in a set of its own.
    pub fn new(count: usize) -> Self {
        UnionFind { parent: (0..count as u32).collect(), size: vec![1; count] }
    }

    /// Adds a set of one and returns its element.
    pub fn push(&mut self) -> u32 {
        let element = self.parent.len() as u32;
        self.parent.push(element);
        self.size.push(1);
        element
    }

    pub fn len(&self) -> usize {
        self.parent.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The representative of an element's set.
    pub fn find(&mut self, element: u32) -> u32 {
        let mut here = element;
        while self.parent[here as usize] != here {
            // Halving the path keeps the trees flat without a second walk.
            let grandparent = self.parent[self.parent[here as usize] as usize];
            self.parent[here as usize] = grandparent;
            here = grandparent;
        }
        here
    }

    /// Merges two sets; false if they were one already.
    pub fn union(&mut self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        if self.size[a as usize] < self.size[b as usize] {
            std::mem::swap(&mut a, &mut b);
        }
        self.parent[b as usize] = a;
        self.size[a as usize] += self.size[b as usize];
        true
    }

    pub fn same(&mut self, a: u32, b: u32) -> bool {
        self.find(a) == self.find(b)
    }

    /// All sets, each ascending, ordered by their smallest element.
    pub fn sets(&mut self) -> Vec<Vec<u32>> {
        let mut place = vec![u32::MAX; self.len()];
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for element in 0..self.len() as u32 {
            let root = self.find(element) as usize;
            if place[root] == u32::MAX {
                place[root] = sets.len() as u32;
                sets.push(Vec::new());
            }
            sets[place[root] as usize].push(element);
        }
        sets
    }
}
