//! Reading conversion scripts: calls of `convertClass` and its relatives with literal texts.

use super::rules::{ClassIf, ModifierRule, Rules};
use kairos_base::{Diagnostic, FileId, Span};
use kairos_syntax::ast::{Args, BinaryOp, Expr, ExprKind};
use kairos_syntax::{Token, TokenKind};

/// An argument of a rule.
enum Value {
    Text(String),
    List(Vec<Value>),
    Flag(bool),
}

impl Rules {
    /// Reads a script; `file` is where its messages point to.
    pub fn read(file: FileId, script: &str) -> (Rules, Vec<Diagnostic>) {
        let (mut rules, mut messages) = (Rules::default(), Vec::new());
        for (start, end) in calls(file, script) {
            let (call, wrong) = kairos_syntax::parse_expression(file, &script[start..end]);
            let span = Span::new(file, start, end);
            let done = match (&call.kind, wrong.is_empty()) {
                (ExprKind::Call { function, args }, true) => {
                    let name = function.parts.last().map_or("", |part| part.name.name.as_str());
                    rules.add(name, args)
                }
                _ => Err("it is no call".to_string()),
            };
            messages.extend(done.err().map(|why| unread(&script[start..end], &why).at(span)));
        }
        (rules, messages)
    }

    /// One rule, with all the names that its lists stand for.
    fn add(&mut self, function: &str, args: &Args) -> Result<(), String> {
        let values: Vec<Value> = args
            .positional
            .iter()
            .map(value)
            .collect::<Option<_>>()
            .ok_or("its arguments must be literal texts or lists of them".to_string())?;
        let simplify = args.named.iter().any(|a| a.name.name == *"simplify" && is_true(&a.value))
            || matches!(values.get(3), Some(Value::Flag(true)));
        match function {
            "convertClear" => *self = Rules::default(),
            "convertClass" => {
                for row in rows(&values, 2)? {
                    self.classes.insert(row[0].clone(), row[1].clone());
                }
            }
            "convertClassIf" => {
                for row in rows(&values, 4)? {
                    let [element, value, class] = [1, 2, 3].map(|k| row[k].clone());
                    self.choices.entry(row[0].clone()).or_default().push(ClassIf { element, value, class });
                }
            }
            "convertElement" => {
                for row in rows(&values, 3)? {
                    if row[2].is_empty() {
                        // A form of old scripts: the modifier goes.
                        let rule = ModifierRule {
                            old: vec![(row[1].clone(), None)],
                            connected: Vec::new(),
                            new: Vec::new(),
                            simplify: false,
                        };
                        self.modifiers.entry(row[0].clone()).or_default().push(rule);
                        continue;
                    }
                    let old = row[1].split('.').map(String::from).collect();
                    self.elements.entry(row[0].clone()).or_default().push((old, row[2].clone()));
                }
            }
            "convertModifiers" => self.add_modifiers(&values, simplify)?,
            "convertMessage" => {
                let width = values.len().clamp(2, 3);
                for row in rows(&values, width)? {
                    self.messages
                        .entry(row[0].clone())
                        .or_default()
                        .push((row.get(2).cloned(), row[1].clone()));
                }
            }
            _ => return Err("there is no such rule".into()),
        }
        Ok(())
    }

    fn add_modifiers(&mut self, values: &[Value], simplify: bool) -> Result<(), String> {
        let [classes, old, new, ..] = values else { return Err("it has three arguments".into()) };
        let mut rule = ModifierRule { old: Vec::new(), connected: Vec::new(), new: Vec::new(), simplify };
        for text in flat(old) {
            let (name, default) = match text.split_once('=') {
                Some((name, default)) => (name.trim(), Some(default.trim().to_string())),
                None => (text.trim(), None),
            };
            match name.strip_prefix("cardinality(").and_then(|rest| rest.strip_suffix(')')) {
                Some(of) => rule.connected.push((of.trim().into(), default.as_deref() != Some("0"))),
                None => rule.old.push((name.to_string(), default)),
            }
        }
        for text in flat(new) {
            let (name, value) = text.split_once('=').ok_or(format!("`{text}` sets nothing"))?;
            rule.new.push((name.trim().to_string(), value.trim().to_string()));
        }
        for class in flat(classes) {
            self.modifiers.entry(class).or_default().push(rule.clone());
        }
        Ok(())
    }
}

