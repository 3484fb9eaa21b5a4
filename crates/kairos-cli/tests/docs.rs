//! The documentation is true: every command on every page runs and says what the page shows.
//!
//! A block ```` ```modelica file=Name.mo ```` is written into a folder of the page. In a block ```` ```console ```` lines
//! that begin with `$ ` are commands, run there; they must succeed, or, in ```` ```console fails ````, fail with a model
//! or usage error. The lines below a command must be in its output in this order, without others between them: `...` on a
//! line of its own skips any lines, within a line any text; measured times and counts of the integrator's effort may
//! differ. ```` ```console norun ```` is for what a test cannot do.
//! With `KAIROS_BLESS=1` output that differs is replaced by what the command says now.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug)]
struct Block {
    info: String,
    line: usize,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder whose names end so.
fn walk(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => walk(&path, end, found),
            false if path.extension().is_some_and(|e| e == end) => found.push(path),
            false => {}
        }
    }
    found.sort();
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    walk(&root().join("docs"), "md", &mut pages);
    pages
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block { info: info.trim().into(), line: number + 1, lines: Vec::new() })
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.into()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    blocks
}

/// The command lines of a block, each with the output shown below it.
fn commands(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_string(), Vec::new())),
            (None, Some((_, shown))) => shown.push(line.clone()),
            (None, None) => panic!("line {}: output before any command", block.line),
        }
    }
    commands
}

