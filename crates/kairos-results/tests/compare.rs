//! The comparison against verdicts of an independent implementation.

use kairos_results::{Signal, Source, Table, Verdict, compare};

fn table(time: &str, values: &str) -> Table {
    let numbers = |line: &str| -> Vec<f64> { line.split(' ').map(|word| word.parse().unwrap()).collect() };
    let signal = Signal::new("x", Source::Series { index: 0, negated: false });
    Table { time: numbers(time), signals: vec![signal], series: vec![numbers(values)] }
}

/// Cases of five lines: the verdict, then times and values of reference and result. The variable names a file
/// with more of them, for a longer run against the other implementation.
#[test]
fn golden_verdicts() {
    let cases = std::env::var("KAIROS_COMPARE_CASES").map_or_else(
        |_| include_str!("golden/compare.txt").to_string(),
        |path| std::fs::read_to_string(path).unwrap(),
    );
    let lines: Vec<&str> = cases.lines().collect();
    let mut failures = 0;
    for (index, case) in lines.chunks_exact(5).enumerate() {
        let verdict = &compare(&table(case[1], case[2]), &table(case[3], case[4]), &["x".to_string()])[0];
        let word = match verdict {
            Verdict::Inside => "pass inside",
            Verdict::StartedAt(_) => "fail started",
            Verdict::EndedAt(_) => "fail ended",
            Verdict::TooFewPoints => "fail too",
            Verdict::NotFinite { .. } => "fail not",
            Verdict::Outside { .. } => "fail outside",
            Verdict::DoesNotFollow { .. } => "fail does",
            Verdict::Missing | Verdict::NotInReference => "absent",
        };
        if word != case[0] {
            failures += 1;
            eprintln!("case {index}: {word} instead of {}: {verdict}", case[0]);
        }
    }
    assert_eq!(failures, 0);
    assert!(lines.len() >= 180);
}

#[test]
fn names_are_compared_without_spaces() {
    let mut reference = table("0 1 2", "1 2 3");
    reference.signals[0].name = "a[1,2]".into();
    let result = reference.clone();
    let verdicts = compare(&reference, &result, &["a[1, 2]".to_string(), "b".to_string()]);
    assert_eq!(verdicts, [Verdict::Inside, Verdict::NotInReference]);
    let none = Table { signals: Vec::new(), ..result };
    assert_eq!(compare(&reference, &none, &["a[1,2]".to_string()]), [Verdict::Missing]);
}
