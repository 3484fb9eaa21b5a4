//! Clock inference: factor and shift of every sub-partition of one base partition (MLS 16.7.5).

use crate::diagnostics;
use crate::rational::Rational;
use kairos_base::hash::HashMap;
use kairos_base::{Diagnostic, Span};
use kairos_expr::ExprId;

/// How the clock of a target follows from that of a source; `None` is a factor to be inferred.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Relation {
    /// The same ticks, perhaps with another solver.
    Same,
    Sub(Option<i64>),
    Super(Option<i64>),
    /// Shifted by a fraction of the source's interval, backwards if negative.
    Shift(Rational),
    /// Only in the same base partition.
    NoClock,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    pub relation: Relation,
    pub span: Span,
}

/// What a clock constructor says of the clock it makes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Definition {
    /// Periodic with an exact interval in seconds.
    Exact(Rational),
    /// A rational interval whose counter is computed at every tick.
    Counted {
        counter: ExprId,
        resolution: i64,
    },
    Interval(ExprId),
    Event {
        condition: ExprId,
        start_interval: Option<ExprId>,
    },
}

/// The ticks of a sub-partition: number k is at `phase + k * period`, in units of the base clock's interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    pub period: Rational,
    pub phase: Rational,
}

/// The base clock and the rate of each sub-partition.
pub struct Rates {
    /// `None`: nothing says when the partition ticks, so a default is taken.
    pub base: Option<Definition>,
    pub rates: HashMap<usize, Rate>,
}

/// Solves the constraints between the sub-partitions `subs`.
pub fn infer(
    subs: &[usize],
    links: &[Link],
    definitions: &[(usize, Definition, Span)],
    place: Span,
) -> Result<Rates, Diagnostic> {
    let base = base_definition(definitions)?;
    let mut known: HashMap<usize, Rate> = HashMap::default();
    for (sub, definition, span) in definitions {
        let period = match definition {
            Definition::Exact(interval) => *interval,
            _ => Rational::ONE,
        };
        let rate = Rate { period, phase: Rational::ZERO };
        if *known.entry(*sub).or_insert(rate) != rate {
            return Err(diagnostics::clock_conflict_here(
                "another interval is given to the same clock",
                *span,
            ));
        }
    }
    if let (true, Some(&first)) = (known.is_empty(), subs.first()) {
        known.insert(first, Rate { period: Rational::ONE, phase: Rational::ZERO });
    }
    propagate(links, &mut known)?;
    // A factor that nothing determines is one.
    while let Some(link) =
        links.iter().find(|l| is_open(l) && known.contains_key(&l.from) != known.contains_key(&l.to))
    {
        let (from, to) =
            if known.contains_key(&link.from) { (link.from, link.to) } else { (link.to, link.from) };
        known.insert(to, known[&from]);
        propagate(links, &mut known)?;
    }
    if let Some(link) = links.iter().find(|l| !known.contains_key(&l.from) || !known.contains_key(&l.to)) {
        return Err(diagnostics::clock_undetermined(link.span));
    }
    for link in links {
        check(link, &known)?;
    }
    normalise(base, known, links, place)
}

fn is_open(link: &Link) -> bool {
    matches!(link.relation, Relation::Sub(None) | Relation::Super(None))
}

/// MLS 16.3.1: exact periodic clocks, or one clock of another kind.
fn base_definition(definitions: &[(usize, Definition, Span)]) -> Result<Option<Definition>, Diagnostic> {
    let Some((_, first, place)) = definitions.first() else { return Ok(None) };
    for (_, other, span) in &definitions[1..] {
        let both_exact = matches!((first, other), (Definition::Exact(_), Definition::Exact(_)));
        if !both_exact && first != other {
            return Err(diagnostics::two_base_clocks(*span, *place));
        }
    }
    Ok(Some(*first))
}

