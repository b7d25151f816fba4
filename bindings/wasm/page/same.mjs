// Answers many questions through the module, for comparison with Rust: `node same.mjs MODULE LIST OUT`, as
// bindings/core/examples/same.rs. The code is that of the page's worker.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut, instantiate } from "./worker.js";

const [file, list, out] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(file));
const steps = 2_000_000;
instantiate(module);
for (const [n, name] of readFileSync(list, "utf8").trim().split("\n").entries()) {
  const text = readFileSync(name, "utf8");
  const request = name.endsWith(".c")
    ? { what: "verify", source: text, options: { file: name, steps } }
    : { what: "solve", commands: text, steps };
  const { answer, fault } = carryOut(request);
  if (fault) {
    console.error(`${name}: ${fault}`);
    instantiate(module);
  }
  writeFileSync(join(out, `${n}.txt`), answer ?? `fault: ${fault}`);
}
