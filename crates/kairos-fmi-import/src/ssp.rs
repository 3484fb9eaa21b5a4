//! Systems of FMUs as SSP 1.0 and 2.0 describe them: components, connections and parameters, without their nesting.

use crate::diagnostics;
use crate::xml::Read;
use kairos_base::Diagnostic;
use kairos_model::Experiment;
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use zip::ZipArchive;

/// The description in every system.
const DESCRIPTION: &str = "SystemStructure.ssd";
const LONGEST: u64 = 4 << 30;

/// A system without its nesting: elements go by dotted names.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub name: String,
    pub experiment: Experiment,
    pub components: Vec<Part>,
    pub links: Vec<Link>,
    /// Inputs of the whole system with their start values, and its outputs.
    pub inputs: Vec<Connector>,
    pub outputs: Vec<Connector>,
    /// Values by dotted names.
    pub parameters: Vec<Setting>,
    /// Units of connectors of elements, where they are told.
    units: BTreeMap<(String, String), String>,
    systems: BTreeSet<String>,
}

/// An FMU in a system.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub source: String,
    /// `ModelExchange` or `CoSimulation`, where one is asked for.
    pub implementation: String,
}

/// A connector of the whole system.
#[derive(Clone, Debug)]
pub struct Connector {
    pub name: String,
    pub unit: String,
}

/// From the connector of one element to that of another; the whole system has no name.
#[derive(Clone, Debug)]
pub struct Link {
    pub from: (String, String),
    pub to: (String, String),
    pub factor: f64,
    pub offset: f64,
    /// Units are not converted.
    pub as_is: bool,
}

/// The value of a parameter.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    pub value: String,
    pub unit: String,
}

/// An archive with a system and the FMUs in it.
pub struct Package {
    pub path: String,
    pub system: System,
    zip: ZipArchive<std::fs::File>,
}

impl Package {
    /// Opens the file of a system.
    pub fn open(path: &str) -> Result<Package, Diagnostic> {
        let file =
            std::fs::File::open(path).map_err(|error| diagnostics::unreadable(path, &error.to_string()))?;
        let mut zip =
            ZipArchive::new(file).map_err(|error| diagnostics::no_package(path, &error.to_string()))?;
        let text = entry(&mut zip, DESCRIPTION)
            .ok_or_else(|| diagnostics::no_package(path, "it has no SystemStructure.ssd"))?;
        let wrong = |why: String| diagnostics::bad_system(path, &why);
        let text = String::from_utf8(text).map_err(|_| wrong("it is not a text in UTF-8".into()))?;
        let mut system = System::default();
        let mut files = |name: &str| {
            let bytes = entry(&mut zip, name).ok_or_else(|| format!("there is no file `{name}` in it"))?;
            String::from_utf8(bytes).map_err(|_| format!("`{name}` is not a text in UTF-8"))
        };
        system.read(&text, &mut files).map_err(wrong)?;
        Ok(Package { path: path.into(), system, zip })
    }

    /// A file in it.
    pub fn file(&mut self, name: &str) -> Option<Vec<u8>> {
        entry(&mut self.zip, name)
    }
}

