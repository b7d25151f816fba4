"""Small C programs for tests: each is different from all others, and most are decided in milliseconds.

`python programs.py COUNT DIRECTORY` writes them.
"""

import sys
from pathlib import Path

NODE = "struct node { int key; struct node *next; };\n"

#: Each takes `{n}`, a number of the program. The verdict is what is right.
TEMPLATES = [
    ("verified", r"""/*@ requires \valid(e) && \list(next, l) && !(l -next*-> e);
    ensures  \list(next, \result); @*/
struct node *push_{n}(struct node *l, struct node *e) {{ e->key = {n}; e->next = l; return e; }}
"""),
    ("violated", r"""/*@ requires \list(next, l) && l != NULL; @*/
int second_{n}(struct node *l) {{ return l->next->key + {n}; }}
"""),
    ("verified", r"""/*@ requires \list(next, l); @*/
int find_{n}(struct node *l)
{{
  /*@ loop invariant \list(next, l); @*/
  while (l != NULL && l->key != {n}) l = l->next;
  return l != NULL;
}}
"""),
    ("violated", r"""/*@ requires \list(next, l);
    ensures  \result == NULL || \result->key == {n}; @*/
struct node *seek_{n}(struct node *l)
{{
  /*@ loop invariant \list(next, l); @*/
  while (l != NULL && l->key < {n}) l = l->next;
  return l;
}}
"""),
    ("verified", r"""/*@ requires \list(next, l);
    ensures  \list(next, \result); @*/
struct node *reverse_{n}(struct node *l)
{{
  struct node *r = NULL;
  /*@ loop invariant \list(next, l) && \list(next, r) && \disjoint(\cells(next, l, NULL), \cells(next, r, NULL)); @*/
  while (l != NULL) {{ struct node *t = l->next; l->next = r; r = l; l = t; }}
  if (r != NULL) r->key = {n};
  return r;
}}
"""),
    ("verified", r"""/*@ requires 0 <= a <= {n};
    ensures  \result <= 2 * {n}; @*/
int twice_{n}(int a) {{ if (a > {n}) return 0; return a + a; }}
"""),
]


def program(n: int, remark: str = "") -> str:
    """The program with this number."""
    return remark + NODE + TEMPLATES[n % len(TEMPLATES)][1].format(n=n + 1)


def right(n: int) -> str:
    """What is right of it."""
    return TEMPLATES[n % len(TEMPLATES)][0]


def several(first: int, count: int) -> str:
    """One text with several functions."""
    return NODE + "".join(TEMPLATES[n % len(TEMPLATES)][1].format(n=n + 1) for n in range(first, first + count))


def write(count: int, directory: Path, remark: str = "") -> None:
    """Writes that many programs; with a remark, each begins with it."""
    directory.mkdir(parents=True, exist_ok=True)
    for n in range(count):
        (directory / f"p{n:05}.c").write_text(program(n, remark))


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))
