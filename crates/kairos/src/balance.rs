//! The energy that flows into parts of a model through their connectors, as variables of the run.
//!
//! For a part `C1` the model gets a variable `balance(C1)` that begins with zero, and whose derivative is the sum of the powers of the
//! connectors of `C1`: potential times flow, or the rate of the potential times flow where the potential is a length or an angle. It is integrated
//! as everything else, with the tolerance of the run. A passive part without energy at the start never has a negative one.

use kairos_base::Diagnostic;
use kairos_expr::{Builtin, ExprId, Scalar, Type, VarId, Variability};
use kairos_model::{Causality, Equation, EquationKind, Origin, ScalarModel, Variable};
use std::collections::BTreeMap;

/// The name of the variable that has the energy that flowed into a part.
pub fn variable(part: &str) -> String {
    format!("balance({part})")
}

/// Adds the energies of the named components or connectors; tells which have no connector with one potential and one flow.
pub fn add(model: &mut ScalarModel, parts: &[String]) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for part in parts {
        let ports = ports(model, part);
        let Some(&(first, _)) = ports.first() else {
            let text = format!("`{part}` has no connector with one potential and one flow variable");
            let help = "name a component with physical connectors, or one of its connectors: `--balance C1`";
            told.push(Diagnostic::error("no-balance", text).help(help));
            continue;
        };
        let origin = Origin { span: model.vars[first.index()].span, path: kairos_base::Name::EMPTY };
        let mut sum = model.store.zero();
        for (potential, flow) in ports {
            let power = power(model, potential, flow);
            sum = model.store.plus(sum, power);
        }
        let mut energy = Variable::made(&variable(part), Scalar::Real, origin.span);
        (energy.start, energy.fixed, energy.protected) = (Some(model.store.zero()), Some(true), false);
        let energy_at = VarId::new(model.vars.len());
        model.vars.push(energy);
        let energy = model.store.var(energy_at, Type::scalar(Scalar::Real));
        let rate = model.store.scalar_builtin(Builtin::Der, &[energy]);
        model.equations.push(Equation { kind: EquationKind::Equal(rate, sum), origin, clock: None });
    }
    told
}

fn power(model: &mut ScalarModel, potential: VarId, flow: VarId) -> ExprId {
    let [mut across, through] = [potential, flow].map(|v| model.store.var(v, Type::scalar(Scalar::Real)));
    if matches!(model.vars[potential.index()].unit.to_string().as_str(), "m" | "rad") {
        across = model.store.scalar_builtin(Builtin::Der, &[across]);
    }
    model.store.times(across, through)
}

/// Potential and flow of each connector that is the part, or stands directly in it.
fn ports(model: &ScalarModel, part: &str) -> Vec<(VarId, VarId)> {
    let mut connectors: BTreeMap<&str, (Vec<VarId>, Vec<VarId>)> = BTreeMap::new();
    for (v, var) in model.vars.iter().enumerate() {
        let Some((connector, _)) = var.name.rsplit_once('.') else { continue };
        let directly = connector == part
            || connector
                .strip_prefix(part)
                .and_then(|rest| rest.strip_prefix('.'))
                .is_some_and(|n| !n.contains('.'));
        let plain = var.ty == Scalar::Real
            && var.causality == Causality::Local
            && var.variability == Variability::Continuous;
        if directly && plain {
            let (potentials, others) = connectors.entry(connector).or_default();
            if var.potential { potentials.push(VarId::new(v)) } else { others.push(VarId::new(v)) }
        }
    }
    let pair = |(potentials, others): &(Vec<VarId>, Vec<VarId>)| match (&**potentials, &**others) {
        ([potential], [flow]) => Some((*potential, *flow)),
        _ => None,
    };
    connectors.values().filter_map(pair).collect()
}
