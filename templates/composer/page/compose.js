"use strict";

/** Composer wires the text, the map and the rules together: the text is the only truth. */
class Composer {
  rules = new Rules();
  /** @type {Opened | undefined} */
  #open;
  /** @type {Checked | undefined} */
  #checked;
  #ship = "";
  /** The step that hexes and targets are chosen for, such as a phase. */
  #step = 0;
  /** Where the caret was when choices were asked for last. */
  #line = 0;
  #busy = false;
  #again = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;
  /** @type {{ name: string, value: number } | undefined} the newest place of a slider */
  #slid;
  #said = "";
  /** @type {Mail | undefined} the mail that the link opens */
  #mail;
  /** What the choices that are shown are for, see #now. */
  #base = "";
  /** @type {(() => void) | undefined} what was clicked before choices for the newest text came */
  #early;

  constructor() {
    this.editor = new Editor((typed) => this.#changed(typed));
    this.panel = new ChoicesPanel((text, words) => this.#chosen(text, words), (name, value) => this.#slide(name, value), (id) => this.#nameOf(id), () => this.#soon(0));
    this.rehearsal = new RehearsalPanel((others) => this.rules.ask({ do: "rehearse", text: this.editor.text, others }));
    this.board = new Board((hex) => this.#hex(hex), (ship) => this.#tap(ship), () => this.#own(this.#ship)?.hex || "", (id) => this.#nameOf(id));
    for (const moved of ["keyup", "click"]) this.editor.area.addEventListener(moved, () => this.#follow());
    $("show").addEventListener("click", () => {
      const first = Math.max(0, this.#checked?.diagnostics.findIndex((d) => d.severity === "error") ?? 0);
      const remark = /** @type {HTMLElement | null} */ ($("remarks").querySelector(`[data-name="remark ${first}"]`));
      remark?.scrollIntoView({ block: "center" });
      remark?.focus({ preventScroll: true });
    });
    $("copy").addEventListener("click", () => this.#guard(() => this.#copy()));
    $("mailto").addEventListener("click", () => { if (!this.#mail?.whole) this.#guard(() => this.#copy()); });
    const file = /** @type {HTMLInputElement} */ ($("file"));
    file.addEventListener("change", () => this.#guard(async () => {
      const chosen = file.files?.[0];
      if (chosen) await this.open(await viewIn(chosen));
      file.value = "";
    }));
    addEventListener("dragover", (e) => { e.preventDefault(); document.documentElement.classList.add("dropping"); });
    addEventListener("dragleave", (e) => { if (!e.relatedTarget) document.documentElement.classList.remove("dropping"); });
    addEventListener("drop", (e) => {
      e.preventDefault();
      document.documentElement.classList.remove("dropping");
      const dropped = e.dataTransfer?.files[0];
      if (dropped) this.#guard(async () => this.open(await viewIn(dropped)));
    });
    addEventListener("hashchange", () => this.#guard(async () => {
      const link = await linked(location.hash);
      if (link) await this.open(link.view, link.to);
    }));
  }

  /** Starts the rules and opens what the page or its address holds. */
  async start() {
    document.documentElement.classList.add("script");
    const held = document.getElementById("view");
    const asked = held !== null || location.hash.length > 1;
    $("welcome").hidden = asked;
    document.documentElement.classList.toggle("loading", asked);
    await this.#guard(async () => {
      /** @type {unknown} what is wrong with the link: a file can be opened still */
      let wrong;
      const link = held ? JSON.parse(held.textContent) : await linked(location.hash).catch((e) => { wrong = e; });
      if (wrong) {
        complain(wrong);
        this.#waits();
      }
      await this.rules.start();
      if (link) await this.open(link.view, link.to);
    });
    this.#waits();
  }

  /** The page waits for its reader: for clicks, or for a view where none is open. */
  #waits() {
    document.documentElement.classList.remove("loading");
    $("welcome").hidden = this.#open !== undefined;
  }

  /**
   * Does something and tells what goes wrong with it.
   * @param {() => Promise<void>} what
   */
  async #guard(what) {
    try {
      await what();
    } catch (e) {
      complain(e);
    }
  }

  /**
   * Opens a view.
   * @param {string} view
   * @param {string} [to] the address that orders are mailed to; "" where the view came without one
   */
  async open(view, to = "") {
    const open = /** @type {Opened} */ (await this.rules.ask({ do: "open", view, to }));
    complain();
    this.#open = open;
    this.#ship = open.ships.find((s) => s.own)?.id || "";
    this.#step = 0;
    $("title").textContent = open.title;
    const phase = open.phase ? `, phase ${open.phase}` : "";
    $("about").textContent = [`Orders for turn ${open.turn}${phase}`, open.captain, `${open.game}, ${open.rules}`].filter(Boolean).join(" · ");
    document.title = `${open.title}: orders for turn ${open.turn}${phase}`;
    $("welcome").hidden = true;
    $("desk").hidden = false;
    $("bar").hidden = false;
    $("sent").hidden = true;
    $("desk").setAttribute("aria-busy", "true");
    this.editor.begin(open.text);
    this.rehearsal.begin(open.ships);
    this.board.begin(true);
    await this.#refresh();
  }

  /** @param {string} id */
  #own(id) {
    return this.#open?.ships.find((s) => s.id === id && s.own);
  }