fn entry(zip: &mut ZipArchive<std::fs::File>, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    zip.by_name(name).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

type Files<'f> = dyn FnMut(&str) -> Result<String, String> + 'f;

fn joined(path: &str, name: &str) -> String {
    match (path.is_empty(), name.is_empty()) {
        (true, _) => name.to_string(),
        (_, true) => path.to_string(),
        _ => format!("{path}.{name}"),
    }
}

impl System {
    fn read(&mut self, text: &str, files: &mut Files) -> Result<(), String> {
        let document = Document::parse(text.trim_start_matches('\u{feff}'))
            .map_err(|error| format!("it is not XML: {error}"))?;
        let root = document.root_element();
        if !root.has_tag_name("SystemStructureDescription") {
            return Err(format!("it describes no system: its root is `{}`", root.tag_name().name()));
        }
        let version = root.needed("version")?;
        if !version.starts_with("1.") && !version.starts_with("2.") {
            return Err(format!("it is one of SSP {version}; 1.0 and 2.0 are known here"));
        }
        self.name = root.maybe("name");
        if let Some(node) = root.child("DefaultExperiment") {
            self.experiment.start = node.number("startTime")?;
            self.experiment.stop = node.number("stopTime")?;
        }
        let system = root.child("System").ok_or("it has no `System`")?;
        if self.name.is_empty() {
            self.name = system.maybe("name");
        }
        self.system(system, "", files)
    }

    fn system(&mut self, node: Node, path: &str, files: &mut Files) -> Result<(), String> {
        self.systems.insert(path.to_string());
        for connector in connectors(node) {
            let (name, unit) = (connector.needed("name")?, unit_of(connector));
            self.units.insert((path.to_string(), name.clone()), unit.clone());
            if path.is_empty() {
                match connector.attribute("kind") {
                    Some("input") => self.inputs.push(Connector { name, unit }),
                    Some("output") => self.outputs.push(Connector { name, unit }),
                    _ => {}
                }
            }
        }
        self.bindings(node, path, files)?;
        let elements = node.child("Elements");
        for element in elements.iter().flat_map(|list| list.children().filter(Node::is_element)) {
            let name = element.needed("name")?;
            let inner = joined(path, &name);
            match element.tag_name().name() {
                "System" => self.system(element, &inner, files)?,
                "Component" => {
                    let ty = element.maybe("type");
                    if !ty.is_empty() && ty != "application/x-fmu-sharedlibrary" {
                        return Err(format!(
                            "the component `{inner}` is of the type `{ty}`; FMUs are run here"
                        ));
                    }
                    for connector in connectors(element) {
                        let unit = unit_of(connector);
                        self.units.insert((inner.clone(), connector.needed("name")?), unit);
                    }
                    self.bindings(element, &inner, files)?;
                    let implementation = element.maybe("implementation");
                    self.components.push(Part {
                        name: inner,
                        source: element.needed("source")?,
                        implementation,
                    });
                }
                other => return Err(format!("`{inner}` is a `{other}`, which is not run here")),
            }
        }
        let connections = node.child("Connections");
        for connection in connections.iter().flat_map(|list| list.children().filter(Node::is_element)) {
            if !connection.has_tag_name("Connection") {
                continue;
            }
            let end = |element: &str, name: &str| -> Result<(String, String), String> {
                Ok((joined(path, &connection.maybe(element)), connection.needed(name)?))
            };
            let (mut factor, mut offset) = (1.0, 0.0);
            for transformation in
                connection.children().filter(|child| child.tag_name().name().ends_with("Transformation"))
            {
                if !transformation.has_tag_name("LinearTransformation") {
                    return Err(format!("{} is not known here", transformation.place()));
                }
                factor = transformation.number("factor")?.unwrap_or(1.0);
                offset = transformation.number("offset")?.unwrap_or(0.0);
            }
            self.links.push(Link {
                from: end("startElement", "startConnector")?,
                to: end("endElement", "endConnector")?,
                factor,
                offset,
                as_is: connection.truth("suppressUnitConversion")?,
            });
        }
        Ok(())
    }

    fn bindings(&mut self, node: Node, path: &str, files: &mut Files) -> Result<(), String> {
        let Some(list) = node.child("ParameterBindings") else { return Ok(()) };
        for binding in list.children().filter(|child| child.has_tag_name("ParameterBinding")) {
            let prefix = binding.maybe("prefix");
            let mapping = mapping(binding, files)?;
            let text;
            let outer;
            let set = match binding.attribute("source") {
                Some(source) => {
                    text = files(source)?;
                    outer =
                        Document::parse(&text).map_err(|error| format!("`{source}` is not XML: {error}"))?;
                    Some(outer.root_element())
                }
                None => binding.child("ParameterValues").and_then(|values| values.child("ParameterSet")),
            };
            let parameters = set.and_then(|set| set.child("Parameters"));
            for parameter in
                parameters.iter().flat_map(|list| list.children().filter(|c| c.has_tag_name("Parameter")))
            {
                let name = format!("{prefix}{}", parameter.needed("name")?);
                let Some(value) = parameter.children().find(Node::is_element) else { continue };
                let (unit, text) = (value.maybe("unit"), value.needed("value")?);
                let targets: Vec<&(String, String, f64, f64)> =
                    mapping.iter().flatten().filter(|(source, ..)| *source == name).collect();
                // With a mapping only what it names is a parameter.
                if mapping.is_none() {
                    self.parameters.push(Setting { name: joined(path, &name), value: text, unit });
                    continue;
                }
                for (_, target, factor, offset) in targets {
                    let changed = match text.parse::<f64>() {
                        Ok(number) if (*factor, *offset) != (1.0, 0.0) => {
                            (factor * number + offset).to_string()
                        }
                        _ => text.clone(),
                    };
                    self.parameters.push(Setting {
                        name: joined(path, target),
                        value: changed,
                        unit: unit.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Where an input of an element comes from, through the connectors of systems on the way: element, connector, and what
    /// becomes of the value.
    pub fn origin(&self, element: &str, connector: &str) -> Result<Option<Origin>, String> {
        let mut at = (element.to_string(), connector.to_string());
        let (mut factor, mut offset) = (1.0, 0.0);
        let mut steps = Vec::new();
        for _ in 0..=self.links.len() {
            let Some(link) = self.links.iter().find(|link| link.to == at) else {
                let outer = at.0.is_empty();
                let some = !steps.is_empty() && outer;
                return Ok(some.then_some(Origin { from: at, factor, offset, units: steps }));
            };
            (factor, offset) = (factor * link.factor, factor * link.offset + offset);
            let units = (!link.as_is).then(|| (self.unit(&link.from), self.unit(&link.to)));
            steps.push(units);
            at = link.from.clone();
            if at.0.is_empty() || !self.systems.contains(&at.0) {
                return Ok(Some(Origin { from: at, factor, offset, units: steps }));
            }
        }
        Err(format!("the connections of `{element}.{connector}` go round in a circle"))
    }

    fn unit(&self, end: &(String, String)) -> String {
        self.units.get(end).cloned().unwrap_or_default()
    }
}

/// The source of a connection.
#[derive(Clone, Debug)]
pub struct Origin {
    pub from: (String, String),
    pub factor: f64,
    pub offset: f64,
    /// For each connection on the way, from the end to the beginning: the units at its beginning and its end; `None`: as they are.
    pub units: Vec<Option<(String, String)>>,
}

fn connectors<'a, 'b>(node: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    node.child("Connectors")
        .into_iter()
        .flat_map(|list| list.children().filter(|child| child.has_tag_name("Connector")))
}

fn unit_of(connector: Node) -> String {
    connector.children().find(Node::is_element).map_or(String::new(), |ty| ty.maybe("unit"))
}

/// Names that become others, with what becomes of their values.
fn mapping(binding: Node, files: &mut Files) -> Result<Option<Vec<(String, String, f64, f64)>>, String> {
    let Some(node) = binding.child("ParameterMapping") else { return Ok(None) };
    let text;
    let outer;
    let root = match node.attribute("source") {
        Some(source) => {
            text = files(source)?;
            outer = Document::parse(&text).map_err(|error| format!("`{source}` is not XML: {error}"))?;
            Some(outer.root_element())
        }
        None => node.child("ParameterMapping").or(Some(node)),
    };
    let mut list = Vec::new();
    for one in root.iter().flat_map(|root| root.children().filter(|child| child.has_tag_name("MappingEntry")))
    {
        let linear = one.child("LinearTransformation");
        let number = |name: &str| linear.map_or(Ok(None), |node| node.number(name));
        let (factor, offset) = (number("factor")?.unwrap_or(1.0), number("offset")?.unwrap_or(0.0));
        list.push((one.needed("source")?, one.needed("target")?, factor, offset));
    }
    Ok(Some(list))
}
