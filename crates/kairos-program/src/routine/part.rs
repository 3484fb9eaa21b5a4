//! A value whose structure is known and whose numbers stand in slots.

use crate::slots::Slots;
use crate::tape::{Slot, Step};
use kairos_base::Name;
use kairos_expr::{FunctionId, RecordId, Scalar, Store, Type};

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Number(Slot, Scalar),
    /// A text, where it is known; nothing is computed from texts.
    Text(Option<Name>),
    /// Elements in row-major order.
    Array(Vec<usize>, Vec<Part>),
    Record(RecordId, Vec<Part>),
    Tuple(Vec<Part>),
    /// A function with some of its inputs bound.
    Function(FunctionId, Vec<(u32, Part)>),
}

/// The structure alone, and numbers that the code depends on: what a routine is specialised for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Number(Scalar, Option<u64>),
    Text(Option<Name>),
    Array(Vec<usize>, Vec<Shape>),
    Record(RecordId, Vec<Shape>),
    Function(FunctionId, Vec<(u32, Shape)>),
}

impl Part {
    pub fn dims(&self) -> &[usize] {
        match self {
            Part::Array(dims, _) => dims,
            _ => &[],
        }
    }

    /// The elements of an array; another value is its own one element.
    pub fn elements(&self) -> &[Part] {
        match self {
            Part::Array(_, items) => items,
            other => std::slice::from_ref(other),
        }
    }

    pub fn leaves(&self, out: &mut Vec<Slot>) {
        match self {
            Part::Number(slot, _) => out.push(*slot),
            Part::Text(_) => {}
            Part::Array(_, items) | Part::Record(_, items) | Part::Tuple(items) => {
                items.iter().for_each(|item| item.leaves(out));
            }
            Part::Function(_, bound) => bound.iter().for_each(|(_, item)| item.leaves(out)),
        }
    }

    pub fn slots(&self) -> Vec<Slot> {
        let mut out = Vec::new();
        self.leaves(&mut out);
        out
    }

    /// The same structure with other numbers.
    pub fn map(&self, change: &mut dyn FnMut(Slot, Scalar) -> Slot) -> Part {
        let mut list = |items: &[Part]| items.iter().map(|item| item.map(change)).collect::<Vec<_>>();
        match self {
            Part::Array(dims, items) => Part::Array(dims.clone(), list(items)),
            Part::Record(r, items) => Part::Record(*r, list(items)),
            Part::Tuple(items) => Part::Tuple(list(items)),
            Part::Number(slot, scalar) => Part::Number(change(*slot, *scalar), *scalar),
            Part::Text(text) => Part::Text(*text),
            Part::Function(f, bound) => {
                Part::Function(*f, bound.iter().map(|(k, item)| (*k, item.map(change))).collect())
            }
        }
    }

    /// All texts in it.
    pub fn texts(&self) -> Vec<Option<Name>> {
        match self {
            Part::Text(text) => vec![*text],
            Part::Array(_, items) | Part::Record(_, items) | Part::Tuple(items) => {
                items.iter().flat_map(Part::texts).collect()
            }
            Part::Number(..) | Part::Function(..) => Vec::new(),
        }
    }

    pub fn without_texts(&self) -> Part {
        let list = |items: &[Part]| items.iter().map(Part::without_texts).collect();
        match self {
            Part::Text(_) => Part::Text(None),
            Part::Array(dims, items) => Part::Array(dims.clone(), list(items)),
            Part::Record(r, items) => Part::Record(*r, list(items)),
            Part::Tuple(items) => Part::Tuple(list(items)),
            other => other.clone(),
        }
    }

    /// Its shape, with the values of constant Integers, Booleans and enumerations if they are to be known.
    pub fn shape(&self, slots: &Slots, values: bool) -> Option<Shape> {
        let list = |items: &[Part]| items.iter().map(|i| i.shape(slots, values)).collect::<Option<Vec<_>>>();
        Some(match self {
            Part::Number(slot, scalar) => {
                let known = slots.value(*slot).filter(|_| values && *scalar != Scalar::Real);
                Shape::Number(*scalar, known.map(f64::to_bits))
            }
            Part::Text(text) => Shape::Text(*text),
            Part::Array(dims, items) => Shape::Array(dims.clone(), list(items)?),
            Part::Record(r, items) => Shape::Record(*r, list(items)?),
            Part::Tuple(_) => return None,
            Part::Function(f, bound) => {
                let bound = bound.iter().map(|(k, item)| Some((*k, item.shape(slots, values)?)));
                Shape::Function(*f, bound.collect::<Option<Vec<_>>>()?)
            }
        })
    }

