// The documentation of a class, made safe by the back end; its links lead to other classes.

import { h } from "./dom.ts";
import type { Studio } from "./studio.ts";

/** The panel of documentation. */
export class Documentation {
  readonly element = h("article", { class: "documentation", tabindex: "0", "aria-label": "Documentation" });
  private stale = true;

  constructor(
    private readonly studio: Studio,
    private readonly open: (name: string) => void,
  ) {
    studio.on("opened", () => {
      this.stale = true;
      void this.load();
    });
    studio.on("text", () => (this.stale = true));
    this.element.addEventListener("click", (event) => {
      const link = (event.target as Element).closest("a");
      const href = link?.getAttribute("href");
      if (!href) return;
      event.preventDefault();
      const name = /^modelica:\/\/([\w.]+)/i.exec(href)?.[1];
      if (name && !/^modelica:\/\/[\w.]+\//i.test(href)) this.open(name);
      else if (/^https?:/.test(href)) window.open(href, "_blank", "noopener,noreferrer");
    });
  }

  /** Reads the documentation if it is seen and has changed. */
  async load(): Promise<void> {
    const { info } = this.studio;
    if (!info || !this.stale || this.element.hidden || !this.element.isConnected) return;
    this.stale = false;
    const page = await this.studio.api.call("documentation", { class: info.class });
    const info_ = h("div", { class: "html" });
    // The back end has removed all that could run.
    info_.innerHTML = page.info;
    const revisions = h("div", { class: "html" });
    revisions.innerHTML = page.revisions;
    for (const image of [...info_.querySelectorAll("img"), ...revisions.querySelectorAll("img")]) {
      if (!image.getAttribute("src")?.startsWith("data:")) image.remove();
    }
    this.element.replaceChildren(
      h("h1", {}, page.class.split(".").pop()!),
      h("p", { class: "quiet" }, `${page.kind} ${page.class}`),
      h("p", { class: "lead" }, page.description),
      info_,
      ...(page.revisions ? [h("h2", {}, "Revisions"), revisions] : []),
    );
    if (!page.info && !page.description) this.element.append(h("p", { class: "quiet" }, "There is no documentation."));
    this.element.scrollTop = 0;
  }
}
