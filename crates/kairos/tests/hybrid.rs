//! The acceptance cases of hybrid modelling, cases of models whose structure changes, and of what events reach.

mod common;

#[test]
fn cases_hold() {
    common::cases::hold("hybrid");
}

#[test]
fn changing_structure_holds() {
    common::cases::hold("modes");
}

#[test]
fn what_events_reach_holds() {
    common::cases::hold("reach");
}

/// A model behind the plain interface of a machine simulates right, only slower.
#[test]
fn the_plain_interface_suffices() {
    common::cases::hold_plainly("hybrid");
    common::cases::hold_plainly("modes");
    common::cases::hold_plainly("reach");
}
