"use strict";

/** Editor is the order set as text, with numbers and marks of its lines, and what was undone of it. */
class Editor {
  /** @type {{ text: string, at: number }[]} */
  #past = [];
  /** @type {{ text: string, at: number }[]} */
  #future = [];
  #typedAt = -Infinity;
  #shown = "";
  /** @type {Remark[]} */
  #remarks = [];

  /** @param {(typed: boolean) => void} changed is told of each change */
  constructor(changed) {
    this.area = /** @type {HTMLTextAreaElement} */ ($("text"));
    this.changed = changed;
    this.area.addEventListener("input", () => this.#typed());
    $("undo").addEventListener("click", () => this.undo());
    $("redo").addEventListener("click", () => this.redo());
    document.addEventListener("keydown", (e) => this.#key(e));
    const key = /** @type {HTMLInputElement} */ ($("key"));
    key.addEventListener("change", () => this.replace(withKey(this.text, key.value)));
  }

  get text() {
    return this.area.value;
  }

  /**
   * Begins with a text, of which nothing can be undone.
   * @param {string} text
   */
  begin(text) {
    this.#past = [];
    this.#future = [];
    this.#put(text, 0);
  }

  /**
   * Puts another text in the place of this one.
   * @param {string} text
   */
  replace(text) {
    if (text === this.text) return;
    this.#note();
    this.#typedAt = -Infinity;
    this.#put(text, Math.min(this.area.selectionStart, text.length));
    this.changed(false);
  }

  undo() {
    this.#go(this.#past, this.#future, "Undone");
  }

  redo() {
    this.#go(this.#future, this.#past, "Redone");
  }

  /**
   * @param {{ text: string, at: number }[]} from
   * @param {{ text: string, at: number }[]} to
   * @param {string} words
   */
  #go(from, to, words) {
    const last = from.pop();
    if (!last) return;
    to.push({ text: this.text, at: this.area.selectionStart });
    this.#typedAt = -Infinity;
    this.#put(last.text, last.at);
    say(words);
    this.changed(false);
  }

  /** Remembers the text that was shown last. */
  #note() {
    this.#past.push({ text: this.#shown, at: Math.min(this.area.selectionStart, this.#shown.length) });
    if (this.#past.length > 300) this.#past.shift();
    this.#future = [];
  }

  /** What is typed without a pause is undone at once. */
  #typed() {
    const now = performance.now();
    if (now - this.#typedAt > 1000) this.#note();
    this.#typedAt = now;
    this.#shown = this.text;
    this.#draw();
    this.changed(true);
  }

  /**
   * @param {string} text
   * @param {number} at
   */
  #put(text, at) {
    this.area.value = text;
    this.area.setSelectionRange(at, at);
    this.#shown = this.text;
    this.#draw();
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || e.target === $("key")) return;
    const k = e.key.toLowerCase();
    if (k === "z" && !e.shiftKey) this.undo();
    else if (k === "y" || (k === "z" && e.shiftKey)) this.redo();
    else return;
    e.preventDefault();
  }

  /** The line that the caret is in, from 1. */
  get line() {
    return this.text.slice(0, this.area.selectionStart).split("\n").length;
  }

  /**
   * Goes to a place in the text.
   * @param {number} line from 1; 0 for no place
   * @param {number} [column] from 1
   * @param {number} [length]
   */
  go(line, column = 1, length = 0) {
    const lines = this.text.split("\n");
    const before = lines.slice(0, Math.max(line - 1, 0)).reduce((n, l) => n + l.length + 1, 0);
    const at = Math.min(before + Math.max(column - 1, 0), this.text.length);
    this.area.focus();
    this.area.setSelectionRange(at, Math.min(at + length, this.text.length));
    $("marks").children[Math.max(line - 1, 0)]?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Marks lines by what was said of them.
   * @param {Remark[]} remarks
   */
  mark(remarks) {
    this.#remarks = remarks;
    this.#draw();
  }

  #draw() {
    /** @type {Map<number, Remark>} the worst of each line */
    const worst = new Map();
    for (const r of this.#remarks) {
      if (r.severity !== "note" && (!worst.has(r.line) || r.severity === "error")) worst.set(r.line, r);
    }
    const lines = this.text.split("\n");
    $("lines").replaceChildren(...lines.map((_, i) => make("div", { class: worst.get(i + 1)?.severity || "" }, String(i + 1))));
    $("marks").replaceChildren(...lines.map((line, i) => {
      const r = worst.get(i + 1);
      if (!r) return make("div", {}, line);
      const from = Math.max(r.column - 1, 0);
      const to = r.length > 0 ? from + r.length : line.length;
      return make("div", { class: r.severity }, line.slice(0, from), make("u", {}, line.slice(from, to)), line.slice(to));
    }));
    this.area.rows = lines.length;
    // They stay where keys find them, though there is nothing to undo.
    $("undo").setAttribute("aria-disabled", String(this.#past.length === 0));
    $("redo").setAttribute("aria-disabled", String(this.#future.length === 0));
    const key = /** @type {HTMLInputElement} */ ($("key"));
    if (document.activeElement !== key) key.value = this.text.match(/^#orders\b.* key[ :=]+(\S+)/mi)?.[1] || "";
  }
}

/**
 * The text with a turn key in the first line of each order set; "" takes it out.
 * @param {string} text
 * @param {string} key
 * @returns {string}
 */
function withKey(text, key) {
  const word = key.trim().replace(/\s+/g, "-").toUpperCase();
  return text.replace(/^(#orders\b[^;\n]*)/gmi, (head) => {
    const rest = head.replace(/ key\b[ :=]*[^\s;]*/i, "");
    return word ? `${rest.trimEnd()} key ${word}${/\s$/.test(rest) ? " " : ""}` : rest;
  });
}
