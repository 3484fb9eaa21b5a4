//! Dimensions as unit strings.

use crate::dimension::{BASE, DENOMINATOR};
use crate::{Dimension, parse, symbols};

/// A unit string of a dimension: a derived unit where one has it, or that times or over a base unit, or else base units.
pub fn name_of(dimension: &Dimension) -> String {
    if dimension.is_none() {
        return "1".into();
    }
    if let Some(symbol) = symbols::symbol_of(dimension) {
        return symbol.into();
    }
    let base = factors(dimension);
    if dimension.0.iter().filter(|e| **e != 0).count() < 3 {
        return base;
    }
    familiar(dimension).unwrap_or(base)
}

/// `N.s`, `W/m2`, `J/(kg.K)`: what engineers write instead of base units.
fn familiar(dimension: &Dimension) -> Option<String> {
    let heads = ["J", "W", "N", "Pa", "V", "C"];
    let tails = ["m", "m2", "m3", "s", "s2", "kg", "K", "A", "mol", "(kg.K)", "(m.K)", "(m2.K)", "(mol.K)"];
    let all = heads.iter().flat_map(|head| {
        tails.iter().flat_map(move |tail| {
            let times = (!tail.starts_with('(')).then(|| format!("{head}.{tail}"));
            [Some(format!("{head}/{tail}")), times]
        })
    });
    all.flatten().find(|text| parse(text).is_ok_and(|unit| unit.dimension == *dimension))
}

fn factors(dimension: &Dimension) -> String {
    let part = |sign: i16| {
        let list = dimension.0.iter().zip(BASE).filter(move |(e, _)| **e * sign > 0);
        list.map(|(e, name)| format!("{name}{}", exponent(i32::from(e.abs())))).collect::<Vec<_>>()
    };
    let (top, bottom) = (part(1), part(-1));
    let head = if top.is_empty() { "1".to_string() } else { top.join(".") };
    match bottom.len() {
        0 => head,
        1 => format!("{head}/{}", bottom[0]),
        _ => format!("{head}/({})", bottom.join(".")),
    }
}

fn exponent(e: i32) -> String {
    if e == DENOMINATOR {
        return String::new();
    }
    if e % DENOMINATOR == 0 {
        return (e / DENOMINATOR).to_string();
    }
    let mut divisor = e;
    let mut rest = DENOMINATOR;
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    format!("({}/{})", e / divisor, DENOMINATOR / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for text in [
            "N",
            "m/s",
            "m/s2",
            "kg.m",
            "J/(kg.K)",
            "W/m2",
            "1",
            "1/s",
            "m(1/2)",
            "V.s",
            "kg/m3",
            "Pa.s",
            "Ohm.m",
            "A/m",
            "kg/(m2.s)",
            "m4.s4/(K.s8)",
        ] {
            let dimension = parse(text).unwrap().dimension;
            let name = name_of(&dimension);
            assert_eq!(parse(&name).unwrap().dimension, dimension, "{text} {name}");
        }
        assert_eq!(name_of(&parse("kg.m/s2").unwrap().dimension), "N");
        assert_eq!(name_of(&parse("m.s").unwrap().dimension), "m.s");
    }
}
