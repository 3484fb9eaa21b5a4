// Where annotations stand in a text, for those who do not want to read them.

export interface Range {
  from: number;
  to: number;
}

/** The insides of `annotation (…)` that are long enough to be in the way; those inside others do not count. */
export function annotationRanges(text: string, least = 30): Range[] {
  const ranges: Range[] = [];
  const token = /"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|\bannotation\s*\(|[()]/g;
  let depth = 0;
  let start = -1;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const word = match[0];
    if (start < 0) {
      if (word.startsWith("annotation")) [start, depth] = [match.index + word.length, 1];
    } else if (word.endsWith("(") && !word.startsWith("/")) depth++;
    else if (word === ")") {
      depth--;
      if (depth === 0) {
        if (match.index - start >= least) ranges.push({ from: start, to: match.index });
        start = -1;
      }
    }
  }
  return ranges;
}
