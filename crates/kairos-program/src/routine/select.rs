//! Elements by subscripts, which may be known only when the code runs.

use super::build::Builder;
use super::{Lowered, Part, Refusal};
use crate::tape::{Op, Slot};
use kairos_expr::{BinOp, LocalId, Scalar, Step, Sub};

/// A position along one dimension, from 0.
#[derive(Clone, Copy)]
enum Position {
    At(usize),
    /// In a slot, checked.
    Computed(Slot),
}

/// Parts whose numbers stand at their slots plus an offset that is computed.
pub(super) struct Place {
    pub part: Part,
    pub offset: Option<Slot>,
}

impl Builder<'_> {
    pub(super) fn index(&mut self, whole: &Part, subs: &[Sub]) -> Lowered {
        if subs.is_empty() {
            return Ok(whole.clone());
        }
        let Part::Array(dims, items) = whole else { return Err(Refusal::Foreign) };
        let (along, kept) = self.positions(dims, subs)?;
        let dynamic = along.iter().flatten().any(|p| matches!(p, Position::Computed(_)));
        if !dynamic {
            let picked = |fixed: &[usize]| items.get(flat(dims, fixed)).cloned();
            let lists = combinations(&along);
            let picks = lists.iter().map(|list| {
                let fixed: Vec<usize> = list
                    .iter()
                    .map(|p| match p {
                        Position::At(k) => *k,
                        Position::Computed(_) => 0,
                    })
                    .collect();
                picked(&fixed).ok_or(Refusal::Foreign)
            });
            let picks = picks.collect::<Lowered<Vec<_>>>()?;
            return gather(kept, picks);
        }
        let (items, stride) = self.in_row(items)?;
        let mut picks = Vec::new();
        for list in combinations(&along) {
            let place = self.place_of(dims, &items, stride, &list)?;
            picks.push(self.load(place)?);
        }
        gather(kept, picks)
    }

    /// One element of a local at positions that are known; `None` where that is not all it takes.
    pub(super) fn element(&mut self, local: LocalId, subs: &[Sub]) -> Lowered<Option<Part>> {
        let Some(Some(Part::Array(dims, _))) = self.locals.get(local.index()) else { return Ok(None) };
        if dims.len() != subs.len() {
            return Ok(None);
        }
        let dims = dims.clone();
        let mut fixed = Vec::with_capacity(dims.len());
        for (sub, &size) in subs.iter().zip(&dims) {
            let Sub::At(e) = sub else { return Ok(None) };
            let Part::Number(slot, scalar) = self.expression(*e)? else { return Ok(None) };
            if self.slots.value(slot).is_none() || scalar == Scalar::Bool {
                return Ok(None);
            }
            let Position::At(at) = self.position(&Part::Number(slot, scalar), size)? else {
                return Ok(None);
            };
            fixed.push(at);
        }
        let whole = self.locals[local.index()].as_ref();
        Ok(whole.and_then(|whole| whole.elements().get(flat(&dims, &fixed))).cloned())
    }

    /// Where an assignment goes.
    pub(super) fn place(&mut self, root: &Part, path: &[Step]) -> Lowered<Vec<Place>> {
        let mut places = vec![Place { part: root.clone(), offset: None }];
        for step in path {
            let mut next = Vec::new();
            for place in places {
                match step {
                    Step::Field(k) => {
                        let part = place.part.field(*k).ok_or(Refusal::Foreign)?;
                        next.push(Place { part, offset: place.offset });
                    }
                    Step::Index(subs) => {
                        let Part::Array(dims, items) = &place.part else { return Err(Refusal::Foreign) };
                        let (along, _) = self.positions(dims, subs)?;
                        let stride = stride_of(items);
                        for list in combinations(&along) {
                            let dynamic = list.iter().any(|p| matches!(p, Position::Computed(_)));
                            let stride = if dynamic { stride.ok_or(Refusal::Size)? } else { 0 };
                            let mut found = self.place_of(dims, items, stride, &list)?;
                            found.offset = match (found.offset, place.offset) {
                                (Some(a), Some(b)) => Some(self.binary(BinOp::Add, a, b)?),
                                (a, b) => a.or(b),
                            };
                            next.push(found);
                        }
                    }
                }
            }
            places = next;
        }
        Ok(places)
    }

    pub(super) fn load(&mut self, place: Place) -> Lowered {
        let Some(index) = place.offset else { return Ok(place.part) };
        let to = self.fresh(&place.part);
        for (to, base) in to.slots().into_iter().zip(place.part.slots()) {
            self.push(Op::Load { to, base, index })?;
        }
        Ok(to)
    }

    pub(super) fn store_at(&mut self, place: &Place, value: &Part) -> Lowered<()> {
        let Some(index) = place.offset else { return self.assign(&place.part, value) };
        let (to, from) = (place.part.slots(), value.slots());
        if to.len() != from.len() {
            return Err(Refusal::Size);
        }
        for (base, a) in to.into_iter().zip(from) {
            self.push(Op::Store { base, index, a })?;
            let (first, length) = self.slots.block_of(base).ok_or(Refusal::Size)?;
            self.known.retain(|slot, _| *slot < first || *slot >= first + length);
        }
        Ok(())
    }

    fn positions(&mut self, dims: &[usize], subs: &[Sub]) -> Lowered<(Vec<Vec<Position>>, Vec<usize>)> {
        if subs.len() > dims.len() {
            return Err(Refusal::Foreign);
        }
        let (mut along, mut kept) = (Vec::new(), Vec::new());
        for (k, &size) in dims.iter().enumerate() {
            let list = match subs.get(k) {
                None | Some(Sub::All) => {
                    kept.push(size);
                    (0..size).map(Position::At).collect()
                }
                Some(Sub::At(e)) => {
                    let part = self.expression(*e)?;
                    if let Part::Array(inner, _) = &part {
                        kept.extend(inner);
                    }
                    let items = part.elements().iter().map(|item| self.position(item, size));
                    items.collect::<Lowered<Vec<_>>>()?
                }
            };
            along.push(list);
        }
        Ok((along, kept))
    }

    fn position(&mut self, item: &Part, size: usize) -> Lowered<Position> {
        let &Part::Number(slot, scalar) = item else { return Err(Refusal::Foreign) };
        let first = if scalar == Scalar::Bool { 0.0 } else { 1.0 };
        if let Some(value) = self.slots.value(slot) {
            let k = value - first;
            return match k >= 0.0 && k < size as f64 && k.fract() == 0.0 {
                true => Ok(Position::At(k as usize)),
                false => Err(Refusal::Foreign),
            };
        }
        let one = self.slots.constant(first);
        let index = self.binary(BinOp::Sub, slot, one)?;
        self.push(Op::Check { index, size: size as u32 })?;
        Ok(Position::Computed(index))
    }

    /// The element at a list of positions; the computed ones make an offset.
    fn place_of(
        &mut self,
        dims: &[usize],
        items: &[Part],
        stride: usize,
        list: &[Position],
    ) -> Lowered<Place> {
        let mut fixed = vec![0; dims.len()];
        let mut offset: Option<Slot> = None;
        let mut step = stride;
        for k in (0..dims.len()).rev() {
            match list[k] {
                Position::At(at) => fixed[k] = at,
                Position::Computed(slot) => {
                    let factor = self.slots.constant(step as f64);
                    let term = self.binary(BinOp::Mul, slot, factor)?;
                    offset = Some(match offset {
                        Some(sum) => self.binary(BinOp::Add, sum, term)?,
                        None => term,
                    });
                }
            }
            step *= dims[k];
        }
        let part = items.get(flat(dims, &fixed)).cloned().ok_or(Refusal::Foreign)?;
        Ok(Place { part, offset })
    }

    /// Elements that stand in equal distances in one block, copied if need be.
    fn in_row(&mut self, items: &[Part]) -> Lowered<(Vec<Part>, usize)> {
        let first = items.first().and_then(|item| item.slots().first().copied());
        let Some(first) = first else { return Err(Refusal::Foreign) };
        if let Some(stride) = stride_of(items)
            && let Some((block, length)) = self.slots.block_of(first)
            && items.iter().flat_map(Part::slots).all(|s| s >= block && s < block + length)
        {
            return Ok((items.to_vec(), stride));
        }
        let slots: Vec<Slot> = items.iter().flat_map(Part::slots).collect();
        let values = slots.iter().map(|&s| self.slots.value(s)).collect::<Option<Vec<f64>>>();
        let mut next = match &values {
            Some(values) => self.slots.constant_block(values),
            None => self.slots.block(slots.len()),
        };
        if values.is_none() {
            for (k, &a) in slots.iter().enumerate() {
                self.push(Op::Copy { to: next + k as Slot, a })?;
            }
        }
        let stride = slots.len() / items.len();
        let moved = items.iter().map(|item| {
            item.map(&mut |_, _| {
                next += 1;
                next - 1
            })
        });
        let moved = moved.collect();
        Ok((moved, stride))
    }
}

