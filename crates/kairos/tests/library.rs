//! The library that the program carries: every part against values that no simulator produced.

mod common;

use kairos::{Disk, Request};

#[test]
fn parts_hold() {
    common::cases::hold("library");
}

#[test]
fn every_class_is_well_formed() {
    let request = Request { model: Some("Kairos".into()), ..Request::default() };
    let entries = kairos::survey(&Disk, &request).expect("Kairos is a package");
    let mut said = String::new();
    kairos::check_each(&Disk, &request, &entries, |_, compiled| {
        said.push_str(&kairos::render_text(&compiled.diagnostics, &compiled.sources, false));
    });
    assert!(entries.len() > 100, "only {} models", entries.len());
    assert!(said.is_empty(), "{said}");
}
