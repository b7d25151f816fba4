"""pySMT drives catena as a generic solver. Run by .ci/run where Python has pysmt:

    python3 tests/clients/pysmt_client.py target/release/catena
"""

import sys

from pysmt.logics import QF_UFLIA
from pysmt.shortcuts import (And, Equals, Function, GT, Implies, Int, LT, Not, Plus, Solver, Symbol,
                             get_env)
from pysmt.typing import BOOL, INT, FunctionType


def main(catena):
    get_env().factory.add_generic_solver("catena", [catena, "solve", "--check", "-"], [QF_UFLIA])
    x, y, p = Symbol("x", INT), Symbol("y", INT), Symbol("p", BOOL)
    f = Symbol("f", FunctionType(INT, [INT]))
    formula = And(GT(x, Int(2)), LT(x, Int(4)), Equals(Function(f, [x]), Plus(y, x)), Implies(p, GT(y, x)), p)
    # pySMT leaves the end of the line after a value unread and stumbles over it at the next command,
    # whatever the solver; so values are asked for last.
    with Solver(name="catena", logic=QF_UFLIA) as solver:
        solver.add_assertion(formula)
        assert solver.solve()
        assert solver.get_value(x) == Int(3)
        value = solver.get_value(Function(f, [x]))
        assert value.constant_value() == solver.get_value(y).constant_value() + 3
        assert solver.get_py_value(p) is True
    with Solver(name="catena", logic=QF_UFLIA) as solver:
        solver.add_assertion(formula)
        assert solver.solve()
        solver.push()
        solver.add_assertion(Equals(Function(f, [Int(3)]), Int(0)))
        assert not solver.solve()
        solver.pop()
        assert solver.solve()
        solver.push()
        z = Symbol("z", INT)
        solver.add_assertion(LT(z, Int(-5)))
        assert solver.solve()
        solver.pop()
        # Declared again after its level is gone.
        solver.add_assertion(LT(z, Int(-5)))
        assert solver.solve()
        solver.add_assertion(Not(GT(y, Int(1))))
        assert not solver.solve()
    print("pysmt: ok")


if __name__ == "__main__":
    main(sys.argv[1])
