// Runs the module in a thread of its own. The page ends the thread to stop it.

let exports = null;
let fault = null;

const text = new TextDecoder();
const bytes = new TextEncoder();

function instantiate(module) {
  const host = {
    now: () => performance.now(),
    panicked: (at, length) => {
      fault = text.decode(new Uint8Array(exports.memory.buffer, at, length).slice());
    },
  };
  exports = new WebAssembly.Instance(module, { host }).exports;
  exports.start();
}

function give(argument, value) {
  const encoded = typeof value === "string" ? bytes.encode(value) : value;
  const at = exports.input(argument, encoded.length);
  new Uint8Array(exports.memory.buffer, at, encoded.length).set(encoded);
}

function taken(length) {
  return text.decode(new Uint8Array(exports.memory.buffer, exports.result(), length).slice());
}

const work = {
  verify({ source, options }) {
    give(0, source);
    give(1, JSON.stringify(options));
    return taken(exports.verify());
  },
  solve({ commands, timeMs, steps }) {
    const dialogue = exports.dialogue_new(timeMs ?? 0, steps ?? 0);
    give(0, commands);
    const said = taken(exports.dialogue_run(dialogue));
    exports.dialogue_close(dialogue);
    return said;
  },
};

/** Carries out one request; a fault of the module is an answer as well, after which the module is of no use. */
export function carryOut(request) {
  try {
    fault = null;
    return { answer: work[request.what](request) };
  } catch (error) {
    const deep = error instanceof RangeError;
    const what = deep ? "the input is nested too deeply for the stack of the browser" : fault ?? String(error);
    return { fault: what };
  }
}

export { instantiate };

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({ data }) => {
    if (data.module) {
      instantiate(data.module);
      postMessage({ ready: true });
    } else {
      postMessage({ id: data.id, ...carryOut(data) });
    }
  };
}
