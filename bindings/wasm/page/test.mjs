// Drives the page in a browser without a window: `node test.mjs PAGE.html CHROMIUM`. Without a network.

import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [file, executablePath] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const long = `
struct node { int key; struct node *next; };
int main(void) {
    struct node a, b, *p = &a;
    a.next = &b; b.next = &a; a.key = 0; b.key = 1;
    int n = 0, x = 1;
    while (n < 2000000000) { x = (x * 7 + p->key) % 10007; p = p->next; n = n + 1; }
    //@ assert x != 10007;
    return 0;
}`;

const browser = await puppeteer.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
let failed = false;

async function opened(at = address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.setOfflineMode(true);
  page.on("pageerror", (error) => {
    failed = true;
    console.error(`an error in the page: ${error}`);
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) {
      failed = true;
      console.error(`the page asks for ${request.url()}`);
    }
  });
  await page.goto(at);
  await page.waitForSelector("body[data-ready]");
  return page;
}

const write = (page, tab, text) => page.evaluate((tab, text) => globalThis.catena.write(tab, text), tab, text);
const read = (page, tab) => page.evaluate((tab) => globalThis.catena.editors[tab].state.doc.toString(), tab);
const shown = (page) => page.$eval("#answers", (e) => e.innerText);

async function finished(page) {
  await page.waitForSelector("body[data-state=idle]");
}

async function run(page) {
  await page.click("#run");
  await finished(page);
}

async function verdicts(page) {
  return page.$$eval("article", (all) => all.map((a) => [a.dataset.function, a.dataset.verdict]));
}

async function step(name, work) {
  const began = performance.now();
  await work();
  console.log(`${name}: ok (${Math.round(performance.now() - began)} ms)`);
}

try {
  const page = await opened();
  await step("the first example is verified", async () => {
    const began = performance.now();
    await run(page);
    console.log(`first verdict after ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(await verdicts(page), [["insert", "verified"]]);
    assert.ok(await page.$(".cm-annotation-word"), "annotations are coloured");
  });
  const first = await read(page, "c");
  await step("the broken program fails, and its states are shown", async () => {
    await write(page, "c", "struct node { int key; struct node *next; };\n/*@ requires \\list(next, l); @*/\nint first(struct node *l) { return l->key; }\n");
    await run(page);
    assert.deepEqual(await verdicts(page), [["first", "violated"]]);
    const text = await shown(page);
    assert.match(text, /There it fails/);
    assert.match(text, /l\s+NULL/);
    const drawn = await page.$$eval("#answers img.picture", (all) => Promise.all(all.map((i) => i.decode().then(() => i.naturalWidth))));
    assert.ok(drawn.length === 2 && drawn.every((width) => width > 0), "both states are drawn");
    await page.click("article .place");
    const line = await page.evaluate(() => {
      const { state } = globalThis.catena.editors.c;
      return state.doc.lineAt(state.selection.main.head).number;
    });
    assert.equal(line, 3);
  });
  await step("what is wrong is said with its place", async () => {
    await write(page, "c", "int f(");
    await run(page);
    assert.match(await shown(page), /1:6.*error/s);
    await write(page, "c", "/*@ ensures <img src=x onerror=document.title=1>; @*/ int f(void) { return 0; }");
    await run(page);
    assert.equal(await page.$("#answers img:not(.picture)"), null);
  });
  await step("Stop stops, and the page goes on", async () => {
    await write(page, "c", long);
    await page.click("#run");
    await page.waitForSelector("body[data-state=busy]");
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(await page.evaluate(() => document.body.dataset.state), "busy");
    await page.click("#stop");
    await finished(page);
    assert.match(await shown(page), /Stopped/);
    await write(page, "c", first);
    await run(page);
    assert.deepEqual(await verdicts(page), [["insert", "verified"]]);
  });
  await step("a time limit holds", async () => {
    await write(page, "c", long);
    await page.$eval("#timeout", (e) => (e.value = "0.5"));
    await run(page);
    assert.deepEqual(await verdicts(page), [["main", "unknown"]]);
    assert.match(await shown(page), /deadline/);
    await page.$eval("#timeout", (e) => (e.value = "30"));
  });
  await step("deep nesting does no harm", async () => {
    await write(page, "c", `int main(void) { return ${"(".repeat(390)}0${")".repeat(390)}; }`);
    await run(page);
    assert.ok((await shown(page)).length > 0);
    await write(page, "c", first);
    await run(page);
    assert.deepEqual(await verdicts(page), [["insert", "verified"]]);
  });
  await step("every example of the gallery has a verdict", async () => {
    const options = await page.$$eval("#examples option", (all) => all.map((o) => o.value).filter(Boolean));
    assert.ok(options.length >= 12);
    for (const value of options) {
      await page.select("#examples", value);
      await run(page);
      const found = await verdicts(page);
      const title = await page.$eval(`#examples option[value="${value}"]`, (o) => o.textContent);
      assert.ok(found.length > 0, `${title}: ${await shown(page)}`);
      console.log(`  ${title}: ${found.map(([f, v]) => `${f} ${v}`).join(", ")}`);
    }
  });
  await step("SMT-LIB", async () => {
    await page.click("#tab-smt");
    await write(page, "smt", "(declare-const n Int) (assert (< 2 n 4)) (check-sat) (get-value (n))");
    await run(page);
    assert.equal((await shown(page)).trim(), "sat\n((n 3))");
  });
  await step("a text is shared by the address", async () => {
    const text = "(check-sat) ; ünïcode \u{1f517}";
    await write(page, "smt", text);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#smt="));
    const other = await opened(page.url());
    assert.equal(await read(other, "smt"), text);
    await other.close();
    const broken = await opened(`${address}#c=AAAA`);
    assert.equal(await read(broken, "c"), first);
    await broken.close();
  });
  assert.ok(!failed);
  console.log("page: ok");
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
