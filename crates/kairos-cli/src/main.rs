//! The `kairos` command.

fn main() {}
