"use strict";
// Starts the rules, which are Go made into WebAssembly. The page runs this text in a worker, so that
// typing never waits for a check; where there are no workers it runs it itself.
(() => {
  /**
   * Unpacks gzip; a web server may have done so already.
   * @param {Uint8Array} bytes
   * @returns {Promise<ArrayBuffer>}
   */
  async function unpacked(bytes) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return /** @type {ArrayBuffer} */ (bytes.slice().buffer);
    const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  globalThis.starpostStart = async (packed) => {
    const bytes = typeof packed === "string" ? Uint8Array.from(atob(packed), (c) => c.charCodeAt(0)) : new Uint8Array(packed);
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await unpacked(bytes), go.importObject);
    // It runs until it waits for requests; it never ends.
    go.run(instance).catch((e) => setTimeout(() => { throw e; }));
    if (!globalThis.starpostCompose) throw new Error("the rules did not start");
    return globalThis.starpostCompose;
  };

  if ("document" in globalThis) return;
  /** @type {((request: string) => string) | undefined} */
  let answer;
  addEventListener("message", async (e) => {
    const { id, packed, request } = e.data;
    try {
      if (packed !== undefined) answer = await globalThis.starpostStart(packed);
      const response = request === undefined ? "" : answer ? answer(request) : undefined;
      postMessage({ id, response });
    } catch (err) {
      postMessage({ id, error: String(err) });
    }
  });
})();
