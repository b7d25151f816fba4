"use strict";
// Shows and hides what the page has. It makes no element from text and reads nothing from outside.
{
const articles = [...document.querySelectorAll("article")];
const items = [...document.querySelectorAll("nav li")];
const counted = document.getElementById("shown");
const search = document.getElementById("search");

function steps(article) {
  return [...article.querySelectorAll("button.step")];
}

function show(article, number, focus) {
  const all = steps(article);
  if (!all.length) return;
  const at = Math.max(0, Math.min(all.length - 1, number));
  all.forEach((step, i) => i === at ? step.setAttribute("aria-current", "step") : step.removeAttribute("aria-current"));
  const svg = article.querySelector("figure svg");
  for (const part of svg.querySelectorAll("[data-f]")) {
    const seen = (BigInt("0x" + part.dataset.f) >> BigInt(at)) & 1n;
    seen ? part.removeAttribute("display") : part.setAttribute("display", "none");
  }
  const id = article.id.slice(1);
  svg.setAttribute("aria-labelledby", "d" + id + "." + at);
  for (const line of article.querySelectorAll(".src .here")) line.classList.remove("here");
  const row = all[at].dataset.r && document.getElementById("l" + id + "." + all[at].dataset.r);
  if (row) {
    row.classList.add("here");
    const list = row.parentElement;
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
  article.querySelector("output").textContent = "state " + (at + 1) + " of " + all.length;
  for (const button of article.querySelectorAll("[data-go]")) {
    const back = button.dataset.go === "first" || button.dataset.go === "back";
    button.disabled = back ? at === 0 : at === all.length - 1;
  }
  const box = all[at].closest("ol"), item = all[at].closest("li");
  if (item.offsetTop < box.scrollTop || item.offsetTop + item.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = item.offsetTop - box.clientHeight / 2;
  const mark = [...svg.querySelectorAll(".culprit")].find(mark => !mark.closest("[display=none]"));
  if (mark) {
    const figure = svg.parentElement;
    figure.scrollLeft = mark.getBBox().x - figure.clientWidth / 2;
    figure.scrollTop = mark.getBBox().y - figure.clientHeight / 2;
  }
  if (focus) all[at].focus({ preventScroll: true });
}

function at(article) {
  return Math.max(0, steps(article).findIndex(step => step.hasAttribute("aria-current")));
}

function go(article, where) {
  const target = { first: 0, back: at(article) - 1, on: at(article) + 1, last: Infinity }[where];
  show(article, target, document.activeElement && document.activeElement.classList.contains("step"));
}

function select(id, focus) {
  const article = articles.find(a => a.id === id);
  if (!article) return;
  articles.forEach(a => a.hidden = a !== article);
  for (const item of items) {
    const link = item.firstElementChild;
    link.getAttribute("href") === "#" + id ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }
  show(article, at(article));
  if (focus) article.focus({ preventScroll: true });
}

function filter() {
  const on = new Set([...document.querySelectorAll("header [data-v][aria-pressed=true]")].map(b => b.dataset.v));
  const word = search.value.toLowerCase();
  let n = 0;
  for (const item of items) {
    item.hidden = !on.has(item.dataset.v) || !item.textContent.toLowerCase().includes(word);
    n += !item.hidden;
  }
  counted.textContent = n === items.length ? "" : n + " of " + items.length + " are shown";
}

document.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  const article = button.closest("article");
  if (button.dataset.v) {
    button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") === "true" ? "false" : "true");
    filter();
  } else if (button.dataset.go) {
    go(article, button.dataset.go);
  } else if (button.classList.contains("step")) {
    show(article, steps(article).indexOf(button));
  }
});

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === search) return;
  const inFigure = event.target.closest && event.target.closest("figure");
  const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  const article = articles.find(a => !a.hidden);
  if (!where || !article || !steps(article).length || (inFigure && event.shiftKey)) return;
  event.preventDefault();
  go(article, where);
});

search.addEventListener("input", filter);
window.addEventListener("hashchange", () => select(location.hash.slice(1), true));
const first = articles.find(a => !a.hidden);
if (articles.some(a => "#" + a.id === location.hash)) select(location.hash.slice(1));
else if (first) select(first.id);
filter();
}
