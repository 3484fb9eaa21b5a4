//! The description of an FMU of FMI 3.0.

use crate::structure::Unknown;
use crate::variables::{Exposed, Interval, Start, Type};
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
    let steps = states
        .with("canHandleVariableCommunicationStepSize", true)
        .with("hasEventMode", true)
        .with("providesIntermediateUpdate", true)
        .with("canReturnEarlyAfterIntermediateUpdate", true);
    xml.leaf("CoSimulation", &steps);
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
        .maybe("clocks", var.clock)
        .maybe("initial", var.initial);
    let whole = |attributes: Attributes| {
        attributes.maybe("min", var.min.map(|x| x as i64)).maybe("max", var.max.map(|x| x as i64))
    };
    // Of an array the values of all elements, one after the other.
    let starts = if var.elements.is_empty() { var.start.as_slice() } else { var.starts.as_slice() };
    let joined = |write: &dyn Fn(f64) -> String| {
        let words = starts.iter().filter_map(|start| match start {
            Start::Number(number) => Some(write(*number)),
            Start::Text(_) => None,
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    let whole_number = |x: f64| (x as i64).to_string();
    match &var.ty {
        Type::Real => {
            let display = units::is_display_unit(&var.unit, &var.display_unit);
            let attributes = common
                .text("unit", &var.unit)
                .maybe("displayUnit", display.then_some(&var.display_unit))
                .maybe("min", var.min)
                .maybe("max", var.max)
                .maybe("nominal", var.nominal)
                .maybe("start", joined(&|x| x.to_string()))
                .maybe("derivative", var.derivative_of);
            element(xml, "Float64", &attributes, var);
        }
        Type::Integer => {
            element(xml, "Int32", &whole(common).maybe("start", joined(&whole_number)), var);
        }
        Type::Boolean => {
            element(xml, "Boolean", &common.maybe("start", joined(&|x| (x != 0.0).to_string())), var);
        }
        Type::Enumeration(name, _) => {
            let attributes = whole(common.with("declaredType", name)).maybe("start", joined(&whole_number));
            element(xml, "Enumeration", &attributes, var);
        }
        Type::String => element(xml, "String", &common, var),
        Type::Clock(interval) => {
            let attributes = match interval {
                Interval::Triggered => common.with("intervalVariability", "triggered"),
                Interval::Fixed => common.with("intervalVariability", "fixed"),
                Interval::Constant(interval, shift) => common
                    .with("intervalVariability", "constant")
                    .with("intervalDecimal", interval)
                    .with("shiftDecimal", shift),
            };
            xml.leaf("Clock", &attributes);
        }
    }
}

/// A variable with its dimensions and the texts that it begins with.
fn element(xml: &mut Xml, name: &'static str, attributes: &Attributes, var: &Exposed) {
    let starts = if var.elements.is_empty() { var.start.as_slice() } else { var.starts.as_slice() };
    let texts: Vec<&String> = starts
        .iter()
        .filter_map(|start| match start {
            Start::Text(text) => Some(text),
            Start::Number(_) => None,
        })
        .collect();
    if var.dimensions.is_empty() && texts.is_empty() {
        xml.leaf(name, attributes);
        return;
    }
    xml.begin(name, attributes);
    for size in &var.dimensions {
        xml.leaf("Dimension", &none().with("start", size));
    }
    for text in texts {
        xml.leaf("Start", &none().with("value", text));
    }
    xml.end();
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