fn propagate(links: &[Link], known: &mut HashMap<usize, Rate>) -> Result<(), Diagnostic> {
    loop {
        let mut changed = false;
        for link in links {
            let (from, to) = (known.get(&link.from).copied(), known.get(&link.to).copied());
            let (at, found) = match (from, to) {
                (Some(rate), None) => (link.to, forward(link.relation, rate)),
                (None, Some(rate)) => (link.from, backward(link.relation, rate)),
                _ => continue,
            };
            match found {
                Some(Some(rate)) => {
                    known.insert(at, rate);
                    changed = true;
                }
                Some(None) => return Err(diagnostics::clock_overflow(link.span)),
                None => {}
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// The rate of the target; the outer `None` if the relation leaves it open, the inner one on overflow.
fn forward(relation: Relation, rate: Rate) -> Option<Option<Rate>> {
    let scaled = |period: Option<Rational>| period.map(|period| Rate { period, ..rate });
    let whole = |n: i64| Rational::new(n, 1);
    Some(match relation {
        Relation::Same => Some(rate),
        Relation::Sub(Some(n)) => scaled(whole(n).and_then(|n| rate.period.mul(n))),
        Relation::Super(Some(n)) => scaled(whole(n).and_then(|n| rate.period.div(n))),
        Relation::Shift(by) => {
            by.mul(rate.period).and_then(|by| rate.phase.add(by)).map(|phase| Rate { phase, ..rate })
        }
        Relation::Sub(None) | Relation::Super(None) | Relation::NoClock => return None,
    })
}

fn backward(relation: Relation, rate: Rate) -> Option<Option<Rate>> {
    match relation {
        Relation::Sub(n) => forward(Relation::Super(n), rate),
        Relation::Super(n) => forward(Relation::Sub(n), rate),
        Relation::Shift(by) => match Rational::ZERO.sub(by) {
            Some(back) => forward(Relation::Shift(back), rate),
            None => Some(None),
        },
        Relation::Same | Relation::NoClock => forward(relation, rate),
    }
}

fn check(link: &Link, known: &HashMap<usize, Rate>) -> Result<(), Diagnostic> {
    let (from, to) = (known[&link.from], known[&link.to]);
    let whole = |a: Rational, b: Rational| a.div(b).is_some_and(|q| q.is_integer());
    let fits = match link.relation {
        Relation::NoClock => true,
        Relation::Sub(None) => from.phase == to.phase && whole(to.period, from.period),
        Relation::Super(None) => from.phase == to.phase && whole(from.period, to.period),
        relation => forward(relation, from) == Some(Some(to)),
    };
    if fits {
        Ok(())
    } else {
        Err(diagnostics::clock_conflict_here("its clocks do not fit together", link.span))
    }
}

/// Counts in intervals of a base clock: for exact clocks the longest one that all ticks lie on.
fn normalise(
    base: Option<Definition>,
    mut known: HashMap<usize, Rate>,
    links: &[Link],
    place: Span,
) -> Result<Rates, Diagnostic> {
    let overflow = || diagnostics::clock_overflow(place);
    let mut order: Vec<usize> = known.keys().copied().collect();
    order.sort_unstable();
    let (mut unit, mut start, mut base) = (Rational::ONE, Rational::ZERO, base);
    match base {
        Some(Definition::Exact(_)) => {
            unit = Rational::ZERO;
            for sub in &order {
                let rate = known[sub];
                let common = unit.common(rate.period).and_then(|u| u.common(rate.phase));
                unit = common.ok_or_else(overflow)?;
            }
            base = Some(Definition::Exact(unit));
        }
        Some(_) => {}
        None => {
            // MLS 16.3.1: the default clock is that of the fastest sub-partition.
            let fastest =
                order.iter().map(|s| known[s]).reduce(|a, b| if b.period.less(a.period) { b } else { a });
            let first = order.iter().map(|s| known[s].phase).reduce(|a, b| if b.less(a) { b } else { a });
            unit = fastest.map_or(Rational::ONE, |r| r.period);
            start = first.unwrap_or(Rational::ZERO);
        }
    }
    for sub in &order {
        let rate = known[sub];
        let phase = rate.phase.sub(start).and_then(|p| p.div(unit)).ok_or_else(overflow)?;
        let period = rate.period.div(unit).ok_or_else(overflow)?;
        let wrong = |text| {
            let link = links.iter().find(|l| l.to == *sub || l.from == *sub);
            diagnostics::clock_conflict_here(text, link.map_or(place, |l| l.span))
        };
        if phase.is_negative() {
            return Err(wrong("a clock would tick before its base clock"));
        }
        let event = matches!(base, Some(Definition::Event { .. }));
        if event && !(phase.is_integer() && period.is_integer()) {
            return Err(wrong("an event clock cannot tick between its events"));
        }
        known.insert(*sub, Rate { period, phase });
    }
    Ok(Rates { base, rates: known })
}
