//! A table keyed by expressions, laid out as their arena is.

use crate::ExprId;
use kairos_base::hash::IdMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Index;

/// Values by expression. Neighbouring expressions share a page, so that a pass over equations stays within the cache,
/// and the table grows without moving what it holds from place to place. There is no order to look at.
#[derive(Clone, Debug)]
pub struct ExprMap<T> {
    /// Where the page of so many expressions is, while there are few of them.
    few: IdMap<u32, u32>,
    /// The same by the number of the page, once a good part of them is there.
    many: Vec<u32>,
    pages: Vec<[Option<T>; PAGE]>,
}

/// The place of a page that is not there.
const NOWHERE: u32 = u32::MAX;
/// A table that holds one page of so many is found by number.
const SPARSE: usize = 16;

/// Expressions to a page.
const PAGE: usize = 16;

impl<T> Default for ExprMap<T> {
    fn default() -> Self {
        ExprMap { few: IdMap::default(), many: Vec::new(), pages: Vec::new() }
    }
}

impl<T> ExprMap<T> {
    #[inline]
    pub fn get(&self, e: &ExprId) -> Option<&T> {
        let page = e.number() / PAGE as u32;
        let place = match self.many.is_empty() {
            true => *self.few.get(&page)?,
            false => *self.many.get(page as usize)?,
        };
        self.pages.get(place as usize)?[e.index() % PAGE].as_ref()
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
        self.few.clear();
        self.many.clear();
        self.pages.clear();
    }

    /// All entries, in the order of their expressions.
    fn entries(&self) -> Vec<(ExprId, &T)> {
        let few = self.few.iter().map(|(&page, &place)| (page as usize, place));
        let many = self.many.iter().copied().enumerate().filter(|(_, place)| *place != NOWHERE);
        let mut pages: Vec<(usize, u32)> = few.chain(many).collect();
        pages.sort_unstable();
        let of_page = |(page, place): (usize, u32)| {
            let values = self.pages[place as usize].iter().enumerate();
            values.filter_map(move |(k, value)| Some((ExprId::new(page * PAGE + k), value.as_ref()?)))
        };
        pages.into_iter().flat_map(of_page).collect()
    }

    fn slot(&mut self, e: ExprId) -> &mut Option<T> {
        let next = self.pages.len() as u32;
        let page = e.number() / PAGE as u32;
        let place = match self.many.is_empty() {
            true => *self.few.entry(page).or_insert(next),
            false => self.numbered(page as usize, next),
        };
        if place == next {
            self.pages.push(std::array::from_fn(|_| None));
            if self.many.is_empty() && self.pages.len() * SPARSE > page as usize && self.pages.len() > SPARSE
            {
                self.number();
            }
        }
        &mut self.pages[place as usize][e.index() % PAGE]
    }

    fn numbered(&mut self, page: usize, next: u32) -> u32 {
        if page >= self.many.len() {
            self.many.resize(page + 1, NOWHERE);
        }
        let place = &mut self.many[page];
        if *place == NOWHERE {
            *place = next;
        }
        *place
    }

    fn number(&mut self) {
        let few = std::mem::take(&mut self.few);
        let count = few.keys().max().map_or(0, |&last| last as usize + 1);
        self.many = vec![NOWHERE; count];
        few.into_iter().for_each(|(page, place)| self.many[page as usize] = place);
    }
}

impl<T: Serialize> Serialize for ExprMap<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.entries().serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ExprMap<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Vec::<(ExprId, T)>::deserialize(from)?.into_iter().collect())
    }
}

impl<T> FromIterator<(ExprId, T)> for ExprMap<T> {
    fn from_iter<I: IntoIterator<Item = (ExprId, T)>>(entries: I) -> Self {
        let mut map = Self::default();
        entries.into_iter().for_each(|(e, value)| _ = map.insert(e, value));
        map
    }
}

impl<T> Index<&ExprId> for ExprMap<T> {
    type Output = T;

    fn index(&self, e: &ExprId) -> &T {
        self.get(e).expect("an expression of the table")
    }
}
