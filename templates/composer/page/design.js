"use strict";

/** Designer has a scenario and classes looked at, and changed, by the rules. The two texts are all that it keeps. */
class Designer {
  rules = new Rules();
  /** @type {Record<string, unknown> | undefined} */
  #wanted;
  #busy = false;
  /** @type {Set<string>} forms that are unfolded */
  #open = new Set();
  text = /** @type {HTMLTextAreaElement} */ ($("text"));
  tables = /** @type {HTMLTextAreaElement} */ ($("tables"));

  /** @param {string} id */
  chosen(id) {
    return /** @type {HTMLInputElement} */ ($(id)).value;
  }

  async start() {
    document.documentElement.classList.add("script");
    for (const area of [this.text, this.tables]) area.addEventListener("input", () => this.look());
    $("map").addEventListener("click", (e) => {
      const hex = /** @type {Element} */ (e.target).closest("[data-hex]")?.getAttribute("data-hex");
      if (hex) this.look({ act: "put", hex });
    });
    $("heading").addEventListener("change", () => this.look({ act: "turn" }));
    $("remove").addEventListener("click", () => this.look({ act: "remove" }));
    $("add").addEventListener("click", () => this.look({ act: "add", ship: this.chosen("name"), hex: this.chosen("hex") }));
    $("own").addEventListener("click", () => this.look({ act: "own" }));
    $("file").addEventListener("change", async (e) => {
      const file = /** @type {HTMLInputElement} */ (e.target).files?.[0];
      if (file) this.text.value = await file.text();
      this.look();
    });
    $("save").addEventListener("click", () => {
      for (const [area, name] of /** @type {[HTMLTextAreaElement, string][]} */ ([[this.text, "scenario.toml"], [this.tables, "ships.toml"]])) {
        if (!area.value.trim()) continue;
        const link = make("a", { href: URL.createObjectURL(new Blob([area.value], { type: "application/toml" })), download: name });
        link.click();
        URL.revokeObjectURL(link.href);
      }
    });
    await this.rules.start().then(() => this.look(), complain);
  }

  /** @param {Record<string, unknown>} [act] done before, if any; while one look is under way the newest waits */
  async look(act = {}) {
    this.#wanted = act;
    if (this.#busy) return;
    $("desk").setAttribute("aria-busy", "true");
    for (this.#busy = true; this.#wanted;) {
      const todo = { ship: this.chosen("ship"), heading: this.chosen("heading"), side: this.chosen("side"), class: this.chosen("class"), ...this.#wanted };
      this.#wanted = undefined;
      const [text, tables] = [this.text.value, this.tables.value];
      try {
        const seen = /** @type {Designed} */ (await this.rules.ask({ do: "design", design: { text, tables, ...todo } }));
        complain();
        if (this.text.value === text && seen.text !== text) this.text.value = seen.text;
        if (this.tables.value === tables && seen.tables !== tables) this.tables.value = seen.tables;
        this.#show(seen);
      } catch (e) {
        complain(e);
      }
    }
    this.#busy = false;
    $("desk").setAttribute("aria-busy", "false");
  }

  /** @param {Designed} seen */
  #show(seen) {
    for (const [id, names] of Object.entries({ ship: seen.ships.map((s) => s.name), side: seen.sides, class: seen.classes })) {
      const was = this.chosen(id);
      if (names.length > 0) $(id).replaceChildren(...names.map((n) => make("option", { value: n, selected: n === was }, n)));
    }
    if (seen.map) $("map").replaceChildren(document.importNode(new DOMParser().parseFromString(seen.map, "image/svg+xml").documentElement, true));
    $("ships").replaceChildren(...seen.ships.map((s) => make("li", {}, `${s.name}: ${s.where}`)));
    const at = document.activeElement?.id;
    $("forms").replaceChildren(...seen.forms.map((f) => this.#form(f)));
    if (at?.startsWith("field-")) document.getElementById(at)?.focus();
    $("remarks").replaceChildren(...(seen.remarks.length > 0 ? seen.remarks : ["No problems: it can be played."]).map((r) => make("li", {}, r)));
    $("balance").textContent = seen.balance.join("\n");
  }

  /** @param {Section} s */
  #form(s) {
    const name = `${s.file} ${s.line}`;
    const button = (/** @type {string} */ act, /** @type {string} */ words) => make("button", { type: "button", click: () => this.look({ act, file: s.file, line: s.line }) }, words);
    const folded = make(
      "details",
      { open: this.#open.has(name), toggle: () => (folded.open ? this.#open.add(name) : this.#open.delete(name)) },
      make("summary", {}, s.title),
      ...s.fields.map((f) => make("label", { class: "field" }, make("span", {}, f.key), make("input", { id: `field-${s.file}-${f.line}`, value: f.value, autocomplete: "off", change: (e) => this.look({ act: "field", file: s.file, line: f.line, value: /** @type {HTMLInputElement} */ (e.target).value }) }))),
      ...(s.more ? [button("copy", "Duplicate"), " ", button("drop", "Remove")] : []),
    );
    return folded;
  }
}

new Designer().start();
