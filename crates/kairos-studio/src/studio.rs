//! One project with its libraries and runs, and all that a page can ask of it.

use crate::answer::{Answer, Asked, Refusal};
use crate::project::{Project, Store};
use crate::runs::{Clock, Job, Run, SharedWorld, Shelf, diagnostics};
use crate::{classes, edits, parameters, pictures, replaceables, results};
use kairos::{CARRIED, Goal, Request, View, WithCarried, World};
use kairos_sema::{InstId, Library, MadeRefs, Sema, Trees};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a studio begins with.
pub struct Setup {
    /// Reads and writes the files of the project.
    pub store: Box<dyn Store>,
    /// The folder of the project.
    pub folder: String,
    /// Files that are open from the start.
    pub files: Vec<String>,
    /// Folders that hold libraries.
    pub libraries: Vec<String>,
    /// A folder that keeps native code for later runs.
    pub shelf: Option<std::path::PathBuf>,
    /// The clock that runs are timed and paced by.
    pub clock: Clock,
    /// Starts the work of a run, which goes on while the page is answered.
    pub spawn: fn(Work),
}

/// What a run has to do, from its compilation to its end; `step` does a piece of it.
pub struct Work {
    run: Arc<Run>,
    job: Option<Job>,
    world: SharedWorld,
    shelf: Shelf,
    clock: Clock,
}

impl Work {
    /// Does a piece of the work; how many milliseconds later the next one is due, or none if it was the last.
    pub fn step(&mut self) -> Option<f64> {
        match self.job.take() {
            Some(job) => {
                self.run.begin(job, &self.world, &self.shelf, self.clock);
                Some(0.0)
            }
            None => self.run.advance(self.clock),
        }
    }

    /// A bug has ended the work.
    pub fn give_up(&self) {
        self.run.give_up();
    }
}

/// A project that is being worked on.
pub struct Studio {
    project: Project,
    files: Vec<String>,
    libraries: Vec<String>,
    shelf: Option<std::path::PathBuf>,
    clock: Clock,
    spawn: fn(Work),
    compiled: Shelf,
    runs: BTreeMap<u64, Arc<Run>>,
    next_run: u64,
    index: Option<Vec<classes::Indexed>>,
    /// Texts that were taken from the journal.
    recovered: Vec<String>,
}

impl Studio {
    /// Opens a project.
    pub fn new(setup: Setup) -> Result<Self, Refusal> {
        let mut studio = Studio {
            project: Project::new(setup.store, &setup.folder),
            files: Vec::new(),
            libraries: setup.libraries,
            shelf: setup.shelf,
            clock: setup.clock,
            spawn: setup.spawn,
            compiled: Shelf::default(),
            runs: BTreeMap::new(),
            next_run: 1,
            index: None,
            recovered: Vec::new(),
        };
        for file in setup.files {
            studio.open(&file)?;
        }
        Ok(studio)
    }

    /// Knows the libraries of further folders from now on.
    pub fn add_libraries(&mut self, folders: &[String]) {
        let new = folders.iter().filter(|folder| !self.libraries.contains(folder)).cloned();
        self.libraries.extend(new.collect::<Vec<_>>());
        self.index = None;
    }

    fn open(&mut self, file: &str) -> Result<(), Refusal> {
        if self.project.open(file)? {
            self.recovered.push(file.to_string());
        }
        if !self.files.iter().any(|known| known == file) {
            self.files.push(file.to_string());
        }
        Ok(())
    }

    /// Answers a call as transports carry it: `{"result": …}`, or `{"error": {"code", "message"}}`.
    pub fn answer(&mut self, method: &str, parameters: &Value) -> String {
        match self.call(method, parameters) {
            Ok(result) => json!({ "result": result }).to_string(),
            Err(refusal) => json!({ "error": refusal.json() }).to_string(),
        }
    }

