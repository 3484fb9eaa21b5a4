//! The local web server: the page and its calls, for the browser of the user who started it.
//!
//! It listens on the loopback address only. A random token, which only the address printed for the user carries, must come
//! with every call, so that neither other users of the machine nor pages of other origins can reach the project.

use crate::studio::Work;
use crate::{Studio, asset};
use serde_json::{Value, json};
use std::io::Read;
use std::path::PathBuf;
use tiny_http::{Header, Method, Request, Response};

/// A studio that answers a browser.
pub struct Server {
    http: tiny_http::Server,
    studio: Studio,
    token: String,
    /// A folder with the files of the page, in place of the carried ones.
    page: Option<PathBuf>,
}

/// Why the server could not be started.
#[derive(Debug)]
pub struct ServerError(pub String);

/// A call larger than this is no text that somebody typed.
const LARGEST: u64 = 256 << 20;

impl Server {
    /// Listens on a port of the loopback address; zero: any that is free.
    pub fn new(studio: Studio, port: u16) -> Result<Self, ServerError> {
        let mut random = [0u8; 16];
        getrandom::fill(&mut random).map_err(|e| ServerError(format!("there are no random numbers: {e}")))?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let http = tiny_http::Server::http(("127.0.0.1", port)).map_err(|e| ServerError(e.to_string()))?;
        Ok(Server { http, studio, token, page: None })
    }

    /// Shows the page from a folder, for those who work on it.
    pub fn with_page(self, folder: impl Into<PathBuf>) -> Self {
        Server { page: Some(folder.into()), ..self }
    }

    /// The address for the user's browser.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.http.server_addr(), self.token)
    }

    /// Answers until the process ends, or until the page asks for the end.
    pub fn serve(mut self) {
        while let Ok(request) = self.http.recv() {
            if self.answer(request) {
                return;
            }
        }
    }

    /// True if it was the last request.
    fn answer(&mut self, mut request: Request) -> bool {
        let url = request.url().to_string();
        let path = url.split('?').next().unwrap_or("").trim_start_matches('/').to_string();
        let host = header(&request, "Host");
        let local = ["127.0.0.1", "localhost"];
        // A name that somebody else made lead here is none of ours.
        if !host.is_some_and(|h| local.contains(&h.split(':').next().unwrap_or(""))) {
            let _ = request.respond(Response::from_string("not here").with_status_code(403));
            return false;
        }
        if let (Method::Get, Some((carried, kind))) = (request.method(), asset(&path)) {
            let name = if path.is_empty() { "index.html" } else { &path };
            let own = self.page.as_ref().and_then(|folder| std::fs::read(folder.join(name)).ok());
            let response =
                Response::from_data(own.unwrap_or_else(|| carried.to_vec())).with_header(typed(kind));
            let _ = request.respond(secured(response));
            return false;
        }
        let Some(method) = path.strip_prefix("api/") else {
            let _ = request.respond(Response::from_string("there is nothing here").with_status_code(404));
            return false;
        };
        if header(&request, "X-Kairos-Token").as_deref() != Some(self.token.as_str()) {
            let refused = json!({ "error": { "code": "no-token", "message": "open the address that `kairos studio` printed" } });
            let response = Response::from_string(refused.to_string()).with_status_code(403);
            let _ = request.respond(response.with_header(typed("application/json")));
            return false;
        }
        if method == "quit" {
            let _ = request.respond(Response::from_string("{}").with_header(typed("application/json")));
            return true;
        }
        let mut body = String::new();
        let read = request.as_reader().take(LARGEST).read_to_string(&mut body);
        let parameters: Value =
            read.ok().and_then(|_| serde_json::from_str(&body).ok()).unwrap_or(Value::Null);
        let studio = &mut self.studio;
        let called =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| studio.answer(method, &parameters)));
        let answer = called.unwrap_or_else(|_| {
            let message = "this is a bug in Kairos: please report what you did";
            json!({ "error": { "code": "bug", "message": message } }).to_string()
        });
        let response = Response::from_string(answer).with_header(typed("application/json"));
        let _ = request.respond(response);
        false
    }
}

/// Gives the work of a run a thread of its own.
pub fn spawn(mut work: Work) {
    let go = move || {
        let all = std::panic::AssertUnwindSafe(|| {
            while let Some(wait) = work.step() {
                std::thread::sleep(std::time::Duration::from_secs_f64(wait * 1e-3));
            }
        });
        if std::panic::catch_unwind(all).is_err() {
            work.give_up();
        }
    };
    // Without a thread there is no run: its state stays as it is, and the page says that it does not go on.
    let _ = std::thread::Builder::new().name("run".into()).stack_size(1 << 30).spawn(go);
}

/// Milliseconds since the first call.
pub fn clock() -> f64 {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e3
}

fn header(request: &Request, name: &'static str) -> Option<String> {
    let found = request.headers().iter().find(|h| h.field.equiv(name));
    found.map(|h| h.value.as_str().to_string())
}

fn typed(kind: &str) -> Header {
    make("Content-Type", kind)
}

fn make(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).unwrap_or_else(|()| unreachable!("the header is written here"))
}

/// The page loads nothing from elsewhere and is shown in no frame.
fn secured<R: Read>(response: Response<R>) -> Response<R> {
    let policy =
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";
    response
        .with_header(make("Content-Security-Policy", policy))
        .with_header(make("X-Content-Type-Options", "nosniff"))
        .with_header(make("Referrer-Policy", "no-referrer"))
        .with_header(make("Cache-Control", "no-store"))
}
