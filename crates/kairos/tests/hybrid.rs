//! The acceptance cases of hybrid modelling, and cases of models whose structure changes.

mod common;

#[test]
fn cases_hold() {
    common::cases::hold("hybrid");
}

#[test]
fn changing_structure_holds() {
    common::cases::hold("modes");
}
