//! Models with a few words lost, exchanged or out of place: each compiles or gets a message, and comes to an end.
//!
//! By default some hundred mutations of the fixtures; KAIROS_FUZZ_COUNT gives another number.

mod common;

use common::{Dice, Text, models_below, suite, within};
use kairos::{Engine, Goal, Request};
use kairos_base::FileId;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn mutated_models_come_to_an_end() {
    let count = std::env::var("KAIROS_FUZZ_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let read = |file: &PathBuf| std::fs::read_to_string(file).expect("a fixture");
    let texts: Vec<String> = models_below(&suite()).iter().map(read).collect();
    let words: Vec<Vec<String>> =
        texts.iter().map(|text| split(text)).filter(|words| words.len() > 8).collect();
    let mut dice = Dice(1);
    for _ in 0..count {
        let mut model = words[dice.pick(words.len())].clone();
        for _ in 0..1 + dice.pick(3) {
            mutate(&mut model, &words, &mut dice);
        }
        let text = model.join(" ");
        let shown = text.clone();
        let said = within(Duration::from_secs(60), move || {
            let request =
                Request { file: Some(Text::NAME.into()), engine: Engine::Interpreter, ..Request::default() };
            let compiled = kairos::compile(&Text(text), &request, Goal::Machine);
            compiled.machine.is_some() || compiled.has_errors()
        });
        assert_eq!(said, Ok(true), "this model:\n{shown}");
    }
}

/// Loses a word, puts another in its place or beside it, or exchanges two.
fn mutate(model: &mut Vec<String>, words: &[Vec<String>], dice: &mut Dice) {
    let at = dice.pick(model.len());
    let other = {
        let from = &words[dice.pick(words.len())];
        from[dice.pick(from.len())].clone()
    };
    match dice.pick(4) {
        0 if model.len() > 1 => drop(model.remove(at)),
        1 => model[at] = other,
        2 => model.insert(at, other),
        _ => {
            let second = dice.pick(model.len());
            model.swap(at, second);
        }
    }
}

fn split(text: &str) -> Vec<String> {
    let tokens = kairos_syntax::lex(FileId::new(0), text).tokens;
    tokens.iter().map(|token| text[token.start as usize..token.end as usize].to_string()).collect()
}
