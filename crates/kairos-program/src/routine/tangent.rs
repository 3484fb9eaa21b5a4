//! Routines with the tangents of their results beside, exact.

use super::build::Builder;
use super::expression::alike;
use super::{Invocation, Part, Routines};
use crate::slots::Slots;
use crate::tangent::{Surroundings, Tangents};
use crate::tape::{Op, Slot, Tape};
use kairos_expr::{DerivativeAnnotation, ExprMap, FunctionId, LocalId, Scalar, Store};

impl Routines {
    /// The routine that takes the tangents of the active arguments too, and gives those of all outputs.
    pub fn tangent(&mut self, store: &Store, routine: u32, active: Vec<bool>) -> u32 {
        let key = (routine, active);
        if let Some(&known) = self.tangents.get(&key) {
            return known;
        }
        let id = self.reserve(self.list[routine as usize].function);
        let original = &self.list[routine as usize];
        self.list[id as usize].before_tangents = Some(original.plain());
        self.tangents.insert(key.clone(), id);
        let function = store.function(self.list[routine as usize].function);
        for annotation in
            function.derivatives.iter().filter(|a| a.order == 1 && store.is_derivative(function, a))
        {
            if self.by_annotation(store, routine, &key.1, annotation, id).is_some() {
                return id;
            }
        }
        self.by_differentiation(store, routine, &key.1, id);
        id
    }

    fn by_differentiation(&mut self, store: &Store, routine: u32, active: &[bool], id: u32) {
        let original = self.list[routine as usize].clone();
        let mut slots = original.slots.clone();
        let mut tangents = Tangents::default();
        tangents.note_indexed(&slots, &original.tape);
        let mut inputs = original.inputs.clone();
        for (&slot, _) in original.inputs.iter().zip(active).filter(|(_, active)| **active) {
            inputs.push(tangents.seed(&mut slots, slot));
        }
        let around = Surroundings {
            store,
            slots: &mut slots,
            library: self,
            calls: &mut Vec::new(),
            tangents: &mut Vec::new(),
        };
        let tape = tangents.tape(around, &original.tape);
        let mut outputs = original.outputs.clone();
        outputs.extend(original.outputs.iter().map(|&slot| tangents.of(&mut slots, slot)));
        let target = &mut self.list[id as usize];
        target.tape = tape;
        target.inputs = inputs;
        target.outputs = outputs;
        target.slots = slots;
    }

    /// As the function's own `derivative` annotation says (MLS 12.7.1), where it applies.
    fn by_annotation(
        &mut self,
        store: &Store,
        routine: u32,
        active: &[bool],
        annotation: &DerivativeAnnotation,
        id: u32,
    ) -> Option<()> {
        let original = self.list[routine as usize].clone();
        let function = store.function(original.function);
        let mut slots = Slots::default();
        let given = ExprMap::default();
        let mut work = Builder::new(store, &mut slots, self, &given);
        let arguments: Vec<Part> = original.arguments.iter().map(|a| work.fresh(a)).collect();
        let mut inputs: Vec<Slot> = arguments.iter().flat_map(Part::slots).collect();
        let tangents: Vec<Option<Slot>> =
            active.iter().map(|&active| active.then(|| work.slots.scratch())).collect();
        inputs.extend(tangents.iter().flatten());
        let mut all = arguments.clone();
        let mut at = 0;
        for (&input, argument) in function.inputs.iter().zip(&arguments) {
            let count = argument.slots().len();
            let own = &tangents[at..at + count];
            at += count;
            let listed = |list: &[LocalId]| list.contains(&input);
            if listed(&annotation.zero_derivative) && own.iter().any(Option::is_some) {
                return None;
            }
            let ty = store.get_type(function.locals[input.index()].ty);
            if listed(&annotation.no_derivative) || listed(&annotation.zero_derivative) || !store.has_real(ty)
            {
                continue;
            }
            let mut own = own.iter();
            all.push(argument.map(&mut |slot, scalar| match (own.next(), scalar) {
                (Some(Some(tangent)), _) => *tangent,
                (_, Scalar::Real) => work.slots.constant(0.0),
                _ => slot,
            }));
        }
        let leaves = arguments.iter().flat_map(Part::slots).collect();
        let (outputs, value) = work.results_of(routine).ok()?;
        let call = Invocation { routine, arguments: leaves, outputs, fallback: None };
        let site = work.library.invocation(call);
        work.push(Op::Invoke { site }).ok()?;
        let slope = work.call(annotation.function, all).ok()?;
        let mut outputs = value.slots();
        outputs.extend(slopes(store, &mut work, original.function, &value, &slope)?);
        let tape = Tape::new(std::mem::take(&mut work.ops));
        let target = &mut self.list[id as usize];
        target.tape = tape;
        target.inputs = inputs;
        target.outputs = outputs;
        target.slots = slots;
        Some(())
    }
}

/// The tangent of every number of the value: the derivative function gives those of Real outputs, in order.
fn slopes(
    store: &Store,
    work: &mut Builder,
    function: FunctionId,
    value: &Part,
    slope: &Part,
) -> Option<Vec<Slot>> {
    let function = store.function(function);
    let items = |part: &Part| match part {
        Part::Tuple(items) => items.clone(),
        one => vec![one.clone()],
    };
    let mut given = items(slope).into_iter();
    let mut out = Vec::new();
    for (output, part) in function.outputs.iter().zip(items(value)) {
        if !store.has_real(store.get_type(function.locals[output.index()].ty)) {
            let zero = work.slots.constant(0.0);
            out.extend(part.slots().iter().map(|_| zero));
            continue;
        }
        let own = given.next().filter(|own| alike(own, &part))?;
        out.extend(own.slots());
    }
    given.next().is_none().then_some(out)
}
