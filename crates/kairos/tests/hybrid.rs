//! The acceptance cases of hybrid modelling.

mod common;

#[test]
fn cases_hold() {
    common::cases::hold("hybrid");
}
