import os
import signal
import threading
import time

import pytest

import catena
from catena import BOOL, INT, Answer, all_of, any_of, distinct, exists, forall, ite


def pigeons(s, n):
    """A problem that takes long."""
    holes = [[s.constant(f"p{p}h{h}", BOOL) for h in range(n - 1)] for p in range(n)]
    for p in range(n):
        s.add(any_of(*holes[p]))
        for q in range(p):
            s.add(*(~(holes[p][h] & holes[q][h]) for h in range(n - 1)))


def lists():
    s = catena.Solver(proofs=True)
    cell = s.sort("Cell")
    next = s.function("next", cell, cell)
    return s, cell, next, s.constants("x y z", cell)


def test_paths_compose():
    s, cell, next, (x, y, z) = lists()
    s.add(x.reach(next, y), name="first")
    s.add(y.reach(next, z), name="second")
    s.add(~x.reach(next, z), name="third")
    s.add(x != y, name="of no matter")
    assert s.check() is Answer.UNSAT
    assert s.core() == ["first", "second", "third"]
    s.certify()
    script, proof = s.proof()
    assert catena.certify_proof(script, proof)
    with pytest.raises(catena.ProofError):
        catena.certify_proof(script.replace("(not ", "(and "), proof)


def test_a_model_has_values():
    s, cell, next, (x, y, z) = lists()
    s.add(x.reach(next, y), x != y, ~y.reach(next, x), z == next(x))
    assert s.check()
    model = s.model()
    assert model[x] != model[y]
    assert model[z] == model[next(x)]
    assert isinstance(model[x], catena.Element) and model[x] in model.elements(cell)
    assert model[x.reach(next, y)] is True
    assert model.size(cell) >= 2
    assert "define-fun next" in str(model)
    # It outlives what comes later.
    before = model[x]
    s.add(x == y)
    assert not s.check()
    assert model[x] == before
    with pytest.raises(catena.AnswerError):
        s.model()


def test_operators():
    s = catena.Solver()
    n, m = s.constants("n m", INT)
    p, q = s.constants("p q", BOOL)
    s.add(n == 7, m == 2 * n - 1 + (-n) + n, p >> q, p ^ False, any_of(n < 0, n <= 7) & (7 >= n) & (n > 6))
    s.add(ite(p, n, m) == 7, all_of(True, distinct(n, m, 0)), 3 + n > m - 5)
    assert s.check() is Answer.SAT
    model = s.model()
    assert (model[n], model[m], model[p], model[q]) == (7, 13, True, True)
    assert model[n + m] == 20
    assert n.sort == INT and p.sort == BOOL
    assert repr(p & q) == "(and p q)"


def test_numbers_of_any_size():
    s = catena.Solver()
    n = s.constant("n", INT)
    huge = -(10**40) + 7
    s.add(n == huge)
    assert s.check()
    assert s.model()[n] == huge


def test_quantifiers():
    s, cell, next, (x, y, z) = lists()
    v = s.variable("v", cell)
    s.add(forall(v, x.reach(next, v) >> (v == x)), x.reach(next, y), x != y)
    assert s.check() is Answer.UNSAT
    with s.scope():
        pass
    t = catena.Solver()
    cell = t.sort("Cell")
    red = t.function("red", cell, BOOL)
    v = t.variable("v", cell)
    t.add(exists([v], red(v)), ~red(t.constant("c", cell)))
    assert t.check()
    assert t.model().size(cell) == 2


def test_scopes_and_assumptions():
    s = catena.Solver()
    a, b = s.constants("a b", BOOL)
    s.add(a | b)
    with s.scope():
        s.add(~a, ~b)
        assert s.check() is Answer.UNSAT
    assert s.check(~a) is Answer.SAT
    assert s.check(~a, ~b) is Answer.UNSAT
    assert set(s.core_assumptions()) == {~a, ~b}
    # A scope is closed when its block raises.
    with pytest.raises(KeyError):
        with s.scope():
            s.add(~a & a)
            raise KeyError
    assert s.check() is Answer.SAT


def test_terms_are_keys():
    s = catena.Solver()
    a, b = s.constants("a b", BOOL)
    names = {a: "a", b: "b", a & b: "both"}
    assert names[a] == "a" and names[a & b] == "both" and (a | b) not in names
    assert a in [b, a]
    with pytest.raises(TypeError):
        bool(a)
    with pytest.raises(TypeError):
        if a & b:
            pass