fn unread(call: &str, why: &str) -> Diagnostic {
    let shown: String = call.chars().take(60).collect();
    Diagnostic::warning("conversion-rule", format!("the rule `{shown}` is not understood: {why}"))
        .help("the rule is left out; what it would have changed is to be changed by hand")
}

/// Where the calls of a script begin and end; semicolons between them may be missing.
fn calls(file: FileId, script: &str) -> Vec<(usize, usize)> {
    let tokens = kairos_syntax::lex(file, script).tokens;
    let (mut list, mut depth, mut start) = (Vec::new(), 0usize, None);
    for Token { kind, start: at, end, .. } in tokens {
        match kind {
            TokenKind::Eof => break,
            TokenKind::Semicolon if depth == 0 => start = None,
            TokenKind::LeftParen | TokenKind::LeftBrace | TokenKind::LeftBracket => depth += 1,
            TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => {
                depth = depth.saturating_sub(1);
                if let (0, Some(begin)) = (depth, start) {
                    list.push((begin, end as usize));
                    start = None;
                }
            }
            _ if start.is_none() && depth == 0 => start = Some(at as usize),
            _ => {}
        }
    }
    list
}

fn is_true(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Bool(true))
}

fn value(e: &Expr) -> Option<Value> {
    Some(match &e.kind {
        ExprKind::String(text) => Value::Text(text.to_string()),
        ExprKind::Bool(flag) => Value::Flag(*flag),
        ExprKind::Array(items) => Value::List(items.iter().map(value).collect::<Option<_>>()?),
        ExprKind::Binary(BinaryOp::Add, a, b) => match (value(a)?, value(b)?) {
            (Value::Text(a), Value::Text(b)) => Value::Text(a + &b),
            _ => return None,
        },
        ExprKind::Tuple(items) => match items.as_slice() {
            [Some(one)] => value(one)?,
            _ => return None,
        },
        // `fill("", 0)` is the empty list.
        ExprKind::Call { function, args } if function.parts.last()?.name.name == *"fill" => {
            let ExprKind::Integer(count) = args.positional.get(1)?.kind else { return None };
            let Value::Text(text) = value(args.positional.first()?)? else { return None };
            let count = usize::try_from(count).ok().filter(|&n| n < 1000)?;
            Value::List((0..count).map(|_| Value::Text(text.clone())).collect())
        }
        _ => return None,
    })
}

/// All texts in an argument.
fn flat(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.clone()],
        Value::List(items) => items.iter().flat_map(flat).collect(),
        Value::Flag(_) => Vec::new(),
    }
}

/// The calls that a call with lists stands for: a text counts for every element of the lists.
fn rows(values: &[Value], width: usize) -> Result<Vec<Vec<String>>, String> {
    if values.len() < width {
        return Err(format!("it has {width} arguments"));
    }
    let lists: Vec<Vec<String>> = values[..width].iter().map(flat).collect();
    let is_list = |k: usize| matches!(values[k], Value::List(_));
    let count = (0..width).filter(|&k| is_list(k)).map(|k| lists[k].len()).max().unwrap_or(1);
    if (0..width).any(|k| is_list(k) && lists[k].len() != count) {
        return Err("its lists have different lengths".into());
    }
    let row = |at: usize| (0..width).map(|k| lists[k][if is_list(k) { at } else { 0 }].clone()).collect();
    Ok((0..count).map(row).collect())
}
