//! The clocks of a model for importers of FMUs: each clock gets a variable that counts its ticks, and one that makes it tick where an
//! importer is to do that.
//!
//! A count is an equation of the model, `n = previous(n) + 1` with the clock's own ticks, so that whatever runs the model keeps it. A clock
//! that an importer activates becomes one whose condition is an input: it ticks where that becomes true.

use kairos_base::{Name, Span};
use kairos_expr::{Builtin, ExprId, Node, Scalar, Store, Type, VarId, Variability};
use kairos_model::{
    Causality, ClockKind, ClockPartition, Equation, EquationKind, Origin, ScalarModel, Variable,
};

/// Who makes the clocks of a model tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ticking {
    /// The model; nobody is told.
    #[default]
    Silent,
    /// The model; every clock has a count.
    Counted,
    /// Whoever runs the model, as far as the instants are planned; every clock has a count.
    FromOutside,
}

/// A clock as importers know it. Names are those of variables that nobody has declared.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedClock {
    pub name: String,
    /// In words, when it ticks.
    pub words: String,
    /// Counts the ticks.
    pub counter: String,
    /// The input that makes it tick when it becomes true.
    pub trigger: Option<String>,
    /// Parameters with the time between ticks and the time of the first one, of a clock that is activated from outside at
    /// planned instants, and whether they are the same in all runs.
    pub planned: Option<(String, String, bool)>,
    /// The partitions that tick with it: `Variable::clock`.
    pub partitions: Vec<u32>,
}

/// Adds counts, and triggers where they are wanted.
pub fn add(model: &mut ScalarModel, ticking: Ticking) -> Vec<CountedClock> {
    if ticking == Ticking::Silent || model.clocks.is_empty() {
        return Vec::new();
    }
    let mut groups: Vec<(ClockPartition, Vec<u32>)> = Vec::new();
    for (partition, k) in model.clocks.iter().zip(0..) {
        let same = |known: &ClockPartition| {
            (known.base, known.factor, known.shift) == (partition.base, partition.factor, partition.shift)
        };
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((_, list)) => list.push(k),
            None => groups.push((partition.clone(), vec![k])),
        }
    }
    let mut bases = 1 + model.clocks.iter().map(|clock| clock.base).max().unwrap_or(0);
    let nowhere = Span::new(kairos_base::FileId(0), 0, 0);
    let mut list = Vec::new();
    for (k, (partition, partitions)) in groups.into_iter().enumerate() {
        let own = trigger_of(model, &partition);
        let name = own.map_or_else(
            || unused(model, &format!("clock{}", k + 1)),
            |trigger| model.vars[trigger.index()].name.clone(),
        );
        let words = match own {
            Some(_) => "Ticks when it is activated".into(),
            None => words(&model.store, &partition),
        };
        let mut clock = ClockPartition { solver: None, state: None, ..partition };
        let mut made = CountedClock {
            counter: unused(model, &format!("{name}.ticks")),
            trigger: own.map(|trigger| model.vars[trigger.index()].name.clone()),
            planned: None,
            name,
            words,
            partitions,
        };
        let acts = |equation: &&Equation| equation.clock.is_some_and(|k| made.partitions.contains(&k));
        let ticks = |var: &&Variable| var.clock.is_some_and(|k| made.partitions.contains(&k));
        let place = model.equations.iter().find(acts).map(|equation| equation.origin.span);
        let place = place.or_else(|| model.vars.iter().find(ticks).map(|var| var.span));
        let span =
            place.or_else(|| model.equations.first().map(|equation| equation.origin.span)).unwrap_or(nowhere);
        if ticking == Ticking::FromOutside && own.is_none() {
            hand_over(model, &mut clock, &mut made, bases, span);
            bases += 1;
        }
        count(model, clock, &made.counter, span);
        list.push(made);
    }
    list
}

/// The input that an `input Clock` has become, if a partition ticks with it as it is.
fn trigger_of(model: &ScalarModel, partition: &ClockPartition) -> Option<VarId> {
    let ClockKind::Event { condition, .. } = partition.kind else { return None };
    let Node::Var(v) = *model.store.node(condition) else { return None };
    // Inputs of users are public.
    let var = &model.vars[v.index()];
    let plain = partition.factor == (1, 1) && partition.shift == (0, 1);
    (plain && var.causality == Causality::Input && var.protected).then_some(v)
}