@pytest.mark.parametrize("wrong", ["x", None, 1.5, [], object()])
def test_wrong_types_are_type_errors(wrong):
    s, cell, next, (x, y, z) = lists()
    for call in (
        lambda: s.add(wrong),
        lambda: s.check(wrong),
        lambda: s.constant("c", wrong),
        lambda: s.function("f", cell, wrong),
        lambda: x.reach(wrong, y),
        lambda: x.reach(next, wrong),
        lambda: next(wrong),
        lambda: x & wrong,
        lambda: x == wrong,
        lambda: wrong != x,
        lambda: s.term(wrong),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        s.sort(7)
    assert s.check()


def test_what_is_wrong_is_said_and_changes_nothing():
    s, cell, next, (x, y, z) = lists()
    n = s.constant("n", INT)
    other = catena.Solver()
    p = other.constant("p", BOOL)
    for call, error in (
        (lambda: x + 1, catena.BuildError),
        (lambda: x == n, catena.BuildError),
        (lambda: n & True, catena.BuildError),
        (lambda: n * n, catena.BuildError),
        (lambda: next(x, y), catena.BuildError),
        (lambda: s.add(n), catena.BuildError),
        (lambda: s.add(p), catena.ForeignError),
        (lambda: s.check(p), catena.ForeignError),
        (lambda: s.pop(), catena.ScopeError),
        (lambda: s.core(), catena.AnswerError),
        (lambda: s.reason(), catena.AnswerError),
        (lambda: s.certify(), catena.AnswerError),
        (lambda: s.set_limits(timeout=-1), ValueError),
        (lambda: s.set_limits(steps=0), ValueError),
        (lambda: s.add(True, False, name="two"), TypeError),
    ):
        with pytest.raises(error):
            call()
        assert s.check() is Answer.SAT
    assert issubclass(catena.BuildError, catena.Error)
    other.add(p & ~p)
    assert not other.check()
    with pytest.raises(catena.ProofError):
        other.certify()


def test_closed_is_closed():
    with catena.Solver() as s:
        p = s.constant("p", BOOL)
        s.add(p)
        assert s.check()
        model = s.model()
    s.close()
    for call in (s.check, s.push, lambda: ~p, lambda: s.add(p), lambda: model[p], lambda: repr(p), s.script):
        with pytest.raises(catena.ClosedError):
            call()


def test_limits():
    s = catena.Solver(steps=1000)
    pigeons(s, 12)
    assert s.check() is Answer.UNKNOWN
    assert "step limit" in s.reason()
    s.set_limits()
    assert s.check(timeout=0.05) is Answer.UNKNOWN
    assert "deadline" in s.reason()


def test_another_thread_cancels_and_is_not_let_in():
    s = catena.Solver()
    pigeons(s, 14)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(s.check()))
    thread.start()
    while True:
        try:
            s.term(1)
        except catena.BusyError:
            break
    # The interpreter goes on while the other thread solves.
    assert not answers
    s.cancel()
    thread.join(60)
    assert answers == [Answer.UNKNOWN]
    assert "cancelled" in s.reason()


def test_ctrl_c(interruptible):
    s = catena.Solver()
    with s.scope():
        pigeons(s, 14)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            s.check()
    assert s.check() is Answer.SAT


def test_the_interpreter_goes_on_meanwhile():
    s = catena.Solver()
    pigeons(s, 12)
    counted = []
    going = threading.Event()

    def count():
        while not going.is_set():
            counted.append(None)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    s.check(timeout=0.5)
    going.set()
    thread.join()
    assert len(counted) > 20


def test_dialogue():
    with catena.Dialogue() as d:
        assert d.run("(declare-const n Int) (assert (< 2 n 4)) (check-sat) (get-value (n))") == "sat\n((n 3))\n"
        assert d.run("(push 1) (assert (< n 0)) (check-sat) (pop 1) (check-sat)") == "unsat\nsat\n"
        assert d.run("(frobnicate)").startswith("(error")
        assert d.run("(check-sat)") in ("sat\n", "unknown\n")
        with pytest.raises(TypeError):
            d.run(b"(check-sat)")
        # Half of a character is no text.
        with pytest.raises(UnicodeEncodeError):
            d.run("\ud800")
    with pytest.raises(catena.ClosedError):
        d.run("(check-sat)")
    d = catena.Dialogue(steps=1000)
    assert d.run("(set-option :produce-proofs true) (declare-const n Int) (assert (< n n)) (check-sat)") == "unsat\n"
    assert d.proof().startswith("(proof")


def test_a_script_says_the_same():
    s, cell, next, (x, y, z) = lists()
    s.add(x.reach(next, y), name="a name")
    s.add(x != y)
    d = catena.Dialogue()
    assert d.run(s.script() + "(check-sat)") == "sat\n"


def test_a_call_costs_little():
    s = catena.Solver()
    n = s.constant("n", INT)
    one = s.term(1)
    s.add(n == 1)
    assert s.check()
    model = s.model()
    calls = 20000
    for call in (lambda: n < one, lambda: n + 1, lambda: model[n]):
        start = time.process_time()
        for _ in range(calls):
            call()
        each = (time.process_time() - start) / calls
        print(f"{each * 1e6:.2f} us")
        assert each < 20e-6
