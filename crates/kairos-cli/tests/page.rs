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

#[test]
fn the_page_zooms_moves_hides_and_tells_values() {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let Some(browser) = names.into_iter().find(|name| runs(name)) else {
        println!("suite: page skipped, there is no Chromium; scripts/tools.sh installs it");
        return;
    };
    let folder = std::env::temp_dir().join(format!("kairos-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder for a test");
    let (result, page) = (folder.join("r.csv"), folder.join("r.html"));
    let rows: String =
        (0..=100).map(|k| format!("{},{},{},{}\n", k as f64 / 10.0, k, 200 - k, k / 30)).collect();
    std::fs::write(&result, format!("time,up,down,n\n{rows}")).expect("file for a test");
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let output = Command::new(env!("CARGO_BIN_EXE_kairos"))
        .args(["plot", &text(&result), "up,down", "n", "--output", &text(&page)])
        .output()
        .expect("the command starts");
    assert!(output.status.success());
    let drawn = std::fs::read_to_string(&page).expect("the page");
    std::fs::write(&page, drawn.replace("</body>", &format!("{READER}</body>"))).expect("file for a test");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1000,900",
        ])
        .arg(format!("--user-data-dir={}", text(&folder.join("profile"))))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", text(&page)))
        .output()
        .expect("the browser starts");
    let _ = std::fs::remove_dir_all(&folder);
    let shown = String::from_utf8_lossy(&output.stdout);
    let told = shown.split("data-told=\"").nth(1).and_then(|rest| rest.split('"').next());
    let told: Vec<&str> =
        told.unwrap_or_else(|| panic!("no answer from the page: {shown}")).split('|').collect();
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
