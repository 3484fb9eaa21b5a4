//! Parts: added, placed, removed and renamed.

use crate::connections::{ends, flat_equations, names_part};
use crate::document::{Document, Edit, Unfit};
use crate::modifiers::find_argument;
use crate::patch::Patch;
use kairos_base::Name;
use kairos_syntax::ast::{Class, Composition, ElementKind};
use kairos_syntax::{References, TokenKind};

/// Where a part stands: its box around `origin`, turned by `rotation` degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub extent: [[f64; 2]; 2],
    pub origin: [f64; 2],
    pub rotation: f64,
}

impl Placement {
    fn transformation(&self) -> String {
        let mut text = format!("transformation(extent={}", extent(self.extent));
        if self.rotation != 0.0 {
            text += &format!(", rotation={}", number(self.rotation));
        }
        if self.origin != [0.0, 0.0] {
            text += &format!(", origin={}", point(self.origin));
        }
        text + ")"
    }
}

/// A part to be declared.
#[derive(Clone, Debug, PartialEq)]
pub struct NewComponent {
    pub type_name: String,
    pub name: String,
    /// Modifiers as text, without their parentheses: `R=1`.
    pub modifiers: String,
    pub placement: Option<Placement>,
}

impl Document<'_> {
    /// Declares a part behind those that are there.
    pub fn add_component(&self, class: &str, new: &NewComponent) -> Edit {
        let (found, body) = self.body(class)?;
        if !is_name(&new.name) || declares(body, &new.name) {
            return Err(Unfit::BadName(new.name.clone()));
        }
        if !new.type_name.trim_start_matches('.').split('.').all(is_name) {
            return Err(Unfit::BadName(new.type_name.clone()));
        }
        let mut text = format!("{} {}", new.type_name, new.name);
        if !new.modifiers.trim().is_empty() {
            text += &format!("({})", new.modifiers.trim());
        }
        if let Some(placement) = &new.placement {
            text += &format!(" annotation (Placement({}))", placement.transformation());
        }
        let public = |e: &&kairos_syntax::ast::Element| !e.protected;
        let last = body.elements.iter().rfind(public);
        let (at, indent) = match last {
            Some(element) => {
                let start = element.span.start as usize;
                (self.end_with_semicolon(element.span), self.indent_at(start).to_string())
            }
            None => (self.head_end(found, body), format!("{}  ", self.indent_at(found.span.start as usize))),
        };
        Ok(vec![Patch::insert(at, format!("{}{indent}{text};", self.newline()))])
    }

    /// Gives a part its place.
    pub fn place(&self, class: &str, name: &str, to: &Placement) -> Edit {
        let declared = self.component(class, name)?;
        let Some(annotation) = &declared.component.comment.annotation else {
            let end = self.declarator_end(declared.component);
            let text = format!(" annotation (Placement({}))", to.transformation());
            return Ok(vec![Patch::insert(end, text)]);
        };
        let Some(placement) = find_argument(&annotation.args, "Placement") else {
            let text = format!("Placement({})", to.transformation());
            return Ok(vec![self.first_argument(annotation.span, !annotation.args.is_empty(), &text)]);
        };
        let Some(transformation) = find_argument(placement.args(), "transformation") else {
            let inside = !placement.args().is_empty();
            return Ok(vec![self.first_argument(placement.span(), inside, &to.transformation())]);
        };
        let values = [
            ("extent", extent(to.extent), true),
            ("rotation", number(to.rotation), to.rotation != 0.0),
            ("origin", point(to.origin), to.origin != [0.0, 0.0]),
        ];
        let (mut patches, mut missing) = (Vec::new(), String::new());
        for (attribute, text, wanted) in values {
            match find_argument(transformation.args(), attribute) {
                Some(argument) => {
                    let Some(value) = argument.value() else { continue };
                    let (start, end) = (value.span.start as usize, value.span.end as usize);
                    // A value that stays the same keeps its spelling.
                    if without_blanks(&self.text[start..end]) != text {
                        patches.push(Patch::replace(start, end, text));
                    }
                }
                None if wanted => missing += &format!(", {attribute}={text}"),
                None => {}
            }
        }
        if !missing.is_empty() {
            match transformation.args().last() {
                Some(last) => patches.push(Patch::insert(last.span.end as usize, missing)),
                None => patches.push(self.first_argument(transformation.span(), false, &missing[2..])),
            }
        }
        Ok(patches)
    }

    /// Removes a part and its connections.
    pub fn remove_component(&self, class: &str, name: &str) -> Edit {
        let declared = self.component(class, name)?;
        let (_, body) = self.body(class)?;
        let mut patches = Vec::new();
        if declared.clause.components.len() == 1 {
            let start = declared.element.span.start as usize;
            let (start, end) = self.lines_of(start, self.end_with_semicolon(declared.element.span));
            patches.push(Patch::remove(start, end));
        } else {
            let own = declared.component.name.span.start as usize;
            let end = self.declarator_end(declared.component);
            patches.push(match declared.clause.components.get(declared.at + 1) {
                Some(next) => Patch::remove(own, next.name.span.start as usize),
                None => {
                    let before = &declared.clause.components[declared.at - 1];
                    Patch::remove(self.declarator_end(before), end)
                }
            });
        }
        for equation in flat_equations(body) {
            if let Some((a, b)) = ends(equation)
                && (names_part(a, name) || names_part(b, name))
            {
                let end = self.end_with_semicolon(equation.span);
                let (start, end) = self.lines_of(equation.span.start as usize, end);
                patches.push(Patch::remove(start, end));
            }
        }
        Ok(patches)
    }

    /// Gives a part another name, where it is declared and wherever its class speaks of it.
    pub fn rename_component(&self, class: &str, name: &str, to: &str) -> Edit {
        let declared = self.component(class, name)?;
        let (_, body) = self.body(class)?;
        if !is_name(to) || declares(body, to) {
            return Err(Unfit::BadName(to.to_string()));
        }
        let own = declared.component.name.span;
        let mut places = vec![(own.start as usize, own.end as usize)];
        let mut visit = |r: &kairos_syntax::ast::ComponentRef| {
            if !r.global && r.parts.first().is_some_and(|part| part.name.name == *name) {
                let span = r.parts[0].name.span;
                places.push((span.start as usize, span.end as usize));
            }
        };
        let mut walk = References { visit: &mut visit, shadowed: Some(Name::new(name)) };
        for section in &body.equations {
            walk.equations(&section.equations);
        }
        for section in &body.algorithms {
            walk.statements(&section.statements);
        }
        for element in &body.elements {
            match &element.kind {
                ElementKind::Components(clause) => {
                    for component in &clause.components {
                        crate::modifiers::walk_modification(component.modification.as_ref(), &mut walk);
                        component.condition.iter().for_each(|condition| walk.expr(condition));
                    }
                }
                ElementKind::Extends(extends) => crate::modifiers::walk_arguments(&extends.mods, &mut walk),
                _ => {}
            }
        }
        places.sort_unstable();
        places.dedup();
        Ok(places.into_iter().map(|(start, end)| Patch::replace(start, end, to)).collect())
    }

    /// Behind the name and the description of a class.
    pub(crate) fn head_end(&self, class: &Class, body: &Composition) -> usize {
        let described = body.description.span.map_or(0, |span| span.end);
        class.name.span.end.max(described) as usize
    }

    /// A new first argument inside the parentheses of something that ends with them.
    pub(crate) fn first_argument(&self, span: kairos_base::Span, others: bool, text: &str) -> Patch {
        let mut k = self.token_at(span.start);
        while let Some(token) = self.token(k) {
            match token.kind {
                TokenKind::LeftParen => {
                    let comma = if others { ", " } else { "" };
                    return Patch::insert(token.end as usize, format!("{text}{comma}"));
                }
                TokenKind::Eof => break,
                _ if token.start >= span.end => break,
                _ => k += 1,
            }
        }
        Patch::insert(span.end as usize, format!("({text})"))
    }
}

/// Does the class itself declare this name?
fn declares(body: &Composition, name: &str) -> bool {
    body.elements.iter().any(|element| match &element.kind {
        ElementKind::Components(clause) => clause.components.iter().any(|c| c.name.name == *name),
        ElementKind::Class(class) => class.class.name.name == *name,
        _ => false,
    })
}

/// Is a text one name and no keyword?
pub(crate) fn is_name(text: &str) -> bool {
    let tokens = kairos_syntax::lex(kairos_base::FileId(0), text);
    tokens.diagnostics.is_empty()
        && matches!(tokens.tokens[..], [first, _] if first.kind == TokenKind::Ident
            && first.start == 0 && first.end as usize == text.len())
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

pub(crate) fn number(x: f64) -> String {
    let rounded = (x * 1e6).round() / 1e6;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

pub(crate) fn point(p: [f64; 2]) -> String {
    format!("{{{},{}}}", number(p[0]), number(p[1]))
}

pub(crate) fn extent(e: [[f64; 2]; 2]) -> String {
    format!("{{{},{}}}", point(e[0]), point(e[1]))
}
