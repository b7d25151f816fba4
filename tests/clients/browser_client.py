"""A headless Chromium opens the page of `catena verify --report`. Run by .ci/run where there is one:

    python3 tests/clients/browser_client.py target/release/catena CHROMIUM [DIRECTORY FOR SCREENSHOTS]

The browser is driven over a pipe, so that nothing but Python is needed. The page is opened, stepped through by mouse and
keyboard, filtered; it must show the failing cell, write nothing to the console, ask for nothing but itself and run nothing
from its input.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LIST = r"""
struct node { int key; struct node *next; };

/*@ requires \list(next, l); ensures \list(next, \result); @*/
struct node *rest(struct node *l)
{
  struct node *t = l;
  t = l->next;
  return t->next;
}

/*@ requires \valid(e) && \list(next, l) && !(l -next*-> e);
    ensures  \list(next, \result); @*/
struct node *push(struct node *l, struct node *e) { e->next = l; return e; }

/*@ requires \valid(a) && \valid(b); ensures a->next == b; @*/
void twist(struct node *a, struct node *b)
{
  a->next = b;
  b->next = a;
  a->next = a;
}
"""

# What a page must not believe: in comments, identifiers, strings and the name of the file.
HOSTILE = r"""
/* </style><script>window.pwned = 1</script><img src=x onerror="window.pwned=1"> ]]> --> */
struct node { int key; struct node *next; };
/*@ requires \list(next, l); @*/ /* "><svg onload="window.pwned=1"> */
int first(struct node *l) { return /* <b>'"</b> """ + "\u202e\u2066" + r""" </code></li></article> */ l->key; }
"""


class Browser:
    """Chromium behind two pipes: messages end with a null byte."""

    def __init__(self, program, profile):
        to_child, self.out = os.pipe()
        self.inp, from_child = os.pipe()

        def plug():
            # The browser reads from 3 and writes to 4.
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=plug, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number, self.buffer, self.session, self.events = 0, b"", None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.inp, 1 << 16)
            if not piece:
                raise SystemExit("browser: it has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"browser: {method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.read())

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.events = []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait("Page.loadEventFired")

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"browser: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, name):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def faults(self):
        """Whatever the console would show."""
        said = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                said.append(json.dumps(params)[:400])
        return said

    def requests(self):
        sent = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return sorted(set(sent))

    def screenshot(self, path, width, height, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()


def equal(found, expected, what):
    if found != expected:
        raise SystemExit(f"browser: {what}: {found!r} instead of {expected!r}")


def report(catena, directory, name, text, status):
    source, page = directory / name, directory / (name.split("<")[0] + ".html")
    source.write_text(text, encoding="utf-8")
    done = subprocess.run([catena, "verify", "--report", str(page), str(source)], capture_output=True, text=True)
    equal(done.returncode, status, f"status of {name}: {done.stdout}{done.stderr}")
    return page


STEP = "document.querySelector('article:not([hidden]) output').textContent"
SEEN = """[...document.querySelectorAll('article:not([hidden]) figure svg .culprit')]
          .filter(e => !e.closest('[display=none]')).length"""


def clean(browser, page, what):
    equal(browser.faults(), [], f"console of {what}")
    equal(browser.requests(), [pathlib.Path(page).resolve().as_uri()], f"requests of {what}")


def steps(browser, catena, directory, shots):
    page = report(catena, directory, "list.c", LIST, 1)
    browser.open(page)
    equal(browser.run("document.title"), "2 violated, 1 verified - Catena", "title")
    equal(browser.run("document.querySelectorAll('article:not([hidden])').length"), 1, "articles that are seen")
    equal(browser.run("document.querySelector('article:not([hidden]) h2').textContent"), "violated rest", "the first article")
    n = browser.run("document.querySelectorAll('article:not([hidden]) button.step').length")
    if n < 2:
        raise SystemExit(f"browser: the run has {n} states")
    equal(browser.run(STEP), f"state {n} of {n}", "the state that is seen at first")
    if browser.run(SEEN) < 1:
        raise SystemExit("browser: what fails is not marked in the last state")
    equal(browser.run("document.querySelector('.src .here code').textContent.trim()") in
          ("return t->next;", "t = l->next;"), True, "the line of the failing statement")
    browser.run("document.querySelector('article:not([hidden]) [data-go=back]').click()")
    equal(browser.run(STEP), f"state {n - 1} of {n}", "a step back")
    equal(browser.run(SEEN), 0, "marks before the failure")
    browser.key("Home")
    equal(browser.run(STEP), f"state 1 of {n}", "the key Home")
    browser.key("ArrowRight")
    equal(browser.run(STEP), f"state 2 of {n}", "the key to the right")
    browser.key("ArrowLeft")
    browser.key("ArrowLeft")
    equal(browser.run(STEP), f"state 1 of {n}", "the key to the left, at the first state")
    equal(browser.run("""(() => { const svg = document.querySelector('article:not([hidden]) svg');
          return document.getElementById(svg.getAttribute('aria-labelledby')).textContent.length > 10; })()"""), True,
          "the text of the picture")
    browser.key("End")
    equal(browser.run(STEP), f"state {n} of {n}", "the key End")
    # Another function, by its link; its ring is closed in the last state.
    browser.run("[...document.querySelectorAll('nav a')].find(a => a.textContent.includes('twist')).click()")
    equal(browser.run("new Promise(f => setTimeout(f)), document.querySelector('article:not([hidden]) h2').textContent"),
          "violated twist", "the article of the link")
    # The filter.
    browser.run("document.querySelector('header [data-v=violated]').click()")
    equal(browser.run("[...document.querySelectorAll('nav li:not([hidden]) b')].map(b => b.textContent)"), ["push"], "the filter")
    browser.run("document.querySelector('header [data-v=violated]').click()")
    browser.run("search.value = 'TWI', search.dispatchEvent(new Event('input'))")
    equal(browser.run("[...document.querySelectorAll('nav li:not([hidden]) b')].map(b => b.textContent)"), ["twist"], "the search")
    # Everything that can be used has a name.
    equal(browser.run("""[...document.querySelectorAll('button, a, input, [role=img], [role=group]')].filter(e =>
          !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length)).length"""),
          0, "elements without a name")
    clean(browser, page, "list.c")
    if shots:
        for scheme in ["light", "dark"]:
            for width in [480, 1280]:
                browser.screenshot(shots / f"list-{scheme}-{width}.png", width, 900, scheme)


def hostile(browser, catena, directory):
    name = "h<img src=x onerror=window.pwned=1>\u202e.c"
    page = report(catena, directory, name, HOSTILE, 1)
    browser.open(page)
    browser.run("new Promise(f => setTimeout(f, 50))")
    equal(browser.run("typeof window.pwned"), "undefined", "what the input runs")
    equal(browser.run("document.scripts.length"), 1, "scripts")
    equal(browser.run("document.querySelectorAll('img, iframe, object, embed, link, base, form').length"), 0, "foreign elements")
    equal(browser.run("document.querySelectorAll('article').length"), 1, "articles")
    text = page.read_text(encoding="utf-8")
    equal([c for c in text if c in "\0\u202e\u2066"], [], "controls in the page")
    clean(browser, page, "the hostile file")
    # Even if something came in, the policy stops it.
    browser.run("""{ const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s);
                     const i = document.createElement('img'); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i); }""")
    equal(browser.run("typeof window.pwned"), "undefined", "a script that was put in")


def many(browser, catena, directory):
    """Two hundred functions, every other one wrong."""
    text = "struct node { int key; struct node *next; struct node *prev; };\n"
    for i in range(200):
        wrong = "y->next = x;" if i % 2 else ""
        text += rf"""
/*@ requires \valid(x) && \valid(y) && x != y;
    ensures x->next == y && y->prev == x && (y->next == NULL || y->next != x); @*/
void link{i}(struct node *x, struct node *y)
{{
  x->next = y; // number {i}
  y->prev = x;
  y->next = NULL;
  {wrong}
}}
"""
    page = report(catena, directory, "many.c", text, 1)
    size = page.stat().st_size
    if size >= 2_000_000:
        raise SystemExit(f"browser: the page of 200 functions has {size} bytes")
    browser.open(page)
    equal(browser.run("document.querySelectorAll('article').length"), 200, "articles")
    time = browser.run("Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)")
    clean(browser, page, "many.c")
    print(f"browser: 200 functions: {size} bytes, open after {time} ms")


def main(catena, chromium, shots=None):
    shots = pathlib.Path(shots) if shots else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        browser = Browser(chromium, directory / "profile")
        try:
            steps(browser, catena, directory, shots)
            hostile(browser, catena, directory)
            many(browser, catena, directory)
        finally:
            browser.close()
    print("browser: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
