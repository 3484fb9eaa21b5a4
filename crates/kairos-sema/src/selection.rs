//! What references select: components of the model, elements of arrays, fields of records.

use crate::comps::{Variability, What};
use crate::inst::{Decl, Elem};
use crate::lookup::Found;
use crate::resolve::Scope;
use crate::{CompId, ElemId, InstId, Sema, diagnostics};
use kairos_base::{Name, Span};
use kairos_expr::{Builtin, Dim, ExprId, Node, Scalar, Sub, Type, Value, VarId};
use kairos_syntax::ast::{self, ClassKind, ComponentRef, Subscript};

/// What a reference selects: components in row-major order with dimensions, and subscripts still to be applied.
#[derive(Clone, Default)]
pub(crate) struct Selection {
    pub comps: Vec<CompId>,
    pub dims: Vec<usize>,
    /// One per dimension of `dims`, then those of the variable itself.
    pub subs: Vec<Sub>,
    /// Where an array of no elements leaves no component: what stands for the class of its elements.
    pub stand_in: Option<CompId>,
}

impl Selection {
    /// The component, if it is one.
    pub fn single(&self) -> Option<CompId> {
        match self.comps[..] {
            [comp] => Some(comp),
            _ => None,
        }
    }
}

impl<'a> Sema<'a> {
    /// The rest of a reference whose head is an expression of its own (a local or an iterator).
    pub(crate) fn select_rest(&mut self, scope: &mut Scope, mut e: ExprId, r: &'a ComponentRef) -> ExprId {
        for (k, part) in r.parts.iter().enumerate() {
            if k > 0 {
                e = self.named_field(e, &part.name);
            }
            if self.is_error(e) {
                return e;
            }
            if !part.subscripts.is_empty() {
                let subs = &*part.subscripts;
                e = self.indexed(scope, e, subs, r.span);
            }
        }
        e
    }

