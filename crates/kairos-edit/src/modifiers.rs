//! Values of parameters: given to a part by its modifiers, or to a declaration of the class itself.

use crate::document::{Document, Edit, Unfit};
use crate::patch::Patch;
use kairos_syntax::ast::{Argument, ArgumentKind, Expr, ModValue, Modification};
use kairos_syntax::{References, TokenKind};

/// An argument that modifies something by name.
#[derive(Clone, Copy)]
pub(crate) struct Modifier<'d> {
    argument: &'d Argument,
    modification: Option<&'d Modification>,
}

impl<'d> Modifier<'d> {
    pub fn span(&self) -> kairos_base::Span {
        self.argument.span
    }

    pub fn args(&self) -> &'d [Argument] {
        self.modification.map_or(&[], |m| &m.args)
    }

    pub fn value(&self) -> Option<&'d Expr> {
        match self.modification?.value.as_ref()? {
            ModValue::Expr(e) => Some(e),
            ModValue::Break(_) => None,
        }
    }
}

/// The argument of a name.
pub(crate) fn find_argument<'d>(args: &'d [Argument], name: &str) -> Option<Modifier<'d>> {
    args.iter().find_map(|argument| match &argument.kind {
        ArgumentKind::Modify { path, modification, .. } if path.len() == 1 && path[0].name == *name => {
            Some(Modifier { argument, modification: modification.as_ref() })
        }
        _ => None,
    })
}

