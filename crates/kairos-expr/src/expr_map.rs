//! A table keyed by expressions, laid out as their arena is.

use crate::ExprId;
use kairos_base::hash::IdMap;
use std::ops::Index;

/// Values by expression. Neighbouring expressions share a page, so that a pass over equations stays within the cache,
/// and the table grows without moving what it holds from place to place. There is no order to look at.
#[derive(Clone, Debug)]
pub struct ExprMap<T> {
    /// Where the page of so many expressions is.
    places: IdMap<u32, u32>,
    pages: Vec<[Option<T>; PAGE]>,
}

/// Expressions to a page.
const PAGE: usize = 16;

impl<T> Default for ExprMap<T> {
    fn default() -> Self {
        ExprMap { places: IdMap::default(), pages: Vec::new() }
    }
}

impl<T> ExprMap<T> {
    #[inline]
    pub fn get(&self, e: &ExprId) -> Option<&T> {
        let &place = self.places.get(&(e.number() / PAGE as u32))?;
        self.pages[place as usize][e.index() % PAGE].as_ref()
    }

    #[inline]
    pub fn contains_key(&self, e: &ExprId) -> bool {
        self.get(e).is_some()
    }

    /// Gives back the value that was there before.
    pub fn insert(&mut self, e: ExprId, value: T) -> Option<T> {
        self.slot(e).replace(value)
    }

    pub fn remove(&mut self, e: &ExprId) -> Option<T> {
        self.slot(*e).take()
    }

    /// The value, made first if there is none.
    pub fn or_insert_with(&mut self, e: ExprId, make: impl FnOnce() -> T) -> &mut T {
        self.slot(e).get_or_insert_with(make)
    }

    /// Has nothing ever been inserted?
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    pub fn clear(&mut self) {
        self.places.clear();
        self.pages.clear();
    }

    fn slot(&mut self, e: ExprId) -> &mut Option<T> {
        let next = self.pages.len() as u32;
        let place = *self.places.entry(e.number() / PAGE as u32).or_insert(next);
        if place == next {
            self.pages.push(std::array::from_fn(|_| None));
        }
        &mut self.pages[place as usize][e.index() % PAGE]
    }
}

impl<T> Index<&ExprId> for ExprMap<T> {
    type Output = T;

    fn index(&self, e: &ExprId) -> &T {
        self.get(e).expect("an expression of the table")
    }
}
