"use strict";

/** Bounds of what is opened: views have some ten thousand bytes, those of fleets a hundred thousand. */
const mostFragment = 200_000;
const mostView = 4 << 20;

const attachment = "Open the view attached to the report instead: choose the file ending in .json below, or drop it on this page.";

/**
 * The view that a link carries behind its #, and the address that orders go to; undefined for none.
 * @param {string} hash
 * @returns {Promise<{ view: string, to: string } | undefined>}
 */
async function linked(hash) {
  const fragment = hash.replace(/^#/, "");
  if (fragment === "") return undefined;
  if (fragment.length > mostFragment) throw new Trouble(`The link is too long: ${fragment.length} characters.`, attachment);
  const [, form, rest] = fragment.match(/^(\d+)\.(.*)$/s) || [];
  if (form === undefined || rest === undefined) throw new Trouble("The link to this page contains no view of a game.", attachment);
  if (form !== "1") throw new Trouble(`The link is from another version (form ${form}; this page reads form 1).`, "Use the link in your newest report. " + attachment);
  const cut = "The link is cut off or changed: some mail programs break long links.";
  const [, to, packed] = rest.match(/^([\w-]*)\.([\w-]+)$/) || [];
  const bytes = packed && decoded(packed);
  const view = bytes && await inflated(bytes);
  if (!view) throw new Trouble(cut, attachment);
  return { view, to: new TextDecoder().decode(decoded(to || "")) };
}

/**
 * What stands there as base64url; undefined for what is none.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer> | undefined}
 */
function decoded(text) {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Text that was compressed by deflate; undefined for what is broken, cut off or too large.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string | undefined>}
 */
async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > mostView) {
        await reader.cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}

/**
 * The view in a file that was chosen or dropped.
 * @param {File} file
 * @returns {Promise<string>}
 */
async function viewIn(file) {
  if (file.size > mostView) throw new Trouble(`${file.name} has ${Math.ceil(file.size / 1e6)} MB: too large for a view.`, "Choose the attachment of your report that ends in .json.");
  return file.text();
}
