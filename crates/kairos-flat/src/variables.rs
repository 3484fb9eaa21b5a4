//! The scalar variables of an instance with their attributes.

use crate::expand::{Expander, SCALARS, subscripts};
use crate::tree::Tree;
use crate::units::Declared;
use kairos_base::{Name, limits};
use kairos_expr::{ExprId, Type, Value, VarId};
use kairos_model::{Causality, Equation, EquationKind, Origin, StateSelect, Variability, Variable};
use kairos_sema::{CompId, What, write_subscripts};

/// Gives every variable component its scalar variables, in order of declaration.
pub fn number(x: &mut Expander, root: CompId) -> Vec<(CompId, VarId)> {
    let mut list = Vec::new();
    let mut next = SCALARS;
    visit(x, root, &mut list, &mut next);
    if (next - SCALARS) as usize > limits::VARIABLES {
        x.refuse_size(root, limits::VARIABLES);
        list.clear();
    }
    x.number(&list);
    for &(comp, first) in &list {
        if let What::Variable(ty) = x.sema.comp(comp).what {
            let count: usize = x.sema.comp(comp).dims.iter().map(|d| d.known().unwrap_or(0)).product();
            x.types.resize((first.0 - SCALARS) as usize + count, ty);
        }
    }
    x.sema.scalars = list.iter().map(|&(comp, first)| (first, comp)).collect();
    list
}

fn visit(x: &mut Expander, comp: CompId, list: &mut Vec<(CompId, VarId)>, next: &mut u32) {
    let c = x.sema.comp(comp);
    if c.disabled || c.outer.is_some() {
        return;
    }
    match c.what {
        What::Variable(_) => {
            let count: usize = c.dims.iter().map(|d| d.known().unwrap_or(0)).product();
            list.push((comp, VarId(*next)));
            *next = next.saturating_add(count as u32);
        }
        What::Array => c.elements.clone().into_iter().for_each(|e| visit(x, e, list, next)),
        What::Parts => x.sema.parts(comp).iter().for_each(|p| visit(x, *p, list, next)),
        What::Package | What::Broken => {}
    }
}

/// The variables, the equations that bindings of variables make, and what is declared of whole arrays.
pub fn variables(
    x: &mut Expander,
    list: &[(CompId, VarId)],
    top: CompId,
) -> (Vec<Variable>, Vec<Equation>, Vec<Declared>) {
    // Later stages add some; room that they leave costs nothing, but moving all variables does.
    let mut vars = Vec::with_capacity(2 * x.types.len());
    let mut equations = Vec::new();
    let mut declared = Vec::with_capacity(list.len());
    for &(comp, first) in list {
        debug_assert_eq!((first.0 - SCALARS) as usize, vars.len());
        declared.extend(one(x, comp, first, top, &mut vars, &mut equations));
    }
    (vars, equations, declared)
}