    /// The components that a reference selects, reported if there are none.
    pub(crate) fn select(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<Selection> {
        let first = &r.parts[0];
        let found = match r.global {
            true => self.lookup_top(first.name.name),
            false => self.lookup_first(scope.inst, first.name.name),
        };
        let Some(found) = found else {
            let known = self.visible_names(scope.inst);
            self.report(diagnostics::unknown_name(first.name.name, first.name.span, &known));
            return None;
        };
        let mut k = 0;
        // Walk through packages to the first component.
        let start = match found {
            Found::Element(inst, e, enclosing) if !self.elem(e).is_class() => {
                if let Some(part) = r.parts.get(1) {
                    self.check_outer_member(e, part);
                }
                let owner = self.inst(inst).comp;
                let owner = owner.unwrap_or_else(|| self.package_comp(inst));
                // An import may have given it another name.
                let comp = self.child(owner, self.elem(e).name)?;
                if enclosing
                    && self.comp(comp).variability > Variability::Constant
                    && !self.allows_enclosing(inst)
                {
                    let place = self.comp(comp).span;
                    self.report(diagnostics::enclosing_variable(first.name.name, first.name.span, place));
                }
                comp
            }
            Found::Class(_) | Found::Element(..) => {
                // Packages that can be replaced are partial only as long as nobody has replaced them.
                let fixed = |e: &Elem<'a>| !e.prefix.replaceable && e.replaced.is_none();
                let (mut class, mut named_partial) = match found {
                    Found::Class(class) => (class, true),
                    Found::Element(_, e, _) => (self.elem_class(e)?, fixed(self.elem(e))),
                };
                loop {
                    k += 1;
                    let Some(part) = r.parts.get(k) else {
                        self.report(diagnostics::class_as_value(first.name.name, r.span));
                        return None;
                    };
                    self.expand(class);
                    let Some(&e) = self.inst(class).table.get(&part.name.name) else {
                        let known: Vec<Name> =
                            self.inst(class).elements.iter().map(|e| self.elem(*e).name).collect();
                        let path = self.inst_path(class);
                        self.report(diagnostics::unknown_member(
                            part.name.name,
                            &path,
                            part.name.span,
                            &known,
                        ));
                        return None;
                    };
                    if self.elem(e).protected && !self.encloses(class, scope.inst) {
                        let place = self.elem(e).span;
                        self.report(diagnostics::protected_access(part.name.name, part.name.span, place));
                    }
                    if self.elem(e).is_class() {
                        named_partial &= fixed(self.elem(e));
                        class = self.elem_class(e)?;
                        continue;
                    }
                    if named_partial
                        && self.inst(class).class.is_some_and(|c| c.partial)
                        && !self.encloses(class, scope.inst)
                    {
                        let path = self.inst_path(class);
                        self.report(diagnostics::partial_package(part.name.name, &path, part.name.span));
                    }
                    let owner = self.package_comp(class);
                    let comp = self.child(owner, part.name.name)?;
                    if self.comp(comp).variability > Variability::Constant
                        && self.comp(owner).what == What::Package
                    {
                        let place = self.comp(comp).span;
                        self.report(diagnostics::not_a_package_constant(
                            part.name.name,
                            part.name.span,
                            place,
                        ));
                    }
                    break comp;
                }
            }
        };
        let mut selection = Selection { comps: vec![start], ..Selection::default() };
        self.apply_subscripts(scope, &mut selection, &r.parts[k])?;
        for part in &r.parts[k + 1..] {
            // A disabled component takes its parts and connections with it: they are not made (MLS 4.4.5).
            if let Some(&disabled) = selection.comps.iter().find(|c| self.comp(**c).disabled) {
                let class = self.comp(disabled).class;
                if class.is_some_and(|class| self.inst(class).table.get(&part.name.name).is_none()) {
                    self.report_no_child(disabled, part);
                    return None;
                }
                return Some(selection);
            }
            if let (true, Some(class)) = (selection.comps.is_empty(), selection.stand_in) {
                let Some(child) = self.child(class, part.name.name) else {
                    self.report_no_child(class, part);
                    return None;
                };
                selection.stand_in = Some(child);
                self.subscripts_of_none(scope, &mut selection, part)?;
                continue;
            }
            let mut next = Vec::with_capacity(selection.comps.len());
            for &comp in &selection.comps.clone() {
                if matches!(self.comp(comp).what, What::Broken) {
                    return None;
                }
                match self.child(comp, part.name.name) {
                    Some(child) => {
                        self.check_visible(comp, part);
                        next.push(child);
                    }
                    None => {
                        self.report_no_child(comp, part);
                        return None;
                    }
                }
            }
            selection.comps = next;
            self.apply_subscripts(scope, &mut selection, part)?;
        }
        Some(selection)
    }

    /// Like `select`, without a message: for what may not be an array at all.
    pub(crate) fn select_whole(&mut self, scope: &mut Scope, r: &'a ComponentRef) -> Option<Selection> {
        let mark = self.diagnostics.len();
        let found = self.select(scope, r);
        self.forget(mark);
        found
    }

    /// Protected elements are seen from inside only (MLS 4.1).
    fn check_visible(&mut self, comp: CompId, part: &ast::RefPart) {
        let class = self.comp(self.comp(comp).outer.unwrap_or(comp)).class;
        if let Some(&e) = class.and_then(|c| self.inst(c).table.get(&part.name.name))
            && self.elem(e).protected
        {
            let place = self.elem(e).span;
            self.report(diagnostics::protected_access(part.name.name, part.name.span, place));
        }
    }

    /// What an outer component declares is what may be used of its inner one (MLS 5.4).
    fn check_outer_member(&mut self, e: ElemId, part: &ast::RefPart) {
        let elem = self.elem(e).clone();
        let Decl::Component(clause, _) = elem.decl else { return };
        if !elem.prefix.outer || elem.prefix.inner {
            return;
        }
        let Some(class) = self.lookup_class(elem.scope, &clause.type_name) else { return };
        self.expand(class);
        let inst = self.inst(class);
        if inst.kind != ClassKind::ExpandableConnector && !inst.table.contains_key(&part.name.name) {
            let known: Vec<Name> = inst.elements.iter().map(|e| self.elem(*e).name).collect();
            let path = self.inst_path(class);
            self.report(diagnostics::unknown_member(part.name.name, &path, part.name.span, &known));
        }
    }

    fn allows_enclosing(&self, inst: InstId) -> bool {
        // The elements of a package are constants whatever their prefix says; that is checked elsewhere.
        self.inst(inst).comp.is_none()
    }

    fn report_no_child(&mut self, comp: CompId, part: &ast::RefPart) {
        if self.comp(comp).disabled {
            let path = self.comp_path(comp);
            self.report(diagnostics::disabled_use(&path, part.name.span));
            return;
        }
        let class = self.comp(comp).class;
        let known: Vec<Name> = match class {
            Some(class) => self.inst(class).elements.iter().map(|e| self.elem(*e).name).collect(),
            None => Vec::new(),
        };
        let path = self.comp_path(comp);
        self.report(diagnostics::unknown_member(part.name.name, &path, part.name.span, &known));
    }

    /// Unfolds an array of components, picks by constant subscripts, keeps symbolic ones for later.
    fn apply_subscripts(
        &mut self,
        scope: &mut Scope,
        selection: &mut Selection,
        part: &'a ast::RefPart,
    ) -> Option<()> {
        let outer: Vec<CompId> = selection.comps.iter().map(|c| self.comp(*c).outer.unwrap_or(*c)).collect();
        selection.comps = outer;
        if selection.comps.iter().any(|c| self.comp(*c).disabled) {
            return Some(());
        }
        let is_array = selection.comps.first().is_some_and(|c| self.comp(*c).what == What::Array);
        let subs = &*part.subscripts;
        if !is_array {
            if subs.is_empty() {
                return Some(());
            }
            let Some(&first) = selection.comps.first() else { return Some(()) };
            let dims = self.comp(first).dims.clone();
            if subs.len() > dims.len() {
                self.report(diagnostics::too_many_subscripts(subs.len(), dims.len(), part.name.span));
                return None;
            }
            let whole = self.var(first);
            let resolved = self.subscripts(scope, whole, subs)?;
            self.check_index_types(first, &resolved, part.name.span);
            selection.subs.resize(selection.dims.len(), Sub::All);
            selection.subs.extend(resolved);
            return Some(());
        }
        let sizes: Vec<usize> =
            self.comp(selection.comps[0]).dims.iter().map(|d| d.known().unwrap_or(0)).collect();
        if subs.len() > sizes.len() {
            self.report(diagnostics::too_many_subscripts(subs.len(), sizes.len(), part.name.span));
            return None;
        }
        let before = selection.dims.len();
        selection.subs.resize(before, Sub::All);
        let mut picks: Vec<Option<Value>> = Vec::new();
        let mut pending: Vec<Sub> = Vec::new();
        for (d, sub) in subs.iter().enumerate() {
            match sub {
                Subscript::All(_) => {
                    picks.push(None);
                    pending.push(Sub::All);
                }
                Subscript::Expr(e) => {
                    let end = self.store.int(sizes[d] as i64);
                    scope.ends.push(end);
                    let i = self.range_expr(scope, e);
                    scope.ends.pop();
                    if self.is_error(i) {
                        return None;
                    }
                    match self.subscript_value(i, e.span)? {
                        Some(value) => {
                            let scalar = value.dims().is_empty();
                            picks.push(Some(value));
                            if !scalar {
                                pending.push(Sub::All);
                            }
                        }
                        None => {
                            picks.push(None);
                            pending.push(Sub::At(i));
                        }
                    }
                }
            }
        }
        // One element of a large array, as in the body of a loop, is found without looking at the others.
        if let (Some(at), &[comp]) = (position(&picks, &sizes), &selection.comps[..]) {
            selection.comps = self.comp(comp).elements.get(at).copied().into_iter().collect();
            return Some(());
        }
        let mut comps = Vec::new();
        let mut kept = Vec::new();
        for (n, comp) in selection.comps.clone().into_iter().enumerate() {
            let elements = self.comp(comp).elements.clone();
            let all =
                Value::array(sizes.clone(), (0..elements.len()).map(|i| Value::Int(i as i64)).collect());
            match kairos_expr::index(&all, &picks) {
                Ok(chosen) => {
                    if n == 0 {
                        kept = chosen.dims().to_vec();
                    }
                    comps.extend(
                        chosen.elements().iter().filter_map(|v| v.as_index()).map(|i| elements[i as usize]),
                    );
                }
                Err(message) => {
                    self.report(diagnostics::bad_subscript(&message, part.name.span));
                    return None;
                }
            }
        }
        pending.resize(kept.len(), Sub::All);
        if comps.is_empty() {
            selection.stand_in = selection.comps.first().and_then(|&array| self.element_class(array));
        }
        selection.comps = comps;
        selection.dims.extend(kept);
        selection.subs.extend(pending);
        Some(())
    }

    /// An array over an enumeration or Boolean is subscripted by it (MLS 10.5).
    fn check_index_types(&mut self, comp: CompId, subs: &[Sub], span: Span) {
        for (k, sub) in subs.iter().enumerate() {
            let Sub::At(i) = sub else { continue };
            if self.store.ty(*i).scalar == Scalar::Int && self.index_type_range(comp, k).is_some() {
                self.report(diagnostics::index_type(span));
            }
        }
    }

    /// The value of a subscript that does not depend on the simulation; `Some(None)` if it does.
    fn subscript_value(&mut self, i: ExprId, span: Span) -> Option<Option<Value>> {
        match self.constant(i) {
            Ok(value) => Some(Some(value)),
            Err(kairos_expr::Stop::Error { message, .. }) => {
                self.report(diagnostics::evaluation_failed("a subscript", &message, span));
                None
            }
            Err(_) => Some(None),
        }
    }

    /// A reference to a whole component.
    pub(crate) fn var(&mut self, comp: CompId) -> ExprId {
        let comp = self.comp(comp).outer.unwrap_or(comp);
        let ty = self.comp_type(comp);
        self.store.var(VarId(comp.number()), ty)
    }

    /// The value of what a name selects. A conditional component that exists may be used (MLS 4.4.5); `own` says that the
    /// class that declares it does so, which breaks the class for every other condition and is refused.
    pub(crate) fn selected(&mut self, selection: Selection, own: bool, span: Span) -> ExprId {
        for &comp in &selection.comps {
            if self.comp(comp).disabled {
                let path = self.comp_path(comp);
                self.report(diagnostics::disabled_use(&path, span));
                return self.error_expr();
            }
        }
        if let Some(&first) = selection.comps.first()
            && own
            && self.comp(first).conditional
        {
            let path = self.comp_path(first);
            self.report(diagnostics::conditional_use(&path, span));
            return self.error_expr();
        }
        if let (true, Some(class)) = (selection.comps.is_empty(), selection.stand_in) {
            return self.none_of(class, selection);
        }
        let items: Vec<ExprId> = selection.comps.iter().map(|c| self.var(*c)).collect();
        let mut e = match selection.dims.is_empty() {
            true => match items.first() {
                Some(e) => *e,
                None => return self.error_expr(),
            },
            false => self.nest(items, &selection.dims),
        };
        if selection.subs.iter().any(|s| *s != Sub::All) || selection.subs.len() > selection.dims.len() {
            e = self.index_typed(e, selection.subs);
        }
        e
    }

    /// Items in row-major order as a nested array.
    pub(crate) fn nest(&mut self, items: Vec<ExprId>, dims: &[usize]) -> ExprId {
        if dims.len() <= 1 || items.is_empty() {
            let mut e = self.store.array(items);
            if self.store.ty(e).dims.len() < dims.len() {
                let ty =
                    Type::array(Scalar::Real, dims.iter().map(|d| Dim::Known(*d as u32)).collect::<Vec<_>>());
                e = self.store.add(Node::Array(Box::new([])), ty);
            }
            return e;
        }
        let size = items.len() / dims[0].max(1);
        let rows =
            (0..dims[0]).map(|i| self.nest(items[i * size..(i + 1) * size].to_vec(), &dims[1..])).collect();
        self.store.array(rows)
    }

    pub(crate) fn subscripts(
        &mut self,
        scope: &mut Scope,
        array: ExprId,
        subs: &'a [Subscript],
    ) -> Option<Vec<Sub>> {
        let dims = self.store.ty(array).dims.clone();
        let mut resolved = Vec::with_capacity(subs.len());
        for (k, sub) in subs.iter().enumerate() {
            match sub {
                Subscript::All(_) => resolved.push(Sub::All),
                Subscript::Expr(e) => {
                    let end = match dims.get(k) {
                        Some(Dim::Known(n)) => self.store.int(i64::from(*n)),
                        _ => {
                            let at = self.store.int(k as i64 + 1);
                            self.store.add(
                                Node::Builtin(Builtin::Size, [array, at].into()),
                                Type::scalar(Scalar::Int),
                            )
                        }
                    };
                    scope.ends.push(end);
                    let i = self.range_expr(scope, e);
                    scope.ends.pop();
                    if self.is_error(i) {
                        return None;
                    }
                    let ty = self.store.ty(i);
                    if !matches!(ty.scalar, Scalar::Int | Scalar::Enum(_) | Scalar::Bool) || ty.dims.len() > 1
                    {
                        self.report(diagnostics::subscript_type(e.span));
                        return None;
                    }
                    // A function may have branches for arrays of other sizes: there the subscript fails if it is evaluated.
                    if let (Node::Int(i), Some(Dim::Known(n))) = (self.store.node(i), dims.get(k))
                        && (*i < 1 || *i > i64::from(*n))
                        && scope.locals.is_none()
                    {
                        let message = format!("subscript {i} is outside 1:{n}");
                        self.report(diagnostics::bad_subscript(&message, e.span));
                        return None;
                    }
                    resolved.push(Sub::At(i));
                }
            }
        }
        Some(resolved)
    }

    pub(crate) fn indexed(
        &mut self,
        scope: &mut Scope,
        e: ExprId,
        subs: &'a [Subscript],
        span: Span,
    ) -> ExprId {
        if self.is_error(e) {
            return e;
        }
        let rank = self.store.ty(e).dims.len();
        if subs.len() > rank {
            self.report(diagnostics::too_many_subscripts(subs.len(), rank, span));
            return self.error_expr();
        }
        match self.subscripts(scope, e, subs) {
            Some(subs) => self.index_typed(e, subs),
            None => self.error_expr(),
        }
    }

    /// `e[subs]` with its type; a literal index into an array constructor is taken at once.
    pub(crate) fn index_typed(&mut self, e: ExprId, subs: Vec<Sub>) -> ExprId {
        if subs.iter().all(|s| *s == Sub::All) {
            return e;
        }
        if let (Node::Array(items), Some(Sub::At(i))) = (self.store.node(e).clone(), subs.first())
            && let Node::Int(k) = *self.store.node(*i)
            && k >= 1
            && k as usize <= items.len()
        {
            return self.index_typed(items[k as usize - 1], subs[1..].to_vec());
        }
        let ty = self.store.ty(e).clone();
        let mut dims = Vec::new();
        for (k, dim) in ty.dims.iter().enumerate() {
            match subs.get(k) {
                None | Some(Sub::All) => dims.push(*dim),
                Some(Sub::At(i)) => dims.extend(self.store.ty(*i).dims.first().copied()),
            }
        }
        self.store.add(Node::Index(e, subs.into()), Type { scalar: ty.scalar, dims })
    }

    pub(crate) fn index_constant(&mut self, e: ExprId, index: &[u32]) -> ExprId {
        let subs = index.iter().map(|i| Sub::At(self.store.int(i64::from(*i)))).collect();
        self.index_typed(e, subs)
    }

    /// `f(x).y`
    pub(crate) fn named_field(&mut self, e: ExprId, name: &ast::Ident) -> ExprId {
        let Scalar::Record(record) = self.store.ty(e).scalar else {
            if !self.is_error(e) {
                self.report(diagnostics::no_parts(name.name, name.span));
            }
            return self.error_expr();
        };
        match self.store.record(record).field(name.name) {
            Some(field) => self.field_of(e, field),
            None => {
                let known: Vec<Name> = self.store.record(record).fields.iter().map(|(n, _)| *n).collect();
                let path = self.store.record(record).name.to_string();
                self.report(diagnostics::unknown_member(name.name, &path, name.span, &known));
                self.error_expr()
            }
        }
    }

    pub(crate) fn field_of(&mut self, e: ExprId, field: usize) -> ExprId {
        let ty = self.store.ty(e).clone();
        let Scalar::Record(record) = ty.scalar else { return self.error_expr() };
        if let Node::Record(_, items) = self.store.node(e) {
            return items[field];
        }
        if let Node::Var(v) = *self.store.node(e) {
            // A field of a component is a component.
            let name = self.store.record(record).fields[field].0;
            if self.comp(CompId::new(v.index())).what == What::Parts
                && let Some(child) = self.child(CompId::new(v.index()), name)
            {
                return self.var(child);
            }
        }
        let inner = self.store.record(record).fields[field].1.clone();
        let mut dims = ty.dims;
        dims.extend(inner.dims);
        self.store.add(Node::Field(e, field as u32), Type { scalar: inner.scalar, dims })
    }
}

/// The place of the element that scalar subscripts pick; `None` where they pick several, or none.
fn position(picks: &[Option<Value>], sizes: &[usize]) -> Option<usize> {
    if picks.len() != sizes.len() {
        return None;
    }
    let mut at = 0;
    for (pick, &size) in picks.iter().zip(sizes) {
        let Some(Value::Int(i)) = pick else { return None };
        let i = usize::try_from(i - 1).ok().filter(|&i| i < size)?;
        at = at * size + i;
    }
    Some(at)
}
