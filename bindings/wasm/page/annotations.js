// Colours the annotations, which are comments to everybody else: `/*@ ... @*/` and `//@ ...`.

import { Decoration, ViewPlugin } from "@codemirror/view";

const block = /\/\*@[\s\S]*?\*\/|\/\/@[^\n]*/g;
const word =
  /\\[a-z_]+|\b(requires|ensures|assigns|loop|invariant|variant|assert|behavior|assumes|predicate|logic|ghost|complete|disjoint|behaviors|NULL)\b|==>|<==>|-[a-z_]+\*->/g;

const annotation = Decoration.mark({ class: "cm-annotation" });
const keyword = Decoration.mark({ class: "cm-annotation-word" });

function decorations(view) {
  const text = view.state.doc.toString();
  const found = [];
  for (const { 0: whole, index } of text.matchAll(block)) {
    found.push(annotation.range(index, index + whole.length));
    for (const inner of whole.matchAll(word)) {
      found.push(keyword.range(index + inner.index, index + inner.index + inner[0].length));
    }
  }
  return Decoration.set(found, true);
}

export const annotations = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = decorations(view);
    }
    update(update) {
      if (update.docChanged) this.decorations = decorations(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
