import os
import signal
import threading

import pytest

import catena

LIST = r"""
struct node { int key; struct node *next; };
/*@ requires \valid(e) && \list(next, l) && !(l -next*-> e); ensures \list(next, \result); @*/
struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
/*@ requires \list(next, l) && l != NULL; @*/
int second(struct node *l) { return l->next->key; }
"""


def test_verdicts_are_values():
    report = catena.verify(LIST, file="list.c", timeout=60)
    assert not report and [f.function for f in report.functions] == ["push", "second"]
    assert report["push"].is_verified and isinstance(report["push"].verdict, catena.Verified)
    found = report["second"].verdict
    assert isinstance(found, catena.Violated)
    assert found.place == catena.Place("list.c", 6, found.place.column)
    # The list of one cell.
    assert found.entry.variables["l"] == catena.CellPointer("l")
    assert found.entry.cells["l"].fields["next"] is None
    assert found.entry.cells["l"].kind == "struct node"
    assert found.steps and "l->next->key" in found.steps[-1].source
    assert "second: violated" in str(report)
    # Notebooks show pictures.
    assert found.entry._repr_svg_().startswith("<svg ") and found._repr_svg_() == found.end.svg
    plain = catena.verify(LIST, functions="second", pictures=False)["second"].verdict
    assert plain.entry.svg is None and plain.entry == found.entry
    with pytest.raises(KeyError):
        report["third"]


def test_certificates_are_checked_again():
    report = catena.verify(LIST, functions="push", certificates=True)
    assert report
    certificate = report["push"].certificate
    checked = catena.certify(LIST, certificate)
    assert [c.standing for c in checked if c.function == "push"] == ["certified"]
    wrong = LIST.replace("return e;", "e->next = e; return e;")
    assert [c.standing for c in catena.certify(wrong, certificate) if c.function == "push"] == ["rejected"]
    with pytest.raises(catena.VerifyError) as error:
        catena.certify(LIST, "nonsense")
    assert error.value.kind == "certificate"


def test_what_is_wrong_is_an_exception():
    with pytest.raises(catena.VerifyError) as error:
        catena.verify("int f(", file="cut.c")
    assert error.value.kind == "rejected"
    assert error.value.diagnostics[0].place.file == "cut.c"
    for options, kind in (
        ({"engine": "z3"}, "options"),
        ({"checks": "everything"}, "options"),
        ({"functions": "pop"}, "no-function"),
        ({"behaviors": ["b"]}, "no-behavior"),
    ):
        with pytest.raises(catena.VerifyError) as error:
            catena.verify(LIST, **options)
        assert error.value.kind == kind
    with pytest.raises(catena.VerifyError):
        catena.verify(b"int x; \xff")
    with pytest.raises(TypeError):
        catena.verify(7)
    with pytest.raises(ValueError):
        catena.verify(LIST, timeout=0)
    assert catena.verify(LIST, functions=["push"])


def test_files_are_given():
    source = '#include "node.h"\n' + LIST.replace("struct node { int key; struct node *next; };", "")
    header = "struct node { int key; struct node *next; };"
    assert catena.verify(source, functions="push", files={"node.h": header})
    asked = []

    def give(path):
        asked.append(path)
        return header.encode() if path.endswith("node.h") else None

    assert catena.verify(source, functions="push", files=give)
    assert "node.h" in asked
    with pytest.raises(catena.VerifyError):
        catena.verify(source, functions="push")


def test_exceptions_in_callbacks_are_raised():
    class Mine(Exception):
        pass

    def fails(*_):
        raise Mine

    with pytest.raises(Mine):
        catena.verify('#include "a.h"\n' + LIST, files=fails)
    with pytest.raises(Mine):
        catena.verify(LIST, progress=fails)
    with pytest.raises(TypeError):
        catena.verify('#include "a.h"\n' + LIST, files=lambda path: 7)
    told = []
    assert catena.verify(LIST, functions="push", progress=lambda function, text: told.append(function))
    assert set(told) <= {"push"}


LONG = r"""
struct node { int key; struct node *next; };
int main(void) {
    struct node a, b, *p = &a;
    a.next = &b; b.next = &a; a.key = 0; b.key = 1;
    int n = 0, x = 1;
    while (n < 2000000000) {
        x = (x * 7 + p->key) % 10007;
        p = p->next;
        n = n + 1;
    }
    //@ assert x != 10007;
    return 0;
}
"""


def test_time_limits_hold():
    report = catena.verify(LONG, timeout=0.5)
    assert isinstance(report["main"].verdict, catena.Unknown)
    assert "deadline" in report["main"].verdict.message


def test_ctrl_c(interruptible):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        catena.verify(LONG)
    assert catena.verify(LIST, functions="push")
