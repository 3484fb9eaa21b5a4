// The text of the open class, always in step with its diagram.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import {
  HighlightStyle,
  bracketMatching,
  codeFolding,
  foldEffect,
  foldGutter,
  foldKeymap,
  foldService,
  foldedRanges,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Text } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Diagnostic } from "./api.ts";
import { annotationRanges } from "./annotations.ts";
import { debounce, h } from "./dom.ts";
import { modelica } from "./modelica.ts";
import type { Studio } from "./studio.ts";

/** Marks changes that come from the back end, so that they are not sent to it again. */
const FromBack = Annotation.define<boolean>();

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.atom, color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.function(tags.variableName), color: "var(--code-type)" },
]);

/** The text editor beside the diagram. */
export class Editor {
  readonly element = h("div", { class: "editor" });
  private readonly view: EditorView;
  private readonly readOnly = new Compartment();
  private readonly send = debounce(350, () => void this.push());

  constructor(private readonly studio: Studio) {
    const undo = (back: boolean) => () => {
      void studio.turn(back);
      return true;
    };
    this.view = new EditorView({
      parent: this.element,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          codeFolding({ placeholderText: "…" }),
          foldService.of((state, from, to) => {
            const found = annotationRanges(state.doc.toString()).find((range) => range.from > from && range.from <= to);
            return found ?? null;
          }),
          foldGutter({ openText: "▾", closedText: "▸" }),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          lintGutter(),
          indentUnit.of("  "),
          modelica,
          syntaxHighlighting(style),
          this.readOnly.of(EditorState.readOnly.of(true)),
          EditorView.contentAttributes.of({ "aria-label": "Modelica text" }),
          keymap.of([
            { key: "Mod-z", run: undo(true), preventDefault: true },
            { key: "Mod-y", run: undo(false), preventDefault: true },
            { key: "Mod-Shift-z", run: undo(false), preventDefault: true },
            ...closeBracketsKeymap,
            ...searchKeymap,
            ...foldKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            const own = update.transactions.some((t) => t.docChanged && !t.annotation(FromBack));
            if (own) this.send();
          }),
        ],
      }),
    });
    studio.flush = () => this.flush();
    studio.on("opened", (info) => {
      this.send.cancel();
      this.replace(studio.text?.text ?? "");
      this.view.dispatch({ effects: this.readOnly.reconfigure(EditorState.readOnly.of(!info.editable)) });
      this.element.classList.toggle("read-only", !info.editable);
      if (info.editable && info.line > 1) this.show(info.line, 1, false);
      else this.view.scrollDOM.scrollTop = 0;
    });
    studio.on("text", ({ text, typed }) => {
      // What was typed meanwhile is newer than the answer.
      if (!typed || !this.send.pending()) this.replace(text);
    });
    studio.on("messages", (list) => this.mark(list));
    studio.on("line", ({ line, column }) => this.show(line, column, true));
  }

  /** The text as it is shown. */
  text(): string {
    return this.view.state.doc.toString();
  }

  private async flush(): Promise<void> {
    if (!this.send.pending()) return;
    this.send.cancel();
    await this.push();
  }

  private push(): Promise<void> {
    return this.studio.typed(this.text());
  }

  /** Changes only what differs, so that cursor, folds and scrolling stay. */
  private replace(text: string): void {
    const old = this.text();
    if (old === text) return;
    let start = 0;
    const least = Math.min(old.length, text.length);
    while (start < least && old[start] === text[start]) start++;
    let end = 0;
    while (end < least - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    this.view.dispatch({
      changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
      annotations: FromBack.of(true),
    });
    this.fold(start, text.length - end);
  }

  /** Folds the annotations of a part of the text: drawing is what the diagram is for. */
  private fold(from: number, to: number): void {
    const { state } = this.view;
    const folded = new Set<number>();
    foldedRanges(state).between(0, state.doc.length, (start) => void folded.add(start));
    const first = state.doc.lineAt(Math.min(from, state.doc.length)).from;
    const last = state.doc.lineAt(Math.min(to, state.doc.length)).to;
    const ranges = annotationRanges(state.doc.toString()).filter((range) => range.from >= first && range.to <= last && !folded.has(range.from));
    if (ranges.length) this.view.dispatch({ effects: ranges.map((range) => foldEffect.of(range)) });
  }

  private show(line: number, column: number, focus: boolean): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
    const position = Math.min(at.to, at.from + Math.max(0, column - 1));
    this.view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: "center" }) });
    if (focus) this.view.focus();
  }

  private mark(list: Diagnostic[]): void {
    const { doc } = this.view.state;
    const offset = this.studio.info?.editable ? 0 : (this.studio.info?.line ?? 1) - 1;
    const marks: Mark[] = [];
    for (const message of list) {
      for (const label of message.labels) {
        if (label.file !== this.studio.text?.file) continue;
        const from = position(doc, label.line - offset, label.column);
        const to = position(doc, label.end_line - offset, label.end_column);
        const help = (message.help ?? []).map((line) => `\n${line}`).join("");
        const severity = message.severity === "error" ? "error" : "warning";
        marks.push({ from, to: Math.max(to, Math.min(from + 1, doc.length)), severity, message: message.message + help });
        break;
      }
    }
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }
}

function position(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(at.to, at.from + Math.max(0, column - 1));
}
