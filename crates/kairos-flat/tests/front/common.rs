//! Flattens a model of a fixture and shows its equations.

use kairos_base::{Diagnostic, Disk};
use kairos_expr::{ExprId, VarId};
use kairos_flat::balance;
use kairos_model::{EquationKind, ScalarModel};
use kairos_sema::{Library, MadeRefs, Trees, instantiate};

/// The flat model and all messages.
pub fn flatten(file: &str, model: &str) -> (Option<ScalarModel>, Vec<Diagnostic>) {
    let path = format!("{}/../../tests/suite/flat/{file}", env!("CARGO_MANIFEST_DIR"));
    let (trees, made) = (Trees::default(), MadeRefs::default());
    let lib = Library::new(&trees, &Disk, Vec::new());
    lib.add_file(&path).expect("the fixture can be read");
    let (sema, root, mut diagnostics) = instantiate(&lib, &made, model);
    let Some(root) = root else { return (None, diagnostics) };
    let checked = kairos_flat::flatten(sema, root);
    diagnostics.extend(checked.diagnostics);
    (checked.value, diagnostics)
}

/// The flat model of a correct fixture; it is balanced.
pub fn flat(file: &str, model: &str) -> ScalarModel {
    let (flat, diagnostics) = flatten(file, model);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{model}: {errors:?}");
    let flat = flat.expect("a model without errors");
    let counts = balance(&flat);
    assert_eq!(counts.equations, counts.unknowns, "{model}: {:#?}", equations(&flat));
    flat
}

/// The code of the first error.
pub fn error(file: &str, model: &str) -> &'static str {
    let (_, diagnostics) = flatten(file, model);
    diagnostics.iter().find(|d| d.is_error()).map_or("no error", |d| d.code)
}

pub fn text(flat: &ScalarModel, e: ExprId) -> String {
    let name = |v: VarId| flat.vars.get(v.index()).map_or("?".to_string(), |v| v.name.clone());
    kairos_expr::print(&flat.store, e, &name)
}

/// Equations, asserts and calls as text.
pub fn equations(flat: &ScalarModel) -> Vec<String> {
    let one = |kind: &EquationKind| match kind {
        EquationKind::Equal(a, b) => format!("{} = {}", text(flat, *a), text(flat, *b)),
        EquationKind::Call(e) => format!("call {}", text(flat, *e)),
        EquationKind::Assert { condition, .. } => format!("assert {}", text(flat, *condition)),
        other => format!("{other:?}"),
    };
    flat.equations.iter().map(|eq| one(&eq.kind)).collect()
}

/// Checks that equations occur, and shows all of them if one does not.
pub fn expect(flat: &ScalarModel, wanted: &[&str]) {
    let all = equations(flat);
    for text in wanted {
        assert!(all.iter().any(|e| e == text), "`{text}` is not among {all:#?}");
    }
}
