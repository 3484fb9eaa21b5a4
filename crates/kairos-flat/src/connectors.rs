//! Restrictions on connector instances: balance, flows of streams, prefixes (MLS 9.3, 15.1).

use crate::diagnostics;
use crate::expand::Expander;
use kairos_base::hash::HashSet;
use kairos_expr::Scalar;
use kairos_sema::{CompId, Variability, What};

/// Checks every connector below a component.
pub fn check(x: &mut Expander, root: CompId) {
    let mut seen = HashSet::default();
    visit(x, root, false, &mut seen);
}

fn visit(x: &mut Expander, comp: CompId, inside: bool, seen: &mut HashSet<(u32, u32, u32)>) {
    let c = x.sema.comp(comp);
    if c.disabled || c.outer.is_some() {
        return;
    }
    match c.what {
        What::Array => {
            let first = c.elements.first().copied();
            // Elements of an array are alike.
            first.into_iter().for_each(|e| visit(x, e, inside, seen));
        }
        What::Parts => {
            let span = c.span;
            // A prefix of the whole connector gives all its variables another role.
            let prefixed = c.flow || c.stream || c.direction.is_some();
            let constant = c.variability <= Variability::Parameter;
            let is_connector = x.sema.is_connector(comp);
            if is_connector {
                let path = x.sema.comp_path(comp);
                if constant {
                    x.diagnostics.push(diagnostics::constant_connector(&path, span));
                } else if !prefixed
                    && !x.sema.is_expandable(comp)
                    && seen.insert((span.file.0, span.start, span.end))
                {
                    sizes(x, comp, &path);
                }
            }
            for &part in x.sema.parts(comp).iter() {
                visit(x, part, inside || is_connector, seen);
            }
        }
        What::Variable(scalar) if c.stream => {
            let span = c.span;
            let path = x.sema.comp_path(comp);
            if !inside {
                x.diagnostics.push(diagnostics::stream_outside(&path, span));
            } else if scalar != Scalar::Real {
                x.diagnostics.push(diagnostics::stream_type(&path, span));
            }
        }
        What::Variable(_) | What::Package | What::Broken => {}
    }
}

/// Scalar variables of a connector by role.
#[derive(Default)]
struct Count {
    potential: usize,
    flow: usize,
    stream: usize,
    causal: usize,
}

fn sizes(x: &mut Expander, comp: CompId, path: &str) {
    let span = x.sema.comp(comp).span;
    let mut count = Count::default();
    let mut own_flows = 0;
    let mut streams = false;
    for &part in x.sema.parts(comp).iter() {
        let (flow, stream) = (count.flow, count.stream);
        add(x, part, &mut count);
        // Flows and streams of nested connectors belong to those.
        if !x.sema.is_connector(part) || matches!(x.sema.comp(part).what, What::Variable(_)) {
            own_flows += count.flow - flow;
            streams |= count.stream > stream;
        }
    }
    if streams && own_flows != 1 {
        x.diagnostics.push(diagnostics::stream_flows(path, own_flows, span));
    }
    let simple = count.flow + count.stream + count.causal == 0;
    if !simple && count.flow != count.potential {
        let d = diagnostics::unbalanced_connector(path, count.potential, count.flow, span);
        let connected = x.sema.connects.iter().any(|c| c.a.comp == comp || c.b.comp == comp);
        if connected { x.doubtful.push(d) } else { x.diagnostics.push(d) }
    }
}

fn add(x: &mut Expander, comp: CompId, count: &mut Count) {
    let c = x.sema.comp(comp);
    if c.disabled || c.outer.is_some() || c.variability <= Variability::Parameter {
        return;
    }
    let scalars: usize = c.dims.iter().map(|d| d.known().unwrap_or(0)).product();
    let (flow, stream, causal) = (c.flow, c.stream, c.direction.is_some());
    let what = c.what;
    if !(flow || stream || causal)
        && let Some(size) = x.sema.residue_size(comp)
    {
        count.potential += size;
        return;
    }
    match what {
        What::Variable(_) if flow => count.flow += scalars,
        What::Variable(_) if stream => count.stream += scalars,
        What::Variable(_) if causal => count.causal += scalars,
        What::Variable(_) => count.potential += scalars,
        What::Array => x.sema.comp(comp).elements.clone().into_iter().for_each(|e| add(x, e, count)),
        What::Parts => x.sema.parts(comp).iter().for_each(|p| add(x, *p, count)),
        What::Package | What::Broken => {}
    }
}
