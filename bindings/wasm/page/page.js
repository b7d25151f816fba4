// The page: two editors, a gallery, and a worker that decides.

import { cpp } from "@codemirror/lang-cpp";
import { StreamLanguage } from "@codemirror/language";
import { commonLisp } from "@codemirror/legacy-modes/mode/commonlisp";
import { EditorView, keymap } from "@codemirror/view";
import { Prec } from "@codemirror/state";
import { basicSetup } from "codemirror";
import { annotations } from "./annotations.js";
import { inflated, packed, unpacked } from "./share.js";
import { element, report } from "./show.js";

const $ = (id) => document.getElementById(id);
const gallery = JSON.parse($("gallery").textContent);
const module = inflated($("module").textContent.trim()).then((bytes) => WebAssembly.compile(bytes));
const workerAddress = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));

// ---- the worker

let worker = null;
let ready = null;
let requests = 0;
let waiting = null;

function employ() {
  worker = new Worker(workerAddress);
  ready = new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if (data.ready) resolve();
      else if (waiting && data.id === waiting.id) waiting.done(data);
    };
    worker.onerror = (event) => waiting?.done({ fault: event.message || "the worker failed" });
  });
  module.then((compiled) => worker.postMessage({ module: compiled }));
}

function dismiss() {
  worker.terminate();
  waiting = null;
  employ();
}

async function ask(request) {
  await ready;
  const id = ++requests;
  const result = await new Promise((done) => {
    waiting = { id, done };
    worker.postMessage({ id, ...request });
  });
  waiting = null;
  // After a fault the memory of the module is in no known state.
  if (result.fault) dismiss();
  return result;
}

// ---- editors

let tab = "c";
const editors = {};

function editor(name, language, extensions) {
  const runs = keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }]);
  return new EditorView({
    parent: $(`editor-${name}`),
    extensions: [Prec.highest(runs), basicSetup, language, EditorView.lineWrapping, ...extensions],
  });
}

function write(name, text) {
  const view = editors[name];
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

function goTo({ line, column }) {
  const view = editors.c;
  const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  const at = Math.min(found.from + column - 1, found.to);
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  view.focus();
}

function choose(name) {
  tab = name;
  for (const each of ["c", "smt"]) {
    $(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    $(`panel-${each}`).hidden = each !== name;
  }
  const select = $("examples");
  select.replaceChildren(element("option", { value: "" }, "Examples ..."));
  gallery[name].forEach(({ title }, i) => select.append(element("option", { value: i }, title)));
}

// ---- answers

function busy(is) {
  document.body.dataset.state = is ? "busy" : "idle";
  $("run").disabled = is;
  $("stop").disabled = !is;
}

function say(...children) {
  $("answers").replaceChildren(...children);
}

async function run() {
  if (document.body.dataset.state === "busy") return;
  busy(true);
  say(element("p", { class: "working" }, "Working ..."));
  const mine = (run.latest = {});
  const seconds = Number($("timeout").value) || 0;
  const text = editors[tab].state.doc.toString();
  const began = performance.now();
  const checks = [...document.querySelectorAll("#checks input:checked")].map((box) => box.value);
  const options = { file: "input.c", engine: $("engine").value, checks, timeout_ms: Math.round(seconds * 1000), pictures: true };
  const request =
    tab === "c"
      ? { what: "verify", source: text, options }
      : { what: "solve", commands: text, timeMs: Math.round(seconds * 1000) };
  const result = await ask(request);
  if (run.latest !== mine) return;
  busy(false);
  if (result.fault) say(element("p", { class: "diagnostic error" }, `internal error: ${result.fault}`));
  else if (request.what === "verify") say(...report(JSON.parse(result.answer), goTo));
  else say(element("pre", { class: "said" }, result.answer));
  $("spent").textContent = `${Math.round(performance.now() - began)} ms`;
}

function stop() {
  if (document.body.dataset.state !== "busy") return;
  run.latest = null;
  dismiss();
  busy(false);
  say(element("p", { class: "stopped" }, "Stopped."));
}

// ---- the beginning

editors.c = editor("c", cpp(), [annotations]);
editors.smt = editor("smt", StreamLanguage.define(commonLisp), []);
write("c", gallery.c[0].text);
write("smt", gallery.smt[0].text);
for (const name of ["c", "smt"]) $(`tab-${name}`).addEventListener("click", () => choose(name));
$("run").addEventListener("click", run);
$("stop").addEventListener("click", stop);
$("examples").addEventListener("change", (event) => {
  const example = gallery[tab][event.target.value];
  if (example) {
    write(tab, example.text);
    say();
  }
});
$("share").addEventListener("click", async () => {
  location.hash = await packed(tab, editors[tab].state.doc.toString());
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  $("spent").textContent = "The address of this page has the text now.";
});
async function fromAddress() {
  const shared = await unpacked(location.hash);
  if (shared) {
    choose(shared.tab);
    write(shared.tab, shared.text);
    say();
  }
}
addEventListener("hashchange", fromAddress);
choose("c");
busy(false);
employ();
await fromAddress();
await ready;
document.body.dataset.ready = "true";
// For whoever drives the page from outside.
globalThis.catena = { write, run, stop, editors };
