"use strict";

/**
 * Draws again what is in a box, and keeps the focus on what has the same name there.
 * @param {HTMLElement} box
 * @param {Node[]} content
 */
function redraw(box, content) {
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const name = focus && box.contains(focus) ? focus.dataset.name : undefined;
  const open = new Set([...box.querySelectorAll("details[open]")].map((d) => /** @type {HTMLElement} */ (d).dataset.name));
  box.replaceChildren(...content);
  for (const d of /** @type {NodeListOf<HTMLDetailsElement>} */ (box.querySelectorAll("details"))) d.open = open.has(d.dataset.name);
  if (!name) return;
  const same = box.querySelector(`[data-name="${CSS.escape(name)}"]`) || box.querySelector("button, input, select, summary");
  if (same instanceof HTMLElement) same.focus();
}

/** ChoicesPanel is what can be clicked for a ship beside the map. */
class ChoicesPanel {
  /** @type {Map<string, { row: HTMLElement, input: HTMLInputElement, output: HTMLElement }>} */
  #sliders = new Map();
  #ship = "";
  #target = "";
  #hex = "";
  /** @type {Set<string>} names of the lists that are open */
  #open = new Set();
  /** @type {Choices | undefined} */
  #choices;
  /** @type {Record<"course" | "fire" | "power" | "more" | "lists", HTMLElement>} */
  #parts;

