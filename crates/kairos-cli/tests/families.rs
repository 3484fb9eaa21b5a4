//! A fast slice of the families of random hybrid models: no answer is wrong, none is missing without a message.

use kairos_families::FAMILIES;
use kairos_families::random::Random;
use kairos_families::run::{Verdict, judge};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Family, seeds from zero on, and how many of the cases must be right; the others may be refused with a message.
const SLICES: [(&str, u64, usize); 10] = [
    ("automata", 40, 18),
    ("bounces", 30, 29),
    ("circuits", 40, 14),
    ("clockwork", 60, 20),
    ("contacts", 16, 15),
    ("friction", 16, 16),
    ("gears", 40, 36),
    ("limiters", 40, 30),
    ("petri", 30, 30),
    ("sampled", 30, 29),
];

#[test]
fn a_slice_of_each_family_is_right() {
    let kairos = Path::new(env!("CARGO_BIN_EXE_kairos"));
    for (name, seeds, bar) in SLICES {
        let (_, generator) = FAMILIES.iter().find(|(family, _)| *family == name).expect("a family");
        let (next, found) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for core in 0..2 {
                let (next, found) = (&next, &found);
                scope.spawn(move || {
                    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("family-{name}-{core}"));
                    std::fs::create_dir_all(&folder).expect("a folder for models");
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= seeds {
                            break;
                        }
                        if let Some(case) = generator(&mut Random::new(seed)) {
                            let verdict = judge(kairos, &folder, &case, &[]).expect("the command runs");
                            found.lock().expect("no thread panics with it").push((seed, verdict));
                        }
                    }
                });
            }
        });
        let found = found.into_inner().expect("no thread panics with it");
        let right = found.iter().filter(|(_, verdict)| *verdict == Verdict::Right).count();
        let bad = |verdict: &Verdict| !matches!(verdict, Verdict::Right | Verdict::Refused(_));
        let faults: Vec<_> = found.iter().filter(|(_, verdict)| bad(verdict)).collect();
        println!("{name}: {right} of {} right", found.len());
        assert!(faults.is_empty(), "{name}: {faults:?}");
        assert!(right >= bar, "{name}: only {right} of {} are right: {found:?}", found.len());
    }
}
