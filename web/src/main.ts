// The page: makes its parts, puts them together and gives them their keys.

import { Animation } from "./animation.ts";
import { Api } from "./api.ts";
import { BrowserTransport } from "./browser.ts";
import { ask, menu, notice } from "./dialogs.ts";
import { DiagramView } from "./diagram.ts";
import { Documentation } from "./documentation.ts";
import { GLYPHS, debounce, glyph, h } from "./dom.ts";
import { Editor } from "./editor.ts";
import { EventPanel } from "./events.ts";
import { Explain } from "./explain.ts";
import { create, download, extend, openFile, removeFile, save, take, tellRecovered, watch } from "./files.ts";
import { Tabs, splitter, theme } from "./layout.ts";
import { Lights } from "./lights.ts";
import { Live } from "./live.ts";
import { Messages } from "./messages.ts";
import { editParameters } from "./parameters.ts";
import { Plots } from "./plots.ts";
import { Results } from "./results.ts";
import { RunBar } from "./runbar.ts";
import { Studio } from "./studio.ts";
import { Tools } from "./tools.ts";
import { Tooltip } from "./tooltip.ts";
import { HttpTransport, Refusal, type Transport } from "./transport.ts";
import { Tree } from "./tree.ts";
import { VariableTree } from "./variables.ts";
import { welcome } from "./welcome.ts";

/** Builds the page on a transport. */
export async function start(transport: Transport): Promise<void> {
  const colours = theme();
  colours.apply();
  const studio = new Studio(new Api(transport));
  const results = new Results(studio);
  const open = (name: string) => void studio.open(name);

  const view = new DiagramView();
  const tooltip = new Tooltip(studio, results);
  const parameters = (component: string) => void editParameters(studio, component);
  const tools = new Tools(studio, view, { parameters, open, hover: (...at) => tooltip.over(...at) });
  const tree = new Tree(studio, open, (name) => void tools.add(name));
  const editor = new Editor(studio);
  const documentation = new Documentation(studio, open);
  keepDiagram(studio, view);

  const plots = new Plots(studio, results);
  const events = new EventPanel(studio, results);
  const animation = new Animation(studio, results);
  const explain = new Explain(studio);
  const live = new Live(results);
  new Lights(studio, results, view);
  const messages = new Messages(studio, (errors, others) => {
    const count = errors + others;
    tabs.label("messages", count ? `Messages ${count}` : "Messages", errors > 0);
    if (errors > 0 && failing) tabs.show("messages");
    failing = false;
  });
  let failing = false;
  const runbar = new RunBar(studio, results, () => (failing = true));
  const variables = new VariableTree(results, (name) => plots.plotted(name), (name) => plots.toggle(name), () => runbar.start());
  plots.changed = () => variables.refresh();
  variables.explain = (name) => {
    tabs.show("explain");
    explain.variable(name);
  };
  explain.chosen = (name) => view.point(name);
  const tabs = new Tabs([
    { id: "plots", label: "Plots", element: plots.element },
    { id: "events", label: "Events", element: events.element },
    { id: "animation", label: "Animation", element: animation.element, shown: () => void animation.load() },
    { id: "live", label: "Live", element: live.element },
    { id: "explain", label: "Explain", element: explain.element, shown: () => void explain.load() },
    { id: "messages", label: "Messages", element: messages.element },
  ]);

  const panels = workspace(view, editor, documentation);
  welcome(studio, view.element);
  const check = async () => {
    const list = await studio.check();
    if (list.length) tabs.show("messages");
    else notice("No errors.");
  };
  const reload = () => void tree.load();
  const bar = toolbar(studio, runbar, panels.head, {
    check: () => void check(),
    theme: () => {
      colours.next();
      plots.redraw();
    },
    connect: () => void connectDialog(view, tools),
    open: () => void openFile(studio, reload),
  });
  if (transport.library) takeDropped(studio, reload);
  const bottom = h("section", { class: "bottom", "aria-label": "Results" },
    h("div", { class: "bottom-head" }, tabs.head),
    h("div", { class: "bottom-body" }, variables.element, h("div", { class: "bottom-main" }, plots.element, events.element, animation.element, live.element, explain.element, messages.element)));
  document.body.append(
    bar,
    h("main", {},
      tree.element,
      splitter("--side", true, 150, () => 500, 1),
      h("div", { class: "centre" }, panels.element, splitter("--bottom", false, 90, () => innerHeight - 200, -1), bottom)),
  );
  tabs.show("plots");
  keys(studio, runbar, tree);

  try {
    await studio.refresh();
  } catch (error) {
    if (error instanceof Refusal) document.body.replaceChildren(h("p", { class: "fatal" }, error.message));
    return;
  }
  await tree.load();
  tellRecovered(studio);
  watch(studio);
  const asked = new URLSearchParams(location.search).get("class");
  const first = asked ?? studio.project?.texts[0]?.classes[0];
  if (first) await studio.open(first);
  // For tests and the curious.
  Object.assign(window, { kairos: { studio, results, view, plots, animation, tools, live } });
}

