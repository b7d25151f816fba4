"""Catena decides formulas about linked heap structures, and verifies C programs that build, walk and rewire them.

>>> import catena
>>> s = catena.Solver()
>>> cell = s.sort("Cell")
>>> next = s.function("next", cell, cell)
>>> x, y = s.constants("x y", cell)
>>> s.add(x.reach(next, y), x != y)
>>> s.check()
<Answer.SAT: 'sat'>
>>> s.model()[y.reach(next, y)]
True
"""

from ._catena import (AnswerError, BuildError, BusyError, ClosedError, Error, ForeignError, NoValueError,
                      ProofError, ScopeError, __version__, certify_proof)
from ._programs import (AbstractStep, Cell, CellPointer, Checked, Diagnostic, FieldPointer, FunctionReport, Invariant,
                        Place, Report, State, Step, TooWeak, Unknown, VerifyError, Verified, Violated, WILD, certify,
                        verify)
from ._solver import (BOOL, INT, Answer, Dialogue, Element, Function, Model, Solver, Sort, Term, all_of, any_of,
                      distinct, exists, forall, ite)

__all__ = [
    "AbstractStep", "Answer", "AnswerError", "BOOL", "BuildError", "BusyError", "Cell", "CellPointer", "Checked",
    "ClosedError", "Diagnostic", "Dialogue", "Element", "Error", "FieldPointer", "ForeignError", "Function",
    "FunctionReport", "INT", "Invariant", "Model", "NoValueError", "Place", "ProofError", "Report", "ScopeError",
    "Solver", "Sort", "State", "Step", "Term", "TooWeak", "Unknown", "VerifyError", "Verified", "Violated", "WILD",
    "__version__", "all_of", "any_of", "certify", "certify_proof", "distinct", "exists", "forall", "ite", "verify",
]
