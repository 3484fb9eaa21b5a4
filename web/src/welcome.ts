// What an empty page shows: how to begin, and the examples of the carried library to open with a click.

import type { TreeEntry } from "./api.ts";
import { h, parseSvg } from "./dom.ts";
import type { Studio } from "./studio.ts";

const GALLERY = "Kairos.Examples";

/** The first page, which goes away when a class is opened. */
export function welcome(studio: Studio, place: HTMLElement): void {
  const list = h("div", { class: "gallery", role: "list", "aria-label": "Examples" });
  const element = h("div", { class: "welcome" },
    h("h1", {}, "Kairos"),
    h("p", {}, "Press New to begin a model, double click a class in the tree, or open an example."),
    h("p", { class: "quiet" }, "Drag classes from the tree onto the diagram; drag from connector to connector to connect them."),
    list);
  place.append(element);
  studio.on("opened", () => element.remove());
  const fill = async () => {
    if (!element.isConnected || list.childElementCount > 0) return;
    const found = await examples(studio, GALLERY);
    if (!element.isConnected) return;
    list.replaceChildren(...found.map((entry) => card(studio, entry)));
    await diagrams(studio, list);
  };
  studio.on("project", () => void fill());
}

/** All classes of a package that are meant to be run. */
async function examples(studio: Studio, name: string): Promise<TreeEntry[]> {
  const { children } = await studio.api.call("tree", { class: name }).catch(() => ({ children: [] as TreeEntry[] }));
  const found: TreeEntry[] = [];
  for (const child of children ?? []) {
    if (child.runs) found.push(child);
    else if (child.kind === "package") found.push(...(await examples(studio, child.class)));
  }
  return found;
}

function card(studio: Studio, entry: TreeEntry): HTMLElement {
  const steps = entry.class.slice(GALLERY.length + 1).split(".");
  const open = () => void studio.open(entry.class);
  return h("button", { class: "card", role: "listitem", title: entry.class, onclick: open },
    h("span", { class: "picture", "data-class": entry.class }),
    h("span", { class: "words" }, h("b", {}, words(steps[0]!)), h("span", {}, entry.description)));
}

/** `ThreePhaseRectifier` in words. */
function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
}

/** Draws the diagrams one after the other, so that other calls come between. */
async function diagrams(studio: Studio, list: HTMLElement): Promise<void> {
  for (const place of list.querySelectorAll<HTMLElement>(".picture")) {
    const picture = await studio.api.call("diagram", { class: place.dataset.class ?? "" }).catch(() => null);
    if (!list.isConnected) return;
    if (picture) place.append(parseSvg(picture.svg));
  }
}
