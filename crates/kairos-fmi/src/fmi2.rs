//! The description of an FMU of FMI 2.0.

use crate::structure::Unknown;
use crate::variables::{Exposed, Start, Type};
use crate::xml::{Attributes, Xml, none};
use crate::{Description, units};
use std::collections::{BTreeMap, BTreeSet};

/// The text of `modelDescription.xml`.
pub fn write(d: &Description) -> String {
    let mut xml = Xml::new();
    let exchanges = d.exchanges();
    let head = none()
        .with("fmiVersion", "2.0")
        .with("modelName", d.name)
        .with("guid", &d.token)
        .with("generationTool", concat!("Kairos ", env!("CARGO_PKG_VERSION")))
        .with("variableNamingConvention", "structured")
        .with("numberOfEventIndicators", if exchanges { d.indicators } else { 0 });
    xml.begin("fmiModelDescription", &head);
    let states = none()
        .with("modelIdentifier", &d.identifier)
        .with("canGetAndSetFMUstate", true)
        .with("canSerializeFMUstate", true)
        .with("providesDirectionalDerivative", true);
    if exchanges {
        xml.leaf("ModelExchange", &states.clone().with("completedIntegratorStepNotNeeded", true));
    }
    xml.leaf("CoSimulation", &states.with("canHandleVariableCommunicationStepSize", true));
    units::write(&mut xml, &d.variables);
    types(&mut xml, d);
    xml.begin("LogCategories", &none());
    for category in ["logStatusWarning", "logStatusError"] {
        xml.leaf("Category", &none().with("name", category));
    }
    xml.end();
    xml.leaf("DefaultExperiment", &d.default_experiment());
    // A variable of the structure goes by its place in the list, from 1.
    let index: BTreeMap<u32, usize> =
        d.variables.iter().zip(1..).map(|(var, k)| (var.reference, k)).collect();
    xml.begin("ModelVariables", &none());
    for var in &d.variables {
        variable(&mut xml, var, &index);
    }
    xml.end();
    xml.begin("ModelStructure", &none());
    list(&mut xml, "Outputs", &d.structure.outputs, &index);
    if exchanges {
        list(&mut xml, "Derivatives", &d.structure.derivatives, &index);
    }
    if !d.structure.initial.is_empty() {
        xml.begin("InitialUnknowns", &none());
        for reference in &d.structure.initial {
            xml.leaf("Unknown", &none().maybe("index", index.get(reference)));
        }
        xml.end();
    }
    xml.finish()
}

fn types(xml: &mut Xml, d: &Description) {
    let enumerations: BTreeSet<(&String, &Vec<String>)> = d
        .variables
        .iter()
        .filter_map(|var| match &var.ty {
            Type::Enumeration(name, literals) => Some((name, literals)),
            _ => None,
        })
        .collect();
    if enumerations.is_empty() {
        return;
    }
    xml.begin("TypeDefinitions", &none());
    for (name, literals) in enumerations {
        xml.begin("SimpleType", &none().with("name", name));
        xml.begin("Enumeration", &none());
        for (literal, value) in literals.iter().zip(1..) {
            xml.leaf("Item", &none().with("name", literal).with("value", value));
        }
        xml.end();
        xml.end();
    }
    xml.end();
}

fn variable(xml: &mut Xml, var: &Exposed, index: &BTreeMap<u32, usize>) {
    let attributes = none()
        .with("name", &var.name)
        .with("valueReference", var.reference)
        .text("description", &var.description)
        .with("causality", var.causality.name())
        .with("variability", var.variability)
        .maybe("initial", var.initial);
    xml.begin("ScalarVariable", &attributes);
    let bounds = |attributes: Attributes| match var.ty {
        Type::Real => attributes.maybe("min", var.min).maybe("max", var.max),
        _ => attributes.maybe("min", var.min.map(|x| x as i64)).maybe("max", var.max.map(|x| x as i64)),
    };
    let start = match (&var.start, &var.ty) {
        (Some(Start::Text(text)), _) => Some(text.clone()),
        (Some(Start::Number(number)), Type::Real) => Some(number.to_string()),
        (Some(Start::Number(number)), Type::Boolean) => Some((*number != 0.0).to_string()),
        (Some(Start::Number(number)), _) => Some((*number as i64).to_string()),
        (None, _) => None,
    };
    match &var.ty {
        Type::Real => {
            let display = units::is_display_unit(&var.unit, &var.display_unit);
            let attributes = bounds(
                none().text("unit", &var.unit).maybe("displayUnit", display.then_some(&var.display_unit)),
            )
            .maybe("nominal", var.nominal)
            .maybe("start", start)
            .maybe("derivative", var.derivative_of.and_then(|x| index.get(&x)));
            xml.leaf("Real", &attributes);
        }
        Type::Integer => xml.leaf("Integer", &bounds(none()).maybe("start", start)),
        Type::Boolean => xml.leaf("Boolean", &none().maybe("start", start)),
        Type::String => xml.leaf("String", &none().maybe("start", start)),
        // FMI 2.0 knows no clocks: they are not asked for.
        Type::Clock(_) => xml.leaf("Boolean", &none()),
        Type::Enumeration(name, _) => {
            xml.leaf("Enumeration", &bounds(none().with("declaredType", name)).maybe("start", start));
        }
    }
    xml.end();
}

fn list(xml: &mut Xml, name: &'static str, unknowns: &[Unknown], index: &BTreeMap<u32, usize>) {
    if unknowns.is_empty() {
        return;
    }
    xml.begin(name, &none());
    for unknown in unknowns {
        let mut places: Option<Vec<usize>> = unknown
            .dependencies
            .as_ref()
            .map(|list| list.iter().filter_map(|reference| index.get(reference).copied()).collect());
        if let Some(places) = &mut places {
            places.sort_unstable();
        }
        let words = places.map(|places| places.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        xml.leaf(
            "Unknown",
            &none().maybe("index", index.get(&unknown.reference)).maybe("dependencies", words),
        );
    }
    xml.end();
}
