//! The interactive page as a reader meets it: in a browser, zoomed, with the pointer on a line.
//!
//! `scripts/tools.sh` installs a browser; where there is none, the test says so and checks nothing.

use std::path::Path;
use std::process::Command;

/// Acts on the page like a reader and writes down what the page then shows.
const READER: &str = r#"<script>
window.addEventListener("load", () => {
  const canvas = document.querySelectorAll("canvas")[0], box = canvas.getBoundingClientRect();
  const inner = box.width - 84 - 12, x = t => box.left + 84 + inner * (t - left()) / (right() - left());
  const left = () => Number(canvas.dataset.left), right = () => Number(canvas.dataset.right);
  const told = [];
  const tell = (what, value) => told.push(what + "=" + value);
  const middle = box.top + 100;
  const at = (t, more) => ({ clientX: x(t), clientY: middle, bubbles: true, cancelable: true, pointerId: 1, ...more });
  const values = () => [...document.querySelectorAll(".value")].map(v => v.textContent);
  tell("panes", document.querySelectorAll("canvas").length);
  tell("whole", left() + ".." + right());
  canvas.dispatchEvent(new PointerEvent("pointermove", at(3)));
  tell("hover", values().join(";"));
  tell("time", document.getElementById("time").textContent);
  canvas.dispatchEvent(new WheelEvent("wheel", at(4, { deltaY: -500 })));
  tell("zoomed", right() - left() < 5 && left() < 4 && right() > 4);
  // Browsers may give whole pixels.
  tell("fixed", Math.abs((4 - left()) / (right() - left()) - 0.4) < 1.5 / inner);
  const before = left();
  canvas.dispatchEvent(new PointerEvent("pointerdown", at(4)));
  canvas.dispatchEvent(new PointerEvent("pointermove", at(4.5)));
  canvas.dispatchEvent(new PointerEvent("pointerup", at(4.5)));
  tell("moved", Math.abs(before - left() - 0.5) < 1e-2);
  const top = () => Number(canvas.dataset.top);
  const high = top();
  document.querySelectorAll(".legend button")[1].click();
  tell("hidden", document.querySelectorAll("button.hidden").length + "," + (top() < high));
  canvas.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  tell("again", left() + ".." + right());
  document.body.dataset.told = told.join("|");
});
</script>"#;

/// Moves the pointer to time 3, changes the units, and looks again.
const UNITS: &str = r#"<script>
window.addEventListener("load", () => {
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
  const inner = box.width - 84 - 12, left = Number(canvas.dataset.left), right = Number(canvas.dataset.right);
  const told = [];
  const look = what => {
    const x = box.left + 84 + inner * (3 - left) / (right - left);
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: box.top + 100, bubbles: true, pointerId: 1 }));
    told.push(what + "=" + [...document.querySelectorAll(".value")].map(v => v.textContent).join(";"));
  };
  const units = document.getElementById("units");
  told.push("lines=" + document.querySelectorAll(".legend button").length);
  look("display");
  units.click();
  look("model");
  units.click();
  look("again");
  document.body.dataset.told = told.join("|");
});
</script>"#;

/// The browser that there is, by its name.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let found = names.into_iter().find(|name| runs(name));
    if found.is_none() {
        println!("suite: page skipped, there is no Chromium; scripts/tools.sh installs it");
    }
    found
}

fn kairos(folder: &Path, words: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kairos"));
    let output = command.current_dir(folder).args(words).output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What a reader's script writes down on a page.
fn told(browser: &str, folder: &Path, page: &str, script: &str) -> Vec<String> {
    let page = folder.join(page);
    let drawn = std::fs::read_to_string(&page).expect("the page");
    std::fs::write(&page, drawn.replace("</body>", &format!("{script}</body>"))).expect("file for a test");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1000,900",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let shown = String::from_utf8_lossy(&output.stdout);
    let told = shown.split("data-told=\"").nth(1).and_then(|rest| rest.split('"').next());
    let told = told.unwrap_or_else(|| panic!("no answer from the page: {shown}"));
    told.split('|').map(String::from).collect()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("kairos-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder for a test");
    folder
}

#[test]
fn the_page_zooms_moves_hides_and_tells_values() {
    let Some(browser) = browser() else { return };
    let folder = folder("page");
    let rows: String =
        (0..=100).map(|k| format!("{},{},{},{}\n", k as f64 / 10.0, k, 200 - k, k / 30)).collect();
    std::fs::write(folder.join("r.csv"), format!("time,up,down,n\n{rows}")).expect("file for a test");
    kairos(&folder, &["plot", "r.csv", "up,down", "n", "--output", "r.html"]);
    let told = told(browser, &folder, "r.html", READER);
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(
        told,
        [
            "panes=2",
            "whole=0..10",
            // At time 3: k = 30, and the counter has just become 1.
            "hover=30;170;1",
            "time=time in s: 3",
            "zoomed=true",
            "fixed=true",
            "moved=true",
            "hidden=1,true",
            "again=0..10",
        ]
    );
}

#[test]
fn two_runs_lie_over_each_other_in_the_units_that_a_reader_wants() {
    let Some(browser) = browser() else { return };
    let folder = folder("units");
    let model = "model Warm \"Ten kelvin a second\"\n  parameter Real T0(unit=\"K\") = 300;\n  \
                 parameter Real rate(unit=\"K/s\") = 10;\n  \
                 Real T(unit=\"K\", displayUnit=\"degC\") = T0 + rate*time;\nend Warm;\n";
    std::fs::write(folder.join("Warm.mo"), model).expect("file for a test");
    kairos(&folder, &["run", "Warm.mo", "--stop", "10", "--quiet", "-o", "a.mat"]);
    kairos(&folder, &["run", "Warm.mo", "--stop", "10", "--quiet", "--set", "T0=350", "-o", "b.mat"]);
    kairos(&folder, &["plot", "a.mat", "T", "--with", "b.mat", "-o", "p.html"]);
    let told = told(browser, &folder, "p.html", UNITS);
    let _ = std::fs::remove_dir_all(&folder);
    // At time 3: 330 K and 380 K; zero degrees Celsius are 273.15 K.
    assert_eq!(told, ["lines=2", "display=56.85;106.85", "model=330;380", "again=56.85;106.85"]);
}
