// The dialog of a part: its parameters by tabs and groups, with units and choices.

import type { Operation, Parameter, Replaceable } from "./api.ts";
import { ask, notice } from "./dialogs.ts";
import { h, shown } from "./dom.ts";
import type { Studio } from "./studio.ts";
import { Refusal } from "./transport.ts";

interface Field {
  parameter: Parameter;
  input: HTMLInputElement | HTMLSelectElement;
  /** As the text has it now; empty where the default counts. */
  before: string;
}

/** Shows the parameters of a part of the open class, or of the class itself, and changes those that the user changes. */
export async function editParameters(studio: Studio, component: string): Promise<void> {
  const { info } = studio;
  if (!info) return;
  let answer;
  try {
    answer = await studio.api.call("parameters", { class: info.class, component });
  } catch (error) {
    if (error instanceof Refusal) notice(error.message, "error");
    return;
  }
  const inherited = component !== "" && !isOwn(studio, component);
  const writable = info.editable && !inherited;
  const fields = answer.parameters.map((parameter) => field(parameter, writable, component === ""));
  const title = component ? `${component} : ${answer.class}` : `Parameters of ${info.class}`;
  const parts = component ? answer.replaceable.map((one) => replaceable(one, writable, present(studio, component))) : [];
  const body = fields.length || parts.length ? [...sections(fields), ...(parts.length ? [choose(parts)] : [])] : [h("p", { class: "quiet" }, "There are no parameters to set.")];
  if (!writable && fields.length) body.unshift(h("p", { class: "quiet" }, "Belongs to a library or a base class: look, but do not change."));
  const choices = writable && (fields.length || parts.length)
    ? [
        { label: "Cancel", value: false },
        { label: "OK", value: true, primary: true },
      ]
    : [{ label: "Close", value: false, primary: true }];
  if (!(await ask(title, body, choices, true))) return;
  const redeclared = parts.filter(({ select, before }) => select.value !== before).map(({ element, select }): Operation => {
    const text = select.value === "" ? {} : { text: select.value };
    return { op: "redeclare", name: component, element, ...text };
  });
  await studio.edit([...fields.flatMap((one) => operation(one, component)), ...redeclared]);
}

/** The declaration of a part in the text. */
function present(studio: Studio, component: string): string {
  const at = studio.text?.text.search(new RegExp(`\\b${component}\\s*\\(`)) ?? -1;
  return at < 0 ? "" : studio.text!.text.slice(at, studio.text!.text.indexOf(";", at));
}

interface Choosing {
  element: string;
  description: string;
  select: HTMLSelectElement;
  before: string;
}

/** A list of the classes that may take the place of an element. */
function replaceable(one: Replaceable, writable: boolean, declaration: string): Choosing {
  const before = one.choices.find((choice) => declaration.includes(choice.text))?.text ?? "";
  const short = (name: string) => name.split(".").slice(-2).join(".");
  const select = h("select", { id: `replaceable-${one.name}`, disabled: !writable },
    h("option", { value: "" }, `${one.type ?? ""} (default)`),
    ...one.choices.map((choice) => h("option", { value: choice.text, title: choice.label }, short(choice.label))));
  select.value = before;
  return { element: one.name, description: one.description, select, before };
}

function choose(parts: Choosing[]): HTMLElement {
  const row = ({ element, description, select }: Choosing) =>
    h("div", { class: "parameter" }, h("label", { for: select.id }, element), select, h("span"), h("span", { class: "about" }, description));
  return h("fieldset", {}, h("legend", {}, "Choices"), ...parts.map(row));
}

function isOwn(studio: Studio, component: string): boolean {
  const part = new RegExp(`\\b${component}\\b`);
  return studio.text !== null && part.test(studio.text.text);
}

function field(parameter: Parameter, writable: boolean, own: boolean): Field {
  const given = parameter.value !== null && (own || parameter.value !== parameter.default);
  const before = given ? parameter.value! : "";
  const fallback = own ? "" : (parameter.default ?? (parameter.known === null ? "" : String(parameter.known)));
  const disabled = !writable || !parameter.enabled;
  const id = `parameter-${parameter.name}`;
  if (parameter.choices.length > 0) {
    const short = (choice: string) => choice.split(".").slice(-1)[0]!;
    const known = parameter.choices.includes(before) || before === "";
    const options = [
      h("option", { value: "" }, fallback ? `${short(fallback)} (default)` : ""),
      ...(known ? [] : [h("option", { value: before }, before)]),
      ...parameter.choices.map((choice) => h("option", { value: choice }, short(choice))),
    ];
    const select = h("select", { id, disabled }, ...options);
    select.value = before;
    return { parameter, input: select, before };
  }
  const input = h("input", { id, type: "text", value: before, placeholder: fallback, disabled, spellcheck: "false", autocomplete: "off" });
  return { parameter, input, before };
}

function sections(fields: Field[]): HTMLElement[] {
  const tabs = new Map<string, Map<string, Field[]>>();
  for (const one of fields) {
    const groups = tabs.get(one.parameter.tab) ?? new Map<string, Field[]>();
    tabs.set(one.parameter.tab, groups);
    groups.set(one.parameter.group, [...(groups.get(one.parameter.group) ?? []), one]);
  }
  const pages = [...tabs].map(([, groups]) =>
    h("div", { class: "tab-page", role: "tabpanel" }, ...[...groups].map(([name, list]) => group(name, list))),
  );
  const heads = [...tabs.keys()].map((name, k) =>
    h("button", { type: "button", role: "tab", onclick: () => show(k) }, name),
  );
  const show = (chosen: number) => {
    pages.forEach((page, k) => (page.hidden = k !== chosen));
    heads.forEach((head, k) => head.setAttribute("aria-selected", String(k === chosen)));
  };
  show(0);
  return heads.length > 1 ? [h("div", { class: "tabs", role: "tablist" }, ...heads), ...pages] : pages;
}

function group(name: string, fields: Field[]): HTMLElement {
  const rows = fields.map(({ parameter, input }) => {
    const known = typeof parameter.known === "number" && parameter.value && Number.isNaN(Number(parameter.value));
    const unit = parameter.unit || "";
    return h(
      "div",
      { class: "parameter" },
      h("label", { for: input.id, title: parameter.type }, parameter.name),
      input,
      h("span", { class: "unit", title: known ? `= ${shown(parameter.known as number)} ${unit}` : "" }, unit === "1" ? "" : unit),
      h("span", { class: "about" }, parameter.description),
    );
  });
  return h("fieldset", {}, h("legend", {}, name), ...rows);
}

function operation({ parameter, input, before }: Field, component: string): Operation[] {
  const value = input.value.trim();
  if (value === before.trim()) return [];
  const given = value === "" ? {} : { value };
  return component
    ? [{ op: "modify", name: component, path: parameter.name, ...given }]
    : [{ op: "modify", name: parameter.name, path: "", ...given }];
}
