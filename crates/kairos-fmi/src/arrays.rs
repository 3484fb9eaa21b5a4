//! Arrays of FMI 3.0: scalars `x[1]`, `x[2]`, … that differ only in their numbers become one variable with dimensions.
//!
//! The elements of an array stay what they are inside; the runtime is told which references an array stands for
//! (`kairos_fmi_runtime::ARRAYS`).

use crate::structure::{Structure, Unknown};
use crate::variables::Exposed;
use std::collections::{BTreeMap, BTreeSet};

/// A name without its last subscripts, and these. `der(x[2])` belongs to `der(x)`.
fn subscripts(name: &str) -> Option<(String, Vec<usize>)> {
    let (body, closing) = match name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        Some(body) => (body, true),
        None => (name, false),
    };
    let open = body.rfind('[').filter(|_| body.ends_with(']'))?;
    let numbers: Option<Vec<usize>> =
        body[open + 1..body.len() - 1].split(',').map(|number| number.trim().parse().ok()).collect();
    let stem = &body[..open];
    Some((if closing { format!("der({stem})") } else { stem.to_string() }, numbers?))
}

/// The dimensions of elements that are there one by one, the last subscript first; `None` if some are missing.
fn dimensions(places: &[&Vec<usize>]) -> Option<Vec<usize>> {
    let rank = places.first()?.len();
    let sizes: Vec<usize> =
        (0..rank).map(|d| places.iter().map(|p| p.get(d).copied().unwrap_or(0)).max().unwrap_or(0)).collect();
    let expected = |k: usize| {
        let mut rest = k;
        let mut place = vec![0; rank];
        for d in (0..rank).rev() {
            place[d] = rest % sizes[d] + 1;
            rest /= sizes[d];
        }
        place
    };
    let count = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size))?;
    let fits =
        count == places.len() && count > 0 && places.iter().enumerate().all(|(k, p)| **p == expected(k));
    fits.then_some(sizes)
}

