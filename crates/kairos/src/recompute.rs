//! Variables that a run left out, computed from its stored states.

use crate::pipeline::{Compilation, compile};
use crate::request::{Access, Goal, Request};
use crate::sink::{StreamSink, Streams, choose};
use kairos_base::{Diagnostic, SourceMap, World, json};
use kairos_expr::Scalar;
use kairos_machine::Machine;
use kairos_results::SnapshotReader;
use kairos_sim::Sink;
use serde_json::Value;
use std::io::Read;

/// What the states of a run are stored with: how to compile its model again, and how to know that it is the same.
pub fn states_header(request: &Request, compiled: &Compilation) -> String {
    let optional = |text: &Option<String>| text.as_deref().map_or("null".into(), json::quote);
    let settings =
        request.settings.iter().map(|(name, value)| json::list([name, value].map(|text| json::quote(text))));
    format!(
        r#"{{"model":{},"file":{},"libraries":{},"settings":{},"projection":{},"sources":{}}}"#,
        optional(&request.model),
        optional(&request.file),
        json::list(request.libraries.iter().map(|folder| json::quote(folder))),
        json::list(settings),
        request.projection,
        json::quote(&fingerprint(&compiled.sources)),
    )
}

/// The same for the same texts, wherever they are.
fn fingerprint(sources: &SourceMap) -> String {
    // The order of the files does not matter.
    let sum = sources.ids().fold(0u64, |sum, file| sum.wrapping_add(sources.digest(file)));
    format!("{sum:016x}")
}

/// How a computation ended; `rows` is what the table got.
#[derive(Default)]
pub struct Recomputed {
    pub rows: u64,
    pub diagnostics: Vec<Diagnostic>,
    pub sources: SourceMap,
}

impl Recomputed {
    fn failed(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], ..Self::default() }
    }
}

/// Computes the variables that `streams.patterns` name at every stored instant.
pub fn recompute(world: &dyn World, states: impl Read, streams: &mut Streams, access: Access) -> Recomputed {
    let opened = SnapshotReader::new(states).map_err(|error| error.to_string()).and_then(|reader| {
        let header = serde_json::from_str(&reader.header).map_err(|error| error.to_string())?;
        Ok((reader, header))
    });
    let (mut reader, header): (_, Value) = match opened {
        Ok(opened) => opened,
        Err(error) => return Recomputed::failed(unreadable(&error)),
    };
    let mut compiled = compile(world, &Request { access, ..request(&header) }, Goal::Machine);
    let mut done = Recomputed { sources: compiled.sources.clone(), ..Recomputed::default() };
    done.diagnostics.append(&mut compiled.diagnostics);
    let Some(machine) = compiled.machine.as_deref_mut() else { return done };
    if header["sources"].as_str() != Some(&fingerprint(&compiled.sources)) {
        done.diagnostics.push(changed());
        return done;
    }
    if let Some(problem) = refusal(machine, &streams.patterns) {
        done.diagnostics.push(problem);
        return done;
    }
    let mut wasted = Vec::new();
    let mut sink = StreamSink::new(streams, &compiled.sources, &mut wasted);
    let outcome = replay(machine, &mut reader, &mut sink, &mut done.rows);
    done.diagnostics.extend(outcome.err());
    done
}

fn replay(
    machine: &mut dyn Machine,
    reader: &mut SnapshotReader<impl Read>,
    sink: &mut StreamSink,
    rows: &mut u64,
) -> Result<(), Diagnostic> {
    let failed = |time: f64, text: &str| {
        Diagnostic::error("not-recomputed", format!("at time {time}: {text}"))
            .help("run the model again with these variables among `--vars`")
    };
    let mut begun = false;
    while let Some((time, values)) = reader.next_row().map_err(|error| unreadable(&error.to_string()))? {
        machine.set_time(time);
        if !begun {
            machine.prepare_replay().map_err(|error| failed(time, &error.fault().message))?;
            sink.begin(machine).map_err(|error| failed(time, &error))?;
            begun = true;
        }
        if values.is_empty() {
            return Err(failed(
                time,
                "the motion goes along a switching surface, where no mode's equations hold",
            ));
        }
        if !machine.go_back(values) {
            return Err(changed());
        }
        machine.outputs().map_err(|error| failed(time, &error.fault().message))?;
        sink.row(time, machine).map_err(|error| failed(time, &error))?;
        *rows += 1;
    }
    match begun {
        true => Ok(()),
        false => Err(nothing()),
    }
}

fn request(header: &Value) -> Request {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let pair = |value: &Value| Some((text(&value[0])?, text(&value[1])?));
    Request {
        file: text(&header["file"]),
        model: text(&header["model"]),
        libraries: list(&header["libraries"]).iter().filter_map(text).collect(),
        settings: list(&header["settings"]).iter().filter_map(pair).collect(),
        projection: header["projection"].as_bool().unwrap_or(false),
        ..Request::default()
    }
}

/// Why these variables cannot be computed, if so.
fn refusal(machine: &dyn Machine, patterns: &[String]) -> Option<Diagnostic> {
    let info = machine.info();
    for pattern in patterns {
        if choose(info, std::slice::from_ref(pattern)).is_empty() {
            let names = info.vars.iter().map(|var| var.name.as_str());
            return Some(crate::settings::unknown("the model", pattern, names));
        }
    }
    let text = choose(info, patterns)
        .into_iter()
        .map(|k| &info.vars[k])
        .find(|var| var.ty == Scalar::Str && !var.is_parameter())?;
    Some(
        Diagnostic::error(
            "not-recomputed",
            format!("`{}` is a text, and only numbers are stored", text.name),
        )
        .help("leave it out, or run the model again with it among `--vars`"),
    )
}

fn unreadable(error: &str) -> Diagnostic {
    Diagnostic::error("cannot-read", format!("the states of the run cannot be read: {error}"))
        .help("run the model again")
}

fn nothing() -> Diagnostic {
    Diagnostic::error(
        "not-recomputed",
        "no states are stored: a model with `delay` has more of a past than states",
    )
    .help("run the model again with these variables among `--vars`")
}

fn changed() -> Diagnostic {
    Diagnostic::error("model-changed", "the model is not the one that the states were stored for")
        .help("run it again: its files, a library or Kairos itself have changed since")
}
