// Making and finding elements, in few words.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** Makes an element: properties that begin with `on` are listeners, `class` and `data-…` attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  give(element, properties);
  fill(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element of a picture. */
export function s(tag: string, properties: Properties = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  give(element, properties);
  fill(element, children);
  return element;
}

function give(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function fill(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

/** A picture from the text of an SVG; text that is none gives an empty one. */
export function parseSvg(text: string): SVGSVGElement {
  const box = document.createElement("template");
  box.innerHTML = text;
  const root = box.content.firstElementChild;
  return root instanceof SVGSVGElement ? root : (document.createElementNS(SVG, "svg") as SVGSVGElement);
}

/** Calls a function when nothing has asked for it for a while. */
export function debounce(wait: number, work: () => void): { (): void; cancel(): void; pending(): boolean } {
  let timer: number | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      timer = undefined;
      work();
    }, wait);
  };
  later.cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  later.pending = () => timer !== undefined;
  return later;
}

/** A number as people read it. */
export function shown(x: number | null | undefined, digits = 6): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(Math.max(0, digits - 2)).replace(/\.?0+e/, "e");
  return String(Number(x.toPrecision(digits)));
}

/** An icon of the toolbar: strokes on a grid of 16 by 16. */
export function glyph(path: string): SVGElement {
  return s("svg", { viewBox: "0 0 16 16", class: "glyph", "aria-hidden": "true" }, s("path", { d: path }));
}

export const GLYPHS = {
  new: "M4 1.5h5l3 3v10H4zM9 1.5v3h3M8 7.5v4M6 9.5h4",
  open: "M1.5 13V3h4.5l1.5 2h6v2M1.5 13l2.5-6h11l-2.5 6z",
  save: "M2.5 2.5h9l2 2v9h-11zM5 2.5v4h5v-4M4.5 13.5v-4.5h7v4.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  undo: "M3 6.5h7a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3",
  redo: "M13 6.5H6a3.5 3.5 0 0 0 0 7h4M13 6.5l-3-3M13 6.5l-3 3",
  check: "M2.5 8.5l3.5 4 7.5-9",
  run: "M4.5 2.5l8.5 5.5-8.5 5.5z",
  stop: "M4 4h8v8H4z",
  settings: "M2 4h7M12 4h2M2 8h2M7 8h7M2 12h6M11 12h3M10.5 2.5v3M5.5 6.5v3M9.5 10.5v3",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  rotate: "M13 8a5 5 0 1 1-2-4M11.5 1.5V4.5H8.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3.5 3.5",
  play: "M5 3l7 5-7 5z",
  record: "M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9",
  pause: "M5 3v10M11 3v10",
};
