//! What all commands share towards the terminal: messages, colour, exit status, and the report of our own bugs.

use clap::{Args, ValueEnum};
use kairos_base::{Diagnostic, SourceMap, render_json, render_text};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// The version with the revision it was built from, if known.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("KAIROS_REVISION"));

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Success,
    /// The model is wrong or its simulation failed.
    ModelFailed,
    /// The command was not used as it is meant to be.
    WrongUsage,
    /// Ctrl-C ended it.
    Interrupted,
}

/// Codes of mistakes in what was asked, not in the model.
const USAGE: [&str; 4] = ["cannot-read", "unknown-variable", "wrong-option", "wrong-setting"];

impl Status {
    /// What errors say about whose fault it was.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        match diagnostics.iter().find(|d| d.is_error()) {
            None => Status::Success,
            Some(d) if USAGE.contains(&d.code) => Status::WrongUsage,
            Some(_) => Status::ModelFailed,
        }
    }

    /// The worse of two.
    pub fn and(self, other: Status) -> Status {
        if self == Status::Success { other } else { self }
    }

    fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Status::Success => 0,
            Status::ModelFailed => 1,
            Status::WrongUsage => 2,
            Status::Interrupted => crate::interrupt::STATUS,
        })
    }
}

/// A bug of ours, which is neither the model's nor the user's fault.
pub const BUG: u8 = 3;

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum MessageFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Args)]
#[command(next_help_heading = "Messages")]
pub struct ShellOptions {
    /// How messages are written to the standard error stream.
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub message_format: MessageFormat,

    /// Colour in messages.
    #[arg(long, alias = "color", global = true, value_enum, default_value = "auto")]
    pub colour: Colour,

    /// No summary, no progress.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl ShellOptions {
    pub fn show(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let shown = &diagnostics[..diagnostics.len().min(kairos_base::limits::MESSAGES)];
        let mut text = match self.message_format {
            MessageFormat::Text => render_text(shown, sources, self.coloured()),
            MessageFormat::Json => render_json(shown, sources),
        };
        let more = diagnostics.len() - shown.len();
        if more > 0 && self.message_format == MessageFormat::Text {
            text.push_str(&format!("and {more} more messages\n"));
        }
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// A message that concerns no source text.
    pub fn complain(&self, code: &'static str, message: String, help: &str) {
        let mut diagnostic = Diagnostic::error(code, message);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.show(&[diagnostic], &SourceMap::default());
    }

    /// A line on the standard output, unless nobody wants to hear.
    pub fn say(&self, text: &str) -> Status {
        match self.quiet {
            true => Status::Success,
            false => crate::output::print(&format!("{text}\n"), self),
        }
    }

    fn coloured(&self) -> bool {
        match self.colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => std::io::stderr().is_terminal(),
        }
    }
}

/// Runs a command; if it breaks down, the user gets a text to report instead of a stack trace.
pub fn guard(command: impl FnOnce() -> Status) -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let help = "this is never the model's fault; please report it with the model and this text";
        let text = format!(
            "error[bug-in-kairos]: Kairos broke down: {what}\n  = note: at {place}, version {VERSION}\n  = help: {help}\n"
        );
        // Nobody may be listening, and a second breakdown would hide the first.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }));
    // Nothing of what the command held is looked at again.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(command)) {
        Ok(status) => status.code(),
        Err(_) => ExitCode::from(BUG),
    }
}
