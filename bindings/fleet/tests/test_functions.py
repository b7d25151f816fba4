"""The key of a function changes with what its answer depends on, and with nothing else."""

from catena_fleet.functions import count, keys
from catena_fleet.tasks import Options, Text

HEAD = "#include <stdlib.h>\nstruct node { int key; struct node *next; };\nint shared;\n"
F = r"""/*@ requires \list(next, l); @*/
int f(struct node *l) { int n = 0; while (l != NULL) { n = helper(l); l = l->next; } return n; }
"""
G = "/*@ requires x > 0; @*/\nint g(int x) { return x + 1; }\n"
HELPER = "static int helper(struct node *l) { return l->key; }\n"


def key(source, name, files=None, options=Options()):
    text = Text("verify", "a.c", source.encode(), files or {}, options, "1")
    found = [(n, source[:source.index(f" {n}(")].count("\n") + 1) for n in (name,)]
    return keys(text, found)[0].key


def changes(before, after, name, **how):
    return key(before, name) != key(after, name, **how)


def test_a_body_elsewhere_is_not_in_the_key():
    assert not changes(HEAD + HELPER + F + G, HEAD + HELPER + F + G.replace("x + 1", "x + 2"), "f")
    assert changes(HEAD + HELPER + F + G, HEAD + HELPER + F + G.replace("x + 1", "x + 2"), "g")


def test_what_is_called_is_in_the_key():
    other = HELPER.replace("l->key", "l->key + 1")
    assert changes(HEAD + HELPER + F + G, HEAD + other + F + G, "f")
    assert not changes(HEAD + HELPER + F + G, HEAD + other + F + G, "g")


def test_declarations_contracts_and_options_are_in_the_key():
    text = HEAD + HELPER + F + G
    assert changes(text, text.replace("int shared;", "int shared = 1;"), "g")
    assert changes(text, text.replace("x > 0", "x > 1"), "f")
    assert changes(text, text, "g", options=Options(timeout=1))
    assert changes(text, text, "g", options=Options(defines=("A",)))
    assert changes(text, text, "g", files={"a.h": b"int z;"})


def test_remarks_elsewhere_are_not_in_the_key():
    text = HEAD + HELPER + F + G
    assert not changes(text, HEAD + "/* a remark */\n" + HELPER + F + G, "g")


def test_what_tells_of_the_whole_unit_is_in_every_key():
    """Each of these can change how the library sees other functions."""
    for body in ("int *p = &shared; return *p;", "return h == g;", 'puts("text");', "struct node n; return n.key;",
                 "char c = 0; return c;", "return ((struct node *) p)->key;", "//@ ghost shared = 1;\nreturn 0;",
                 "static int k; return k;", "int a[3]; return 0;", "goto out; out: return 0;", "return unknown(x);",
                 "*p = 1; return 0;", "return INT_MAX;", "return (1) * x;", "return __LINE__;"):
        text = HEAD + HELPER + F + "int h(int x) { " + body + " }\n"
        assert changes(HEAD + HELPER + F + "int h(int x) { return x; }\n", text, "f"), body


def test_functions_that_are_named_outside_of_bodies_are_in_every_key():
    table = "int (*chosen)(int) = g;\n"
    assert changes(HEAD + HELPER + G + table + F, HEAD + HELPER + G.replace("+ 1", "+ 2") + table + F, "f")
    macro = "#define CALL g(1)\n"
    assert changes(macro + HEAD + HELPER + F + G, macro + HEAD + HELPER + F + G.replace("+ 1", "+ 2"), "f")


def test_where_members_are_addresses_the_whole_text_is_in_every_key():
    for member in ("int a[4];", "union { int x; int y; } u;", "struct in { int x; } i;", "T t;"):
        head = HEAD.replace("int shared;", f"typedef struct t {{ int x; }} T;\nstruct outer {{ {member} }};")
        assert changes(head + HELPER + F + G, head + HELPER + F + G.replace("+ 1", "+ 2"), "f"), member


def test_what_cannot_be_divided_is_one():
    for text in ("int f(a) int a; { return a; }", "int f(void) {", "}", "int f(void) {\n#if 1\nreturn 0;\n#endif\n}",
                 "int f(void) <% return 0; %>", "int f(void) { return 0; }\nint f(void) { return 1; }",
                 "int f(void) { ret\\\nurn 0; }"):
        assert count(text.encode()) in (0, 1000), text
        # All the same, there are keys, and they change.
        assert changes(text + " int f(", text + "  int f(", "f")


def test_every_text_has_keys():
    import random

    draw = random.Random(7)
    parts = ["{", "}", "(", ")", '"', "'", "/*", "*/", "//@ x\n", "#define f g\n", "f", "g", "\\\n", ";", "\0", "é", "0x"]
    for _ in range(300):
        text = "".join(draw.choice(parts) for _ in range(draw.randrange(40)))
        assert len(keys(Text("verify", "a.c", text.encode(), {}, Options(), "1"), [("f", 1), ("g", 2)])) == 2