  /**
   * @param {(text: string, words: string) => void} chosen
   * @param {(name: string, value: number) => void} slid
   * @param {(ship: string) => string} nameOf
   * @param {() => void} wanted is told that more is to be asked for
   */
  constructor(chosen, slid, nameOf, wanted) {
    this.chosen = chosen;
    this.slid = slid;
    this.nameOf = nameOf;
    this.wanted = wanted;
    this.#parts = { course: make("div"), fire: make("div"), power: make("div"), more: make("div"), lists: make("div") };
    for (const e of Object.values(this.#parts)) e.hidden = true;
    const { course, fire, power, more, lists } = this.#parts;
    $("choices").replaceChildren(make("div", { class: "column" }, course, power, more), make("div", { class: "column" }, fire, lists));
  }

  /** What is to be asked for: rules need long for all that could be. */
  get asked() {
    return { open: [...this.#open], target: this.#target };
  }

  /**
   * @param {string} ship
   * @param {Choices} choices
   */
  show(ship, choices) {
    if (ship !== this.#ship) {
      this.#sliders.clear();
      this.#hex = "";
    }
    this.#ship = ship;
    this.#choices = choices;
    this.#course(choices);
    this.#fire(choices);
    this.#power(choices);
    this.#lists("more", "More orders for power", choices.lists.filter((l) => l.name === "power"));
    this.#lists("lists", "Other orders", choices.lists.filter((l) => l.name !== "power"));
  }

  /**
   * A hex was chosen: the cheapest way there is taken, others are offered.
   * @param {string} hex
   * @returns {string} what to say
   */
  hex(hex) {
    const ways = this.#choices?.reach.filter((r) => r.hex === hex) || [];
    const first = ways.sort((a, b) => a.cost - b.cost)[0];
    if (!first || !this.#choices) return `Hex ${hex} cannot be reached${this.#step()}.`;
    this.#hex = hex;
    const words = `Course to ${hex}, heading ${first.heading}${this.#step()}.`;
    this.chosen(first.text, words);
    return words;
  }

  #step() {
    const step = this.#choices?.steps?.[this.#choices.step || 0];
    return step ? ` in ${step.title.toLowerCase()}` : "";
  }

  /**
   * A ship that can be shot at was chosen.
   * @param {string} ship
   * @returns {boolean}
   */
  target(ship) {
    if (!this.#choices?.targets.some((t) => t.ship === ship)) return false;
    this.#aim(ship);
    const box = this.#parts.fire;
    box.scrollIntoView({ block: "nearest" });
    say(`Fire at ${this.nameOf(ship)}`);
    return true;
  }

  /** @param {string} ship */
  #aim(ship) {
    this.#target = ship;
    if (this.#choices) this.#fire(this.#choices);
    this.wanted();
  }

  /** @param {Choices} c */
  #course(c) {
    this.#parts.course.hidden = c.reach.length === 0;
    if (c.reach.length === 0) return redraw(this.#parts.course, []);
    const select = make("select", { "data-name": "course", "aria-label": "Destination" }, make("option", { value: "" }, "choose…"),
      ...c.reach.map((r, i) => make("option", { value: i }, `${r.hex}, heading ${r.heading}, for ${r.cost}`)));
    select.addEventListener("change", () => {
      const r = c.reach[Number(select.value)];
      if (select.value === "" || !r) return;
      this.#hex = r.hex;
      this.chosen(r.text, `Course to ${r.hex}, heading ${r.heading}${this.#step()}.`);
    });
    const others = c.reach.filter((r) => r.hex === this.#hex);
    redraw(this.#parts.course, [make("section", { class: "box", "aria-label": "Course" },
      make("h3", {}, `Course${this.#step()}`),
      make("p", { class: "hint" }, c.reach.some((r) => r.cost > 0) ? `Tap a green hex on the map: she goes there${this.#step()} from the dashed one. Or choose a hex:` : `She has no movement points${this.#step()}: choose her own hex to stay.`),
      make("p", { class: "row" }, select),
      ...(others.length > 1 ? [make("p", { class: "row" }, `In ${this.#hex} with heading`, ...others.map((r) =>
        make("button", { type: "button", "data-name": `way ${r.heading}`, click: () => this.chosen(r.text, `Heading ${r.heading}.`) }, `${r.heading} for ${r.cost}`)))] : []),
    )]);
  }

  /** @param {Choices} c */
  #fire(c) {
    this.#parts.fire.hidden = c.targets.length === 0;
    const target = c.targets.find((t) => t.ship === this.#target) || c.targets[0];
    if (!target) return redraw(this.#parts.fire, []);
    this.#target = target.ship;
    redraw(this.#parts.fire, [make("section", { class: "box", "aria-label": "Fire" },
      make("h3", {}, "Fire"),
      make("div", { class: "row", role: "group", "aria-label": "Target" }, ...c.targets.map((t) => make("button", {
        type: "button", "data-name": `target ${t.ship}`, "aria-pressed": String(t === target), click: () => this.#aim(t.ship),
      }, this.nameOf(t.ship)))),
      make("p", { class: "hint" }, `At ${target.hex}, range ${target.range}.`),
      make("ul", { class: "shots" }, ...target.shots.map((s) => make("li", {},
        s.text ? make("button", {
          type: "button", "data-name": `fire ${target.ship} ${s.bank}`, "aria-label": `Fire ${weapon(s)} at ${this.nameOf(target.ship)}`, "aria-pressed": String(s.on === true),
          click: () => this.chosen(s.text, `${s.on ? "Fire cancelled" : "Fire"} at ${this.nameOf(target.ship)}: ${weapon(s)}.`),
        }, weapon(s)) : make("span", { class: "out" }, weapon(s)),
        make("div", {}, ...(s.chance ? [make("b", {}, s.chance)] : []), make("span", { class: "out" }, s.why || (s.arc ? "" : "does not bear on her now"))),
      ))),
    )]);
  }

  /** @param {Choices} c */
  #power(c) {
    this.#parts.power.hidden = c.power.length === 0;
    const same = c.power.length === this.#sliders.size && c.power.every((p) => this.#sliders.has(p.name));
    if (!same) {
      this.#sliders.clear();
      redraw(this.#parts.power, c.power.length === 0 ? [] : [make("section", { class: "box", "aria-label": "Power" },
        make("h3", {}, "Power"), ...c.power.map((p) => this.#slider(p)))]);
    }
    for (const p of c.power) {
      const s = this.#sliders.get(p.name);
      if (!s) continue;
      Object.assign(s.input, { min: p.min, max: p.max, step: p.step });
      if (!s.input.matches(":active")) s.input.value = String(p.value);
      s.output.textContent = s.input.value + (p.cost && p.cost !== p.value ? ` takes ${p.cost}` : "");
    }
  }

  /**
   * A slider stays the same element while it is moved.
   * @param {Slider} p
   */
  #slider(p) {
    const input = make("input", { type: "range", "data-name": `power ${p.name}`, "aria-label": p.name, min: p.min, max: p.max });
    const output = make("output");
    input.addEventListener("input", () => {
      output.textContent = input.value;
      this.slid(p.name, Number(input.value));
    });
    const row = make("label", { class: "slide" }, make("span", {}, p.name), input, output);
    this.#sliders.set(p.name, { row, input, output });
    return row;
  }

  /**
   * @param {"more" | "lists"} part
   * @param {string} title
   * @param {Choices["lists"]} lists
   */
  #lists(part, title, lists) {
    this.#parts[part].hidden = lists.length === 0;
    redraw(this.#parts[part], lists.length === 0 ? [] : [make("section", { class: "box", "aria-label": title },
      make("h3", {}, title), ...lists.map((l) => make("details", { "data-name": `list ${l.name}`, toggle: (e) => this.#toggled(l.name, e) },
        make("summary", { "data-name": `open ${l.name}` }, l.title),
        ...byHelp(l.items).map((items) => make("div", {}, make("p", { class: "hint" }, items[0]?.help || ""),
          make("ul", { class: "items" }, ...items.map((item) => make("li", {}, ...this.#item(l.name, item)))))))))]);
  }

  /**
   * An order of a list. One by which a battle ends is asked about.
   * @param {string} list
   * @param {Item} item
   */
  #item(list, item) {
    if (!item.text) return [make("span", { class: "hint" }, `${item.label}: ${item.why || ""}`)];
    const choose = () => this.chosen(item.text, item.on ? `Removed: ${item.label}.` : `${item.label}.`);
    const name = `item ${list} ${item.label}`;
    if (!item.ends || item.on) return [make("button", { type: "button", "data-name": name, "aria-pressed": String(item.on === true), click: choose }, item.label)];
    const sure = make("button", { type: "button", class: "sure", "data-name": `sure ${item.label}`, click: choose }, `Yes: ${item.ends}`);
    sure.hidden = true;
    return [make("button", { type: "button", "data-name": name, "aria-pressed": "false", click: () => { sure.hidden = false; sure.focus(); } }, `${item.label}: ${item.ends}…`), sure];
  }

  /**
   * A list is filled when it is opened.
   * @param {string} name
   * @param {Event} e
   */
  #toggled(name, e) {
    const open = /** @type {HTMLDetailsElement} */ (e.target).open;
    if (open === this.#open.has(name)) return;
    if (open) this.#open.add(name);
    else this.#open.delete(name);
    if (open) this.wanted();
  }
}

/**
 * Items in a row that the same words explain.
 * @param {Item[]} items
 * @returns {Item[][]}
 */
function byHelp(items) {
  /** @type {Item[][]} */
  const out = [];
  for (const item of items) {
    const last = out.at(-1);
    if (last?.[0]?.help === item.help) last.push(item);
    else out.push([item]);
  }
  return out;
}

/**
 * How a weapon is called on a button.
 * @param {Shot} shot
 */
function weapon(shot) {
  return shot.bank === "all" ? "all that bear" : shot.bank;
}