    /// The part with the given first index, from 0.
    pub fn row(&self, index: usize) -> Option<Part> {
        let Part::Array(dims, items) = self else { return None };
        if dims.len() == 1 {
            return items.get(index).cloned();
        }
        let size: usize = dims[1..].iter().product();
        let row = items.get(index * size..(index + 1) * size)?;
        Some(Part::Array(dims[1..].to_vec(), row.to_vec()))
    }

    /// Joins equally shaped parts along a new first dimension.
    pub fn stack(parts: Vec<Part>) -> Option<Part> {
        let mut dims = vec![parts.len()];
        match parts.first() {
            Some(Part::Array(inner, _)) => {
                dims.extend(inner);
                let inner = inner.clone();
                if parts.iter().any(|p| p.dims() != inner) {
                    return None;
                }
                Some(Part::Array(dims, parts.iter().flat_map(|p| p.elements().to_vec()).collect()))
            }
            _ => Some(Part::Array(dims, parts)),
        }
    }

    /// A field, of every element if this is an array.
    pub fn field(&self, k: u32) -> Option<Part> {
        match self {
            Part::Record(_, fields) => fields.get(k as usize).cloned(),
            Part::Array(dims, items) => {
                let parts = items.iter().map(|item| item.field(k)).collect::<Option<Vec<_>>>()?;
                let Part::Array(inner, flat) = Part::stack(parts)? else { return None };
                Some(Part::Array(dims.iter().chain(&inner[1..]).copied().collect(), flat))
            }
            _ => None,
        }
    }

    pub fn follow(&self, steps: &[Step]) -> Option<&Part> {
        let mut here = self;
        for step in steps {
            here = match (step, here) {
                (Step::Item(k), Part::Tuple(items)) => items.get(*k as usize)?,
                (Step::Item(0), other) => other,
                (Step::Field(k), Part::Record(_, fields)) => fields.get(*k as usize)?,
                (Step::Element(k), Part::Array(_, items)) => items.get(*k as usize)?,
                _ => return None,
            };
        }
        Some(here)
    }

    /// The way to every number, as `follow` walks it.
    pub fn paths(&self) -> Vec<(Vec<Step>, Slot)> {
        fn walk(part: &Part, here: &mut Vec<Step>, out: &mut Vec<(Vec<Step>, Slot)>) {
            let each = |items: &[Part], step: fn(u32) -> Step, here: &mut Vec<Step>, out: &mut Vec<_>| {
                for (k, item) in items.iter().enumerate() {
                    here.push(step(k as u32));
                    walk(item, here, out);
                    here.pop();
                }
            };
            match part {
                Part::Number(slot, _) => out.push((here.clone(), *slot)),
                Part::Array(_, items) => each(items, Step::Element, here, out),
                Part::Record(_, items) => each(items, Step::Field, here, out),
                Part::Tuple(items) => each(items, Step::Item, here, out),
                Part::Text(_) | Part::Function(..) => {}
            }
        }
        let mut out = Vec::new();
        walk(self, &mut Vec::new(), &mut out);
        out
    }
}

/// A value of a type whose sizes are known, numbers in order from `next`.
pub fn of_type(store: &Store, ty: &Type, next: &mut dyn FnMut(Scalar) -> Slot) -> Option<Part> {
    if !ty.dims.is_empty() {
        let sizes = ty.sizes()?;
        let one = Type::scalar(ty.scalar);
        let items = (0..sizes.iter().product()).map(|_| of_type(store, &one, next));
        let items = items.collect::<Option<Vec<_>>>()?;
        return Some(Part::Array(sizes, items));
    }
    Some(match ty.scalar {
        Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_) => {
            Part::Number(next(ty.scalar), ty.scalar)
        }
        Scalar::Str => Part::Text(None),
        Scalar::Record(r) => {
            let fields = store.record(r).fields.iter().map(|(_, t)| of_type(store, t, next));
            Part::Record(r, fields.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}

/// A value of this shape, numbers in order from `next`; Reals that are passed as Integers become Real.
pub fn of_shape(shape: &Shape, real: bool, next: &mut dyn FnMut(Scalar, Option<f64>) -> Slot) -> Part {
    let mut list = |items: &[Shape]| items.iter().map(|i| of_shape(i, real, next)).collect::<Vec<_>>();
    match shape {
        Shape::Array(dims, items) => Part::Array(dims.clone(), list(items)),
        Shape::Number(scalar, value) => {
            let scalar = if real { Scalar::Real } else { *scalar };
            Part::Number(next(scalar, value.map(f64::from_bits)), scalar)
        }
        Shape::Text(text) => Part::Text(*text),
        Shape::Record(r, items) => Part::Record(*r, items.iter().map(|i| of_shape(i, false, next)).collect()),
        Shape::Function(f, bound) => {
            Part::Function(*f, bound.iter().map(|(k, item)| (*k, of_shape(item, false, next))).collect())
        }
    }
}
