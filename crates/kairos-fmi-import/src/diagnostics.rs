//! The wording of what can be wrong with an FMU.

use kairos_base::Diagnostic;
use kairos_machine::{EvalError, Fault};

pub fn unreadable(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("cannot-read", format!("`{path}` cannot be read: {why}")).help("check the path")
}

pub fn no_zip(path: &str, why: &str) -> Diagnostic {
    let text = format!("`{path}` is no FMU: an FMU is a zip file, and this is none ({why})");
    Diagnostic::error("not-an-fmu", text).help("get the file again from where it comes from")
}

pub fn no_description(path: &str) -> Diagnostic {
    let text = format!("`{path}` is no FMU: there is no `modelDescription.xml` in it");
    Diagnostic::error("not-an-fmu", text)
        .help("pack the files of the FMU themselves, not the folder they are in")
}

pub fn bad_description(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("bad-fmu-description", format!("the description of `{path}` cannot be used: {why}"))
        .help("export the FMU again, or tell those who made it; `fmpy validate` checks descriptions")
}

pub fn no_kind(path: &str, wanted: &str, offered: &[&str]) -> Diagnostic {
    let text = match offered {
        [] => format!("`{path}` offers neither model exchange nor co-simulation"),
        _ => format!("`{path}` has no {wanted}, only {}", offered.join(" and ")),
    };
    let help = match offered {
        [] => "scheduled execution is not run here: export the FMU for co-simulation",
        ["model exchange"] => "leave `--kind` away, or give `--kind me`",
        _ => "leave `--kind` away, or give `--kind cs`",
    };
    Diagnostic::error("fmu-kind-missing", text).help(help)
}

pub fn wants_ticks(path: &str, clock: &str) -> Diagnostic {
    let text = format!(
        "`{path}` wants its clock `{clock}` to be activated by whoever runs it, which is not done here"
    );
    Diagnostic::error("fmu-clocks", text)
        .help("export the FMU so that its clocks tick by themselves; Kairos does that with `--clocks output`")
}

pub fn no_binary(path: &str, wanted: &[String], there: &[String], file: &str) -> Diagnostic {
    let for_ = match there {
        [] => "it has no binaries at all, only sources".to_string(),
        _ if there.iter().any(|platform| wanted.contains(platform)) => {
            format!("the folder for this platform has no `{file}`")
        }
        _ => format!("it has binaries for {}", there.join(", ")),
    };
    let text = format!("`{path}` has no binary for this platform, {}: {for_}", wanted.join(" or "));
    Diagnostic::error("fmu-binary-missing", text)
        .help("ask for an FMU for this platform, or run it on the one that it was made for")
}

pub fn not_unpacked(path: &str, error: &std::io::Error) -> Diagnostic {
    let text = format!("`{path}` cannot be unpacked: {error}");
    Diagnostic::error("fmu-not-unpacked", text).help("make room in the folder for temporary files (`TMPDIR`)")
}

pub fn not_loaded(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("fmu-not-loaded", format!("the library of `{path}` cannot be loaded: {why}"))
        .help("install what it needs, or ask for an FMU that was made for this system")
}

/// A call of an FMU that failed, with what the FMU itself said.
pub fn call_failed(what: &str, status: &str, said: &[String]) -> Fault {
    let text = match said {
        [] => format!("`{what}` of the FMU says {status}, and gives no reason"),
        _ => format!("`{what}` of the FMU says {status}: {}", said.join("; ")),
    };
    Fault { code: "fmu-failed", message: text, span: None, values: Vec::new(), help: Vec::new() }
}

pub fn ended(time: f64) -> EvalError {
    let message = format!("the FMU has ended the run at time {time}");
    EvalError::Fatal(Fault { code: "fmu-ended", message, span: None, values: Vec::new(), help: Vec::new() })
}

pub fn no_copy() -> EvalError {
    let message =
        "a second run from here would need a copy of the FMU, which this FMU does not allow".to_string();
    let help = vec!["use an FMU that can get and set its state; `--sliding off` needs fewer copies".into()];
    EvalError::Fatal(Fault { code: "fmu-not-copied", message, span: None, values: Vec::new(), help })
}

pub fn no_package(path: &str, why: &str) -> Diagnostic {
    let text = format!("`{path}` is no system of FMUs: {why}");
    Diagnostic::error("not-an-ssp", text).help("an SSP is a zip file with `SystemStructure.ssd` and the FMUs")
}

pub fn bad_system(path: &str, why: &str) -> Diagnostic {
    Diagnostic::error("bad-ssp", format!("the system in `{path}` cannot be used: {why}"))
        .help("correct it in the tool that made it")
}
