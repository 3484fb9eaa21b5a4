//! From trees to meaning: lookup, modification, typing, instantiation and constant evaluation.

pub mod annotations;
mod arrays;
mod builtins;
mod bus_sources;
mod buses;
mod calls;
mod checks;
mod comps;
mod constants;
pub mod diagnostics;
mod equations;
mod external;
mod functional;
mod functions;
mod graph;
mod habits;
mod inst;
mod instance;
pub mod library;
mod local_values;
mod lookup;
mod mods;
mod name_map;
mod ranges;
mod records;
mod resolve;
mod restrictions;
mod results;
mod selection;
mod stand_in;
mod state_machines;
mod statements;
mod typing;
mod unit_attributes;
pub mod versions;
mod view;

pub use buses::MadeRefs;
pub use checks::kind_word;
pub use comps::{Comp, Variability, What, subscripts_of, write_subscripts};
pub use equations::{Connect, Endpoint, Eq, EqKind, GraphFact};
pub use graph::Forest;
pub use instance::instantiate;
pub use library::{Library, Trees};
pub use state_machines::{StateMachines, Transition};
pub use unit_attributes::DeclaredUnit;
pub use view::{Layer, class_annotation, class_description};

use inst::{Basic, Elem, Inst};
use kairos_base::hash::{HashMap, HashSet};
use kairos_base::{Arena, Diagnostic, FileId, Name, Span, compact_id};
use kairos_expr::{EnumId, ExprId, FunctionId, LocalId, Natives, RecordId, Store, TypeId, Value, VarId};
use kairos_syntax::ast;
use std::rc::Rc;

compact_id! {
    /// A class instance.
    InstId
}
compact_id! {
    /// An element of a class instance.
    ElemId
}
compact_id! {
    /// A component instance; variables of expressions are components (`VarId` with the same number).
    CompId
}

/// Names that the front end itself looks for.
pub(crate) struct Names {
    time: Name,
    /// Operators that no function can hide.
    operators: HashSet<Name>,
}

