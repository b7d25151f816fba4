"""Catena as a solver of pySMT, in the same process.

>>> import catena.pysmt
>>> catena.pysmt.register()
>>> from pysmt.shortcuts import Solver
>>> Solver(name="catena")
"""

from io import StringIO

from pysmt.decorators import clear_pending_pop
from pysmt.exceptions import UnknownSolverAnswerError
from pysmt.logics import LIA, QF_IDL, QF_LIA, QF_UF, QF_UFIDL, QF_UFLIA
from pysmt.smtlib.parser import SmtLibParser
from pysmt.smtlib.solver import SmtLibSolver
from pysmt.solvers.eager import EagerModel
from pysmt.solvers.solver import Solver

from ._solver import Dialogue

#: What pySMT may give to it. Beyond linear integers, functions and uninterpreted sorts it answers `unknown`.
LOGICS = [QF_UF, QF_IDL, QF_LIA, QF_UFIDL, QF_UFLIA, LIA]


class CatenaSolver(SmtLibSolver):
    """The dialogue of pySMT with a solver, carried out by calls in place of pipes."""

    LOGICS = LOGICS
    UNSAT_CORE_SUPPORT = False

    def __init__(self, environment, logic, **options):
        Solver.__init__(self, environment, logic=logic, **options)
        self.to = self.environment.typeso
        self.declared_vars = [set()]
        self.declared_sorts = [set()]
        self.dialogue = Dialogue()
        self.said = ""
        self.options(self)
        self.set_logic(logic)

    def _send_command(self, cmd):
        text = StringIO()
        cmd.serialize(text, daggify=True)
        self._debug("Sending: %s", text.getvalue())
        self.said = self.dialogue.run(text.getvalue())

    def _get_answer(self):
        self._debug("Read: %s", self.said)
        return self.said.strip()

    def _get_value_answer(self):
        self._debug("Read: %s", self.said)
        if self.said.startswith("(error"):
            raise UnknownSolverAnswerError("Solver returned: " + self.said)
        return SmtLibParser(environment=self.environment).get_assignment_list(StringIO(self.said))

    @clear_pending_pop
    def solve(self, assumptions=None):
        if assumptions:
            self.push()
            self.add_assertion(self.environment.formula_manager.And(assumptions))
            try:
                return SmtLibSolver.solve(self)
            finally:
                self.pending_pop = True
        return SmtLibSolver.solve(self)

    @clear_pending_pop
    def push(self, levels=1):
        for _ in range(levels):
            SmtLibSolver.push(self)

    @clear_pending_pop
    def pop(self, levels=1):
        for _ in range(levels):
            SmtLibSolver.pop(self)

    @clear_pending_pop
    def reset_assertions(self):
        SmtLibSolver.reset_assertions(self)
        # Their declarations are gone as well.
        self.declared_vars = [set()]
        self.declared_sorts = [set()]

    def get_model(self):
        values = {}
        for level in self.declared_vars:
            for symbol in level:
                # Values of uninterpreted sorts have no constants in pySMT.
                if symbol.is_symbol() and not symbol.symbol_type().is_function_type() \
                        and not symbol.symbol_type().is_custom_type():
                    values[symbol] = self.get_value(symbol)
        return EagerModel(assignment=values, environment=self.environment)

    def _exit(self):
        self.dialogue.close()


def register(environment=None):
    """Makes `Solver(name="catena")` known to an environment of pySMT, the present one if none is given."""
    from pysmt.environment import get_env

    factory = (environment or get_env()).factory
    factory._all_solvers["catena"] = CatenaSolver
    if "catena" not in factory.solver_preference_list:
        factory.solver_preference_list.append("catena")
