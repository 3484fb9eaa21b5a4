//! Machines that stand beside the one of a run: on a side of a switching surface, or in a mode of the past.

use kairos_machine::Machine;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// A machine of the same model as the run's own. Written down it leaves only its place: what was there before its bytes are
/// read into it (`Run::visit_sides`) has no machine.
#[derive(Clone, Default)]
pub(crate) struct Side(Option<Box<dyn Machine>>);

impl Side {
    /// The machine itself; `None` while a run is being read.
    pub fn machine_mut(&mut self) -> &mut Option<Box<dyn Machine>> {
        &mut self.0
    }

    /// Gives the machine away.
    pub fn into_machine(self) -> Box<dyn Machine> {
        self.0.expect("a side of a run has its machine")
    }
}

impl AsRef<dyn Machine> for Side {
    fn as_ref(&self) -> &(dyn Machine + 'static) {
        &**self
    }
}

impl AsMut<dyn Machine> for Side {
    fn as_mut(&mut self) -> &mut (dyn Machine + 'static) {
        &mut **self
    }
}

impl From<Box<dyn Machine>> for Side {
    fn from(machine: Box<dyn Machine>) -> Self {
        Side(Some(machine))
    }
}

impl Deref for Side {
    type Target = dyn Machine;

    fn deref(&self) -> &(dyn Machine + 'static) {
        self.0.as_deref().expect("a side of a run has its machine")
    }
}

impl DerefMut for Side {
    fn deref_mut(&mut self) -> &mut (dyn Machine + 'static) {
        self.0.as_deref_mut().expect("a side of a run has its machine")
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <()>::deserialize(from).map(|()| Side::default())
    }
}