/// Makes the ticks of a clock with a constant interval an input of the model.
fn hand_over(
    model: &mut ScalarModel,
    clock: &mut ClockPartition,
    made: &mut CountedClock,
    base: u32,
    span: Span,
) {
    let Some(interval) = interval(model, clock) else { return };
    let times = |store: &mut Store, (top, bottom): (i64, i64)| {
        let (top, bottom) = (store.int(top), store.int(bottom));
        let product = store.times(top, interval);
        store.over(product, bottom)
    };
    let (period, phase) = (times(&mut model.store, clock.factor), times(&mut model.store, clock.shift));
    let constant = model.store.variables(&[period, phase]).is_empty();
    let parameter = |value: ExprId| Variable {
        variability: Variability::Parameter,
        binding: Some(value),
        fixed: Some(true),
        ..Variable::made("", Scalar::Real, span)
    };
    let names =
        (unused(model, &format!("{}.interval", made.name)), unused(model, &format!("{}.shift", made.name)));
    model.vars.push(Variable { name: names.0.clone(), ..parameter(period) });
    model.vars.push(Variable { name: names.1.clone(), ..parameter(phase) });
    let trigger = unused(model, &format!("{}.activated", made.name));
    let v = VarId::new(model.vars.len());
    model.vars.push(Variable {
        causality: Causality::Input,
        start: Some(model.store.bool(false)),
        ..Variable::made(&trigger, Scalar::Bool, span)
    });
    let condition = model.store.var(v, Type::scalar(Scalar::Bool));
    clock.kind = ClockKind::Event { condition, start_interval: Some(period) };
    (clock.base, clock.factor, clock.shift) = (base, (1, 1), (0, 1));
    for &k in &made.partitions {
        let partition = &mut model.clocks[k as usize];
        partition.kind = clock.kind.clone();
        (partition.base, partition.factor, partition.shift) = (base, (1, 1), (0, 1));
    }
    made.trigger = Some(trigger);
    made.planned = Some((names.0, names.1, constant));
}

/// The interval of the base clock, if it stays the same in a run.
fn interval(model: &mut ScalarModel, clock: &ClockPartition) -> Option<ExprId> {
    let found = match clock.kind {
        ClockKind::Periodic { interval } => interval,
        ClockKind::Rational { counter, resolution } => model.store.over(counter, resolution),
        ClockKind::Event { .. } => return None,
    };
    let is_parameter = |v: &VarId| model.vars[v.index()].variability <= Variability::Parameter;
    model.store.variables(&[found]).iter().all(is_parameter).then_some(found)
}

/// `n = previous(n) + 1`, with a partition of its own: one that is discretised, or acts in a state only, ticks otherwise.
fn count(model: &mut ScalarModel, clock: ClockPartition, name: &str, span: Span) {
    let partition = model.clocks.len() as u32;
    model.clocks.push(clock);
    let v = VarId::new(model.vars.len());
    let store = &mut model.store;
    let zero = store.int(0);
    model.vars.push(Variable {
        start: Some(zero),
        clock: Some(partition),
        ..Variable::made(name, Scalar::Int, span)
    });
    let n = store.var(v, Type::scalar(Scalar::Int));
    let before = store.scalar_builtin(Builtin::Previous, &[n]);
    let one = store.int(1);
    let next = store.plus(before, one);
    let origin = Origin { span, path: Name::EMPTY };
    model.equations.push(Equation { kind: EquationKind::Equal(n, next), origin, clock: Some(partition) });
}

/// A name that no variable has.
fn unused(model: &ScalarModel, wanted: &str) -> String {
    let mut name = wanted.to_string();
    while model.vars.iter().any(|var| var.name == name) {
        name.push('_');
    }
    name
}

fn words(store: &Store, partition: &ClockPartition) -> String {
    let number = |e: ExprId| store.number(e);
    let interval = match partition.kind {
        ClockKind::Periodic { interval } => number(interval),
        ClockKind::Rational { counter, resolution } => {
            number(counter).zip(number(resolution)).map(|(top, bottom)| top / bottom)
        }
        ClockKind::Event { .. } => return "Ticks where a condition becomes true".into(),
    };
    let ratio = |(top, bottom): (i64, i64)| top as f64 / bottom as f64;
    match interval {
        Some(interval) => {
            let (period, phase) = (interval * ratio(partition.factor), interval * ratio(partition.shift));
            format!("Ticks every {period} s, first {phase} s after the start")
        }
        None => "Ticks at instants that the model plans".into(),
    }
}
