//! Stream connectors.

use crate::common::{equations, expect, flat};

const FILE: &str = "streams.mo";

#[test]
fn a_plugged_connector_sees_itself() {
    expect(&flat(FILE, "Streams.Plugged"), &["tank.seen = tank.port.h_outflow"]);
}

#[test]
fn two_connectors_exchange_exactly() {
    let model = flat(FILE, "Streams.Pair");
    expect(
        &model,
        &[
            "source.seen = sink.port.h_outflow",
            "sink.seen = if sink.port.m_flow > 0.0 then source.port.h_outflow else sink.port.h_outflow",
            "sink.H = smooth(0, sink.port.m_flow*noEvent(if sink.port.m_flow > 0.0 then source.port.h_outflow else sink.port.h_outflow))",
        ],
    );
}

#[test]
fn connectors_that_nothing_leaves_drop_out() {
    let model = flat(FILE, "Streams.Mixing");
    expect(&model, &["a.seen = b.port.h_outflow", "b.seen = a.port.h_outflow"]);
    let mixed = equations(&model).into_iter().find(|e| e.starts_with("sink.seen")).expect("there is one");
    assert!(
        mixed.contains("max(-a.port.m_flow, 0.0)") && mixed.contains("max(-b.port.m_flow, 0.0)"),
        "{mixed}"
    );
}

#[test]
fn an_outside_connector_passes_streams_through() {
    let model = flat(FILE, "Streams.Nested");
    expect(
        &model,
        &[
            "box.port.h_outflow = box.source.port.h_outflow",
            "tank.seen = box.port.h_outflow",
            "box.source.seen = tank.port.h_outflow",
        ],
    );
}
