"use strict";

/**
 * An element of the page by its id.
 * @param {string} id
 * @returns {HTMLElement}
 */
function $(id) {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no ${id}`);
  return e;
}

/**
 * Makes an element. Text is always text: nothing that came with a view is read as markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean | ((e: Event) => void)>} [properties] events, attributes, and flags that are there or not
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(name, properties = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== false) e.setAttribute(key, value === true ? "" : String(value));
  }
  e.append(...children);
  return e;
}

/** Trouble is what goes wrong in a way that a captain can do something about. */
class Trouble extends Error {
  /**
   * @param {string} message
   * @param {string} way out of it
   */
  constructor(message, way) {
    super(message);
    this.way = way;
  }
}

/**
 * Shows trouble, or takes it away.
 * @param {unknown} [e]
 */
function complain(e) {
  const box = $("trouble");
  box.replaceChildren();
  if (!e) return;
  if (e instanceof Trouble) box.append(make("b", {}, e.message), e.way);
  else box.append(make("b", {}, "This page failed: " + (e instanceof Error ? e.message : String(e))), "Copy your text before you reload the page.");
  box.scrollIntoView({ block: "nearest" });
}

/**
 * Has a screen reader say something.
 * @param {string} words
 */
function say(words) {
  $("live").textContent = words;
}

/** What can be done without this page. */
const byHand = "Reply to your report with the order set at its end instead.";

/** Rules answers requests about orders, one at a time, beside the page where it can. */
class Rules {
  /** @type {Map<number, { done: (response: string) => void, failed: (e: Error) => void }>} */
  #waiting = new Map();
  #count = 0;
  /** @type {Worker | undefined} */
  #worker;
  /** @type {((request: string) => string) | undefined} */
  #here;

  /** Starts the rules from what the page holds, or from the file beside it. */
  async start() {
    if (typeof WebAssembly === "undefined") throw new Trouble("This browser cannot run WebAssembly, so this page cannot take clicks or check orders.", "Allow it for this page (some browsers disable it in lockdown mode), or use another browser. " + byHand);
    if (typeof DecompressionStream === "undefined") throw new Trouble("This browser is too old for this page: it cannot decompress data.", "Use a browser from 2023 or later. " + byHand);
    const held = document.getElementById("wasm");
    const packed = held ? held.textContent : await fetched("composer.wasm.gz");
    try {
      this.#worker = new Worker(URL.createObjectURL(new Blob([$("engine").textContent], { type: "text/javascript" })));
    } catch {
      // A browser that has no workers for files on disk: the page waits for each check instead.
      this.#here = await starpostStart(packed);
      return;
    }
    this.#worker.addEventListener("message", (e) => this.#heard(e.data));
    this.#worker.addEventListener("error", (e) => this.#failed(new Error(e.message || "the rules stopped")));
    try {
      await this.#send({ packed });
    } catch (e) {
      throw new Trouble(`The rules of this page failed to start: ${e instanceof Error ? e.message : e}`, "The page may be damaged or cut off: load it again, or have it sent again. " + byHand);
    }
    held?.remove();
  }

  /**
   * @param {{ packed?: string | ArrayBuffer, request?: string }} what
   * @returns {Promise<string>}
   */
  #send(what) {
    const id = ++this.#count;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#worker?.postMessage({ id, ...what });
    });
  }

  /** @param {{ id: number, response?: string, error?: string }} data */
  #heard(data) {
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.response === undefined) waiting?.failed(new Error(data.error || "the rules stopped"));
    else waiting?.done(data.response);
  }

  /** @param {Error} e */
  #failed(e) {
    for (const w of this.#waiting.values()) w.failed(e);
    this.#waiting.clear();
  }

  /**
   * Asks something; an answer that is none is thrown as Trouble.
   * @template {Answer} T
   * @param {Record<string, unknown>} request
   * @returns {Promise<T>}
   */
  async ask(request) {
    const text = JSON.stringify(request);
    const answer = JSON.parse(this.#here ? this.#here(text) : await this.#send({ request: text }));
    if (!answer.ok) throw new Trouble(answer.error || "The rules gave no answer.", answer.hint || "");
    return answer;
  }
}

/**
 * A file that stands beside the page on a web server.
 * @param {string} name
 * @returns {Promise<ArrayBuffer>}
 */
async function fetched(name) {
  let problem = "";
  try {
    const response = await fetch(name);
    if (response.ok) return await response.arrayBuffer();
    problem = `the server answered ${response.status}`;
  } catch (e) {
    problem = e instanceof Error ? e.message : String(e);
  }
  throw new Trouble(`The rules for this page cannot be loaded: ${problem}.`, "Try again when you are online. " + byHand);
}