fn gather(kept: Vec<usize>, mut picks: Vec<Part>) -> Lowered {
    match kept.is_empty() {
        true => picks.pop().ok_or(Refusal::Foreign),
        false => Ok(Part::Array(kept, picks)),
    }
}

fn flat(dims: &[usize], fixed: &[usize]) -> usize {
    dims.iter().zip(fixed).fold(0, |sum, (size, at)| sum * size + at)
}

/// One position along each dimension, in row-major order.
fn combinations(along: &[Vec<Position>]) -> Vec<Vec<Position>> {
    let mut lists = vec![Vec::with_capacity(along.len())];
    for choices in along {
        lists = lists
            .iter()
            .flat_map(|list| choices.iter().map(move |&c| [list.as_slice(), &[c]].concat()))
            .collect();
    }
    lists
}

/// The distance of equal numbers in neighbouring elements, if it is the same everywhere.
fn stride_of(items: &[Part]) -> Option<usize> {
    let first = items.first()?.slots();
    let Some(second) = items.get(1) else { return Some(first.len()) };
    let stride = second.slots().first()?.checked_sub(*first.first()?)?;
    let regular = items.iter().enumerate().all(|(k, item)| {
        let slots = item.slots();
        slots.len() == first.len() && slots.iter().zip(&first).all(|(s, f)| *s == f + k as Slot * stride)
    });
    (regular && stride > 0).then_some(stride as usize)
}