/** Draws the open class whenever it changes. */
function keepDiagram(studio: Studio, view: DiagramView): void {
  let turn = 0;
  const draw = async () => {
    const { info } = studio;
    const mine = ++turn;
    if (!info) return;
    try {
      const picture = await studio.api.call("diagram", { class: info.class });
      if (mine === turn) view.show(picture);
    } catch (error) {
      // A text that is half typed may have no class of that name for a moment.
      if (!(error instanceof Refusal)) throw error;
      view.clearPreview();
    }
  };
  const typed = debounce(120, () => void draw());
  studio.on("opened", () => void draw());
  studio.on("text", (text) => (text.typed ? typed() : void draw()));
}

/** Diagram, text and documentation side by side, each shown or not. */
function workspace(view: DiagramView, editor: Editor, documentation: Documentation) {
  const bar = splitter("--text", true, 200, () => innerWidth - 500, -1);
  const all = [
    { label: "Diagram", element: view.element, on: true },
    { label: "Text", element: editor.element, on: true },
    { label: "Documentation", element: documentation.element, on: false },
  ];
  const element = h("div", { class: "workspace" }, view.element, bar, editor.element, documentation.element);
  const head = h("div", { class: "views", role: "group", "aria-label": "Views" });
  const apply = () => {
    for (const panel of all) panel.element.hidden = !panel.on;
    bar.hidden = !(all[0]!.on && (all[1]!.on || all[2]!.on));
    element.classList.toggle("three", all.every((one) => one.on));
    element.classList.toggle("single", bar.hidden && !(all[1]!.on && all[2]!.on));
    [...head.children].forEach((button, k) => button.setAttribute("aria-pressed", String(all[k]!.on)));
    void documentation.load();
  };
  for (const panel of all) {
    head.append(h("button", { onclick: () => {
      panel.on = !panel.on;
      if (!all.some((one) => one.on)) panel.on = true;
      apply();
    } }, panel.label));
  }
  queueMicrotask(apply);
  return { element, head };
}

function toolbar(studio: Studio, runbar: RunBar, views: HTMLElement, actions: Record<"check" | "theme" | "connect" | "open", () => void>): HTMLElement {
  const button = (id: string, title: string, path: string, run: () => void, label = "") =>
    h("button", { class: "tool", id, title, "aria-label": title, onclick: run }, glyph(path), label ? h("span", {}, label) : null);
  const undo = button("undo", "Undo (Ctrl+Z)", GLYPHS.undo, () => void studio.turn(true));
  const redo = button("redo", "Redo (Ctrl+Y)", GLYPHS.redo, () => void studio.turn(false));
  const saving = button("save", "Save (Ctrl+S)", GLYPHS.save, () => void save(studio));
  const title = h("div", { class: "title" });
  const update = () => {
    const state = studio.state();
    undo.disabled = !(studio.info?.editable && state?.undo);
    redo.disabled = !(studio.info?.editable && state?.redo);
    saving.disabled = !studio.project?.texts.some((text) => text.dirty);
    const { info } = studio;
    const mark = state?.dirty ? " •" : "";
    const steps = info ? crumbs(info.class, (name) => void studio.open(name)) : [];
    const last = steps.pop();
    title.replaceChildren(h("span", { class: "outer" }, ...steps), ...(last ? [last] : []), mark);
    if (info && !info.editable) title.append(h("button", { class: "badge", title: "This class belongs to a library: make a model of your own that extends it", onclick: () => void extend(studio) }, "library: extend…"));
    document.title = info ? `${info.class.split(".").pop()}${mark} – Kairos` : "Kairos";
  };
  studio.on("project", update);
  studio.on("opened", update);
  update();
  return h("header", { class: "toolbar" },
    h("span", { class: "brand" }, "Kairos"),
    button("new", "New model", GLYPHS.new, () => void create(studio), "New"),
    button("open", studio.api.transport.library ? "Open Modelica files, or a zip with libraries" : "Open a file", GLYPHS.open, actions.open),
    saving,
    button("more", "Further actions on the file", GLYPHS.more, () => fileMenu(studio)), h("span", { class: "gap" }), undo, redo, h("span", { class: "gap" }),
    button("check", "Check (F7)", GLYPHS.check, actions.check, "Check"),
    runbar.element,
    title,
    views,
    h("button", { class: "tool", title: "Keys and help", "aria-label": "Keys and help", onclick: () => void help(actions.connect) }, "?"),
    button("theme", "Light or dark", GLYPHS.theme, actions.theme));
}

