// Makes one file of everything: `node build.mjs MODULE.wasm OUT.html`. It opens from a disk as well as from a server,
// and asks for nothing from elsewhere.

import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { programs, scripts } from "./examples.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const [module, out] = process.argv.slice(2);
if (!module || !out) {
  console.error("usage: node build.mjs MODULE.wasm OUT.html");
  process.exit(64);
}

async function bundled(entry, format) {
  const made = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    write: false,
    legalComments: "none",
  });
  return made.outputFiles[0].text;
}

/** A file of the tests without the lines that say how it is tested. */
function example([title, path]) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const text = lines.filter((line) => !/^(\/\/|;+) *(RUN|EXPECT|REFUSE|STATUS):/.test(line)).join("\n");
  return { title, text: text.trimStart() };
}

/** Code inside a script element: only what would end the element has to be hidden. */
const inert = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--");

const parts = {
  STYLE: readFileSync(join(here, "style.css"), "utf8"),
  GALLERY: JSON.stringify({ c: programs.map(example), smt: scripts.map(example) }).replaceAll("<", "\\u003c"),
  WORKER: inert(await bundled("worker.js", "iife")),
  MODULE: gzipSync(readFileSync(module), { level: 9 }).toString("base64"),
  PAGE: inert(await bundled("page.js", "esm")),
};
const page = readFileSync(join(here, "index.html"), "utf8").replace(/\/\*([A-Z]+)\*\//g, (_, name) => parts[name]);
writeFileSync(out, page);
const size = gzipSync(page, { level: 9 }).length;
console.log(`${out}: ${page.length} bytes, ${size} compressed`);
if (size > 4 << 20) {
  console.error("the page is larger than 4 MB");
  process.exit(1);
}
