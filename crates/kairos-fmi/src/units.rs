//! The units of a model's variables as FMI defines them: by base units, with the display units that belong to them.

use crate::variables::Exposed;
use crate::xml::{Attributes, Xml, none};
use std::collections::{BTreeMap, BTreeSet};

/// The base units in the order of `Dimension::exponents`.
const BASE: [&str; 7] = ["m", "kg", "s", "A", "K", "mol", "cd"];

/// Writes the definitions; nothing where there is no unit.
pub fn write(xml: &mut Xml, variables: &[Exposed]) {
    let mut units: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for var in variables.iter().filter(|var| !var.unit.is_empty()) {
        let displayed = units.entry(&var.unit).or_default();
        if is_display_unit(&var.unit, &var.display_unit) {
            displayed.insert(&var.display_unit);
        }
    }
    if units.is_empty() {
        return;
    }
    xml.begin("UnitDefinitions", &none());
    for (name, displayed) in units {
        let base = base_unit(name);
        if base.is_none() && displayed.is_empty() {
            xml.leaf("Unit", &none().with("name", name));
            continue;
        }
        xml.begin("Unit", &none().with("name", name));
        if let Some(base) = base {
            xml.leaf("BaseUnit", &base);
        }
        for display in displayed {
            if let Some((factor, offset)) = conversion(name, display) {
                let attributes = none().with("name", display).with("factor", factor);
                xml.leaf("DisplayUnit", &attributes.maybe("offset", (offset != 0.0).then_some(offset)));
            }
        }
        xml.end();
    }
    xml.end();
}

/// Can values in a unit be shown in another one?
pub fn is_display_unit(unit: &str, display: &str) -> bool {
    !display.is_empty() && display != unit && conversion(unit, display).is_some()
}

/// Values in a display unit are `factor * value + offset` of values in the unit.
fn conversion(unit: &str, display: &str) -> Option<(f64, f64)> {
    let (from, to) = (kairos_units::parse(unit).ok()?, kairos_units::parse(display).ok()?);
    let (zero, one) = (kairos_units::convert(0.0, &from, &to)?, kairos_units::convert(1.0, &from, &to)?);
    Some((one - zero, zero))
}

fn base_unit(name: &str) -> Option<Attributes> {
    let unit = kairos_units::parse(name).ok()?;
    let exponents = unit.dimension.exponents()?;
    let mut attributes = none();
    for (base, exponent) in BASE.iter().zip(exponents).filter(|(_, exponent)| *exponent != 0) {
        attributes = attributes.with(base, exponent);
    }
    // An angle has no dimension, but FMI knows its unit.
    if unit.dimension.is_none() && (name == "rad" || name == "deg") {
        attributes = attributes.with("rad", 1);
    }
    let attributes = attributes.maybe("factor", (unit.factor != 1.0).then_some(unit.factor));
    Some(attributes.maybe("offset", (unit.offset != 0.0).then_some(unit.offset)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_and_angles_are_shown_in_other_units() {
        let (factor, offset) = conversion("K", "degC").expect("temperatures");
        assert!((factor - 1.0).abs() < 1e-12 && (offset + 273.15).abs() < 1e-9, "{factor} {offset}");
        let (factor, offset) = conversion("rad", "deg").expect("angles");
        assert!((factor - 180.0 / std::f64::consts::PI).abs() < 1e-9 && offset == 0.0);
        assert!(!is_display_unit("m", "s") && !is_display_unit("m", "m") && !is_display_unit("m", ""));
    }
}
