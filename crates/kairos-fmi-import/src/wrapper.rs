//! The text of a component that stands for an FMU in models.
//!
//! Model exchange: the states are those of the component, whose derivatives, outputs and event indicators are functions of
//! time, states, inputs and the version of the FMU (`component.rs`); an indicator that changes its sign, the planned instant
//! or an input that jumps is an event, which gives the next version. Equations read `pre(version)`, so that they do not
//! depend on the event that they cause. Co-simulation: at communication points a step with the inputs of its beginning.

use crate::component::{PREFIX, is_real};
use crate::description::{Description, Kind, Variable};
use crate::interface::{Interface, Port};
use crate::layout::lay_out;
use crate::variables;
use kairos_machine::{MachineInfo, VarInfo};
use std::fmt::Write;

/// Writes the component `name` for the FMU in `file`, which is a `modelica://` name or a path.
pub fn component(description: &Description, kind: Kind, name: &str, file: &str) -> Result<String, String> {
    let (layout, info) = lay_out(description, kind)?;
    let interface = Interface::new(description, &layout, &info, kind);
    let mut writer = Writer { description, info: &info, interface: &interface, out: String::new() };
    writer.head(name, kind, file);
    writer.functions(kind, file);
    match kind {
        Kind::ModelExchange => writer.exchange(),
        Kind::CoSimulation => writer.cosimulation(),
    }
    writer.tail(name);
    Ok(writer.out)
}

struct Writer<'a> {
    description: &'a Description,
    info: &'a MachineInfo,
    interface: &'a Interface,
    out: String,
}

/// A name as Modelica writes it.
fn identifier(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !TAKEN.contains(&name);
    match plain {
        true => name.to_string(),
        false => format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")),
    }
}

/// Words of the language, and the names that every component has.
const TAKEN: [&str; 73] = [
    "algorithm",
    "and",
    "annotation",
    "block",
    "break",
    "class",
    "connect",
    "connector",
    "constant",
    "constrainedby",
    "der",
    "discrete",
    "each",
    "else",
    "elseif",
    "elsewhen",
    "encapsulated",
    "end",
    "enumeration",
    "equation",
    "expandable",
    "extends",
    "external",
    "false",
    "final",
    "flow",
    "for",
    "function",
    "if",
    "import",
    "impure",
    "in",
    "initial",
    "inner",
    "input",
    "loop",
    "model",
    "not",
    "operator",
    "or",
    "outer",
    "output",
    "package",
    "parameter",
    "partial",
    "protected",
    "public",
    "pure",
    "record",
    "redeclare",
    "replaceable",
    "return",
    "stream",
    "then",
    "true",
    "type",
    "when",
    "while",
    "within",
    "time",
    "fmu",
    "fmuFile",
    "fmuVersion",
    "fmuNext",
    "fmuEnded",
    "fmuStates",
    "fmuJump",
    "fmuIndicators",
    "fmuPositive",
    "fmuInputs",
    "fmuDiscrete",
    "fmuHeld",
    "fmuLast",
];

fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }

    fn var(&self, port: &Port) -> (&VarInfo, &Variable) {
        (&self.info.vars[port.var], &self.description.variables[port.described])
    }

    fn name(&self, port: &Port) -> String {
        identifier(&self.info.vars[port.var].name)
    }

    /// The type word of a port.
    fn word(&self, port: &Port) -> &'static str {
        let (info, var) = self.var(port);
        match info.ty {
            kairos_expr::Scalar::Bool => "Boolean",
            _ if is_real(var.ty) => "Real",
            _ => "Integer",
        }
    }

    /// A port as a number, in an expression.
    fn as_number(&self, port: &Port) -> String {
        let name = self.name(port);
        if self.word(port) == "Boolean" { format!("(if {name} then 1.0 else 0.0)") } else { name }
    }

    fn attributes(&self, port: &Port, start: bool) -> String {
        let (info, var) = self.var(port);
        let mut list = Vec::new();
        if is_real(var.ty) {
            if !info.unit.is_empty() {
                list.push(format!("unit={}", text(&info.unit)));
            }
            if !info.display_unit.is_empty() {
                list.push(format!("displayUnit={}", text(&info.display_unit)));
            }
            var.nominal.iter().for_each(|nominal| list.push(format!("nominal={nominal:?}")));
            var.min.iter().for_each(|min| list.push(format!("min={min:?}")));
            var.max.iter().for_each(|max| list.push(format!("max={max:?}")));
        }
        if start && let Some(value) = self.start(port) {
            list.push(format!("start={value}"));
        }
        if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
    }

    fn start(&self, port: &Port) -> Option<String> {
        let (info, var) = self.var(port);
        let elements = variables::elements(self.description).ok()?;
        let element = elements.get(port.var)?.element;
        let number = variables::number(var, variables::start(var, element)?);
        Some(match self.word(port) {
            "Boolean" => (number != 0.0).to_string(),
            "Integer" => format!("{}", number as i64),
            _ if info.ty == kairos_expr::Scalar::Real => format!("{number:?}"),
            _ => number.to_string(),
        })
    }

    fn described(&self, port: &Port) -> String {
        let (_, var) = self.var(port);
        if var.description.is_empty() { String::new() } else { format!(" {}", text(&var.description)) }
    }

    fn head(&mut self, name: &str, kind: Kind, file: &str) {
        let d = self.description;
        let remark =
            if d.description.is_empty() { format!("The FMU {}", d.name) } else { d.description.clone() };
        self.line(&format!("model {} {}", identifier(name), text(&remark)));
        self.line(&format!("  parameter String fmuFile = {} \"The FMU itself\";", text(file)));
        if kind == Kind::CoSimulation {
            let step = self.description.experiment.interval.filter(|step| *step > 0.0);
            let span = self.description.experiment.stop.unwrap_or(1.0)
                - self.description.experiment.start.unwrap_or(0.0);
            let step = step.unwrap_or(if span > 0.0 { span / 500.0 } else { 0.01 });
            self.line(&format!(
                "  parameter Real fmuStep(unit=\"s\") = {step:?} \"Distance of communication points\";"
            ));
        }
        for port in self.interface.parameters.clone() {
            let (word, name, value) = (self.word(&port), self.name(&port), self.start(&port));
            let (attributes, said) = (self.attributes(&port, false), self.described(&port));
            let value = value.map_or(String::new(), |value| format!(" = {value}"));
            self.line(&format!("  parameter {word} {name}{attributes}{value}{said};"));
        }
        for port in self.interface.starts.clone() {
            let name = identifier(&format!("{}.start", self.info.vars[port.var].name));
            let (attributes, value) = (self.attributes(&port, false), self.start(&port).unwrap_or_default());
            self.line(&format!("  parameter Real {name}{attributes} = {value} \"Start value\";"));
        }
        let outputs: Vec<Port> = self.interface.outputs.iter().map(|(port, _)| port.clone()).collect();
        let outputs: Vec<Port> = outputs.into_iter().chain(self.interface.discrete.clone()).collect();
        for (way, ports, side) in [("input", self.interface.inputs.clone(), -1), ("output", outputs, 1)] {
            let count = ports.len();
            for (k, port) in ports.iter().enumerate() {
                let connector =
                    format!("{}{}", self.word(port), if way == "input" { "Input" } else { "Output" });
                let (name, said) = (self.name(port), self.described(port));
                let attributes = self.attributes(port, way == "input");
                let y = 100 - (200 * (k + 1) / (count + 1)) as i32;
                let (x0, x1) = if side < 0 { (-120, -100) } else { (100, 120) };
                self.line(&format!(
                    "  {connector} {name}{attributes}{said} annotation(Placement(transformation(extent={{{{{x0}, {}}}, {{{x1}, {}}}}})));",
                    y - 10,
                    y + 10
                ));
            }
        }
        for ty in ["Real", "Integer", "Boolean"] {
            for (way, points) in [
                ("Input", "{{-100, 100}, {100, 0}, {-100, -100}}"),
                ("Output", "{{-100, 100}, {100, 0}, {-100, -100}}"),
            ] {
                let wanted = format!("  {ty}{way} ");
                if !self.out.contains(&wanted) {
                    continue;
                }
                let colour = match ty {
                    "Real" => "{0, 0, 127}",
                    "Integer" => "{255, 127, 0}",
                    _ => "{255, 0, 255}",
                };
                let fill = if way == "Input" { colour } else { "{255, 255, 255}" };
                self.line(&format!(
                    "  connector {ty}{way} = {} {ty} annotation(Icon(graphics={{Polygon(points={points}, lineColor={colour}, fillColor={fill}, fillPattern=FillPattern.Solid)}}));",
                    way.to_lowercase()
                ));
            }
        }
        self.line("protected");
    }

    fn exchange(&mut self) {
        let Interface { parameters, starts, inputs, outputs, discrete } = self.interface.clone();
        let (n, m, nu, nd) =
            (self.info.states.len(), self.description.indicators, inputs.len(), discrete.len());
        let begun: Vec<String> = parameters
            .iter()
            .map(|port| self.as_number(port))
            .chain(starts.iter().map(|port| identifier(&format!("{}.start", self.info.vars[port.var].name))))
            .collect();
        self.line("  Instance fmu = Instance(fmuFile, true);");
        self.line("  Integer fmuVersion(start=0) \"Grows with every event\";");
        self.line("  discrete Real fmuNext(start=0) \"The next time event\";");
        self.line("  Boolean fmuEnded(start=false);");
        self.line(&format!("  Real fmuStates[{n}]{};", self.nominals()));
        self.line(&format!("  discrete Real fmuJump[{n}] \"The states after an event\";"));
        if m > 0 {
            self.line(&format!("  Real fmuIndicators[{m}];"));
            self.line(&format!("  Boolean fmuPositive[{m}];"));
        }
        self.line(&format!("  Real fmuInputs[{nu}];"));
        self.line(&format!("  discrete Real fmuDiscrete[{nd}];"));
        self.line("initial equation");
        self.line("  fmuStates = fmuJump;");
        self.line("  pre(fmuVersion) = fmuVersion;");
        self.line("  pre(fmuNext) = fmuNext;");
        self.line("equation");
        self.line(&format!(
            "  fmuInputs = {};",
            braces(&inputs.iter().map(|port| self.as_number(port)).collect::<Vec<_>>())
        ));
        let at = "fmu, pre(fmuVersion), time, fmuStates";
        if n > 0 {
            self.line(&format!("  der(fmuStates) = derivatives({at}, fmuInputs);"));
        }
        // Outputs that depend on the same inputs are asked for together.
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (k, (_, on)) in outputs.iter().enumerate() {
            let on = on.clone().unwrap_or_else(|| (0..nu).collect());
            match groups.iter_mut().find(|(known, _)| *known == on) {
                Some((_, list)) => list.push(k),
                None => groups.push((on, vec![k])),
            }
        }
        for (on, list) in groups {
            let names: Vec<String> = list.iter().map(|k| self.name(&outputs[*k].0)).collect();
            let given: Vec<String> = on.iter().map(|k| format!("fmuInputs[{}]", k + 1)).collect();
            let which: Vec<String> = on.iter().map(|k| (k + 1).to_string()).collect();
            let wanted: Vec<String> = list.iter().map(|k| (k + 1).to_string()).collect();
            let whole = |list: Vec<String>| if list.is_empty() { "fill(0, 0)".into() } else { braces(&list) };
            self.line(&format!(
                "  {} = outputs({at}, {}, {}, {});",
                braces(&names),
                braces(&given),
                whole(which),
                whole(wanted)
            ));
        }
        let mut causes: Vec<String> = (1..=m).map(|k| format!("change(fmuPositive[{k}])")).collect();
        causes.push("time >= pre(fmuNext)".into());
        let jumping = inputs.iter().filter(|port| self.word(port) != "Real");
        causes.extend(jumping.map(|port| format!("change({})", self.name(port))));
        if m > 0 {
            self.line(&format!("  fmuIndicators = indicators({at}, fmuInputs);"));
            self.line(&format!("  for k in 1:{m} loop"));
            self.line("    fmuPositive[k] = fmuIndicators[k] > 0;");
            self.line("  end for;");
        }
        let left = "(fmuVersion, fmuNext, fmuEnded, fmuJump, fmuDiscrete)";
        self.line("  when initial() then");
        self.line(&format!("    {left} = initialise(fmu, time, {}, fmuInputs);", braces(&begun)));
        self.line(&format!("  elsewhen {{{}}} then", causes.join(", ")));
        self.line(&format!("    {left} = event({at}, fmuInputs);"));
        for k in 1..=n {
            self.line(&format!("    reinit(fmuStates[{k}], fmuJump[{k}]);"));
        }
        self.line("  end when;");
        self.finish(&discrete);
    }

    fn cosimulation(&mut self) {
        let Interface { parameters, inputs, discrete, .. } = self.interface.clone();
        let (nu, nd) = (inputs.len(), discrete.len());
        let begun: Vec<String> = parameters.iter().map(|port| self.as_number(port)).collect();
        self.line("  parameter Real fmuStart(fixed=false);");
        self.line("  Instance fmu = Instance(fmuFile, false);");
        self.line("  Integer fmuVersion(start=0) \"Grows with every step\";");
        self.line("  Boolean fmuEnded(start=false);");
        self.line("  discrete Real fmuLast \"The last communication point\";");
        self.line(&format!("  discrete Real fmuHeld[{nu}] \"The inputs there\";"));
        self.line(&format!("  Real fmuInputs[{nu}];"));
        self.line(&format!("  discrete Real fmuDiscrete[{nd}];"));
        self.line("initial equation");
        self.line("  fmuStart = time;");
        self.line("equation");
        self.line(&format!(
            "  fmuInputs = {};",
            braces(&inputs.iter().map(|port| self.as_number(port)).collect::<Vec<_>>())
        ));
        let left = "(fmuVersion, fmuEnded, fmuDiscrete)";
        self.line("  when initial() then");
        self.line(&format!("    {left} = initialise(fmu, time, {}, fmuInputs);", braces(&begun)));
        self.line("    fmuLast = time;");
        self.line("    fmuHeld = fmuInputs;");
        self.line("  elsewhen sample(fmuStart + fmuStep, fmuStep) then");
        self.line(&format!("    {left} = step(fmu, pre(fmuVersion), pre(fmuLast), time, pre(fmuHeld));"));
        self.line("    fmuLast = time;");
        self.line("    fmuHeld = fmuInputs;");
        self.line("  end when;");
        self.finish(&discrete);
    }

    fn finish(&mut self, discrete: &[Port]) {
        for (k, port) in discrete.iter().enumerate() {
            let (name, value) = (self.name(port), format!("fmuDiscrete[{}]", k + 1));
            let value = match self.word(port) {
                "Boolean" => format!("{value} > 0.5"),
                "Integer" => format!("integer({value} + 0.5)"),
                _ => value,
            };
            self.line(&format!("  {name} = {value};"));
        }
        self.line("  when fmuEnded then");
        self.line("    terminate(\"the FMU has ended the run\");");
        self.line("  end when;");
    }

    fn nominals(&self) -> String {
        let nominal = |slot: &u32| {
            let var = self.info.vars.iter().find(|var| var.slot == *slot);
            let described =
                var.and_then(|var| self.description.variables.iter().find(|known| known.name == var.name));
            described.and_then(|known| known.nominal).unwrap_or(1.0)
        };
        let list: Vec<String> = self.info.states.iter().map(|slot| format!("{:?}", nominal(slot))).collect();
        if list.is_empty() { String::new() } else { format!("(nominal={{{}}})", list.join(", ")) }
    }

    fn functions(&mut self, kind: Kind, file: &str) {
        let library = file.rsplit('/').next().unwrap_or(file).to_string();
        let code = format!("annotation(Library={})", text(&library));
        let (n, m) = (self.info.states.len(), self.description.indicators);
        let nd = self.interface.discrete.len();
        let mut declared = |head: &str, results: &[String], call: &str| {
            let outputs: Vec<&str> =
                results.iter().filter_map(|result| result.split([' ', '[']).nth(1)).collect();
            let arguments: Vec<&str> =
                head.split("; ").filter_map(|one| one.split_whitespace().nth(1)?.split('[').next()).collect();
            let name = call;
            let _ = writeln!(self.out, "  function {name}");
            for one in head.split("; ") {
                let _ = writeln!(self.out, "    input {one};");
            }
            for one in results {
                let _ = writeln!(self.out, "    output {one};");
            }
            let all: Vec<&str> = arguments.into_iter().chain(outputs).collect();
            let _ = writeln!(self.out, "    external \"C\" {PREFIX}{name}({}) {code};", all.join(", "));
            let _ = writeln!(self.out, "  end {name};");
        };
        let at = "Instance fmu; Integer version; Real t; Real x[:]; Real u[:]";
        if kind == Kind::ModelExchange {
            let after: Vec<String> = vec![
                "Integer newVersion".into(),
                "Real next".into(),
                "Boolean ended".into(),
                format!("Real xNew[{n}]"),
                format!("Real y[{nd}]"),
            ];
            declared("Instance fmu; Real t; Real p[:]; Real u[:]", &after, "initialise");
            declared(at, &after, "event");
            if n > 0 {
                declared(at, &[format!("Real dx[{n}]")], "derivatives");
            }
            if m > 0 {
                declared(at, &[format!("Real z[{m}]")], "indicators");
            }
            let asked = format!("{at}; Integer which[:]; Integer wanted[:]");
            declared(&asked, &["Real y[size(wanted, 1)]".to_string()], "outputs");
        } else {
            let after: Vec<String> =
                vec!["Integer newVersion".into(), "Boolean ended".into(), format!("Real y[{nd}]")];
            declared("Instance fmu; Real t; Real p[:]; Real u[:]", &after, "initialise");
            declared("Instance fmu; Integer version; Real from; Real to; Real u[:]", &after, "step");
        }
        self.line("  class Instance");
        self.line("    extends ExternalObject;");
        self.line("    function constructor");
        self.line("      input String file;");
        self.line("      input Boolean exchange;");
        self.line("      output Instance fmu;");
        self.line(&format!("      external \"C\" fmu = {PREFIX}open(file, exchange) {code};"));
        self.line("    end constructor;");
        self.line("    function destructor");
        self.line("      input Instance fmu;");
        self.line(&format!("      external \"C\" {PREFIX}close(fmu) {code};"));
        self.line("    end destructor;");
        self.line("  end Instance;");
    }

    fn tail(&mut self, name: &str) {
        let icon = "Icon(graphics={Rectangle(extent={{-100, 100}, {100, -100}}, lineColor={60, 60, 60}, fillColor={255, 255, 255}, fillPattern=FillPattern.Solid), Text(extent={{-150, 140}, {150, 100}}, textString=\"%name\"), Text(extent={{-90, 30}, {90, -30}}, textString=\"FMU\")})";
        let e = &self.description.experiment;
        let experiment = e.stop.map_or(String::new(), |stop| {
            format!(", experiment(StartTime={:?}, StopTime={stop:?})", e.start.unwrap_or(0.0))
        });
        self.line(&format!("  annotation({icon}{experiment});"));
        self.line(&format!("end {};", identifier(name)));
    }
}

fn braces(list: &[String]) -> String {
    if list.is_empty() { "fill(0.0, 0)".into() } else { format!("{{{}}}", list.join(", ")) }
}
