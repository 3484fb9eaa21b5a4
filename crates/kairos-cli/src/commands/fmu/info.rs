//! `kairos fmu info`: what an FMU is and can do. Nothing of its code runs.

use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::SourceMap;
use kairos_fmi::import::{
    Archive, Causality, Description, Initial, Kind, Offer, Variability, Variable, state_count,
};
use std::fmt::Write;

#[derive(Args)]
pub struct Info {
    /// The FMU.
    #[arg(value_name = "FILE.fmu")]
    file: String,

    /// All variables, instead of parameters, inputs and outputs.
    #[arg(long)]
    all: bool,
}

impl Info {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        match Archive::open(&self.file) {
            Ok(archive) => output::print(&self.text(&archive), shell),
            Err(wrong) => {
                shell.show(&[wrong], &SourceMap::default());
                Status::ModelFailed
            }
        }
    }

    fn text(&self, archive: &Archive) -> String {
        let d = &archive.description;
        let mut out = String::new();
        let _ = writeln!(out, "{}: FMI {}", d.name, d.version_text);
        if !d.description.is_empty() {
            let _ = writeln!(out, "  {}", d.description);
        }
        if !d.tool.is_empty() {
            let _ = writeln!(out, "  made by {}", d.tool);
        }
        for kind in [Kind::ModelExchange, Kind::CoSimulation] {
            if let Some(offer) = d.offer(kind) {
                let _ = writeln!(out, "  {}: {}", kind.name(), abilities(kind, offer, d));
            }
        }
        if d.scheduled {
            let _ = writeln!(out, "  scheduled execution");
        }
        let _ = writeln!(out, "  platforms: {}", none(&archive.platforms().join(", ")));
        let e = &d.experiment;
        if let Some(stop) = e.stop {
            let _ = write!(out, "  experiment: from {} to {stop}", e.start.unwrap_or(0.0));
            let step = e.interval.map_or(String::new(), |step| format!(" in steps of {step}"));
            let tolerance = e.tolerance.map_or(String::new(), |tolerance| format!(", tolerance {tolerance}"));
            let _ = writeln!(out, "{step}{tolerance}");
        }
        let count = |wanted: Causality| d.variables.iter().filter(|var| var.causality == wanted).count();
        let _ = writeln!(
            out,
            "  {} variables: {} parameters, {} inputs, {} outputs",
            d.variables.len(),
            count(Causality::Parameter),
            count(Causality::Input),
            count(Causality::Output)
        );
        let shown = |var: &&Variable| {
            let told = [Causality::Parameter, Causality::Input, Causality::Output].contains(&var.causality);
            self.all || told
        };
        let rows: Vec<[String; 4]> = d.variables.iter().filter(shown).map(row).collect();
        let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2)];
        for [name, role, start, description] in &rows {
            let line = format!(
                "  {name:<0$}  {role:<1$}  {start:<2$}  {description}",
                widths[0], widths[1], widths[2]
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }
}

fn none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn abilities(kind: Kind, offer: &Offer, d: &Description) -> String {
    let mut words = Vec::new();
    if kind == Kind::ModelExchange {
        words.push(format!("{} states, {} event indicators", state_count(d), d.indicators));
    } else {
        words.push(if offer.any_step { "steps of any length" } else { "steps of one length" }.to_string());
        if offer.event_mode {
            words.push("events".into());
        }
    }
    let can = [
        (offer.keeps_state, "state kept"),
        (offer.writes_state, "state written"),
        (offer.directional, "directional derivatives"),
        (offer.adjoint, "adjoint derivatives"),
        (offer.only_once, "one instance a process"),
        (offer.needs_tool, "needs the tool that made it"),
    ];
    words.extend(can.iter().filter(|(has, _)| *has).map(|(_, word)| (*word).to_string()));
    words.join(", ")
}

fn row(var: &Variable) -> [String; 4] {
    let role = match var.causality {
        Causality::Parameter if var.variability == Variability::Tunable => "tunable parameter",
        Causality::Parameter => "parameter",
        Causality::StructuralParameter => "structural parameter",
        Causality::CalculatedParameter => "calculated",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "time",
    };
    let unit = if var.unit.is_empty() { String::new() } else { format!(" {}", var.unit) };
    let start = match var.start.as_slice() {
        [] => unit.trim_start().to_string(),
        _ if var.initial == Initial::Calculated => unit.trim_start().to_string(),
        [one] => format!("= {one}{unit}"),
        many => format!("= {{{}}}{unit}", many.join(", ")),
    };
    [var.name.clone(), role.to_string(), start, var.description.clone()]
}
