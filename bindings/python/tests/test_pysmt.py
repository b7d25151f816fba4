import pytest

pysmt = pytest.importorskip("pysmt", reason="SKIPPED: pysmt is not on this machine")

from pysmt.exceptions import SolverReturnedUnknownResultError, UnknownSolverAnswerError  # noqa: E402
from pysmt.logics import QF_UFLIA  # noqa: E402
from pysmt.shortcuts import (GT, LT, And, Equals, Function, Implies, Int, Not, Plus, Solver, Symbol, Times,  # noqa: E402
                             get_env, is_sat)
from pysmt.typing import BOOL, INT, FunctionType, Type  # noqa: E402

import catena.pysmt  # noqa: E402


@pytest.fixture(autouse=True)
def registered():
    catena.pysmt.register()


def test_by_name():
    x, y, p = Symbol("x", INT), Symbol("y", INT), Symbol("p", BOOL)
    f = Symbol("f", FunctionType(INT, [INT]))
    formula = And(GT(x, Int(2)), LT(x, Int(4)), Equals(Function(f, [x]), Plus(y, x)), Implies(p, GT(y, x)), p)
    assert "catena" in get_env().factory.all_solvers()
    assert is_sat(formula, solver_name="catena")
    with Solver(name="catena", logic=QF_UFLIA) as solver:
        solver.add_assertion(formula)
        assert solver.solve()
        assert solver.get_value(x) == Int(3)
        value = solver.get_value(Function(f, [x]))
        assert value.constant_value() == solver.get_value(y).constant_value() + 3
        assert solver.get_py_value(p) is True
        model = solver.get_model()
        assert model[x] == Int(3)
        solver.push(2)
        solver.add_assertion(Equals(Function(f, [Int(3)]), Int(0)))
        assert not solver.solve()
        solver.pop(2)
        assert solver.solve()
        # Assumptions hold for one question.
        assert not solver.solve([Not(p)])
        assert solver.solve([p])
        assert solver.solve()
        z = Symbol("z", INT)
        solver.push()
        solver.add_assertion(LT(z, Int(-5)))
        assert solver.solve()
        solver.pop()
        solver.add_assertion(LT(z, Int(-5)))
        assert solver.solve()
        solver.reset_assertions()
        solver.add_assertion(And(p, Not(p)))
        assert not solver.solve()


def test_sorts():
    cell = Type("Cell")
    a, b = Symbol("a", cell), Symbol("b", cell)
    with Solver(name="catena", logic=QF_UFLIA) as solver:
        solver.add_assertion(Not(Equals(a, b)))
        assert solver.solve()
        solver.add_assertion(Equals(a, b))
        assert not solver.solve()


def test_what_is_not_covered_is_not_answered():
    x, y = Symbol("x", INT), Symbol("y", INT)
    with Solver(name="catena", logic=QF_UFLIA) as solver:
        with pytest.raises((SolverReturnedUnknownResultError, UnknownSolverAnswerError)):
            solver.add_assertion(Equals(Times(x, y), Int(12)))
            solver.solve()