function fileMenu(studio: Studio): void {
  const at = document.getElementById("more")!.getBoundingClientRect();
  menu(at.left, at.bottom + 4, [
    { label: "Download the text", run: () => void download(studio) },
    { label: "Remove the file…", run: () => void removeFile(studio) },
  ]);
}

/** Files dropped onto the page are taken as if they had been chosen. */
function takeDropped(studio: Studio, added: () => void): void {
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) void take(studio, file, added);
  });
}

function crumbs(name: string, open: (name: string) => void): HTMLElement[] {
  const steps = name.split(".");
  return steps.map((step, k) => {
    const last = k === steps.length - 1;
    return h("span", { class: last ? "crumb last" : "crumb", title: name, onclick: last ? undefined : () => open(steps.slice(0, k + 1).join(".")) }, step);
  });
}

async function help(connect: () => void): Promise<void> {
  const lines: [string, string][] = [
    ["Drag a class from the tree", "add a part (Shift+Enter in the tree does the same)"],
    ["Drag from connector to connector", "connect"],
    ["Double click, Enter", "parameters of a part"],
    ["Wheel, + −, F", "zoom, show everything"],
    ["Middle button, Space + drag", "move the diagram"],
    ["R, Shift+R, H, V", "rotate, flip"],
    ["Arrows, Shift+Arrows", "move by one or five grid steps"],
    ["Del, F2", "delete, rename"],
    ["Ctrl+C, X, V, D, A", "copy, cut, paste, duplicate, choose all"],
    ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ["Ctrl+S, F7, F5, Shift+F5", "save, check, run, stop"],
    ["Ctrl+P", "search a class"],
    ["E in the list of variables", "where a variable has its value from"],
    ["In plots: drag, wheel, Shift+drag, double click, click", "zoom, zoom, move, all, choose an instant"],
  ];
  const table = h("table", { class: "keys" }, ...lines.map(([key, text]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, text))));
  const chosen = await ask("Keys", [table], [{ label: "Connect by name…", value: true }, { label: "Close", value: false, primary: true }], true);
  if (chosen) connect();
}

/** Connects two connectors by their names, without a mouse. */
async function connectDialog(view: DiagramView, tools: Tools): Promise<void> {
  const names = (view.picture?.parts ?? []).flatMap((part) =>
    part.connector ? [part.name] : part.connectors.map((connector) => `${part.name}.${connector.name}`));
  const select = (label: string) => h("select", { "aria-label": label }, ...names.map((name) => h("option", {}, name)));
  const [from, to] = [select("From"), select("To")];
  const body = h("div", { class: "setting" }, from, h("span", {}, "—"), to);
  if (await ask("Connect", [body], [{ label: "Cancel", value: false }, { label: "Connect", value: true, primary: true }])) {
    await tools.connectByName(from.value, to.value);
  }
}

function keys(studio: Studio, runbar: RunBar, tree: Tree): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const field = event.target instanceof HTMLInputElement;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "s") void save(studio);
    else if (control && key === "z" && !field && !event.defaultPrevented) void studio.turn(!event.shiftKey);
    else if (control && key === "y" && !field && !event.defaultPrevented) void studio.turn(false);
    else if (control && key === "p") tree.focusSearch();
    else if (event.key === "F5") {
      if (event.shiftKey) document.querySelector<HTMLButtonElement>(".tool.stop")?.click();
      else runbar.start();
    } else if (event.key === "F7") document.getElementById("check")?.click();
    else return;
    event.preventDefault();
  });
}

/** A page that was handed out as files says where its compiler is; any other has a server. */
function transport(): Transport {
  const compiler = document.querySelector<HTMLMetaElement>('meta[name="compiler"]')?.content;
  if (compiler) return new BrowserTransport(compiler);
  return new HttpTransport(new URLSearchParams(location.search).get("token") ?? "");
}

void start(transport());
