"use strict";

const svgNS = "http://www.w3.org/2000/svg";

/** Board is the map: hexes and ships that can be tapped, or reached by keys. */
class Board {
  /** @type {Map<string, { hex: string, x: number, y: number, e: SVGGraphicsElement }>} */
  #hexes = new Map();
  /** @type {Map<string, Reach[]>} */
  #reach = new Map();
  #cursor = "";
  /** Where the ship begins the step that is chosen for; "" where that is not known. */
  #begin = "";
  /** The map was not looked at yet since a ship was chosen. */
  #fresh = true;
  #drawn = "";
  #zoom = 0;
  /** @type {SVGSVGElement | null} */
  #svg = null;

  /**
   * @param {(hex: string) => void} hexChosen
   * @param {(ship: string) => boolean} shipChosen tells whether that did anything
   * @param {() => string} home is the hex of the ship
   * @param {(ship: string) => string} nameOf
   */
  constructor(hexChosen, shipChosen, home, nameOf) {
    this.box = $("map");
    this.home = home;
    this.nameOf = nameOf;
    this.hexChosen = hexChosen;
    this.shipChosen = shipChosen;
    this.box.addEventListener("click", (e) => this.#tapped(e));
    this.box.addEventListener("keydown", (e) => this.#key(e));
    $("larger").addEventListener("click", () => this.#resize(1.3));
    $("smaller").addEventListener("click", () => this.#resize(1 / 1.3));
    addEventListener("resize", () => this.#fit());
  }

  /**
   * Draws a map. It is read as XML and not as a page, and has no script that would run.
   * @param {string} svg
   */
  draw(svg) {
    if (svg === this.#drawn) return;
    this.#drawn = svg;
    const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    if (root.namespaceURI !== svgNS || root.localName !== "svg") throw new Error("the map cannot be drawn");
    this.#svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)));
    this.#svg.setAttribute("aria-hidden", "true");
    this.box.replaceChildren(this.#svg);
    this.#hexes.clear();
    for (const e of /** @type {NodeListOf<SVGGraphicsElement>} */ (this.#svg.querySelectorAll("[data-hex]:not([data-ship])"))) {
      const box = e.getBBox();
      const hex = e.dataset.hex || "";
      this.#hexes.set(hex, { hex, x: box.x + box.width / 2, y: box.y + box.height / 2, e });
    }
    this.#fit();
    this.#paint();
    if (this.#fresh) this.box.scrollBy(...this.#middle([this.home()]));
  }

  /**
   * Shows where the ship can go.
   * @param {Reach[]} reach
   * @param {boolean} first tells whether that is in the first step
   */
  show(reach, first) {
    this.#reach = new Map();
    for (const r of reach) this.#reach.set(r.hex, [...(this.#reach.get(r.hex) || []), r]);
    this.#begin = reach.find((r) => r.cost === 0)?.hex || (first ? this.home() : "");
    this.#paint();
    if (this.#fresh) this.#lookAround();
    this.#fresh = false;
  }

  /** Scrolls so that the ship is seen with where she can go, and with all others if there is room. */
  #lookAround() {
    const own = [this.home(), ...this.#reach.keys()];
    const all = [...own, ...[...(this.#svg?.querySelectorAll("[data-ship]") || [])].map((e) => /** @type {SVGElement} */ (e).dataset.hex || "")];
    const [, , width, height] = this.#around(all);
    const [x, y] = this.#around(width <= this.box.clientWidth && height <= this.box.clientHeight ? all : own);
    this.box.scrollBy(x, y);
    const beyond = this.#beyond();
    if (beyond.length > 0) $("where").textContent = `Not on this part of the map: ${beyond.join(", ")}. Drag the map, or make it smaller with −.`;
  }

  /** The ships that are out of sight, each with her hex. */
  #beyond() {
    const box = this.box.getBoundingClientRect();
    const out = new Set();
    for (const e of /** @type {NodeListOf<SVGElement>} */ (this.#svg?.querySelectorAll("#map [data-ship]") || [])) {
      const { hex = "", ship = "" } = e.dataset;
      const r = this.#hexes.get(hex)?.e.getBoundingClientRect();
      if (r && (r.right < box.left || r.left > box.right || r.bottom < box.top || r.top > box.bottom)) out.add(`${this.nameOf(ship)} in ${hex}`);
    }
    return [...out];
  }

  /**
   * How far the middle of some hexes is from the middle of the box.
   * @param {string[]} hexes
   * @returns {[number, number]}
   */
  #middle(hexes) {
    const [x, y] = this.#around(hexes);
    return [x, y];
  }

  /**
   * How far the middle of some hexes is from the middle of the box, and how large they are together.
   * @param {string[]} hexes
   * @returns {[number, number, number, number]}
   */
  #around(hexes) {
    const at = hexes.flatMap((h) => this.#hexes.get(h)?.e.getBoundingClientRect() || []);
    const box = this.box.getBoundingClientRect();
    if (at.length === 0) return [0, 0, 0, 0];
    const left = Math.min(...at.map((r) => r.left));
    const right = Math.max(...at.map((r) => r.right));
    const top = Math.min(...at.map((r) => r.top));
    const bottom = Math.max(...at.map((r) => r.bottom));
    return [(left + right - box.left - box.right) / 2, (top + bottom - box.top - box.bottom) / 2, right - left, bottom - top];
  }

  /**
   * Begins with another ship.
   * @param {boolean} [view] tells that it is one of another view
   */
  begin(view = false) {
    if (view) this.#zoom = 0;
    this.#cursor = "";
    this.#fresh = true;
  }

  #paint() {
    for (const { hex, e } of this.#hexes.values()) {
      e.classList.toggle("reach", this.#reach.has(hex));
      e.classList.toggle("begin", hex === this.#begin);
      e.classList.toggle("cursor", hex === this.#cursor);
    }
  }

  /** Fits the map into its box, though never so small that a finger misses a hex or its labels cannot be read. */
  #fit() {
    if (!this.#svg) return;
    const { width, height } = this.#svg.viewBox.baseVal;
    if (this.#zoom === 0) {
      const hex = this.#hexes.values().next().value?.e.getBBox().width || 60;
      const whole = Math.min(this.box.clientWidth / width, 0.56 * innerHeight / height);
      this.#zoom = Math.min(1.8, Math.max(whole, 48 / hex, Math.min(this.box.clientWidth / width, 80 / hex)));
    }
    this.#svg.style.width = Math.round(width * this.#zoom) + "px";
  }

  /** @param {number} times */
  #resize(times) {
    this.#zoom = Math.max(0.2, Math.min(4, this.#zoom * times));
    this.#fit();
    this.box.scrollBy(...this.#middle([this.#cursor || this.home()]));
  }

  /** @param {MouseEvent} e */
  #tapped(e) {
    const target = /** @type {Element} */ (e.target);
    const ship = /** @type {SVGElement | null} */ (target.closest("[data-ship]"));
    if (ship && this.shipChosen(ship.dataset.ship || "")) return;
    const hex = /** @type {SVGElement | null} */ (target.closest("[data-hex]"))?.dataset.hex || this.#under(e);
    if (hex) this.#choose(hex);
  }

  /**
   * The hex below a point: one may be covered by a ship or a sign.
   * @param {MouseEvent} e
   */
  #under(e) {
    return document.elementsFromPoint(e.clientX, e.clientY)
      .map((at) => at instanceof SVGElement && this.box.contains(at) ? at.dataset.hex : "").find(Boolean) || "";
  }

  /** @param {string} hex */
  #choose(hex) {
    this.#cursor = hex;
    this.#paint();
    this.hexChosen(hex);
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const at = this.#hexes.get(this.#cursor) || this.#hexes.get(this.home());
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (e.key in ways && at) this.#move(this.#next(at, /** @type {[number, number]} */ (ways[/** @type {keyof ways} */ (e.key)])));
    else if (e.key === "Home") this.#move(this.home());
    else if (e.key === "PageDown") this.#move(this.#along(1));
    else if (e.key === "PageUp") this.#move(this.#along(-1));
    else if ((e.key === "Enter" || e.key === " ") && this.#cursor) this.#enter();
    else return;
    e.preventDefault();
  }

  /** Enter chooses a place that can be reached, or else the ship that is there. */
  #enter() {
    const ship = this.#reach.has(this.#cursor) ? undefined : this.#shipsAt(this.#cursor).find((s) => this.shipChosen(s));
    if (!ship) this.#choose(this.#cursor);
  }

  /** @param {string} hex */
  #move(hex) {
    if (!hex) return;
    this.#cursor = hex;
    this.#paint();
    this.#hexes.get(hex)?.e.scrollIntoView({ block: "nearest", inline: "nearest" });
    const words = this.words(hex);
    $("where").textContent = words;
    say(words);
  }

  /**
   * What is to be said of a hex.
   * @param {string} hex
   */
  words(hex) {
    const parts = [`Hex ${hex}`, ...this.#shipsAt(hex).map((s) => this.nameOf(s))];
    const reach = this.#reach.get(hex);
    if (hex === this.#begin) parts.push("starting hex");
    if (reach) parts.push("reachable: " + reach.map((r) => `heading ${r.heading} for ${r.cost}`).join(", "));
    return parts.join(", ") + ".";
  }

  /** @param {string} hex */
  #shipsAt(hex) {
    return [...(this.#svg?.querySelectorAll(`[data-ship][data-hex="${CSS.escape(hex)}"]`) || [])].map((e) => /** @type {SVGElement} */ (e).dataset.ship || "");
  }

  /**
   * The hex that lies next in a direction.
   * @param {{ hex: string, x: number, y: number }} at
   * @param {[number, number]} way
   */
  #next(at, [dx, dy]) {
    let best = { hex: "", far: Infinity };
    for (const h of this.#hexes.values()) {
      const along = (h.x - at.x) * dx + (h.y - at.y) * dy;
      const aside = Math.abs((h.x - at.x) * dy) + Math.abs((h.y - at.y) * dx);
      // Up and down stay in the column; left and right lead to the nearer hex of the next one.
      const far = along + aside * (dx ? 1.01 : 100);
      if (along > 1 && far < best.far) best = { hex: h.hex, far };
    }
    return best.hex;
  }

  /** @param {number} step */
  #along(step) {
    const all = [...this.#reach.keys()].filter((h) => this.#hexes.has(h));
    const i = all.indexOf(this.#cursor);
    return all[(i < 0 && step < 0 ? all.length - 1 : i + step + all.length) % Math.max(all.length, 1)] || "";
  }
}
