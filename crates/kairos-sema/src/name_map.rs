//! A table keyed by names, small for the few entries that most classes have.

use kairos_base::Name;
use kairos_base::hash::HashMap;

/// Values by name, in the order in which the names came.
#[derive(Clone)]
pub struct NameMap<T> {
    list: Vec<(Name, T)>,
    /// Where the names are in a list that is too long to be searched.
    places: Option<Box<HashMap<Name, u32>>>,
}

/// Names that are searched one by one.
const FEW: usize = 8;

impl<T> Default for NameMap<T> {
    fn default() -> Self {
        NameMap { list: Vec::new(), places: None }
    }
}

impl<T> NameMap<T> {
    fn place(&self, name: Name) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(&name).map(|&place| place as usize),
            None => self.list.iter().position(|(known, _)| *known == name),
        }
    }

    pub fn get(&self, name: &Name) -> Option<&T> {
        self.place(*name).map(|place| &self.list[place].1)
    }

    pub fn contains_key(&self, name: &Name) -> bool {
        self.place(*name).is_some()
    }

    /// Gives back the value that was there before.
    pub fn insert(&mut self, name: Name, value: T) -> Option<T> {
        if let Some(place) = self.place(name) {
            return Some(std::mem::replace(&mut self.list[place].1, value));
        }
        self.list.push((name, value));
        let count = self.list.len();
        if let Some(places) = &mut self.places {
            places.insert(name, count as u32 - 1);
        } else if count > FEW {
            let names = self.list.iter().map(|(name, _)| *name);
            self.places = Some(Box::new(names.zip(0..).collect()));
        }
        None
    }

    pub fn remove(&mut self, name: &Name) {
        if let Some(place) = self.place(*name) {
            self.list.remove(place);
            let names = self.list.iter().map(|(name, _)| *name);
            self.places = self.places.is_some().then(|| Box::new(names.zip(0..).collect()));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Name, &T)> {
        self.list.iter().map(|(name, value)| (*name, value))
    }

    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.list.iter().map(|(_, value)| value)
    }
}
