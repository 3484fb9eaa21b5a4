//! What an FMU says of itself: `modelDescription.xml` of FMI 2.0 and 3.0, as one and the same data.

use crate::xml::Read;
use kairos_model::Experiment;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// The version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0
    Two,
    /// FMI 3.0
    Three,
}

/// What an FMU is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whoever uses it integrates.
    ModelExchange,
    /// It integrates itself.
    CoSimulation,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::ModelExchange => "model exchange",
            Kind::CoSimulation => "co-simulation",
        }
    }
}

/// What one kind of an FMU can do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offer {
    pub identifier: String,
    pub needs_tool: bool,
    pub only_once: bool,
    /// Its state can be kept and restored; and written as bytes.
    pub keeps_state: bool,
    pub writes_state: bool,
    pub directional: bool,
    pub adjoint: bool,
    /// Model exchange: it wants to hear of every step.
    pub wants_steps: bool,
    /// Co-simulation: steps may have any length; it has an event mode; the length that steps are a multiple of.
    pub any_step: bool,
    pub event_mode: bool,
    pub step: Option<f64>,
}

/// Who determines a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    StructuralParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// How a variable may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// How its value at the start comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    Exact,
    Approx,
    Calculated,
}

/// The type of a variable; integers by their bits and whether they have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Float64,
    Float32,
    Integer { bits: u8, signed: bool },
    Boolean,
    String,
    Enumeration,
    Binary,
    Clock,
}

/// The length of one dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    Fixed(u64),
    /// The value of this structural parameter.
    Parameter(u32),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub reference: u32,
    pub description: String,
    pub causality: Causality,
    pub variability: Variability,
    pub initial: Initial,
    pub ty: Type,
    /// The values that it begins with, as texts; one for all elements of an array, or one for each.
    pub start: Vec<String>,
    pub unit: String,
    pub display_unit: String,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    /// The reference of the variable whose derivative it is.
    pub derivative_of: Option<u32>,
    pub dimensions: Vec<Dimension>,
    /// The type it is declared with.
    pub declared: String,
    /// The literals of an enumeration with their values.
    pub literals: Vec<(String, i64)>,
    /// A clock that whoever runs the FMU activates at planned instants.
    pub wants_ticks: bool,
    /// Another name for a variable before it.
    pub is_alias: bool,
}

/// A variable that follows from others; `None`: from all.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    pub reference: u32,
    pub dependencies: Option<Vec<u32>>,
}

/// An FMU as it describes itself.
#[derive(Clone, Debug)]
pub struct Description {
    pub version: Version,
    /// As it is written.
    pub version_text: String,
    pub name: String,
    pub token: String,
    pub description: String,
    pub tool: String,
    pub exchange: Option<Offer>,
    pub cosimulation: Option<Offer>,
    /// FMI 3.0 has a third kind.
    pub scheduled: bool,
    pub experiment: Experiment,
    pub variables: Vec<Variable>,
    pub outputs: Vec<Unknown>,
    pub derivatives: Vec<Unknown>,
    pub initial_unknowns: Vec<Unknown>,
    /// The number of event indicators in FMI 2.0, their references in FMI 3.0.
    pub indicators: usize,
    /// Units with the factor and offset that lead to their base units, if they are told, and their exponents.
    pub units: BTreeMap<String, Base>,
}

/// A unit in terms of base units: `base = factor*value + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    pub factor: f64,
    pub offset: f64,
    pub exponents: [i32; 8],
}

/// What a type definition gives to variables that have it.
#[derive(Clone, Default)]
struct Declared {
    unit: String,
    display_unit: String,
    min: Option<f64>,
    max: Option<f64>,
    nominal: Option<f64>,
    literals: Vec<(String, i64)>,
}