    /// Answers a call.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Answer {
        let asked = Asked(parameters);
        match method {
            "project" => Ok(self.describe()),
            "open" => {
                let file = asked.text("file")?;
                self.open(file)?;
                self.text(file)
            }
            "create" => self.create(asked),
            "text" => self.text(asked.text("file")?),
            "set_text" => {
                let version = asked.0.get("version").and_then(Value::as_u64);
                self.project.set_text(asked.text("file")?, asked.text("text")?, version)?;
                self.text(asked.text("file")?)
            }
            "remove" => {
                let file = asked.text("file")?;
                self.project.remove(file)?;
                self.files.retain(|known| known != file);
                Ok(self.describe())
            }
            "edit" => self.edit(asked),
            "undo" | "redo" => {
                let file = asked.text("file")?;
                let done =
                    if method == "undo" { self.project.undo(file)? } else { self.project.redo(file)? };
                let mut answer = self.text(file)?;
                answer["done"] = json!(done);
                Ok(answer)
            }
            "save" => {
                let anyway = asked.0.get("anyway") == Some(&Value::Bool(true));
                self.project.save(asked.text("file")?, anyway)?;
                Ok(self.describe())
            }
            "revert" => {
                self.project.revert(asked.text("file")?)?;
                self.text(asked.text("file")?)
            }
            "status" => {
                for file in self.files.clone() {
                    self.project.look_outside(&file);
                }
                Ok(self.describe())
            }
            "tree" => self.tree(asked),
            "search" => self.search(asked),
            "documentation" => {
                let name = asked.text("class")?;
                let read = self.reader();
                self.with_library(|library| classes::documentation(library, name, &read))
            }
            "icons" => self.icons(asked),
            "diagram" => self.picture(asked, View::Diagram),
            "icon" => self.picture(asked, View::Icon),
            "units" => Ok(results::units(asked.text("unit")?)),
            "parameters" => self.parameters(asked),
            "class" => self.class(asked),
            "check" => self.check(asked),
            "explain" => self.explain(asked),
            "run" => self.run(asked),
            "stop" | "progress" | "tune" | "variables" | "curves" | "values" | "events" | "shapes" => {
                self.ask_run(method, asked)
            }
            "forget" => {
                self.runs.remove(&asked.count("run")?);
                Ok(json!({}))
            }
            other => Err(Refusal::new("bad-call", format!("there is no call `{other}`"))),
        }
    }

    fn describe(&self) -> Value {
        let texts: Vec<Value> = self
            .project
            .states()
            .into_iter()
            .map(|(file, version, dirty, conflict, undo, redo)| {
                let (text, _) = self.project.text(&file).unwrap_or_default();
                let classes = kairos_edit::Document::parse(&text).classes();
                json!({
                    "file": file, "version": version, "dirty": dirty, "conflict": conflict, "undo": undo, "redo": redo,
                    "classes": classes, "recovered": self.recovered.contains(&file),
                })
            })
            .collect();
        let runs: Vec<Value> = self.runs.iter().map(|(id, run)| run.status(*id)).collect();
        json!({
            "folder": self.project.folder,
            "version": self.project.version(),
            "texts": texts,
            "libraries": classes::tops(&WithCarried(&self.project.world()), &self.roots()),
            "runs": runs,
            "kairos": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Reads the pictures that classes show.
    fn reader(&self) -> impl Fn(&std::path::Path) -> Option<Vec<u8>> {
        let world = self.project.world();
        move |path| WithCarried(&world).read_bytes(&path.to_string_lossy()).ok()
    }

    fn roots(&self) -> Vec<String> {
        let mut roots = self.libraries.clone();
        roots.push(CARRIED.to_string());
        roots
    }

    fn text(&self, file: &str) -> Answer {
        let (text, version) = self
            .project
            .text(file)
            .ok_or_else(|| Refusal::new("not-open", format!("`{file}` is not open")))?;
        Ok(json!({ "file": file, "text": text, "version": version }))
    }

    /// Makes a new file: of an empty model, or of a text that the page has read.
    fn create(&mut self, asked: Asked<'_>) -> Answer {
        let name = asked.text("name")?;
        let usable = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !usable || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(Refusal::new("bad-name", format!("`{name}` cannot be the name of a model")));
        }
        let file = format!("{}/{name}.mo", self.project.folder);
        let empty = format!("model {name}\n  annotation (experiment(StopTime=1));\nend {name};\n");
        self.project.create(&file, asked.optional("text").unwrap_or(&empty))?;
        self.open(&file)?;
        self.text(&file)
    }

    /// Looks something up in the project and its libraries.
    fn with_library<T>(&self, look: impl FnOnce(&Library<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let (trees, project) = (Trees::default(), self.project.world());
        let world = WithCarried(&project);
        let library = Library::new(&trees, &world, self.libraries.clone()).with_fallback(CARRIED);
        for file in &self.files {
            // A file that is gone is told by other calls.
            let _ = library.add_file(file);
        }
        look(&library)
    }

    fn with_class<T>(
        &self,
        name: &str,
        look: impl for<'a> FnOnce(&Library<'a>, &mut Sema<'a>, InstId) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let made = MadeRefs::default();
        let (trees, project) = (Trees::default(), self.project.world());
        let world = WithCarried(&project);
        let library = Library::new(&trees, &world, self.libraries.clone()).with_fallback(CARRIED);
        for file in &self.files {
            let _ = library.add_file(file);
        }
        let mut sema = Sema::new(&library, &made);
        let class = sema.find_class(name).ok_or_else(|| classes::unknown(name))?;
        look(&library, &mut sema, class)
    }

    fn tree(&self, asked: Asked<'_>) -> Answer {
        if let Some(name) = asked.optional("class").filter(|name| !name.is_empty()) {
            return self.with_library(|library| classes::children(library, name));
        }
        let own: Vec<String> = self
            .files
            .iter()
            .filter_map(|file| self.project.text(file))
            .flat_map(|(text, _)| {
                let all = kairos_edit::Document::parse(&text).classes();
                let nested: Vec<String> = all.iter().map(|name| format!("{name}.")).collect();
                all.into_iter().filter(move |name| !nested.iter().any(|outer| name.starts_with(outer)))
            })
            .collect();
        let world = self.project.world();
        let tops = classes::tops(&WithCarried(&world), &self.roots());
        self.with_library(|library| {
            let lines = |names: &[String]| -> Vec<Value> {
                names.iter().filter_map(|name| classes::line(library, name)).collect()
            };
            let libraries: Vec<String> = tops.iter().filter(|name| !own.contains(name)).cloned().collect();
            Ok(json!({ "project": lines(&own), "libraries": lines(&libraries) }))
        })
    }

    fn search(&mut self, asked: Asked<'_>) -> Answer {
        if self.index.is_none() {
            let roots = self.roots();
            let world = self.project.world();
            let world = WithCarried(&world);
            let tops = classes::tops(&world, &roots);
            self.index = Some(classes::index(&world, &roots, &tops));
        }
        let index = self.index.as_deref().unwrap_or_default();
        Ok(Value::Array(classes::search(index, asked.text("text")?)))
    }

    fn icons(&self, asked: Asked<'_>) -> Answer {
        let names = asked.texts("classes");
        let Some(first) = names.first() else { return Ok(json!({})) };
        let read = self.reader();
        self.with_class(first, |library, sema, _| {
            let mut icons = serde_json::Map::new();
            for name in &names {
                if let Some(class) = sema.find_class(name) {
                    let svg = pictures::icon(library, sema, class, &read);
                    icons.insert(name.to_string(), Value::String(svg));
                }
            }
            Ok(Value::Object(icons))
        })
    }

    fn picture(&self, asked: Asked<'_>, view: View) -> Answer {
        let read = self.reader();
        let run = asked.0.get("run").and_then(Value::as_u64).and_then(|id| self.runs.get(&id));
        let kept = run.map(|run| run.kept());
        let time = asked.number("time").unwrap_or(0.0);
        let lookup = |name: &str| kept.as_ref()?.value_at(name, time);
        let values: Option<kairos_draw::Lookup<'_>> = if kept.is_some() { Some(&lookup) } else { None };
        self.with_class(asked.text("class")?, |library, sema, class| {
            Ok(pictures::picture(library, sema, class, view, &read, values))
        })
    }

    fn parameters(&self, asked: Asked<'_>) -> Answer {
        let part = asked.optional("component").unwrap_or("").to_string();
        self.with_class(asked.text("class")?, |library, sema, class| {
            let mut comp = sema.look_at(class);
            for name in part.split('.').filter(|name| !name.is_empty()) {
                let missing = || Refusal::new("no-such-part", format!("there is no part `{part}`"));
                comp = sema.part(comp, name).ok_or_else(missing)?;
            }
            let class_name = sema.class_of(comp).map(|class| sema.class_name(class)).unwrap_or_default();
            let replaceable = replaceables::replaceables(library, sema, comp);
            let parameters = parameters::parameters(sema, comp);
            Ok(json!({ "class": class_name, "parameters": parameters, "replaceable": replaceable }))
        })
    }

    /// Where a class is written, and how it wants to be run.
    fn class(&self, asked: Asked<'_>) -> Answer {
        let name = asked.text("class")?;
        let (file, mut answer) = self.with_library(|library| {
            let class = library.class(name).ok_or_else(|| classes::unknown(name))?;
            let sources = library.sources();
            let file = sources.path(class.span.file).to_string();
            let (line, _) = sources.position(class.span.file, class.span.start);
            let text = sources.slice(class.span).to_string();
            let experiment = parameters::experiment(class);
            let kind = kairos_sema::kind_word(class.kind);
            Ok((
                file,
                json!({ "class": name, "kind": kind, "line": line, "experiment": experiment, "text": text }),
            ))
        })?;
        answer["editable"] = json!(self.files.contains(&file));
        answer["file"] = json!(file);
        Ok(answer)
    }

    fn request(&self, class: &str) -> Request {
        let file = self.with_library(|library| {
            let class = library.class(class).ok_or_else(|| classes::unknown(class))?;
            Ok(library.sources().path(class.span.file).to_string())
        });
        let file = file.ok().filter(|file| self.files.contains(file));
        Request {
            file,
            model: Some(class.to_string()),
            libraries: self.libraries.clone(),
            shelf: self.shelf.clone(),
            ..Request::default()
        }
    }

    fn check(&self, asked: Asked<'_>) -> Answer {
        let request = self.request(asked.text("class")?);
        let compiled = kairos::compile(&self.project.world(), &request, Goal::Causal);
        Ok(json!({ "diagnostics": diagnostics(&compiled.diagnostics, &compiled.sources) }))
    }

    fn explain(&self, asked: Asked<'_>) -> Answer {
        let request = self.request(asked.text("class")?);
        let compiled = kairos::compile(&self.project.world(), &request, Goal::Causal);
        let text = match asked.text("variable") {
            Ok(name) if !compiled.has_errors() => {
                compiled.explain_variable(name).map_err(|wrong| Refusal::new(wrong.code, wrong.message))?
            }
            _ => compiled.explanation.clone().unwrap_or_default(),
        };
        Ok(json!({ "text": text, "diagnostics": diagnostics(&compiled.diagnostics, &compiled.sources) }))
    }

    /// Edits the class by a list of operations, one step for all of them.
    fn edit(&mut self, asked: Asked<'_>) -> Answer {
        let class = asked.text("class")?;
        let place = self.class(asked)?;
        let file = place["file"].as_str().unwrap_or_default().to_string();
        if place["editable"] != Value::Bool(true) {
            let message = format!("`{class}` belongs to a library: copy it into the project to change it");
            return Err(Refusal::new("read-only", message));
        }
        let mut steps = 0;
        for operation in asked.list("operations") {
            let (text, _) = self.project.text(&file).unwrap_or_default();
            match edits::patches(&text, class, operation) {
                Ok(patches) if patches.is_empty() => {}
                Ok(patches) => {
                    self.project.patch(&file, &patches)?;
                    steps += 1;
                }
                Err(refusal) => {
                    // All operations or none.
                    for _ in 0..steps {
                        self.project.undo(&file)?;
                    }
                    return Err(refusal);
                }
            }
        }
        self.project.join(&file, steps);
        self.text(&file)
    }

    fn run(&mut self, asked: Asked<'_>) -> Answer {
        let class = asked.text("class")?;
        let run = Arc::new(Run::new(class));
        let id = self.next_run;
        self.next_run += 1;
        self.runs.insert(id, run.clone());
        let job = Some(Job::new(asked, self.request(class)));
        let (world, shelf) = (self.project.snapshot(), self.compiled.clone());
        (self.spawn)(Work { run: run.clone(), job, world, shelf, clock: self.clock });
        Ok(run.status(id))
    }

    fn ask_run(&self, method: &str, asked: Asked<'_>) -> Answer {
        let id = asked.count("run")?;
        let run =
            self.runs.get(&id).ok_or_else(|| Refusal::new("no-such-run", format!("there is no run {id}")))?;
        match method {
            "stop" => {
                run.stop();
                return Ok(run.status(id));
            }
            "tune" => {
                run.tune(asked.text("name")?, asked.text("value")?);
                return Ok(run.status(id));
            }
            "progress" => return Ok(run.status(id)),
            _ => {}
        }
        let kept = run.kept();
        let ends = (kept.time.first().copied().unwrap_or(0.0), kept.time.last().copied().unwrap_or(0.0));
        Ok(match method {
            "variables" => json!({ "variables": kept.variables(), "from": ends.0, "to": ends.1 }),
            "curves" => {
                let points =
                    asked.0.get("points").and_then(Value::as_u64).unwrap_or(2000).min(200_000) as usize;
                let (from, to) =
                    (asked.number("from").unwrap_or(ends.0), asked.number("to").unwrap_or(ends.1));
                kept.curves(&asked.texts("names"), from, to, points)
            }
            "values" => kept.at(&asked.texts("names"), asked.number("time").unwrap_or(ends.1)),
            "events" => Value::Array(kept.events.clone()),
            _ => crate::shapes::shapes(&kept),
        })
    }
}
