//! Libraries as users have them: installed, on a path, in several versions, with resources.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kairos-libraries-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("folder for a test");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folder for a file");
        std::fs::write(&path, text).expect("file for a test");
        path.to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Runs the command with its library folder in this place.
    fn kairos(&self, arguments: &[&str]) -> Output {
        self.kairos_with(arguments, "")
    }

    fn kairos_with(&self, arguments: &[&str], modelica_path: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_kairos"))
            .args(arguments)
            .env("KAIROS_HOME", self.0.join("home"))
            .env("MODELICAPATH", modelica_path)
            .current_dir(&self.0)
            .output()
            .expect("the command starts")
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        let output = Command::new("git")
            .arg("-C")
            .arg(self.0.join(folder))
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.org"])
            .args(arguments)
            .output()
            .expect("git starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn installed(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.0.join("home/libraries")) else { return Vec::new() };
        let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|n| n != ".lock").collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn package(version: &str, value: &str, more: &str) -> String {
    format!(
        "package Lib\n  constant Real c = {value};\n  annotation(version = \"{version}\"{more});\nend Lib;\n"
    )
}

fn user(uses: &str) -> String {
    format!("model M\n  Real x = Lib.c;\n  annotation(uses(Lib(version = \"{uses}\")));\nend M;\n")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The value of `x` in the flat text of the user's model.
fn value(place: &Place, arguments: &[&str], modelica_path: &str) -> String {
    let all: Vec<&str> = ["flat", "M.mo"].iter().chain(arguments).copied().collect();
    let output = place.kairos_with(&all, modelica_path);
    assert!(output.status.success(), "{}", said(&output));
    let text = said(&output);
    let line = text.lines().find(|l| l.trim_start().starts_with("x =")).expect("an equation for x");
    line.trim().trim_start_matches("x =").trim_end_matches(';').trim().to_string()
}

#[test]
fn folders_are_installed_whole_or_not_at_all() {
    let place = Place::new("folder");
    place.write("source/Lib/package.mo", &package("1.2.0", "12", ""));
    place.write("source/Lib/Resources/data.txt", "1");
    // What an interrupted installation leaves.
    place.write("home/libraries/.stage-new-Lib 9/library/package.mo", "package Lib");
    let source = place.path("source");
    let output = place.kairos(&["install", "Lib", "--from", &source]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(place.installed(), ["Lib 1.2.0"]);
    assert!(Path::new(&place.path("home/libraries/Lib 1.2.0/Resources/data.txt")).is_file());
    place.write("M.mo", &user("1.2.0"));
    assert_eq!(value(&place, &[], ""), "12.0");
    let listed = said(&place.kairos(&["libraries"]));
    assert!(listed.contains("Lib") && listed.contains("1.2.0"), "{listed}");

    let wrong = place.kairos(&["install", "Other", "--from", &source]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(said(&wrong).contains("no library `Other`"), "{}", said(&wrong));
    assert_eq!(place.installed(), ["Lib 1.2.0"]);
    let unknown = place.kairos(&["install", "Unheard"]);
    assert!(said(&unknown).contains("--from"), "{}", said(&unknown));
}

#[test]
fn a_replacement_that_was_interrupted_is_undone() {
    let place = Place::new("replaced");
    place.write("source/Lib/package.mo", &package("1.2.0", "12", ""));
    let output = place.kairos(&["install", "Lib", "--from", &place.path("source")]);
    assert!(output.status.success(), "{}", said(&output));
    // Killed between taking the old copy away and putting the new one into its place.
    let (old, new) =
        ("home/libraries/.stage-old-Lib 1.2.0", "home/libraries/.stage-new-Lib 1.2.0/library/package.mo");
    std::fs::create_dir(place.path(old)).expect("folder");
    std::fs::rename(place.path("home/libraries/Lib 1.2.0"), place.path(&format!("{old}/library")))
        .expect("folder");
    place.write(new, &package("1.2.0", "13", ""));
    place.write("M.mo", &user("1.2.0"));
    assert_eq!(value(&place, &[], ""), "12.0");
    assert_eq!(place.installed(), ["Lib 1.2.0"]);
    // So is one that ended just before the old copy was removed, in favour of the new one.
    place.write(&format!("{old}/library/package.mo"), &package("1.2.0", "11", ""));
    assert_eq!(value(&place, &[], ""), "12.0");
}

#[test]
fn repositories_give_versions_side_by_side() {
    let place = Place::new("git");
    place.write("repo/Lib/package.mo", &package("1.0.0", "10", ""));
    place.git("repo", &["init", "--quiet"]);
    place.git("repo", &["add", "."]);
    place.git("repo", &["commit", "--quiet", "-m", "first"]);
    place.git("repo", &["tag", "v1.0.0"]);
    place.write("repo/Lib/package.mo", &package("2.0.0", "20", ""));
    place.git("repo", &["commit", "--quiet", "-am", "second"]);
    place.git("repo", &["tag", "v2.0.0"]);
    place.git("", &["clone", "--quiet", "--bare", "repo", "bare.git"]);
    let bare = place.path("bare.git");
    for library in ["Lib", "Lib@1.0.0"] {
        let output = place.kairos(&["install", library, "--from", &bare]);
        assert!(output.status.success(), "{}", said(&output));
    }
    assert_eq!(place.installed(), ["Lib 1.0.0", "Lib 2.0.0"]);
    let record =
        std::fs::read_to_string(place.path("home/libraries/Lib 1.0.0/.kairos-library")).expect("record");
    let revision = record.lines().find_map(|l| l.strip_prefix("revision = ")).expect("a revision");
    assert_eq!(revision.len(), 40, "{record}");
    for (version, wanted) in [("1.0.0", "10.0"), ("2.0.0", "20.0")] {
        place.write("M.mo", &user(version));
        assert_eq!(value(&place, &[], ""), wanted, "with version {version}");
    }
    // Again, from where it came before.
    let again = place.kairos(&["install", "Lib@2.0.0"]);
    assert!(again.status.success(), "{}", said(&again));
    let missing = place.kairos(&["install", "Lib@7.0.0", "--from", &bare]);
    assert!(said(&missing).contains("no version `7.0.0`"), "{}", said(&missing));
    assert_eq!(place.installed(), ["Lib 1.0.0", "Lib 2.0.0"]);
}

#[test]
fn the_path_is_searched_for_the_version_that_is_used() {
    let place = Place::new("path");
    place.write("one/Lib 1.0.0/package.mo", &package("1.0.0", "10", ""));
    place.write(
        "one/Lib 1.1.0/package.mo",
        &package("1.1.0", "11", ", conversion(noneFromVersion = \"1.0.5\")"),
    );
    place.write("two/Lib/package.mo", &package("3.0.0", "30", ""));
    let path = std::env::join_paths([place.0.join("one"), place.0.join("two")]).expect("a path");
    let path = path.to_string_lossy();
    // The version itself, one that needs no conversion, one in a plain folder, and the best guess with a warning.
    for (version, wanted) in [("1.0.0", "10.0"), ("1.0.5", "11.0"), ("3.0.0", "30.0"), ("2.0.0", "11.0")] {
        place.write("M.mo", &user(version));
        assert_eq!(value(&place, &[], &path), wanted, "with version {version}");
    }
    let output = place.kairos_with(&["check", "M.mo"], &path);
    assert!(said(&output).contains("warning[library-version]"), "{}", said(&output));
    // What is given comes before the path.
    place.write("M.mo", "model M\n  Real x = Lib.c;\nend M;\n");
    let two = place.path("two");
    assert_eq!(value(&place, &["--lib", &two], &path), "30.0");
}

#[test]
fn resources_of_libraries_are_found() {
    let place = Place::new("resources");
    let text = "package Lib\n  impure function fullName\n    input String name;\n    output String full;\n    \
                external \"C\" full = ModelicaInternal_fullPathName(name);\n  end fullName;\n  model M\n    \
                parameter String s = fullName(\"modelica://Lib/Resources/data.txt\");\n    Boolean found;\n  \
                equation\n    found = s <> \"\";\n    assert(time < 0.5, s);\n  end M;\nend Lib;\n";
    place.write("libs/Lib/package.mo", text);
    place.write("libs/Lib/Resources/data.txt", "1");
    let libs = place.path("libs");
    let output = place.kairos(&["run", "Lib.M", "--lib", &libs, "--stop", "1"]);
    let expected = place.0.join("libs/Lib/Resources/data.txt").canonicalize().expect("the file");
    assert!(said(&output).contains(&*expected.to_string_lossy()), "{}", said(&output));
}