impl Description {
    /// Reads the text of `modelDescription.xml`; says what is wrong with it.
    pub fn read(text: &str) -> Result<Description, String> {
        let text = text.trim_start_matches('\u{feff}');
        let document = Document::parse(text).map_err(|error| format!("it is not XML: {error}"))?;
        let root = document.root_element();
        if !root.has_tag_name("fmiModelDescription") {
            return Err(format!("it describes no FMU: its root is `{}`", root.tag_name().name()));
        }
        let version_text = root.needed("fmiVersion")?;
        let version = match version_text.split('.').next() {
            Some("2") => Version::Two,
            Some("3") => Version::Three,
            _ => return Err(format!("it is one of FMI {version_text}; 2.0 and 3.0 are known here")),
        };
        let token = root.needed(if version == Version::Two { "guid" } else { "instantiationToken" })?;
        let experiment = match root.child("DefaultExperiment") {
            Some(node) => Experiment {
                start: node.number("startTime")?,
                stop: node.number("stopTime")?,
                interval: node.number("stepSize")?,
                tolerance: node.number("tolerance")?,
            },
            None => Experiment::default(),
        };
        let declared = types(root, version)?;
        let variables = variables(root, version, &declared)?;
        let mut description = Description {
            version,
            name: root.needed("modelName")?,
            token,
            description: root.maybe("description"),
            tool: root.maybe("generationTool"),
            exchange: offer(root, "ModelExchange", version)?,
            cosimulation: offer(root, "CoSimulation", version)?,
            scheduled: root.child("ScheduledExecution").is_some(),
            experiment,
            outputs: Vec::new(),
            derivatives: Vec::new(),
            initial_unknowns: Vec::new(),
            indicators: root.number("numberOfEventIndicators")?.unwrap_or(0),
            units: units(root)?,
            variables,
            version_text,
        };
        description.structure(root)?;
        Ok(description)
    }

    /// What the FMU offers for a kind.
    pub fn offer(&self, kind: Kind) -> Option<&Offer> {
        match kind {
            Kind::ModelExchange => self.exchange.as_ref(),
            Kind::CoSimulation => self.cosimulation.as_ref(),
        }
    }

    /// The first variable with a reference.
    pub fn by_reference(&self, reference: u32) -> Option<&Variable> {
        self.variables.iter().find(|var| var.reference == reference)
    }

    fn structure(&mut self, root: Node) -> Result<(), String> {
        let Some(structure) = root.child("ModelStructure") else { return Ok(()) };
        // In FMI 2.0 variables go by their places from 1.
        let by_index = |place: u32, node: Node| {
            let var = (place as usize).checked_sub(1).and_then(|k| self.variables.get(k));
            var.map(|var| var.reference).ok_or_else(|| format!("{} names no variable", node.place()))
        };
        let two = |list: &str| -> Result<Vec<Unknown>, String> {
            let Some(list) = structure.child(list) else { return Ok(Vec::new()) };
            let nodes = list.children().filter(|node| node.has_tag_name("Unknown"));
            let unknown = |node: Node| {
                let place = node.number("index")?.ok_or_else(|| format!("{} has no index", node.place()))?;
                let places: Option<Vec<u32>> = node.numbers("dependencies")?;
                let dependencies = places
                    .map(|places| places.into_iter().map(|place| by_index(place, node)).collect())
                    .transpose()?;
                Ok(Unknown { reference: by_index(place, node)?, dependencies })
            };
            nodes.map(unknown).collect()
        };
        let three = |name: &str| -> Result<Vec<Unknown>, String> {
            let nodes = structure.children().filter(|node| node.has_tag_name(name));
            let unknown = |node: Node| {
                let reference = node.number("valueReference")?;
                let reference = reference.ok_or_else(|| format!("{} has no valueReference", node.place()))?;
                Ok(Unknown { reference, dependencies: node.numbers("dependencies")? })
            };
            nodes.map(unknown).collect()
        };
        match self.version {
            Version::Two => {
                let (outputs, derivatives) = (two("Outputs")?, two("Derivatives")?);
                let initial = two("InitialUnknowns")?;
                (self.outputs, self.derivatives, self.initial_unknowns) = (outputs, derivatives, initial);
            }
            Version::Three => {
                let (outputs, derivatives) = (three("Output")?, three("ContinuousStateDerivative")?);
                let (initial, indicators) = (three("InitialUnknown")?, three("EventIndicator")?.len());
                (self.outputs, self.derivatives, self.initial_unknowns) = (outputs, derivatives, initial);
                self.indicators = indicators;
            }
        }
        Ok(())
    }
}

