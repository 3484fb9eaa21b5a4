// New, open and save, with the questions that they raise.

import { ask, askText, notice } from "./dialogs.ts";
import { h } from "./dom.ts";
import type { Studio } from "./studio.ts";
import { Refusal } from "./transport.ts";

/** Makes a new model and shows it. */
export async function create(studio: Studio): Promise<void> {
  const name = await askText("New model", "Name", freeModel(studio), "Create");
  if (!name) return;
  const made = await studio.enqueue(async () => {
    await studio.api.call("create", { name });
    await studio.refresh();
    return true;
  });
  if (made) await studio.open(name);
}

/** Makes a model of the project that extends the open class of a library. */
export async function extend(studio: Studio): Promise<void> {
  const base = studio.info;
  if (!base) return;
  const name = await askText(`Extend ${base.class}`, "Name of the new model", `My${base.class.split(".").pop()}`, "Create");
  if (!name) return;
  const made = await studio.enqueue(async () => {
    const { file, text } = await studio.api.call("create", { name });
    const own = text.replace("\n", `\n  extends ${base.class};\n`).replace(/\(StopTime=1\)/, experiment(base.experiment));
    await studio.api.call("set_text", { file, text: own });
    await studio.refresh();
    return true;
  });
  if (made) await studio.open(name);
}

function experiment(given: { start: number | null; stop: number | null; tolerance: number | null }): string {
  const list = [["StartTime", given.start], ["StopTime", given.stop ?? 1], ["Tolerance", given.tolerance]] as const;
  return `(${list.filter(([, value]) => value !== null).map(([name, value]) => `${name}=${value}`).join(", ")})`;
}

function freeModel(studio: Studio): string {
  const known = new Set(studio.project?.texts.flatMap((text) => text.classes) ?? []);
  let k = 1;
  while (known.has(`Model${k}`)) k++;
  return `Model${k}`;
}

/** Opens a file: by its path where there is a server, else one of the user's disk, which may hold libraries. */
export async function openFile(studio: Studio, added: () => void): Promise<void> {
  if (studio.api.transport.library) return pick(studio, added);
  const folder = studio.project?.folder ?? "";
  const path = await askText("Open a file", "Path of a Modelica file", `${folder}/`, "Open");
  if (!path) return;
  const file = path.startsWith("/") ? path : `${folder}/${path}`;
  const opened = await studio.enqueue(async () => {
    await studio.api.call("open", { file });
    await studio.refresh();
    return true;
  });
  const first = studio.project?.texts.find((text) => text.file === file)?.classes[0];
  if (opened && first) await studio.open(first);
}

/** Lets the user choose Modelica files for the project, or zips with libraries. */
function pick(studio: Studio, added: () => void): void {
  const field = h("input", { type: "file", accept: ".mo,.zip", multiple: true });
  field.addEventListener("change", () => {
    for (const file of field.files ?? []) void take(studio, file, added);
  });
  field.click();
}

/** Takes a file that was chosen or dropped: a zip of libraries, or a Modelica file, which becomes one of the project. */
export async function take(studio: Studio, file: File, added: () => void): Promise<void> {
  const { transport } = studio.api;
  if (file.name.endsWith(".zip")) {
    notice(`Reading ${file.name}…`);
    const bytes = await file.arrayBuffer();
    const done = await studio.enqueue(async () => {
      await transport.library?.(file.name, bytes);
      await studio.refresh();
      return true;
    });
    if (done) {
      added();
      notice(`${file.name} is among the libraries, now and when the page is opened next.`);
    }
    return;
  }
  const [text, name] = [await file.text(), file.name.replace(/\.mo$/, "").replace(/\W/g, "_")];
  const made = await studio.enqueue(async () => {
    const made = await studio.api.call("create", { name, text });
    await studio.refresh();
    return made;
  });
  const first = studio.project?.texts.find((one) => one.file === made?.file)?.classes[0];
  if (first) await studio.open(first);
}

