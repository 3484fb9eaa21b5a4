// The colours of Modelica text: a tokenizer for the editor.

import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { KEYWORDS } from "./words.ts";

const CONSTANTS = new Set(["true", "false", "time"]);
const TYPES = new Set(["Real", "Integer", "Boolean", "String"]);

interface State {
  comment: boolean;
}

const parser: StreamParser<State> = {
  name: "modelica",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.match(/^.*?\*\//)) state.comment = false;
      else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*("|$)/)) return "string";
    if (stream.match(/^'(?:[^'\\]|\\.)*'/)) return "variableName";
    if (stream.match(/^\d+(\.\d*)?([eE][+-]?\d+)?/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) {
      const name = word[0];
      if (KEYWORDS.has(name)) return "keyword";
      if (CONSTANTS.has(name)) return "atom";
      if (TYPES.has(name)) return "typeName";
      return stream.match(/^\s*\(/, false) ? "function" : "variableName";
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
};

export const modelica = StreamLanguage.define(parser);
