//! The description of an FMU of FMI 3.0.

use crate::structure::Unknown;
use crate::variables::{Exposed, Start, Type};
use crate::xml::{Attributes, Xml, none};
use crate::{Description, units};
use kairos_fmi_runtime::Extra;
use std::collections::BTreeSet;

/// The text of `modelDescription.xml`.
pub fn write(d: &Description) -> String {
    let mut xml = Xml::new();
    let exchanges = d.exchanges();
    let head = none()
        .with("fmiVersion", "3.0")
        .with("modelName", d.name)
        .with("instantiationToken", &d.token)
        .with("generationTool", concat!("Kairos ", env!("CARGO_PKG_VERSION")))
        .with("variableNamingConvention", "structured");
    xml.begin("fmiModelDescription", &head);
    let states = none()
        .with("modelIdentifier", &d.identifier)
        .with("canGetAndSetFMUState", true)
        .with("canSerializeFMUState", true)
        .with("providesDirectionalDerivatives", true)
        .with("providesAdjointDerivatives", true);
    if exchanges {
        xml.leaf("ModelExchange", &states.clone().with("needsCompletedIntegratorStep", false));
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
    xml.begin("ModelVariables", &none());
    for var in &d.variables {
        variable(&mut xml, var);
    }
    let time = none()
        .with("name", "time")
        .with("valueReference", Extra::time(d.count))
        .with("causality", "independent")
        .with("variability", "continuous")
        .with("description", "Simulation time");
    xml.leaf("Float64", &time);
    for k in (0..d.indicators).filter(|_| exchanges) {
        let attributes = none()
            .with("name", format!("_event_indicator_{}", k + 1))
            .with("valueReference", Extra::indicator(d.count, k))
            .with("causality", "local")
            .with("variability", "continuous")
            .with("initial", "calculated");
        xml.leaf("Float64", &attributes);
    }
    xml.end();
    xml.begin("ModelStructure", &none());
    unknowns(&mut xml, "Output", &d.structure.outputs);
    if exchanges {
        unknowns(&mut xml, "ContinuousStateDerivative", &d.structure.derivatives);
    }
    for reference in &d.structure.initial {
        xml.leaf("InitialUnknown", &none().with("valueReference", reference));
    }
    for k in (0..d.indicators).filter(|_| exchanges) {
        xml.leaf("EventIndicator", &none().with("valueReference", Extra::indicator(d.count, k)));
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
        xml.begin("EnumerationType", &none().with("name", name));
        for (literal, value) in literals.iter().zip(1..) {
            xml.leaf("Item", &none().with("name", literal).with("value", value));
        }
        xml.end();
    }
    xml.end();
}

fn variable(xml: &mut Xml, var: &Exposed) {
    let common = none()
        .with("name", &var.name)
        .with("valueReference", var.reference)
        .text("description", &var.description)
        .with("causality", var.causality.name())
        .with("variability", var.variability)
        .maybe("initial", var.initial);
    let whole = |attributes: Attributes| {
        attributes.maybe("min", var.min.map(|x| x as i64)).maybe("max", var.max.map(|x| x as i64))
    };
    let number = match &var.start {
        Some(Start::Number(number)) => Some(*number),
        _ => None,
    };
    match &var.ty {
        Type::Real => {
            let display = units::is_display_unit(&var.unit, &var.display_unit);
            let attributes = common
                .text("unit", &var.unit)
                .maybe("displayUnit", display.then_some(&var.display_unit))
                .maybe("min", var.min)
                .maybe("max", var.max)
                .maybe("nominal", var.nominal)
                .maybe("start", number)
                .maybe("derivative", var.derivative_of);
            xml.leaf("Float64", &attributes);
        }
        Type::Integer => xml.leaf("Int32", &whole(common).maybe("start", number.map(|x| x as i64))),
        Type::Boolean => xml.leaf("Boolean", &common.maybe("start", number.map(|x| x != 0.0))),
        Type::Enumeration(name, _) => {
            let attributes =
                whole(common.with("declaredType", name)).maybe("start", number.map(|x| x as i64));
            xml.leaf("Enumeration", &attributes);
        }
        Type::String => match &var.start {
            Some(Start::Text(text)) => {
                xml.begin("String", &common);
                xml.leaf("Start", &none().with("value", text));
                xml.end();
            }
            _ => xml.leaf("String", &common),
        },
    }
}

fn unknowns(xml: &mut Xml, name: &'static str, unknowns: &[Unknown]) {
    for unknown in unknowns {
        let words = unknown.dependencies.as_ref().map(|list| {
            let mut list = list.clone();
            list.sort_unstable();
            list.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        });
        xml.leaf(name, &none().with("valueReference", unknown.reference).maybe("dependencies", words));
    }
}
