//! The families as a command: `families KAIROS [FAMILY …] [--seeds FROM..TO] [--show SEED] [-- OPTION …]`.

use kairos_families::random::Random;
use kairos_families::run::{Verdict, judge};
use kairos_families::{FAMILIES, Generator};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

struct Order {
    kairos: PathBuf,
    names: Vec<String>,
    seeds: std::ops::Range<u64>,
    show: Option<u64>,
    /// Further options of `kairos run`.
    extra: Vec<String>,
}

fn main() -> ExitCode {
    let Some(order) = order() else {
        eprintln!("usage: families KAIROS [FAMILY …] [--seeds FROM..TO] [--show SEED] [-- OPTION …]");
        eprintln!("families: {}", FAMILIES.iter().map(|f| f.0).collect::<Vec<_>>().join(", "));
        return ExitCode::from(2);
    };
    let mut bad = false;
    println!(
        "{:<12}{:>8}{:>8}{:>9}{:>8}{:>7}{:>9}",
        "family", "tried", "right", "refused", "wrong", "hung", "crashed"
    );
    for (name, generator) in FAMILIES {
        if !order.names.is_empty() && !order.names.iter().any(|wanted| wanted == name) {
            continue;
        }
        if let Some(seed) = order.show {
            match generator(&mut Random::new(seed)) {
                Some(case) => print!("{}", case.text),
                None => println!("seed {seed} of `{name}` has no sure answer"),
            }
            continue;
        }
        bad |= try_all(name, *generator, &order);
    }
    ExitCode::from(u8::from(bad))
}

fn order() -> Option<Order> {
    let mut args = std::env::args().skip(1);
    let mut order = Order {
        kairos: PathBuf::from(args.next()?),
        names: Vec::new(),
        seeds: 0..100,
        show: None,
        extra: Vec::new(),
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seeds" => {
                let range = args.next()?;
                let (from, to) = range.split_once("..")?;
                order.seeds = from.parse().ok()?..to.parse().ok()?;
            }
            "--show" => order.show = Some(args.next()?.parse().ok()?),
            "--" => order.extra = args.by_ref().collect(),
            name if FAMILIES.iter().any(|f| f.0 == name) => order.names.push(arg),
            _ => return None,
        }
    }
    Some(order)
}

/// Tries all seeds of a family on all cores; true if anything was wrong.
fn try_all(name: &str, generator: Generator, order: &Order) -> bool {
    let next = AtomicU64::new(order.seeds.start);
    let found: Mutex<Vec<(u64, Verdict)>> = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                let folder = std::env::temp_dir().join(format!("families-{}-{core}", std::process::id()));
                let _ = std::fs::create_dir_all(&folder);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= order.seeds.end {
                        break;
                    }
                    if let Some(verdict) = try_one(generator, seed, &folder, order) {
                        found.lock().expect("no thread panics with it").push((seed, verdict));
                    }
                }
                let _ = std::fs::remove_dir_all(&folder);
            });
        }
    });
    let mut found = found.into_inner().expect("no thread panics with it");
    found.sort_by_key(|(seed, _)| *seed);
    let count = |is: &dyn Fn(&Verdict) -> bool| found.iter().filter(|(_, verdict)| is(verdict)).count();
    let right = count(&|v| *v == Verdict::Right);
    let refused = count(&|v| matches!(v, Verdict::Refused(_)));
    let wrong = count(&|v| matches!(v, Verdict::Wrong(_)));
    let hung = count(&|v| *v == Verdict::Hung);
    let crashed = count(&|v| matches!(v, Verdict::Crashed(_)));
    println!("{name:<12}{:>8}{right:>8}{refused:>9}{wrong:>8}{hung:>7}{crashed:>9}", found.len());
    for (seed, verdict) in found.iter().filter(|(_, verdict)| *verdict != Verdict::Right).take(40) {
        println!("  seed {seed}: {verdict:?}");
    }
    wrong + hung + crashed > 0
}

fn try_one(generator: Generator, seed: u64, folder: &Path, order: &Order) -> Option<Verdict> {
    let case = generator(&mut Random::new(seed))?;
    Some(
        judge(&order.kairos, folder, &case, &order.extra).unwrap_or_else(|e| Verdict::Crashed(e.to_string())),
    )
}