impl Document<'_> {
    /// Gives a value to what `path` names inside a part, such as `R` or `medium.T`; `None` takes the value back. With an
    /// empty path it is the value of the declaration itself.
    pub fn modify(&self, class: &str, component: &str, path: &str, value: Option<&str>) -> Edit {
        let declared = self.component(class, component)?;
        if let Some(text) = value {
            let (_, wrong) = kairos_syntax::parse_expression(kairos_base::FileId(0), text);
            if text.trim().is_empty() || wrong.iter().any(|d| d.is_error()) {
                return Err(Unfit::BadValue(text.to_string()));
            }
        }
        let modification = declared.component.modification.as_ref();
        let mut names: Vec<&str> = path.split('.').filter(|name| !name.is_empty()).collect();
        if !names.iter().all(|name| crate::components::is_name(name)) {
            return Err(Unfit::BadName(path.to_string()));
        }
        let name_end = self.before_modification(declared.component);
        if names.is_empty() {
            return Ok(self.bind(modification, name_end, value));
        }
        // As deep as there are modifiers of these names.
        let (mut args, mut owner): (&[Argument], _) = (modification.map_or(&[], |m| &m.args), None);
        while names.len() > 1 {
            let Some(inner) = find_argument(args, names[0]) else { break };
            (args, owner) = (inner.args(), Some(inner));
            names.remove(0);
        }
        if let [name] = names[..]
            && let Some(known) = find_argument(args, name)
        {
            return Ok(match (value, known.value()) {
                (Some(text), Some(old)) => {
                    vec![Patch::replace(old.span.start as usize, old.span.end as usize, text)]
                }
                (Some(text), None) => vec![Patch::insert(known.span().end as usize, format!("={text}"))],
                (None, _) => vec![self.without(args, known)],
            });
        }
        let Some(text) = value else { return Ok(Vec::new()) };
        let mut new = format!("{}={text}", names[names.len() - 1]);
        for name in names[..names.len() - 1].iter().rev() {
            new = format!("{name}({new})");
        }
        let at = args.last().map(|last| last.span.end as usize);
        Ok(vec![match (at, owner) {
            (Some(at), _) => Patch::insert(at, format!(", {new}")),
            (None, Some(owner)) => self.parenthesised(self.name_end(owner.span()), &new),
            (None, None) => self.parenthesised(name_end, &new),
        }])
    }

    /// Puts a redeclaration, such as `redeclare model M = A.B`, among the modifiers of a part, in the place of one that is there for the same
    /// element; `None` takes that away.
    pub fn redeclare(&self, class: &str, component: &str, element: &str, text: Option<&str>) -> Edit {
        let declared = self.component(class, component)?;
        if let Some(text) = text {
            let probe = format!("model M\n  T t({text});\nend M;\n");
            let (_, wrong) = kairos_syntax::parse(kairos_base::FileId(0), &probe);
            if !text.starts_with("redeclare ") || wrong.iter().any(|d| d.is_error()) {
                return Err(Unfit::BadValue(text.to_string()));
            }
        }
        let args = declared.component.modification.as_ref().map_or(&[][..], |m| &m.args);
        let known = args.iter().find(|argument| match &argument.kind {
            ArgumentKind::Class { class, .. } => class.name.name == *element,
            ArgumentKind::Component { clause, .. } => {
                clause.components.iter().any(|c| c.name.name == *element)
            }
            ArgumentKind::Modify { .. } => false,
        });
        Ok(match (known, text) {
            (Some(known), Some(text)) => {
                vec![Patch::replace(known.span.start as usize, known.span.end as usize, text)]
            }
            (Some(argument), None) => vec![self.without(args, Modifier { argument, modification: None })],
            (None, None) => Vec::new(),
            (None, Some(text)) => vec![match args.last() {
                Some(last) => Patch::insert(last.span.end as usize, format!(", {text}")),
                None => self.parenthesised(self.before_modification(declared.component), text),
            }],
        })
    }

    /// The first modifier behind a name, in parentheses that may be there already.
    fn parenthesised(&self, name_end: usize, text: &str) -> Patch {
        match self.token(self.token_at(name_end as u32)) {
            Some(token) if token.kind == TokenKind::LeftParen => Patch::insert(token.end as usize, text),
            _ => Patch::insert(name_end, format!("({text})")),
        }
    }

    /// `= value` of a declaration.
    fn bind(&self, modification: Option<&Modification>, name_end: usize, value: Option<&str>) -> Vec<Patch> {
        let old = modification.and_then(|m| match &m.value {
            Some(ModValue::Expr(e)) => Some(e.span),
            Some(ModValue::Break(span)) => Some(*span),
            None => None,
        });
        let after = modification.map_or(name_end, |m| m.span.end as usize);
        match (old, value) {
            (Some(span), Some(text)) => vec![Patch::replace(span.start as usize, span.end as usize, text)],
            (None, Some(text)) => vec![Patch::insert(after, format!(" = {text}"))],
            (Some(span), None) => {
                // The sign before the value goes with it, and the blanks before that.
                let sign = self.text[..span.start as usize].trim_end();
                let start = sign.strip_suffix(":=").or_else(|| sign.strip_suffix('=')).unwrap_or(sign);
                vec![Patch::remove(start.trim_end().len(), span.end as usize)]
            }
            (None, None) => Vec::new(),
        }
    }

    /// Removes one argument with its comma; the parentheses go with the last one.
    fn without(&self, args: &[Argument], known: Modifier<'_>) -> Patch {
        let at = args.iter().position(|a| a.span == known.span()).unwrap_or(0);
        let (start, end) = (known.span().start as usize, known.span().end as usize);
        if let Some(next) = args.get(at + 1) {
            return Patch::remove(start, next.span.start as usize);
        }
        if let Some(before) = at.checked_sub(1).and_then(|k| args.get(k)) {
            return Patch::remove(before.span.end as usize, end);
        }
        let open = self.text[..start].rfind('(');
        let close = self.text[end..].find(')').map(|k| end + k + 1);
        match (open, close) {
            (Some(open), Some(close))
                if self.text[open + 1..start].trim().is_empty()
                    && self.text[end..close - 1].trim().is_empty() =>
            {
                Patch::remove(open, close)
            }
            _ => Patch::remove(start, end),
        }
    }

    /// Behind the name of a declaration and its subscripts.
    fn before_modification(&self, component: &kairos_syntax::ast::Component) -> usize {
        self.name_end(component.name.span)
    }

    /// Behind the first name from the start of a span, and its subscripts.
    fn name_end(&self, span: kairos_base::Span) -> usize {
        let mut k = self.token_at(span.start);
        while self.token(k).is_some_and(|t| t.kind != TokenKind::Ident && t.kind != TokenKind::Eof) {
            k += 1;
        }
        let Some(name) = self.token(k) else { return span.end as usize };
        let (mut end, mut depth) = (name.end as usize, 0usize);
        k += 1;
        while let Some(token) = self.token(k) {
            match token.kind {
                TokenKind::LeftBracket => depth += 1,
                TokenKind::RightBracket => depth = depth.saturating_sub(1),
                _ if depth == 0 => break,
                TokenKind::Eof => break,
                _ => {}
            }
            end = token.end as usize;
            k += 1;
        }
        end
    }
}

/// Shows the references in the values of modifiers.
pub(crate) fn walk_modification<'t>(m: Option<&'t Modification>, walk: &mut References<'t, '_>) {
    let Some(m) = m else { return };
    walk_arguments(&m.args, walk);
    if let Some(ModValue::Expr(e)) = &m.value {
        walk.expr(e);
    }
}

/// The same for a list of arguments.
pub(crate) fn walk_arguments<'t>(args: &'t [Argument], walk: &mut References<'t, '_>) {
    for argument in args {
        match &argument.kind {
            ArgumentKind::Modify { modification, .. } => walk_modification(modification.as_ref(), walk),
            ArgumentKind::Component { clause, .. } => {
                for component in &clause.components {
                    walk_modification(component.modification.as_ref(), walk);
                }
            }
            ArgumentKind::Class { .. } => {}
        }
    }
}
