//! The page: built from `web/` by `web/build.sh`, carried in the program.

/// A file of the page with its content type.
pub fn asset(path: &str) -> Option<(&'static [u8], &'static str)> {
    let path = if path.is_empty() { "index.html" } else { path };
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == path)?;
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Some((bytes, kind))
}

/// All files of the page.
pub const FILES: &[(&str, &[u8])] = &[
    ("index.html", include_bytes!("../assets/index.html")),
    ("studio.js", include_bytes!("../assets/studio.js")),
    ("studio.css", include_bytes!("../assets/studio.css")),
    ("scene3d.js", include_bytes!("../assets/scene3d.js")),
    ("worker.js", include_bytes!("../assets/worker.js")),
];
