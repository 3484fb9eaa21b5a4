//! Where a program's tapes may run as native code instead of by interpretation.

use crate::machine::EvalError;
use crate::run::Frame;
use kairos_program::Program;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Tapes as native code.
pub trait Native: Send + Sync {
    /// Runs the tape with this number.
    fn run(&self, id: u32, program: &Program, frame: &mut Frame) -> Ran;

    /// Evaluates the field whose tape has this number: false where it gives up, `None` where there is no code for it.
    fn run_field(
        &self,
        id: u32,
        memory: &mut [f64],
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> Option<bool>;
}

/// What became of a tape in native code; small, because most are short.
pub enum Ran {
    Done,
    /// There is no code for it, or it gave up: it has to be interpreted.
    Not,
    Failed(Box<EvalError>),
}

/// The native code of a program.
pub type Attached = Arc<Codes>;

/// Makes code of some tapes, if it can.
pub type CodeMaker = Box<dyn Fn() -> Option<Box<dyn Native>> + Send + Sync>;

/// What makes the parts of `Codes`.
pub struct Makers {
    pub all: CodeMaker,
    pub loops: CodeMaker,
    pub wholes: CodeMaker,
}

/// Native code as it comes to be there: of all that is repeated, before that of loops that are in use, and after it of systems
/// that turn out to be solved as a whole.
pub struct Codes {
    all: OnceLock<Box<dyn Native>>,
    loops: OnceLock<Option<Box<dyn Native>>>,
    wholes: OnceLock<Option<Box<dyn Native>>>,
    /// How often the code of everything was asked for in vain, and that of such systems.
    missed: AtomicU32,
    missed_wholes: AtomicU32,
    makers: Makers,
}

/// So often the tapes of systems before tearing are interpreted before they are worth code: most are tried a few times only.
const TRIALS: u32 = 100;

impl Codes {
    pub fn new(makers: Makers) -> Self {
        Self {
            all: OnceLock::new(),
            loops: OnceLock::new(),
            wholes: OnceLock::new(),
            missed_wholes: AtomicU32::new(0),
            missed: AtomicU32::new(0),
            makers,
        }
    }

    /// The code of everything is there.
    pub fn set(&self, code: Box<dyn Native>) {
        let _ = self.all.set(code);
    }

    #[inline]
    pub fn get(&self) -> Option<&dyn Native> {
        let code = self.all.get().map(|code| code.as_ref());
        if code.is_none() {
            // Not exact where several threads count, but it costs nothing.
            self.missed.store(self.missed.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
        code
    }

    pub fn missed(&self) -> u32 {
        self.missed.load(Ordering::Relaxed)
    }

    /// Makes the code of everything. Whoever runs meanwhile is interpreted.
    pub fn complete(&self) {
        if self.get().is_none() {
            let _ = (self.makers.all)().map(|code| self.set(code));
        }
    }

    /// The code of the loops, made now if need be.
    pub fn hurry(&self) -> Option<&dyn Native> {
        self.get().or_else(|| self.loops.get_or_init(|| (self.makers.loops)()).as_deref())
    }

    /// The code of systems before tearing, made when they have been interpreted often beside other native code.
    pub fn wholes(&self) -> Option<&dyn Native> {
        self.all.get()?;
        if let Some(code) = self.wholes.get() {
            return code.as_deref();
        }
        if self.missed_wholes.fetch_add(1, Ordering::Relaxed) < TRIALS {
            return None;
        }
        self.wholes.get_or_init(|| (self.makers.wholes)()).as_deref()
    }
}