/// Words of a command line; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut begun, mut quote) = (String::new(), false, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"') => (quote, begun) = (Some(c), true),
            (None, ' ') if begun => (words.push(std::mem::take(&mut word)), begun = false).1,
            (None, ' ') => {}
            (_, c) => (word.push(c), begun = true).1,
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// Whether a line is as shown, `...` standing for any text.
fn same_line(shown: &str, real: &str) -> bool {
    let (shown, real) = (comparable(shown), comparable(real));
    let parts: Vec<&str> = shown.split("...").collect();
    let [first, middle @ .., last] = parts.as_slice() else { return shown == real };
    let Some(mut rest) = real.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The lines shown are the output, from its first line to its last; a line `...` skips.
fn same(shown: &[String], real: &[&str]) -> bool {
    match shown {
        [] => real.iter().all(|line| line.trim().is_empty()),
        [line, rest @ ..] if line.trim() == "..." => (0..=real.len()).any(|skip| same(rest, &real[skip..])),
        [line, rest @ ..] => {
            real.first().is_some_and(|found| same_line(line, found)) && same(rest, &real[1..])
        }
    }
}

/// What is wrong with a page, and the page as it ought to be.
#[derive(Default)]
struct Judged {
    wrong: Vec<String>,
    ran: usize,
    replacements: Vec<(Vec<String>, Vec<String>)>,
}

/// A folder with the libraries that blocks marked `needs=NAME` use, if `KAIROS_DOCS_LIB` names one; they are left out without it.
fn library() -> Option<std::ffi::OsString> {
    std::env::var_os("KAIROS_DOCS_LIB").filter(|folder| !folder.is_empty())
}

/// Runs a page in a folder of its own.
fn judge(page: &Path, text: &str) -> Judged {
    let shown = page.strip_prefix(root()).unwrap_or(page).display().to_string();
    let name = shown.replace(['/', '\\'], "-");
    let folder = std::env::temp_dir().join(format!("kairos-docs-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the page");
    let mut judged = Judged::default();
    for block in blocks(text) {
        let mut info = block.info.split_whitespace();
        let (language, rest) = (info.next().unwrap_or(""), info.collect::<Vec<_>>());
        if language != "console" {
            if let Some(file) = rest.iter().find_map(|word| word.strip_prefix("file=")) {
                let path = folder.join(file);
                std::fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
                std::fs::write(path, block.lines.join("\n") + "\n").expect("a file");
            }
            continue;
        }
        let needs = rest.iter().any(|word| word.starts_with("needs="));
        let library = library().filter(|_| needs);
        if !rest.contains(&"norun") && needs == library.is_some() {
            let place = format!("{shown}:{}", block.line);
            let expected: &[i32] = if rest.contains(&"fails") { &[1, 2] } else { &[0] };
            for (line, output) in commands(&block) {
                judged.ran += 1;
                judge_command(&line, output, expected, &place, (&folder, library.as_deref()), &mut judged);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    judged
}

fn judge_command(
    line: &str,
    shown: Vec<String>,
    expected: &[i32],
    place: &str,
    (folder, library): (&Path, Option<&std::ffi::OsStr>),
    judged: &mut Judged,
) {
    let words = words(line);
    if words.first().is_none_or(|word| word != "kairos") {
        judged.wrong.push(format!("{place}: `{line}` is not a kairos command: mark the block `norun`"));
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    // Nothing of the machine that the test runs on is seen, and nothing is left there.
    command.env("KAIROS_HOME", folder.join("home")).env_remove("MODELICAPATH");
    if let Some(library) = library {
        command.env("MODELICAPATH", library);
    }
    let output = command.args(&words[1..]).current_dir(folder).output().expect("starts");
    let said = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    let code = output.status.code().unwrap_or(-1);
    // A reader sees both streams in one terminal, in an order that is not defined.
    let orders = [[&said[1], &said[0]], [&said[0], &said[1]]];
    let orders = orders.map(|order| order.into_iter().flat_map(|text| text.lines()).collect::<Vec<_>>());
    let whole = orders[0].join("\n");
    if !expected.contains(&code) {
        judged.wrong.push(format!("{place}: `{line}` ended with status {code}:\n{whole}"));
    } else if !orders.iter().any(|real| same(&shown, real)) {
        judged.wrong.push(format!("{place}: `{line}` says something else:\n{whole}"));
        let head = vec![format!("$ {line}")];
        let before = head.iter().chain(&shown).cloned().collect();
        let after =
            head.into_iter().chain(orders[0].iter().map(|line| line.trim_end().to_string())).collect();
        judged.replacements.push((before, after));
    }
}

/// A line without what differs from machine to machine: measured times, and the effort of the integrator.
fn comparable(line: &str) -> String {
    const EFFORT: [&str; 5] = ["steps", "rejected", "evaluations", "Jacobians", "restarts"];
    const TIMES: [&str; 3] = ["µs", "ms", "s"];
    let number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let bare = |word: &str| word.trim_end_matches([',', ')', '.']).to_string();
    let timed = |part: &str| matches!(*part.trim().split(' ').collect::<Vec<_>>(), [_, n, unit] if number(n) && TIMES.contains(&unit));
    if line.contains(", ") && line.split(", ").all(timed) {
        return "the times of the phases".into();
    }
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let mut out: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map(|next| bare(next)).unwrap_or_default();
        let after_number = at > 0 && number(words[at - 1]);
        let duration = TIMES.iter().any(|unit| bare(word).strip_suffix(unit).is_some_and(number));
        out.push(match () {
            _ if number(word) && EFFORT.contains(&next.as_str()) => "COUNT".into(),
            _ if number(word) && TIMES.contains(&next.as_str()) => "TIME".into(),
            _ if after_number && TIMES.contains(&bare(word).as_str()) => "UNIT".into(),
            _ if duration => "TIME UNIT".into(),
            _ => word.to_string(),
        });
    }
    out.join(" ")
}

#[test]
fn every_page_is_true() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for page in pages() {
        let mut text = std::fs::read_to_string(&page).expect("a page");
        let judged = judge(&page, &text);
        ran += judged.ran;
        if std::env::var_os("KAIROS_BLESS").is_some() && !judged.replacements.is_empty() {
            for (before, after) in &judged.replacements {
                text = text.replacen(&before.join("\n"), &after.join("\n"), 1);
            }
            std::fs::write(&page, text).expect("a page");
        }
        wrong.extend(judged.wrong);
    }
    println!("docs: {ran} commands, {} of them not as shown", wrong.len());
    assert!(wrong.is_empty(), "{} of {ran} commands:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn the_models_of_the_tutorial_are_the_examples() {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("the tutorial");
    let mut models = blocks(&text);
    models.retain(|block| block.info.starts_with("modelica"));
    for entry in std::fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("an example").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let example = std::fs::read_to_string(&path).expect("a model");
        let shown = models.iter().find(|block| block.info.ends_with(&format!("file={name}")));
        let shown = shown.unwrap_or_else(|| panic!("the tutorial shows {name}"));
        assert_eq!(shown.lines.join("\n"), example.trim_end(), "{name}");
    }
}

/// The pages whose pictures scripts/images.sh draws.
const PICTURED: [&str; 2] = ["README.md", "docs/tutorial.md"];

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let prose: Vec<&str> = text.split("```").step_by(2).collect();
        for part in prose.iter().flat_map(|text| text.split("](").skip(1)) {
            let target = part.split(')').next().unwrap_or("").split('#').next().unwrap_or("");
            // Other pages have scripts of their own for their pictures.
            let picture = target.ends_with(".svg") && !PICTURED.iter().any(|name| page.ends_with(name));
            if target.is_empty() || target.starts_with("http") || picture {
                continue;
            }
            let path = page.parent().expect("a folder").join(target);
            assert!(path.exists(), "{}: {target} is not there", page.display());
        }
    }
}

fn kairos(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kairos")).args(arguments).output().expect("starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Names of the commands that `kairos --help` lists.
fn listed_commands() -> Vec<String> {
    let help = kairos(&["--help"]);
    let list = help.split("Commands:\n").nth(1).expect("commands").split("\n\n").next().expect("a list");
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

#[test]
fn every_command_has_a_page_that_names_every_option() {
    let mut missing = Vec::new();
    for command in listed_commands() {
        let path = root().join(format!("docs/commands/{command}.md"));
        let Ok(page) = std::fs::read_to_string(&path) else {
            missing.push(format!("docs/commands/{command}.md"));
            continue;
        };
        let common = std::fs::read_to_string(root().join("docs/commands/README.md")).unwrap_or_default();
        let help = kairos(&[&command, "--help"]);
        let options = help.lines().filter_map(|line| {
            let line = line.trim_start();
            let dashes = if line.starts_with("--") { 0 } else { line.find(", --")? + 2 };
            let option = &line[dashes..];
            line.starts_with('-').then(|| option.split([' ', '=']).next().unwrap_or(option).to_string())
        });
        for option in options.filter(|option| !page.contains(option) && !common.contains(option)) {
            missing.push(format!("{option} in docs/commands/{command}.md"));
        }
    }
    assert!(missing.is_empty(), "not documented:\n{}", missing.join("\n"));
}

/// Strings in the product's sources that look like codes and are none.
const NO_CODES: [&str; 9] = [
    "co-simulation",
    "no-referrer",
    "no-store",
    "rev-parse",
    "sliding-enter",
    "sliding-exit",
    "x-www-browser",
    "xdg-open",
    "zeno-exit",
];

/// The codes that are a single word.
const WORDS: [&str; 3] = ["chattering", "unclocked", "zeno"];

/// Every quoted word with a hyphen in the sources, tests aside.
fn codes() -> BTreeSet<String> {
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("crates") {
        walk(&entry.expect("a crate").path().join("src"), "rs", &mut sources);
    }
    let mut codes = BTreeSet::new();
    for path in sources {
        let text = std::fs::read_to_string(&path).expect("a source");
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = product.lines().filter(|line| !line.trim_start().starts_with("//"));
        for quoted in lines.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            let mut parts = quoted.split('-');
            let first =
                parts.next().is_some_and(|p| !p.is_empty() && p.bytes().all(|c| c.is_ascii_lowercase()));
            let rest: Vec<&str> = parts.collect();
            let word =
                |p: &&str| !p.is_empty() && p.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            if (first && !rest.is_empty() && rest.iter().all(word)) || WORDS.contains(&quoted) {
                codes.insert(quoted.to_string());
            }
        }
    }
    NO_CODES.iter().for_each(|word| assert!(codes.remove(*word), "{word} is no longer in the sources"));
    codes
}

#[test]
fn every_code_has_a_section_and_every_section_a_code() {
    let mut pages = Vec::new();
    walk(&root().join("docs/errors"), "md", &mut pages);
    let mut sections = BTreeSet::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let index = format!("errors/{}#", page.file_name().expect("a name").to_string_lossy());
        let list = std::fs::read_to_string(root().join("docs/errors.md")).expect("the list");
        for code in text.lines().filter_map(|line| line.strip_prefix("## ")) {
            assert!(
                list.contains(&format!("[{code}]({index}{code})")),
                "docs/errors.md does not list {code}"
            );
            assert!(sections.insert(code.to_string()), "two sections for {code}");
        }
    }
    let codes = codes();
    let missing: Vec<&String> = codes.difference(&sections).collect();
    let idle: Vec<&String> = sections.difference(&codes).collect();
    assert!(missing.is_empty() && idle.is_empty(), "no section for {missing:?}; no such code: {idle:?}");
}

#[test]
fn what_is_shown_is_compared_line_by_line() {
    let own = |lines: &[&str]| lines.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    assert!(same(&own(&["a", "...", "c"]), &["a", "b", "b", "c"]));
    assert!(!same(&own(&["a", "c"]), &["a", "b", "c"]));
    assert!(same(&own(&["...", "in ... km, ..."]), &["x", "in 3 km, done"]));
    assert!(same(&own(&["  4 steps, 2 events, 3 ms"]), &["  5 steps, 2 events, 20 µs"]));
    assert!(!same(&own(&["  4 steps, 2 events, 3 ms"]), &["  4 steps, 3 events, 3 ms"]));
    assert!(same(&own(&["  a 3 ms, b 2 s"]), &["  a 5 µs, c 1 ms, d 4 s"]));
    assert!(!same(&own(&["... end"]), &["to the end."]));
    assert_eq!(words("kairos run 'a b' --set x=\"1 2\""), ["kairos", "run", "a b", "--set", "x=1 2"]);
}
