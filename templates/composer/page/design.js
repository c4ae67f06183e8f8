"use strict";

/** Designer has a scenario and classes looked at, and changed, by the rules. The two texts are all that it keeps. */
class Designer {
  rules = new Rules();
  /** @type {Record<string, unknown> | undefined} */
  #wanted;
  #busy = false;
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
    $("file").addEventListener("change", async (e) => {
      const file = /** @type {HTMLInputElement} */ (e.target).files?.[0];
      if (file) this.text.value = await file.text();
      this.look();
    });
    $("save").addEventListener("click", () => {
      const link = make("a", { href: URL.createObjectURL(new Blob([this.text.value], { type: "application/toml" })), download: "scenario.toml" });
      link.click();
      URL.revokeObjectURL(link.href);
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
      const text = this.text.value;
      try {
        const seen = /** @type {Designed} */ (await this.rules.ask({ do: "design", design: { text, tables: this.tables.value, ...todo } }));
        complain();
        if (this.text.value === text && seen.text !== text) this.text.value = seen.text;
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
    $("remarks").replaceChildren(...(seen.remarks.length > 0 ? seen.remarks : ["Nothing is wrong: it can be played."]).map((r) => make("li", {}, r)));
    $("balance").textContent = seen.balance.join("\n");
  }
}

new Designer().start();
