// Answers as elements of the page. Text goes through `textContent` only, so that no input becomes markup.

/** An element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function content(value) {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return `[${value.map(content).join(", ")}]`;
  if (typeof value === "object") return value.field ? `→ ${value.cell}.${value.field}` : `→ ${value.cell}`;
  return value === "wild" ? "→ nowhere" : String(value);
}

function place(where, goTo) {
  if (!where) return null;
  const go = (event) => {
    event.preventDefault();
    goTo(where);
  };
  return element("a", { href: "#", class: "place", onclick: go }, `${where.line}:${where.column}`);
}

/** A state as a table: variables, then cells with their fields. */
export function state(found, title) {
  const rows = found.variables.map(({ name, value }) =>
    element("tr", {}, element("th", {}, name), element("td", {}, content(value))),
  );
  const cells = found.cells.map((cell) =>
    element(
      "div",
      { class: `cell ${cell.status}`, title: `${cell.kind}, ${cell.status}` },
      element("b", {}, cell.name),
      ...Object.entries(cell.fields).map(([name, value]) => element("span", {}, `${name}: ${content(value)}`)),
    ),
  );
  return element(
    "section",
    { class: "state" },
    element("h4", {}, title),
    // Inside an image no script runs and nothing is fetched, whatever the program calls its variables.
    found.svg ? element("img", { class: "picture", alt: "", src: `data:image/svg+xml,${encodeURIComponent(found.svg)}` }) : null,
    element("table", {}, ...rows),
    element("div", { class: "heap" }, ...cells),
  );
}

const details = {
  verified(found, goTo) {
    const invariants = found.invariants.map((i) =>
      element("li", {}, "loop invariant ", place(i.place, goTo), " ", element("code", {}, i.formula)),
    );
    const lines = found.lines.map((line) => element("li", {}, element("code", {}, line)));
    return [element("ul", {}, ...invariants, ...lines)];
  },
  violated(found, goTo) {
    const steps = found.steps.map((step) =>
      element(
        "li",
        { onclick: () => step.place && goTo(step.place), class: "step" },
        element("code", {}, step.source.trim()),
        element("span", { class: "changes" }, step.changes.join("; ")),
      ),
    );
    return [
      element("p", {}, place(found.place, goTo), " ", found.message),
      state(found.entry, "At the entry"),
      element("ol", { class: "steps" }, ...steps),
      state(found.end, "There it fails"),
    ];
  },
  "too-weak"(found, goTo) {
    return [
      element("p", {}, place(found.place, goTo), " may fail: ", found.message),
      found.hint ? element("p", {}, found.hint) : null,
      found.state ? state(found.state, "The invariants allow") : null,
    ];
  },
  unknown: (found, goTo) => [element("p", {}, place(found.place, goTo), " ", found.message)],
};

/** What was found out about one function. */
function answer(found, goTo) {
  const [word, verdict] = Object.entries(found.verdict)[0];
  const name = found.behavior ? `${found.function} (${found.behavior})` : found.function;
  return element(
    "article",
    { class: word, "data-function": found.function, "data-verdict": word },
    element("h3", {}, name, element("span", { class: "verdict" }, word), element("small", {}, `${found.time_ms} ms`)),
    ...(details[word]?.(verdict, goTo) ?? []),
  );
}

function diagnostic(found, goTo) {
  return element(
    "p",
    { class: `diagnostic ${found.severity}` },
    place(found.place, goTo),
    ` ${found.severity}: ${found.message}`,
    found.help ? element("small", {}, found.help) : null,
  );
}

/** Everything that a verification says. */
export function report(result, goTo) {
  if (result.error) {
    const found = result.error.diagnostics;
    if (!found.length) return [element("p", { class: "diagnostic error" }, result.error.message)];
    return found.map((d) => diagnostic(d, goTo));
  }
  const { functions, diagnostics } = result.report;
  const nothing = element("p", {}, "There is no function with a contract, and no main.");
  return [...functions.map((f) => answer(f, goTo)), ...diagnostics.map((d) => diagnostic(d, goTo))].concat(
    functions.length ? [] : [nothing],
  );
}