fn offer(root: Node, name: &str, version: Version) -> Result<Option<Offer>, String> {
    let Some(node) = root.child(name) else { return Ok(None) };
    let two = version == Version::Two;
    let word = |two_: &'static str, three: &'static str| if two { two_ } else { three };
    Ok(Some(Offer {
        identifier: node.needed("modelIdentifier")?,
        needs_tool: node.truth("needsExecutionTool")?,
        only_once: node.truth("canBeInstantiatedOnlyOncePerProcess")?,
        keeps_state: node.truth(word("canGetAndSetFMUstate", "canGetAndSetFMUState"))?,
        writes_state: node.truth(word("canSerializeFMUstate", "canSerializeFMUState"))?,
        directional: node.truth(word("providesDirectionalDerivative", "providesDirectionalDerivatives"))?,
        adjoint: node.truth("providesAdjointDerivatives")?,
        wants_steps: match two {
            true => !node.truth("completedIntegratorStepNotNeeded")?,
            false => node.truth("needsCompletedIntegratorStep")?,
        },
        any_step: node.truth("canHandleVariableCommunicationStepSize")?,
        event_mode: node.truth("hasEventMode")?,
        step: node.number("fixedInternalStepSize")?,
    }))
}

fn types(root: Node, version: Version) -> Result<BTreeMap<String, Declared>, String> {
    let mut types = BTreeMap::new();
    let Some(list) = root.child("TypeDefinitions") else { return Ok(types) };
    for node in list.children().filter(Node::is_element) {
        let inner = match version {
            Version::Two => node.children().find(Node::is_element).unwrap_or(node),
            Version::Three => node,
        };
        let mut declared = attributes(inner)?;
        for item in inner.children().filter(|child| child.has_tag_name("Item")) {
            let value = item.number("value")?.unwrap_or(declared.literals.len() as i64 + 1);
            declared.literals.push((item.needed("name")?, value));
        }
        types.insert(node.needed("name")?, declared);
    }
    Ok(types)
}

fn attributes(node: Node) -> Result<Declared, String> {
    Ok(Declared {
        unit: node.maybe("unit"),
        display_unit: node.maybe("displayUnit"),
        min: node.number("min")?,
        max: node.number("max")?,
        nominal: node.number("nominal")?,
        literals: Vec::new(),
    })
}

fn type_of(name: &str) -> Option<Type> {
    Some(match name {
        "Real" | "Float64" => Type::Float64,
        "Float32" => Type::Float32,
        "Integer" => Type::Integer { bits: 32, signed: true },
        "Boolean" => Type::Boolean,
        "String" => Type::String,
        "Enumeration" => Type::Enumeration,
        "Binary" => Type::Binary,
        "Clock" => Type::Clock,
        _ => {
            let (signed, bits) = match name.strip_prefix('U') {
                Some(rest) => (false, rest.strip_prefix("Int")?),
                None => (true, name.strip_prefix("Int")?),
            };
            Type::Integer { bits: bits.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?, signed }
        }
    })
}

fn variables(
    root: Node,
    version: Version,
    types: &BTreeMap<String, Declared>,
) -> Result<Vec<Variable>, String> {
    let mut list = Vec::new();
    let Some(nodes) = root.child("ModelVariables") else { return Err("it has no `ModelVariables`".into()) };
    for node in nodes.children().filter(Node::is_element) {
        // In FMI 2.0 the type is an element of its own.
        let inner = match version {
            Version::Two => {
                node.children().find(|child| child.is_element() && !child.has_tag_name("Annotations"))
            }
            Version::Three => Some(node),
        };
        let inner = inner.ok_or_else(|| format!("{} has no type", node.place()))?;
        let ty = type_of(inner.tag_name().name())
            .ok_or_else(|| format!("{} has no type that is known", inner.place()))?;
        list.push(variable(node, inner, ty, version, types)?);
        for alias in inner.children().filter(|child| child.has_tag_name("Alias")) {
            let mut var = list[list.len() - 1].clone();
            var.name = alias.needed("name")?;
            var.description = alias.maybe("description");
            var.is_alias = true;
            list.push(var);
        }
    }
    if version == Version::Two {
        // There `derivative` is the place of the state; here it is its reference.
        let references: Vec<u32> = list.iter().map(|var: &Variable| var.reference).collect();
        for var in &mut list {
            let place = var.derivative_of.and_then(|place| (place as usize).checked_sub(1));
            var.derivative_of = place.and_then(|place| references.get(place).copied());
        }
    }
    Ok(list)
}