fn one(
    x: &mut Expander,
    comp: CompId,
    first: VarId,
    top: CompId,
    vars: &mut Vec<Variable>,
    equations: &mut Vec<Equation>,
) -> Option<Declared> {
    let c = x.sema.comp(comp);
    let What::Variable(ty) = c.what else { return None };
    let sizes: Vec<u32> = c.dims.iter().map(|d| d.known().unwrap_or(0) as u32).collect();
    let count: usize = sizes.iter().map(|s| *s as usize).product();
    let (span, protected, structural) = (c.span, c.protected, c.structural || c.evaluate);
    let is_final = c.is_final || c.mods.is_final();
    let mut variability = c.variability;
    if variability == Variability::Continuous && ty.is_discrete() {
        variability = Variability::Discrete;
    }
    let on_top = c.parent == Some(top) || connector_of_top(x, comp, top);
    let direction = c.direction;
    let plain = !c.flow && !c.stream && direction.is_none() && variability == Variability::Continuous;
    let description = Name::new(x.sema.description(comp));
    let path = x.sema.comp_path(comp);
    let potential = plain && beside_flow(x, comp);
    x.span = span;
    let binding = x.sema.binding(comp);
    let causality = match direction {
        // An input that the model itself gives a value is not left to the user.
        Some(kairos_syntax::ast::Direction::Input) if on_top && binding.is_none() => Causality::Input,
        Some(kairos_syntax::ast::Direction::Output) if on_top => Causality::Output,
        _ => Causality::Local,
    };
    let attribute = |x: &mut Expander, name: Name| attribute(x, comp, name, count);
    let declared = Declared { comp, binding, start: x.sema.attribute(comp, Name::START) };
    let start = declared.start.and_then(|e| elements(x, e, count));
    let fixed = attribute(x, Name::FIXED);
    let nominal = attribute(x, Name::NOMINAL);
    let min = attribute(x, Name::MIN);
    let max = attribute(x, Name::MAX);
    let select = attribute(x, Name::STATE_SELECT);
    let unit = text(x, comp, Name::UNIT);
    let display_unit = text(x, comp, Name::DISPLAY_UNIT);
    let binding = binding.map(|e| whole(x, e, count, &path));
    for k in 0..count {
        let var = VarId(first.0 + k as u32);
        let mut name = path.clone();
        write_subscripts(&subscripts(k, &sizes), &mut name);
        let at = |list: &Option<Vec<ExprId>>| list.as_ref().and_then(|l| l.get(k).copied());
        let fixed = at(&fixed).and_then(|e| match x.sema.try_constant(e) {
            Some(Value::Bool(b)) => Some(b),
            _ => None,
        });
        let state_select = at(&select).and_then(|e| x.sema.try_constant(e)).and_then(|v| v.as_index());
        let value = at(&binding);
        let is_parameter = variability <= Variability::Parameter;
        if let (Some(value), false) = (value, is_parameter) {
            let lhs = x.sema.store.var(var, Type::scalar(ty));
            let origin = Origin { span, path: Name::new(parent_path(&path)) };
            equations.push(Equation { kind: EquationKind::Equal(lhs, value), origin, clock: None });
        }
        vars.push(Variable {
            name,
            ty,
            variability,
            causality,
            binding: value.filter(|_| is_parameter),
            start: at(&start),
            fixed,
            nominal: at(&nominal),
            min: at(&min),
            max: at(&max),
            state_select: match state_select {
                Some(1) => StateSelect::Never,
                Some(2) => StateSelect::Avoid,
                Some(4) => StateSelect::Prefer,
                Some(5) => StateSelect::Always,
                _ => StateSelect::Default,
            },
            unit,
            display_unit,
            description,
            protected,
            potential,
            structural,
            is_final,
            clock: None,
            span,
        });
    }
    Some(declared)
}

/// Does the connector that this variable belongs to have a flow variable?
fn beside_flow(x: &mut Expander, comp: CompId) -> bool {
    let Some(parent) = x.sema.comp(comp).parent else { return false };
    x.sema.is_connector(parent) && x.sema.parts(parent).iter().any(|part| x.sema.comp(*part).flow)
}

fn connector_of_top(x: &Expander, comp: CompId, top: CompId) -> bool {
    let mut current = comp;
    while let Some(parent) = x.sema.comp(current).parent {
        if parent == top {
            return x.sema.is_connector(current);
        }
        current = parent;
    }
    false
}

fn parent_path(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(head, _)| head)
}

/// An attribute for every element; a scalar stands for all.
fn attribute(x: &mut Expander, comp: CompId, name: Name, count: usize) -> Option<Vec<ExprId>> {
    let e = x.sema.attribute(comp, name)?;
    elements(x, e, count)
}

fn elements(x: &mut Expander, e: ExprId, count: usize) -> Option<Vec<ExprId>> {
    let mut leaves = Vec::new();
    match x.expand(e) {
        Tree::Leaf(one) => leaves = vec![one; count],
        tree => tree.leaves(&mut leaves),
    }
    (leaves.len() >= count).then_some(leaves)
}

fn text(x: &mut Expander, comp: CompId, name: Name) -> Name {
    let Some(e) = x.sema.attribute(comp, name) else { return Name::EMPTY };
    match x.sema.try_constant(e) {
        Some(Value::Str(s)) => Name::new(&s),
        Some(Value::Array(a)) => Name::new(a.data.first().and_then(|v| v.as_str()).unwrap_or("")),
        _ => Name::EMPTY,
    }
}

fn whole(x: &mut Expander, e: ExprId, count: usize, path: &str) -> Vec<ExprId> {
    let mut leaves = Vec::new();
    let tree = x.expand(e);
    let scalar = matches!(tree, Tree::Leaf(_));
    tree.leaves(&mut leaves);
    if scalar && count != 1 {
        // MLS 10.6: a scalar value for an array needs `fill`.
        let text = format!("`{path}` is an array of {count}, but its value is a single number");
        let d = kairos_base::Diagnostic::error("binding-size", text);
        x.diagnostics.push(d.at(x.span).help("write `fill(value, size)`, or the values in braces; the product of two vectors is a number, `.*` multiplies their elements"));
        return vec![leaves[0]; count];
    }
    if leaves.len() != count {
        let d = kairos_base::Diagnostic::error(
            "binding-size",
            format!("the value of `{path}` has {} elements, but {count} are needed", leaves.len()),
        );
        x.diagnostics.push(d.at(x.span).help("make the sizes equal"));
        let zero = x.sema.store.real(0.0);
        leaves.resize(count, zero);
    }
    leaves
}