  /** @param {string} id */
  #nameOf(id) {
    return this.#open?.ships.find((s) => s.id === id)?.name || id;
  }

  /** @param {boolean} typed */
  #changed(typed) {
    performance.mark("changed");
    $("sent").hidden = true;
    $("where").textContent = "";
    complain();
    this.rehearsal.changed();
    this.#soon(typed ? 150 : 0);
  }

  /**
   * Has the text checked after some milliseconds, if nothing comes between.
   * @param {number} wait
   */
  #soon(wait) {
    clearTimeout(this.#later);
    $("desk").setAttribute("aria-busy", "true");
    this.#later = setTimeout(() => {
      this.#later = undefined;
      this.#guard(() => this.#refresh());
    }, wait);
  }

  /** A caret in a step of the orders has the map show that step, and whose orders they are. */
  #follow() {
    const line = this.editor.line;
    if (line === this.#line) return;
    const ship = this.#checked?.effects.find((e) => e.line === line)?.ship || "";
    if (ship !== this.#ship && this.#own(ship)) {
      this.#ship = ship;
      this.board.begin();
    }
    this.#soon(150);
  }

  /** Has the text checked and drawn, once more if it changed meanwhile. */
  async #refresh() {
    if (!this.#open) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      do {
        this.#again = false;
        await this.#turnSliders();
        const text = this.editor.text;
        this.#shown(/** @type {Checked} */ (await this.rules.ask({ do: "check", text })));
        if (this.#again || this.editor.text !== text) continue;
        if (!this.#ship) continue;
        this.#line = document.activeElement === this.editor.area ? this.editor.line : 0;
        const at = this.#line ? { line: this.#line } : { step: this.#step };
        this.#offered(/** @type {Choices} */ (await this.rules.ask({ do: "choices", text, ship: this.#ship, ...at, ...this.panel.asked })), text);
      } while (this.#again);
    } finally {
      this.#busy = false;
      $("desk").setAttribute("aria-busy", String(this.#later !== undefined));
    }
  }

  /** @param {Checked} c */
  #shown(c) {
    this.#checked = c;
    if (performance.getEntriesByName("changed").length > 0) performance.measure("checked", "changed");
    performance.clearMarks("changed");
    this.editor.mark(c.diagnostics);
    this.board.draw(c.map);
    $("who").textContent = c.who;
    $("forecast").textContent = c.mapText;
    this.#remarks(c);
    this.#effects(c);
    this.#state(c);
    this.#ships();
  }

  /**
   * @param {Choices} c
   * @param {string} text that they are for
   */
  #offered(c, text) {
    this.board.show(c.reach, !c.step);
    this.panel.show(this.#ship, c);
    const steps = c.steps || [];
    const next = this.#open?.phase ? ` Phase ${this.#open.phase} is played next; orders for later phases are kept until then, and you can send others.${this.#open.phase > 1 ? " Power is set once a turn, with the first phase." : ""}` : " All of them are played in this turn.";
    $("kept").textContent = steps.length > 1 ? "● has orders." + next : "";
    this.#step = c.step || 0;
    this.#base = this.#now(text);
    redraw($("steps"), steps.length < 2 ? [] : steps.map((s, i) => make("button", {
      type: "button", "data-name": `step ${i}`, "aria-pressed": String(i === this.#step), "aria-label": s.line ? `${s.title}, which has orders` : s.title,
      click: () => { this.#step = i; this.#soon(0); },
    }, s.line ? `${s.title} ●` : s.title)));
    const early = this.#early;
    this.#early = undefined;
    early?.();
  }

  #ships() {
    const crew = this.#open?.crew;
    const own = this.#open?.ships.filter((s) => s.own) || [];
    redraw($("ships"), own.map((s) => make("button", {
      type: "button", "data-name": `ship ${s.id}`, "aria-pressed": String(s.id === this.#ship), title: `${s.class}, ${s.hex} heading ${s.heading}`, click: () => this.#select(s.id),
    }, crew ? `${s.name} (${crew})` : s.name)));
  }

  /** @param {Checked} c */
  #remarks(c) {
    redraw($("remarks"), [make("ol", { "aria-label": "Remarks" }, ...c.diagnostics.map((d, i) => make("li", {}, make("button", {
      type: "button", class: d.severity, "data-name": `remark ${i}`, click: () => this.editor.go(d.line, d.column, d.length),
    }, make("span", { class: "tag" }, d.line ? `Line ${d.line}: ` : ""), d.message, " ", make("small", {}, `${d.severity} ${d.code}`), ...(d.hint ? [make("span", { class: "way" }, d.hint)] : [])))))]);
  }

  /** @param {Checked} c */
  #effects(c) {
    const many = (this.#open?.ships.filter((s) => s.own).length || 0) > 1;
    const whose = (/** @type {string} */ ship) => many ? [make("b", {}, this.#nameOf(ship)), " "] : [];
    redraw($("effects"), c.effects.length + c.sums.length === 0 ? [] : [make("h2", {}, "What these orders do"),
      make("ul", {}, ...c.sums.map((s) => make("li", {}, ...whose(s.ship), s.text))),
      make("details", { "data-name": "effects" }, make("summary", { "data-name": "open effects" }, `Line by line (${c.effects.length})`),
        make("ol", {}, ...c.effects.map((e, i) => make("li", {}, make("button", { type: "button", "data-name": `effect ${i}`, click: () => this.editor.go(e.line) },
          make("span", { class: "tag" }, `Line ${e.line}: `), ...whose(e.ship), e.text)))))]);
  }

  /** @param {Checked} c */
  #state(c) {
    const count = (/** @type {string} */ severity, /** @type {string} */ one) => {
      const n = c.diagnostics.filter((d) => d.severity === severity).length;
      return n === 0 ? [] : [`${n} ${one}${n === 1 ? "" : "s"}`];
    };
    const words = [c.accepted ? "Accepted" : "Not accepted yet", ...count("error", "mistake"), ...count("warning", "warning")].join(", ");
    const state = $("state");
    state.textContent = words;
    $("show").hidden = c.diagnostics.length === 0;
    state.className = !c.accepted ? "bad" : c.diagnostics.length > 0 ? "warned" : "good";
    if (words !== this.#said) say(words);
    this.#said = words;
    const power = (c.power || []).filter((p) => p.ship === this.#ship || p.left < 0);
    $("power").replaceChildren(...power.map((p) => make("span", { class: p.left < 0 ? "over" : "" },
      (c.power || []).length > 1 ? this.#nameOf(p.ship) + " " : "", `power ${p.used} of ${p.have}`, p.left < 0 ? `, ${-p.left} too much ` : `, ${p.left} left `,
      make("meter", { min: 0, max: p.have, value: Math.min(p.used, p.have), "aria-label": `power used of ${this.#nameOf(p.ship)}`, title: p.rows.map((r) => `${r.name} ${r.amount}`).join(", ") }))));
    const mailto = /** @type {HTMLAnchorElement} */ ($("mailto"));
    mailto.hidden = true;
    const text = this.editor.text;
    this.#guard(async () => {
      const mail = /** @type {Mail} */ (await this.rules.ask({ do: "mail", text }));
      if (this.editor.text !== text || !mail.mailto.startsWith("mailto:")) return;
      this.#mail = mail;
      mailto.href = mail.mailto;
      mailto.hidden = false;
    });
  }

  /** @param {string} ship */
  #select(ship) {
    if (this.#ship !== ship) this.#step = 0;
    this.#ship = ship;
    this.#ships();
    this.board.begin();
    say(`${this.#nameOf(ship)} chosen`);
    this.#soon(0);
  }

  /**
   * A ship was tapped; false where that means her hex.
   * @param {string} ship
   */
  #tap(ship) {
    if (this.#own(ship) && ship !== this.#ship) {
      this.#select(ship);
      return true;
    }
    return this.panel.target(ship);
  }

  /** @param {string} hex */
  #hex(hex) {
    if (this.#now(this.editor.text) !== this.#base) {
      this.#early = () => this.#hex(hex);
      return;
    }
    const words = this.panel.hex(hex);
    $("where").textContent = words;
    say(words);
  }

  /**
   * What choices are for: a step of a ship in a text.
   * @param {string} text
   */
  #now(text) {
    return [this.#ship, this.#step, text].join("\n");
  }

  /**
   * Writes what was clicked. What was clicked in haste, beside a text that is no more, is clicked once more when choices
   * for the new one are there, unless that is done already.
   * @param {string} text
   * @param {string} words
   */
  #chosen(text, words) {
    if (this.#now(this.editor.text) !== this.#base) {
      const clicked = /** @type {HTMLElement | null} */ (document.activeElement);
      const { name } = clicked?.dataset || {};
      const pressed = clicked?.getAttribute("aria-pressed");
      this.#early = () => {
        const now = name && /** @type {HTMLElement | null} */ ($("choices").querySelector(`button[data-name="${CSS.escape(name)}"]`));
        if (now && now.getAttribute("aria-pressed") === pressed) now.click();
      };
      return;
    }
    this.editor.replace(text);
    $("where").textContent = words;
    say(words);
  }

  /**
   * @param {string} name
   * @param {number} value
   */
  #slide(name, value) {
    this.#slid = { name, value };
    this.#changed(false);
  }

  /** Writes the newest place of a slider into the text. */
  async #turnSliders() {
    const slid = this.#slid;
    if (!slid) return;
    this.#slid = undefined;
    const text = this.editor.text;
    const changed = /** @type {Changed} */ (await this.rules.ask({ do: "set", text, ship: this.#ship, ...slid }));
    if (this.editor.text === text) this.editor.replace(changed.text);
  }

  /** Copies the mail, and says where it goes. */
  async #copy() {
    const mail = /** @type {Mail} */ (await this.rules.ask({ do: "mail", text: this.editor.text }));
    const copied = await copy(mail.body);
    const box = $("sent");
    box.replaceChildren(
      make("p", {}, make("b", {}, copied ? "Copied." : "This browser does not let a page copy: the text below is selected, so copy it yourself."), " Reply to your report, paste it there as plain text, and send it. Or paste it into a new mail:"),
      make("dl", {}, make("dt", {}, "To"), make("dd", {}, mail.to || "the address of your report"), make("dt", {}, "Subject"), make("dd", {}, mail.subject)),
      ...(mail.keyed ? [] : [make("p", { class: "hint" }, "A reply to your report needs no key. A new mail needs the turn key in the report, if your game uses keys: type it into Turn key above the orders, and copy again.")]),
      ...(this.#checked?.accepted ? [] : [make("p", {}, "These orders have mistakes: the robot will answer with a list.")]),
    );
    box.hidden = false;
    box.focus({ preventScroll: true });
    if (!copied) this.editor.area.select();
    say(copied ? "Mail copied" : "Not copied");
  }
}

/**
 * Puts text where it can be pasted from; false where the browser does not let it.
 * @param {string} text
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" }, text);
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

new Composer().start();