/// Everything known while a model is instantiated.
pub struct Sema<'a> {
    pub lib: &'a Library<'a>,
    pub(crate) made_refs: &'a MadeRefs,
    pub store: Store,
    pub(crate) insts: Arena<Inst<'a>>,
    pub(crate) elems: Arena<Elem<'a>>,
    pub(crate) comps: Arena<Comp<'a>>,
    pub(crate) root: InstId,
    pub(crate) basics: HashMap<Name, InstId>,
    pub(crate) tops: HashMap<Name, Option<InstId>>,
    pub(crate) checked_bodies: HashSet<*const ast::Class>,
    pub(crate) expand_depth: usize,
    /// An expansion that would not end was found: those around it are given up, too, for each would find it again.
    pub(crate) endless: bool,
    /// A component that contains itself was found: no more are made, for there is no end to them.
    pub(crate) recursive: bool,
    /// An equation or statement that was left out, since something in it could not be resolved.
    unresolved: Option<Span>,
    /// There are expandable connectors among the classes.
    pub(crate) buses: bool,
    /// There are types or records with an `equalityConstraint` among the classes.
    pub(crate) overdetermined: bool,
    pub(crate) alias_depth: usize,
    pub(crate) in_function: usize,
    /// Class elements that were declared again without being replaceable: before, after, and where.
    pub(crate) repeated_classes: Vec<(ElemId, ElemId, Span)>,
    /// Redeclared once more after a redeclaration with a constraining class: compared with that although nothing uses them.
    pub(crate) narrowed_classes: Vec<ElemId>,
    /// In an algorithm section of a model, whose arrays may have sizes that only a run knows.
    pub(crate) in_section: bool,
    /// Loops around the statement being resolved, in the same section.
    pub(crate) in_loop: usize,
    pub(crate) in_when: bool,
    pub(crate) in_partial_check: bool,
    pub(crate) marking: bool,
    pub(crate) final_conditions: bool,
    pub(crate) functions: HashMap<InstId, FunctionId>,
    pub(crate) function_insts: Vec<InstId>,
    /// Calls that `pure(...)` vouches for (MLS 12.3).
    pub(crate) calls_as_pure: kairos_base::hash::HashSet<ExprId>,
    pub(crate) function_scopes: HashMap<FunctionId, Rc<HashMap<Name, (LocalId, TypeId)>>>,
    pub(crate) records: HashMap<InstId, RecordId>,
    /// The same as functions know them: with sizes open that each record has for itself.
    pub(crate) open_records: HashMap<InstId, RecordId>,
    pub(crate) record_classes: HashMap<RecordId, InstId>,
    pub(crate) enums: HashMap<*const ast::Class, EnumId>,
    pub(crate) assertion_level: EnumId,
    pub(crate) values: HashMap<VarId, Value>,
    /// First scalar variable of each component, in ascending order, once flattening has numbered them.
    pub scalars: Vec<(VarId, CompId)>,
    pub(crate) natives: Natives,
    /// Steps that evaluations may still take.
    pub(crate) budget: std::cell::Cell<u64>,
    /// Values that are being computed, each for the one before.
    pub(crate) chain: usize,
    pub(crate) names: Names,
    pub(crate) model_root: Option<CompId>,
    pub(crate) missing_inner: HashMap<Name, CompId>,
    pub equations: Vec<Eq>,
    pub initial_equations: Vec<Eq>,
    pub connects: Vec<Connect>,
    pub(crate) graph: Vec<(GraphFact, Span)>,
    /// What connections are like, once they are all known.
    pub forest: Forest,
    pub(crate) deferred: Vec<equations::Deferred<'a>>,
    pub state_machines: StateMachines,
    pub(crate) open_connects: Vec<buses::OpenConnect<'a>>,
    pub(crate) broken_connects: Vec<&'a ast::Break>,
    pub(crate) no_span: Span,
    pub(crate) diagnostics: Vec<Diagnostic>,
    reported: HashSet<(&'static str, u32, u32, u32)>,
}

impl<'a> Sema<'a> {
    pub fn new(lib: &'a Library<'a>, made_refs: &'a MadeRefs) -> Self {
        let operators = [
            "der",
            "pre",
            "edge",
            "change",
            "initial",
            "terminal",
            "noEvent",
            "smooth",
            "reinit",
            "delay",
            "homotopy",
            "cardinality",
            "inStream",
            "actualStream",
            "size",
            "assert",
            "terminate",
            "previous",
            "hold",
        ];
        let mut sema = Sema {
            lib,
            made_refs,
            store: Store::default(),
            insts: Arena::default(),
            elems: Arena::default(),
            comps: Arena::default(),
            root: InstId::new(0),
            basics: HashMap::default(),
            tops: HashMap::default(),
            checked_bodies: HashSet::default(),
            expand_depth: 0,
            endless: false,
            recursive: false,
            unresolved: None,
            buses: false,
            overdetermined: false,
            alias_depth: 0,
            in_function: 0,
            repeated_classes: Vec::new(),
            narrowed_classes: Vec::new(),
            in_section: false,
            in_loop: 0,
            in_when: false,
            in_partial_check: false,
            marking: true,
            final_conditions: false,
            functions: HashMap::default(),
            function_insts: Vec::new(),
            function_scopes: HashMap::default(),
            calls_as_pure: Default::default(),
            records: HashMap::default(),
            open_records: HashMap::default(),
            record_classes: HashMap::default(),
            enums: HashMap::default(),
            assertion_level: EnumId(0),
            values: HashMap::default(),
            scalars: Vec::new(),
            natives: Natives::silent(lib.resources(), lib.permissions()),
            budget: std::cell::Cell::new(kairos_base::limits::STEPS),
            chain: 0,
            names: Names {
                time: Name::new("time"),
                operators: operators.into_iter().map(Name::new).collect(),
            },
            model_root: None,
            missing_inner: HashMap::default(),
            equations: Vec::new(),
            initial_equations: Vec::new(),
            connects: Vec::new(),
            graph: Vec::new(),
            forest: Forest::default(),
            deferred: Vec::new(),
            state_machines: StateMachines::default(),
            open_connects: Vec::new(),
            broken_connects: Vec::new(),
            no_span: Span { file: FileId(0), start: 0, end: 0 },
            diagnostics: Vec::new(),
            reported: HashSet::default(),
        };
        sema.root = sema.new_inst(None, None, Default::default(), None);
        sema.predefine();
        sema
    }

