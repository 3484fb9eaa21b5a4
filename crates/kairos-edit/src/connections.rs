//! Connections: added with their line, routed anew, removed.

use crate::components::point;
use crate::document::{Document, Edit, Unfit};
use crate::modifiers::find_argument;
use crate::patch::Patch;
use kairos_syntax::ast::{Composition, Equation, EquationKind, Expr, ExprKind};
use kairos_syntax::reference_to_string;

/// A line as a diagram shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub points: Vec<[f64; 2]>,
    pub color: [u8; 3],
}

impl Line {
    fn points(&self) -> String {
        let list: Vec<String> = self.points.iter().map(|p| point(*p)).collect();
        format!("{{{}}}", list.join(","))
    }

    fn text(&self) -> String {
        let [r, g, b] = self.color;
        format!("Line(points={}, color={{{r},{g},{b}}})", self.points())
    }
}

impl Document<'_> {
    /// Connects two connectors, behind the equations that are there.
    pub fn connect(&self, class: &str, from: &str, to: &str, line: Option<&Line>) -> Edit {
        let (found, body) = self.body(class)?;
        for end in [from, to] {
            if !is_reference(end) {
                return Err(Unfit::BadName(end.to_string()));
            }
        }
        let annotation = line.map_or(String::new(), |line| format!(" annotation ({})", line.text()));
        let text = format!("connect({from}, {to}){annotation};");
        let newline = self.newline();
        let section = body.equations.iter().rfind(|section| !section.initial);
        if let Some(section) = section {
            let outer = self.indent_at(section.span.start as usize);
            let (at, indent) = match section.equations.last() {
                Some(last) => {
                    let indent = self.indent_at(last.span.start as usize).to_string();
                    (self.end_with_semicolon(last.span), indent)
                }
                None => (section.span.start as usize + "equation".len(), format!("{outer}  ")),
            };
            return Ok(vec![Patch::insert(at, format!("{newline}{indent}{text}"))]);
        }
        let outer = self.indent_at(found.span.start as usize);
        let ends = body.elements.iter().map(|element| self.end_with_semicolon(element.span));
        let sections = body.algorithms.iter().map(|section| section.span.end as usize);
        let initial = body.equations.iter().map(|section| section.span.end as usize);
        let last = ends.chain(sections).chain(initial).max();
        let at = last.unwrap_or_else(|| self.head_end(found, body));
        Ok(vec![Patch::insert(at, format!("{newline}{outer}equation{newline}{outer}  {text}"))])
    }

    /// Gives a connection another line.
    pub fn route(&self, class: &str, from: &str, to: &str, line: &Line) -> Edit {
        let equation = self.connection(class, from, to)?;
        let Some(annotation) = &equation.comment.annotation else {
            let text = format!(" annotation ({})", line.text());
            return Ok(vec![Patch::insert(self.end_of_tokens(equation.span), text)]);
        };
        let Some(known) = find_argument(&annotation.args, "Line") else {
            return Ok(vec![self.first_argument(annotation.span, !annotation.args.is_empty(), &line.text())]);
        };
        Ok(match find_argument(known.args(), "points").and_then(|points| points.value()) {
            Some(points) => {
                vec![Patch::replace(points.span.start as usize, points.span.end as usize, line.points())]
            }
            None => {
                let text = format!("points={}", line.points());
                vec![self.first_argument(known.span(), !known.args().is_empty(), &text)]
            }
        })
    }

    /// Removes a connection.
    pub fn disconnect(&self, class: &str, from: &str, to: &str) -> Edit {
        let equation = self.connection(class, from, to)?;
        let end = self.end_with_semicolon(equation.span);
        let (start, end) = self.lines_of(equation.span.start as usize, end);
        Ok(vec![Patch::remove(start, end)])
    }

    fn connection(&self, class: &str, from: &str, to: &str) -> Result<&Equation, Unfit> {
        let (_, body) = self.body(class)?;
        let same = |equation: &&Equation| {
            ends(equation).is_some_and(|(a, b)| {
                let (a, b) = (end_name(a), end_name(b));
                (a == from && b == to) || (a == to && b == from)
            })
        };
        let missing = || Unfit::NoConnection(from.to_string(), to.to_string());
        flat_equations(body).into_iter().find(same).ok_or_else(missing)
    }
}

/// All equations of a class, those inside loops and conditions included, in order.
pub(crate) fn flat_equations(body: &Composition) -> Vec<&Equation> {
    let mut found = Vec::new();
    let sections = body.equations.iter().rev().flat_map(|section| section.equations.iter().rev());
    let mut todo: Vec<&Equation> = sections.collect();
    while let Some(equation) = todo.pop() {
        found.push(equation);
        match &equation.kind {
            EquationKind::For { body, .. } => todo.extend(body.iter().rev()),
            EquationKind::If { branches, otherwise } => {
                todo.extend(otherwise.iter().rev());
                todo.extend(branches.iter().rev().flat_map(|(_, body)| body.iter().rev()));
            }
            _ => {}
        }
    }
    found
}

/// What a connection connects.
pub(crate) fn ends(equation: &Equation) -> Option<(&Expr, &Expr)> {
    match &equation.kind {
        EquationKind::Connect(a, b) => Some((a, b)),
        _ => None,
    }
}

/// Is it a connector of this part, or the part itself?
pub(crate) fn names_part(end: &Expr, name: &str) -> bool {
    matches!(&end.kind, ExprKind::Ref(r) if r.parts.first().is_some_and(|part| part.name.name == *name))
}

fn end_name(end: &Expr) -> String {
    match &end.kind {
        ExprKind::Ref(r) => reference_to_string(r),
        _ => String::new(),
    }
}

fn is_reference(text: &str) -> bool {
    let (e, diagnostics) = kairos_syntax::parse_expression(kairos_base::FileId(0), text);
    diagnostics.is_empty() && matches!(e.kind, ExprKind::Ref(_))
}
