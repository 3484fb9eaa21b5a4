//! The page as a folder that any web server can hand out, with the compiler beside it in place of a server.

use crate::assets::FILES;

/// The name of the packed compiler in the folder.
pub const COMPILER: &str = "compiler.bin";

/// The files of the folder: the page, told to work with the compiler, and the compiler itself, packed with gzip.
pub fn playground(compiler: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&str, Vec<u8>)> = FILES
        .iter()
        .map(|(name, bytes)| match *name {
            "index.html" => (*name, told(bytes)),
            _ => (*name, bytes.to_vec()),
        })
        .collect();
    files.push((COMPILER, compiler));
    files
}

/// The page that knows where its compiler is.
fn told(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let meta = format!("<meta name=\"compiler\" content=\"{COMPILER}\">\n<title>");
    page.replacen("<title>", &meta, 1).into_bytes()
}