/// Puts elements together. `states`: references of states and of their derivatives, in the order of the state vector.
pub fn group(variables: Vec<Exposed>, states: &[(u32, u32)]) -> Vec<Exposed> {
    let mut families: BTreeMap<String, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
    let names: BTreeSet<&str> = variables.iter().map(|var| var.name.as_str()).collect();
    for (k, var) in variables.iter().enumerate() {
        if let Some((stem, places)) = subscripts(&var.name)
            && !names.contains(stem.as_str())
        {
            families.entry(stem).or_default().push((k, places));
        }
    }
    let order: BTreeMap<u32, usize> =
        states.iter().enumerate().flat_map(|(k, (x, dx))| [(*x, k), (*dx, k)]).collect();
    // The array that each element goes to, and the arrays.
    let mut leader: BTreeMap<u32, u32> = BTreeMap::new();
    let mut arrays: BTreeMap<u32, (String, Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (stem, members) in families {
        let places: Vec<&Vec<usize>> = members.iter().map(|(_, places)| places).collect();
        let Some(sizes) = dimensions(&places) else { continue };
        let members: Vec<usize> = members.iter().map(|(k, _)| *k).collect();
        let first = &variables[members[0]];
        let alike = members.iter().all(|k| first.is_like(&variables[*k]));
        // States stand one after the other in the vector of states, or each by itself.
        let moving: Vec<Option<usize>> =
            members.iter().map(|k| order.get(&variables[*k].reference).copied()).collect();
        let together = moving.windows(2).all(|pair| match (pair[0], pair[1]) {
            (Some(a), Some(b)) => b == a + 1,
            (a, b) => a.is_none() && b.is_none(),
        });
        if alike && together {
            members.iter().for_each(|k| {
                leader.insert(variables[*k].reference, first.reference);
            });
            arrays.insert(first.reference, (stem, sizes, members));
        }
    }
    // States and their derivatives have the same arrays, or none.
    let state_of = |var: &Exposed| var.derivative_of;
    loop {
        let broken: Vec<u32> = arrays
            .iter()
            .filter(|(_, (_, _, members))| {
                let of: Vec<Option<u32>> = members.iter().map(|k| state_of(&variables[*k])).collect();
                let Some(first) = of[0] else { return of.iter().any(Option::is_some) };
                let Some((_, _, own)) = arrays.get(&first) else { return true };
                own.len() != of.len() || own.iter().zip(&of).any(|(k, x)| Some(variables[*k].reference) != *x)
            })
            .map(|(reference, _)| *reference)
            .collect();
        if broken.is_empty() {
            break;
        }
        for reference in broken {
            arrays.remove(&reference);
            leader.retain(|_, to| *to != reference);
        }
    }
    // An element whose derivative is told by itself stays by itself.
    let lonely: Vec<u32> = variables
        .iter()
        .filter(|var| !leader.contains_key(&var.reference))
        .filter_map(|var| leader.get(&var.derivative_of?).copied())
        .collect();
    for reference in lonely {
        arrays.remove(&reference);
        leader.retain(|_, to| *to != reference);
    }
    let mut list = Vec::new();
    for (k, var) in variables.iter().enumerate() {
        match (leader.get(&var.reference), arrays.get(&var.reference)) {
            (None, _) => list.push(var.clone()),
            (Some(_), None) => {}
            (Some(_), Some((name, sizes, members))) => {
                let mut array = variables[k].clone();
                array.name = name.clone();
                array.dimensions = sizes.clone();
                array.elements = members.iter().map(|k| variables[*k].reference).collect();
                array.starts = members.iter().filter_map(|k| variables[*k].start.clone()).collect();
                list.push(array);
            }
        }
    }
    list
}

/// The structure in terms of arrays: what one element depends on, the array does.
pub fn regroup(structure: Structure, variables: &[Exposed]) -> Structure {
    let leader: BTreeMap<u32, u32> = variables
        .iter()
        .flat_map(|var| var.elements.iter().map(move |element| (*element, var.reference)))
        .collect();
    let to = |reference: &u32| leader.get(reference).copied().unwrap_or(*reference);
    let merged = |unknowns: Vec<Unknown>| {
        let mut list: Vec<Unknown> = Vec::new();
        for unknown in unknowns {
            let dependencies: Option<BTreeSet<u32>> =
                unknown.dependencies.map(|list| list.iter().map(to).collect());
            let reference = to(&unknown.reference);
            match list.iter_mut().find(|known| known.reference == reference) {
                None => {
                    let dependencies = dependencies.map(|set| set.into_iter().collect());
                    list.push(Unknown { reference, dependencies });
                }
                Some(known) => {
                    known.dependencies = match (known.dependencies.take(), dependencies) {
                        (Some(mut old), Some(new)) => {
                            old.extend(new);
                            old.sort_unstable();
                            old.dedup();
                            Some(old)
                        }
                        _ => None,
                    };
                }
            }
        }
        list
    };
    let initial: BTreeSet<u32> = structure.initial.iter().map(to).collect();
    Structure {
        outputs: merged(structure.outputs),
        derivatives: merged(structure.derivatives),
        initial: initial.into_iter().collect(),
    }
}

/// What the runtime reads: a line for each array with the references of its elements.
pub fn lines(variables: &[Exposed]) -> String {
    let line = |var: &Exposed| {
        let elements: Vec<String> = var.elements.iter().map(u32::to_string).collect();
        format!("{}\n", elements.join(" "))
    };
    variables.iter().filter(|var| !var.elements.is_empty()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_subscripts_at_the_end() {
        assert_eq!(subscripts("a.x[2]"), Some(("a.x".into(), vec![2])));
        assert_eq!(subscripts("der(m[1,3])"), Some(("der(m)".into(), vec![1, 3])));
        assert_eq!(subscripts("r[1].v"), None);
        assert_eq!(subscripts("x[n]"), None);
    }

    #[test]
    fn an_array_is_whole_and_in_order() {
        let of = |list: &[[usize; 2]]| {
            let places: Vec<Vec<usize>> = list.iter().map(|p| p.to_vec()).collect();
            dimensions(&places.iter().collect::<Vec<_>>())
        };
        assert_eq!(of(&[[1, 1], [1, 2], [2, 1], [2, 2]]), Some(vec![2, 2]));
        assert_eq!(of(&[[1, 1], [2, 1], [1, 2], [2, 2]]), None);
        assert_eq!(of(&[[1, 1], [1, 2], [2, 1]]), None);
    }
}
