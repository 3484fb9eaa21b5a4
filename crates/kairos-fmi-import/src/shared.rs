//! One instance for a machine and its copies: each has a state of the FMU, and the instance is in that of its last user.

use crate::diagnostics;
use crate::instance::{Failure, Instance, Kept};
use kairos_machine::Eval;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An instance and the kept states of those whose turn it is not.
struct Shared {
    instance: Instance,
    owner: u64,
    kept: BTreeMap<u64, Kept>,
    next: u64,
    running: bool,
}

impl Drop for Shared {
    fn drop(&mut self) {
        for kept in std::mem::take(&mut self.kept).into_values() {
            self.instance.forget(kept);
        }
        if self.running {
            let _ = self.instance.terminate();
        }
    }
}

/// A user of a shared instance.
pub struct Share {
    shared: Arc<Mutex<Shared>>,
    id: u64,
}

impl Share {
    /// The first user.
    pub fn new(instance: Instance) -> Share {
        let shared = Shared { instance, owner: 1, kept: BTreeMap::new(), next: 2, running: true };
        Share { shared: Arc::new(Mutex::new(shared)), id: 1 }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the instance in this user's state.
    pub fn with<T>(&self, work: impl FnOnce(&mut Instance) -> Result<T, Failure>) -> Eval<T> {
        let mut shared = self.lock();
        self.take_turn(&mut shared)?;
        let done = work(&mut shared.instance);
        // After an error the instance must not even be terminated.
        shared.running &= !matches!(&done, Err(failure) if failure.status > 2);
        Ok(done?)
    }

    fn take_turn(&self, shared: &mut Shared) -> Eval {
        if shared.owner == self.id {
            return Ok(());
        }
        let Some(mine) = shared.kept.remove(&self.id) else { return Err(diagnostics::no_copy()) };
        if shared.owner != 0 {
            let theirs = shared.instance.keep()?;
            shared.kept.insert(shared.owner, theirs);
        }
        let back = shared.instance.go_back(&mine);
        shared.instance.forget(mine);
        shared.owner = self.id;
        Ok(back?)
    }

    /// Another user whose state is this one's.
    pub fn another(&self) -> Option<Share> {
        let mut shared = self.lock();
        if !shared.instance.fmu.offer.keeps_state {
            return None;
        }
        self.take_turn(&mut shared).ok()?;
        let kept = shared.instance.keep().ok()?;
        let id = shared.next;
        shared.next += 1;
        shared.kept.insert(id, kept);
        Some(Share { shared: self.shared.clone(), id })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut shared = self.lock();
        if let Some(kept) = shared.kept.remove(&self.id) {
            shared.instance.forget(kept);
        }
        if shared.owner == self.id {
            shared.owner = 0;
        }
    }
}