    /// The predefined types (MLS 4.9).
    fn predefine(&mut self) {
        let plain = [
            ("Real", Basic::Real),
            ("Integer", Basic::Integer),
            ("Boolean", Basic::Boolean),
            ("String", Basic::String),
            ("Clock", Basic::Clock),
            ("ExternalObject", Basic::ExternalObject),
        ];
        for (name, basic) in plain {
            self.predefine_type(name, basic);
        }
        let enums: [(&str, &[&str]); 2] = [
            ("AssertionLevel", &["warning", "error"]),
            ("StateSelect", &["never", "avoid", "default", "prefer", "always"]),
        ];
        for (name, literals) in enums {
            let literals = literals.iter().map(|l| Name::new(l)).collect();
            self.store.enums.push(kairos_expr::EnumType { name: Name::new(name), literals });
            let id = EnumId::new(self.store.enums.len() - 1);
            if name == "AssertionLevel" {
                self.assertion_level = id;
            }
            self.predefine_type(name, Basic::Enumeration(id));
        }
    }

    fn predefine_type(&mut self, name: &str, basic: Basic) {
        let name = Name::new(name);
        let inst = self.new_inst(None, Some(self.root), Default::default(), None);
        self.insts[inst.index()].name = name;
        self.insts[inst.index()].kind = ast::ClassKind::Type;
        self.insts[inst.index()].basic = Some(basic);
        self.expand(inst);
        self.basics.insert(name, inst);
    }

    /// Takes a message, once per place and kind; one message tells a whole cycle of inheritance.
    pub(crate) fn report(&mut self, d: Diagnostic) {
        if d.code == diagnostics::CYCLIC && self.diagnostics.iter().any(|old| old.code == d.code) {
            return;
        }
        // What is said of components that were not made is of no use.
        if self.recursive {
            return;
        }
        if self.reported.insert(place_of(&d)) {
            self.diagnostics.push(d);
        }
    }

    /// Leaves an equation or statement out whose mistake has been reported.
    pub(crate) fn unresolved<T>(&mut self, span: Span) -> Vec<T> {
        self.unresolved.get_or_insert(span);
        Vec::new()
    }

    /// What is to be said if something was left out and no error told why: an equation must never vanish in silence.
    pub fn unexplained(&self, told: &[Diagnostic]) -> Option<Diagnostic> {
        let span = self.unresolved?;
        (!told.iter().any(Diagnostic::is_error)).then(|| diagnostics::unexplained(span))
    }

    /// Takes back what was said about subscripts since `mark`.
    pub(crate) fn forget_subscripts(&mut self, mark: usize) {
        let said: Vec<Diagnostic> = self.diagnostics.drain(mark..).collect();
        for d in said {
            match d.code == "bad-subscript" {
                true => drop(self.reported.remove(&place_of(&d))),
                false => self.diagnostics.push(d),
            }
        }
    }

    /// Takes back the messages of an attempt that failed.
    pub(crate) fn forget(&mut self, mark: usize) {
        for d in self.diagnostics.drain(mark..) {
            self.reported.remove(&place_of(&d));
        }
    }
}

fn place_of(d: &Diagnostic) -> (&'static str, u32, u32, u32) {
    let (file, start, end) =
        d.labels.first().map_or((0, 0, 0), |l| (l.span.file.0, l.span.start, l.span.end));
    (d.code, file, start, end)
}
