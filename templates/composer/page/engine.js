"use strict";
// Starts the rules, which are Go made into WebAssembly. The page runs this text in a worker, so that
// typing never waits for a check; where there are no workers it runs it itself.
(() => {
  /**
   * The program, to be compiled while it is unpacked; a web server may have unpacked it already.
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @returns {Response}
   */
  function program(bytes) {
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const stream = new Blob([bytes]).stream();
    return new Response(packed ? stream.pipeThrough(new DecompressionStream("gzip")) : stream, { headers: { "Content-Type": "application/wasm" } });
  }

  /**
   * What base64 stands for. Megabytes of it are nothing for a callback a byte.
   * @param {string} text
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function bytesOf(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
  }

  globalThis.starpostStart = async (packed) => {
    const bytes = typeof packed === "string" ? bytesOf(packed) : new Uint8Array(packed);
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(program(bytes), go.importObject);
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