/** Hands the open text to the user's disk. */
export async function download(studio: Studio): Promise<void> {
  await studio.flush();
  await studio.settled();
  if (!studio.text) return;
  const name = studio.info?.editable ? studio.text.file.split("/").pop()! : `${studio.info?.class.split(".").pop()}.mo`;
  const link = h("a", { href: URL.createObjectURL(new Blob([studio.text.text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Takes the file of the open model out of the project. */
export async function removeFile(studio: Studio): Promise<void> {
  const state = studio.state();
  if (!state || !studio.info?.editable) return notice("Only models of the project can be removed.");
  const name = state.file.split("/").pop()!;
  const sure = await ask(`Remove ${name}?`, [h("p", {}, "The file is deleted. This cannot be undone.")], [
    { label: "Cancel", value: false, primary: true },
    { label: "Delete the file", value: true, danger: true },
  ]);
  if (!sure) return;
  const project = await studio.enqueue(() => studio.api.call("remove", { file: state.file }));
  if (!project) return;
  studio.setProject(project);
  const next = project.texts[0]?.classes[0];
  if (next) await studio.open(next);
  else location.reload();
}

/** Saves the open file, or all that have changed. */
export async function save(studio: Studio): Promise<void> {
  await studio.flush();
  await studio.settled();
  const dirty = studio.project?.texts.filter((text) => text.dirty) ?? [];
  if (dirty.length === 0) return notice("Nothing to save.");
  for (const text of dirty) {
    try {
      studio.setProject(await studio.api.call("save", { file: text.file }));
      notice(`Saved ${text.file.split("/").pop()}.`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "changed-outside") await conflict(studio, text.file);
      else notice(error.message, "error");
    }
  }
}

async function conflict(studio: Studio, file: string): Promise<void> {
  const words = h("p", {}, `Another program has changed ${file.split("/").pop()} since it was read. Whose text shall stay?`);
  const choice = await ask("Changed outside", [words], [
    { label: "Cancel", value: "cancel" },
    { label: "Take theirs", value: "theirs", danger: true },
    { label: "Save mine", value: "mine", primary: true },
  ]);
  if (choice === "mine") studio.setProject(await studio.api.call("save", { file, anyway: true }));
  if (choice === "theirs") {
    const text = await studio.api.call("revert", { file });
    if (studio.text?.file === file) studio.take(text, false);
    await studio.refresh();
  }
}

/** Looks now and then whether files were changed by others, and asks before the page is left with unsaved texts. */
export function watch(studio: Studio): void {
  let told = "";
  setInterval(() => {
    if (document.hidden) return;
    void studio.enqueue(async () => {
      const project = await studio.api.call("status", {}).catch(() => null);
      if (!project || JSON.stringify(project.texts) === JSON.stringify(studio.project?.texts)) return;
      studio.setProject(project);
      const now = project.texts.find((text) => text.file === studio.text?.file);
      if (now && studio.info?.editable && now.version !== studio.text?.version) {
        studio.take(await studio.api.call("text", { file: now.file }), false);
        notice(`${now.file.split("/").pop()} was changed outside and read again.`);
      }
    });
  }, 4000);
  studio.on("project", (project) => {
    const conflicts = project.texts.filter((text) => text.conflict).map((text) => text.file.split("/").pop()).join(", ");
    if (conflicts && conflicts !== told) notice(`Changed by another program: ${conflicts}`, "error");
    told = conflicts;
  });
  window.addEventListener("beforeunload", (event) => {
    if (studio.project?.texts.some((text) => text.dirty)) event.preventDefault();
  });
}

/** Tells which texts were taken from the journal after a crash. */
export function tellRecovered(studio: Studio): void {
  const names = studio.project?.texts.filter((text) => text.recovered && text.dirty).map((text) => text.file.split("/").pop());
  if (names?.length) notice(`Unsaved changes were recovered: ${names.join(", ")}. Undo takes them back.`);
}