fn variable(
    node: Node,
    inner: Node,
    ty: Type,
    version: Version,
    types: &BTreeMap<String, Declared>,
) -> Result<Variable, String> {
    let declared_name = inner.maybe("declaredType");
    let declared = types.get(&declared_name).cloned().unwrap_or_default();
    let own = attributes(inner)?;
    let or = |own: String, other: String| if own.is_empty() { other } else { own };
    let causality = match node.attribute("causality") {
        Some("parameter") => Causality::Parameter,
        Some("calculatedParameter") => Causality::CalculatedParameter,
        Some("structuralParameter") => Causality::StructuralParameter,
        Some("input") => Causality::Input,
        Some("output") => Causality::Output,
        Some("independent") => Causality::Independent,
        None | Some("local") => Causality::Local,
        Some(other) => return Err(format!("{} has the causality `{other}`", node.place())),
    };
    let variability = match node.attribute("variability") {
        Some("constant") => Variability::Constant,
        Some("fixed") => Variability::Fixed,
        Some("tunable") => Variability::Tunable,
        Some("discrete") => Variability::Discrete,
        Some("continuous") => Variability::Continuous,
        Some(other) => return Err(format!("{} has the variability `{other}`", node.place())),
        None => match causality {
            Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter
                if version == Version::Three =>
            {
                Variability::Fixed
            }
            _ if matches!(ty, Type::Float64 | Type::Float32) => Variability::Continuous,
            _ => Variability::Discrete,
        },
    };
    let start = match inner.numbers::<String>("start")? {
        Some(_) if ty == Type::String => vec![inner.maybe("start")],
        Some(words) => words,
        None => inner
            .children()
            .filter(|child| child.has_tag_name("Start"))
            .map(|child| child.needed("value"))
            .collect::<Result<_, _>>()?,
    };
    let initial = match node.attribute("initial") {
        Some("exact") => Initial::Exact,
        Some("approx") => Initial::Approx,
        Some("calculated") => Initial::Calculated,
        Some(other) => return Err(format!("{} has the initial `{other}`", node.place())),
        None => match causality {
            Causality::Parameter | Causality::StructuralParameter | Causality::Input => Initial::Exact,
            _ if variability == Variability::Constant => Initial::Exact,
            _ => Initial::Calculated,
        },
    };
    let mut dimensions = Vec::new();
    for dimension in inner.children().filter(|child| child.has_tag_name("Dimension")) {
        dimensions.push(match (dimension.number("start")?, dimension.number("valueReference")?) {
            (Some(size), _) => Dimension::Fixed(size),
            (None, Some(reference)) => Dimension::Parameter(reference),
            (None, None) => return Err(format!("{} has no size", dimension.place())),
        });
    }
    Ok(Variable {
        name: node.needed("name")?,
        reference: node
            .number("valueReference")?
            .ok_or_else(|| format!("{} has no valueReference", node.place()))?,
        description: node.maybe("description"),
        causality,
        variability,
        initial,
        ty,
        start,
        unit: or(own.unit, declared.unit),
        display_unit: or(own.display_unit, declared.display_unit),
        min: own.min.or(declared.min),
        max: own.max.or(declared.max),
        nominal: own.nominal.or(declared.nominal),
        derivative_of: inner.number("derivative")?,
        dimensions,
        declared: declared_name,
        literals: declared.literals,
        wants_ticks: ty == Type::Clock
            && causality == Causality::Input
            && node.attribute("intervalVariability").is_some_and(|kind| kind != "triggered"),
        is_alias: false,
    })
}

fn units(root: Node) -> Result<BTreeMap<String, Base>, String> {
    let mut units = BTreeMap::new();
    let Some(list) = root.child("UnitDefinitions") else { return Ok(units) };
    for node in list.children().filter(|node| node.has_tag_name("Unit")) {
        let Some(base) = node.child("BaseUnit") else { continue };
        let mut exponents = [0; 8];
        for (exponent, name) in exponents.iter_mut().zip(["kg", "m", "s", "A", "K", "mol", "cd", "rad"]) {
            *exponent = base.number(name)?.unwrap_or(0);
        }
        let (factor, offset) = (base.number("factor")?.unwrap_or(1.0), base.number("offset")?.unwrap_or(0.0));
        units.insert(node.needed("name")?, Base { factor, offset, exponents });
    }
    Ok(units)
}
