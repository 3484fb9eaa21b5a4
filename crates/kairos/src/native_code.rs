//! What speeds machines up, and code of shared libraries; without the feature `jit` there is neither.

use crate::request::{Engine, Request};
use kairos_base::Diagnostic;
use kairos_causal::CausalModel;
use kairos_expr::{Foreign, Natives, Resources};
use kairos_machine::Interpreter;
use std::sync::Arc;

#[cfg(feature = "jit")]
pub use with::Means;
#[cfg(not(feature = "jit"))]
pub use without::Means;

/// External functions with those of FMUs that are components of the model.
#[cfg(feature = "fmi")]
fn with_fmus(natives: Natives, resources: &Resources, others: Option<Arc<dyn Foreign>>) -> Natives {
    natives.with_foreign(Arc::new(kairos_fmi_import::Components::new(resources.clone(), others)))
}

#[cfg(not(feature = "fmi"))]
fn with_fmus(natives: Natives, _: &Resources, others: Option<Arc<dyn Foreign>>) -> Natives {
    match others {
        Some(others) => natives.with_foreign(others),
        None => natives,
    }
}

#[cfg(feature = "jit")]
mod with {
    use super::*;
    use kairos_jit::{SharedLibraries, Shelf, Tier};

    /// Native code as the engine of a request wants it.
    pub struct Means {
        tier: Option<Tier>,
        means: kairos_jit::Means,
        foreign: Arc<SharedLibraries>,
        resources: Resources,
    }

    impl Means {
        pub fn new(
            request: &Request,
            causal: &CausalModel,
            resources: &Resources,
            diagnostics: &mut Vec<Diagnostic>,
        ) -> Self {
            let tier = match request.engine {
                Engine::Interpreter | Engine::Verified => None,
                Engine::Jit => Some(Tier::Native),
                // Machines that are made as a run goes on are not shared.
                Engine::Shared if causal.modes.is_some() => Some(Tier::Native),
                Engine::Shared => Some(Tier::Asked),
                Engine::Auto if causal.modes.is_some() => Some(Tier::Occasional),
                Engine::Auto => Some(Tier::Background),
            };
            let mut shelf = request.shelf.clone().map(Shelf::new);
            if tier.is_some()
                && let Some(why) = shelf.as_ref().and_then(Shelf::refusal)
                && let Some(folder) = &request.shelf
            {
                let text = format!("the folder `{}` for native code is not used: {why}", folder.display());
                let help = "make it yours alone (`chmod go-w`), or name another one with KAIROS_CACHE";
                diagnostics.push(Diagnostic::warning("cache-not-used", text).help(help));
                shelf = None;
            }
            let foreign = Arc::new(SharedLibraries::new(resources.clone(), shelf.clone()));
            let means = kairos_jit::Means { threads: request.threads, shelf };
            Self { tier, means, foreign, resources: resources.clone() }
        }

        /// External functions with those of shared libraries that the model names.
        pub fn natives(&self, natives: Natives, causal: &CausalModel) -> Natives {
            self.foreign.know(causal.store.functions.iter().filter_map(|function| match &function.body {
                kairos_expr::Body::External(call) => Some(&**call),
                _ => None,
            }));
            super::with_fmus(natives, &self.resources, Some(self.foreign.clone()))
        }

        /// Gives a machine its native code; says why there is none.
        pub fn attach(&self, machine: &mut Interpreter) -> Option<String> {
            let native = kairos_jit::attach(machine.program(), self.tier?, &self.means);
            native.map(|native| machine.attach(native)).err().map(|why| why.to_string())
        }
    }
}

#[cfg(not(feature = "jit"))]
mod without {
    use super::*;

    /// No native code: the interpreter runs everything.
    pub struct Means {
        resources: Resources,
    }

    impl Means {
        pub fn new(
            request: &Request,
            _: &CausalModel,
            resources: &Resources,
            diagnostics: &mut Vec<Diagnostic>,
        ) -> Self {
            if request.engine == Engine::Jit {
                let text = "there is no native code, the model runs on the interpreter: this build has none";
                diagnostics.push(Diagnostic::warning("no-native-code", text));
            }
            Self { resources: resources.clone() }
        }

        pub fn natives(&self, natives: Natives, _: &CausalModel) -> Natives {
            super::with_fmus(natives, &self.resources, None)
        }

        pub fn attach(&self, _: &mut Interpreter) -> Option<String> {
            None
        }
    }
}
