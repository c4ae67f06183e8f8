"use strict";

/** How a ship of another can act. */
const acts = [["robot", "ordered by a robot"], ["keep", "keeps her course, fires nothing"], ["orders", "orders I write"]];

/** RehearsalPanel has the orders played many times, and shows what comes of it. */
class RehearsalPanel {
  /** @type {Map<string, { ship: string, by: string, text: string }>} */
  #others = new Map();
  #bands = make("div");
  #old = make("p", { class: "hint" }, "These figures do not include your last change.");
  #button = make("button", { type: "button", class: "main", click: () => this.#rehearse() }, "Rehearse");

  /** @param {(others: { ship: string, by: string, text: string }[]) => Promise<Rehearsed>} ask */
  constructor(ask) {
    this.ask = ask;
  }

  /**
   * Begins with the ships of a view.
   * @param {OwnShip[]} ships
   */
  begin(ships) {
    const others = ships.filter((s) => !s.own && s.status === "active");
    this.#others.clear();
    this.#bands.replaceChildren();
    this.#old.hidden = true;
    const rows = others.map((s) => this.#other(s));
    $("rehearsal").replaceChildren(
      make("p", { class: "hint" }, "Plays this turn a hundred times with different dice, from what you know. Assumptions are listed."),
      ...(rows.length > 4 ? [make("details", {}, make("summary", {}, `Other ships (${rows.length}): robots, unless you say so`), ...rows)] : rows),
      make("p", { class: "row" }, this.#button), this.#old, this.#bands);
  }

  /** The orders are others than those that were played. */
  changed() {
    this.#old.hidden = this.#bands.childElementCount === 0;
  }

  /** @param {OwnShip} ship */
  #other(ship) {
    const act = { ship: ship.id, by: "robot", text: "" };
    this.#others.set(ship.id, act);
    const area = make("textarea", { rows: 5, spellcheck: "false", "aria-label": `Orders for ${ship.name}`, placeholder: "power\n  move 8\nphase 1\n  move F F", input: () => { act.text = area.value; this.changed(); } });
    area.hidden = true;
    const select = make("select", { change: () => {
      act.by = select.value;
      area.hidden = act.by !== "orders";
      this.changed();
    } }, ...acts.map(([by, words]) => make("option", { value: by || "" }, words || "")));
    return make("div", { class: "other" }, make("label", { class: "row" }, make("span", {}, ship.name), select), area);
  }

  async #rehearse() {
    if (this.#button.getAttribute("aria-disabled") === "true") return;
    this.#button.setAttribute("aria-disabled", "true");
    this.#button.textContent = "Rehearsing…";
    try {
      const { panels } = await this.ask([...this.#others.values()]);
      this.#bands.replaceChildren(...panels.map((p) => panelled(p)));
      say("Rehearsed: the tables are below the button.");
    } catch (e) {
      if (!(e instanceof Trouble)) throw e;
      this.#bands.replaceChildren(make("p", { class: "trouble" }, make("b", {}, e.message), " ", e.way));
      say(e.message);
    } finally {
      this.#old.hidden = true;
      this.#button.removeAttribute("aria-disabled");
      this.#button.textContent = "Rehearse";
    }
    this.#bands.scrollIntoView({ block: "start" });
  }
}

/**
 * A table with its words.
 * @param {Panel} p
 */
function panelled(p) {
  return make("section", {}, make("h3", {}, p.title), ...(p.notes || []).map((n) => make("p", { class: "hint" }, n)),
    ...(p.columns.length === 0 ? [] : [make("div", { class: "wide" }, make("table", { "aria-label": p.title },
      make("thead", {}, make("tr", {}, ...p.columns.map((c) => c ? make("th", { scope: "col" }, c) : make("td")))),
      make("tbody", {}, ...(p.rows || []).map((r) => make("tr", {}, ...r.map((cell, i) => i === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell)))))))]));
}
