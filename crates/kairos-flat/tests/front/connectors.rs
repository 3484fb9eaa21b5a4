//! Restrictions of connectors and connections.

use crate::common::{equations, error, flat};

const FILE: &str = "connectors.mo";

#[test]
fn signals_pass_through_levels() {
    flat(FILE, "Connectors.Signals");
}

#[test]
fn parameters_are_compared_not_connected() {
    let model = flat(FILE, "Connectors.SameParameter");
    assert!(equations(&model).iter().any(|e| e == "assert a.s.n == b.s.n"));
}

#[test]
fn mistakes_are_named() {
    let cases = [
        ("Unbalanced", "unbalanced-connector"),
        ("TwoSources", "two-signal-sources"),
        ("DifferentParameter", "connected-parameters"),
        ("InWhen", "misplaced-connection"),
        ("NoConnector", "not-a-connector"),
        ("TooDeep", "not-a-connector"),
        ("StreamWithoutFlow", "stream-flows"),
    ];
    for (model, code) in cases {
        assert_eq!(error(FILE, &format!("Connectors.{model}")), code, "{model}");
    }
}
