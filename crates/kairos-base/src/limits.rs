//! How much a model may ask of the compiler before it is refused with a message instead of taking the machine down.

/// Text of all files of one model and its libraries together; a compiler's trees take some forty times as much memory.
pub const TEXT: usize = 64 << 20;
/// Elements of one array.
pub const ELEMENTS: usize = 10_000_000;
/// Components of a model, each array of models counted by its elements.
pub const COMPONENTS: usize = 4_000_000;
/// Classes that are made for a model beyond `BASES` for each component: a base that is reached on several ways is made on each.
pub const CLASSES: usize = 1_000_000;
pub const BASES: usize = 16;
/// Scalar variables of a model, parameters and constants counted, too: each takes about a kilobyte until it runs.
pub const VARIABLES: usize = 3_000_000;
/// Bodies of iterators (`{f(i) for i in 1:n}`) that are written out for one model: some seconds.
pub const BODIES: u64 = 3_000_000;
/// Steps of all evaluations at translation together: a few seconds.
pub const STEPS: u64 = 30_000_000;
/// Rounds of one `while` loop, at translation and in a run: some seconds.
pub const ROUNDS: u32 = 2_000_000;
/// Constants and parameters that are each needed for the one before.
pub const CHAIN: usize = 50_000;
/// Bytes of a text that an evaluation makes.
pub const STRING: usize = 16 << 20;
/// Characters of a message; what is longer loses its middle.
pub const MESSAGE: usize = 2_000;
/// Messages that are shown.
pub const MESSAGES: usize = 500;
/// The largest and the smallest Integer (MLS 4.9.2 leaves the range to the tool: 32 bits, as in generated C).
pub const INTEGER: std::ops::RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;
