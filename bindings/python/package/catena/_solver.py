"""Formulas: sorts, functions and terms with operators, and the solver that decides them."""

from __future__ import annotations

import enum
from contextlib import contextmanager
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _catena
from ._catena import NoValueError

Liftable = Union["Term", bool, int]


class Answer(enum.Enum):
    """The answer to a check. Only `SAT` is true."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        return self is Answer.SAT

    def __str__(self) -> str:
        return self.value


class Sort:
    """A sort of one solver, or `catena.BOOL` or `catena.INT` of every solver."""

    __slots__ = ("_solver", "_id", "name")

    def __init__(self, solver: Optional[Solver], id: int, name: str) -> None:
        self._solver = solver
        self._id = id
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sort) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        return self.name


BOOL = Sort(None, _catena.BOOL, "Bool")
INT = Sort(None, _catena.INT, "Int")


class Element(NamedTuple):
    """An element of an uninterpreted sort in a model, counted from 0."""

    sort: str
    index: int

    def __str__(self) -> str:
        return f"{self.sort}!val!{self.index}"


class Function:
    """A function, predicate or link field of one solver. Calling it applies it to terms."""

    __slots__ = ("_solver", "_id", "name", "arity")

    def __init__(self, solver: Solver, id: int, name: str, arity: int) -> None:
        self._solver = solver
        self._id = id
        self.name = name
        self.arity = arity

    def __call__(self, *arguments: Liftable) -> Term:
        solver = self._solver
        return solver._term(solver._native.apply(self._id, [solver._id_of(a) for a in arguments]))

    def __repr__(self) -> str:
        return self.name


class Term:
    """A term of one solver; a formula is a term of sort `BOOL`.

    `==`, `!=`, `<`, `<=`, `>`, `>=`, `+`, `-` and `*` build terms; `&`, `|`, `^`, `~` and `>>` (implies) build
    formulas. Numbers and truth values of Python may stand for terms.
    """

    __slots__ = ("_solver", "_id", "_same")

    def __init__(self, solver: Solver, id: int) -> None:
        self._solver = solver
        self._id = id
        # For `==` and `!=`: whether both sides are one term.
        self._same: Optional[bool] = None

    @property
    def solver(self) -> Solver:
        """The solver that it belongs to."""
        return self._solver

    @property
    def sort(self) -> Sort:
        """Its sort."""
        return self._solver._sorts[self._solver._native.sort_of(self._id)]

    def _with(self, word: str, other: object, turned: bool = False) -> Term:
        if not isinstance(other, (Term, bool, int)):
            return NotImplemented
        solver = self._solver
        parts = [self._id, solver._id_of(other)]
        return solver._term(solver._native.build(word, parts[::-1] if turned else parts))

    def __and__(self, other: Liftable) -> Term:
        return self._with("and", other)

    def __rand__(self, other: Liftable) -> Term:
        return self._with("and", other, True)

    def __or__(self, other: Liftable) -> Term:
        return self._with("or", other)

    def __ror__(self, other: Liftable) -> Term:
        return self._with("or", other, True)

    def __xor__(self, other: Liftable) -> Term:
        return self._with("xor", other)

    def __rxor__(self, other: Liftable) -> Term:
        return self._with("xor", other, True)

    def __rshift__(self, other: Liftable) -> Term:
        return self._with("=>", other)

    def __rrshift__(self, other: Liftable) -> Term:
        return self._with("=>", other, True)

    def __invert__(self) -> Term:
        return self._solver._term(self._solver._native.build("not", [self._id]))

    def __add__(self, other: Liftable) -> Term:
        return self._with("+", other)

    def __radd__(self, other: Liftable) -> Term:
        return self._with("+", other, True)

    def __sub__(self, other: Liftable) -> Term:
        return self._with("-", other)

    def __rsub__(self, other: Liftable) -> Term:
        return self._with("-", other, True)

    def __mul__(self, other: Liftable) -> Term:
        return self._with("*", other)

    def __rmul__(self, other: Liftable) -> Term:
        return self._with("*", other, True)

    def __neg__(self) -> Term:
        return 0 - self

    def __lt__(self, other: Liftable) -> Term:
        return self._with("<", other)

    def __le__(self, other: Liftable) -> Term:
        return self._with("<=", other)

    def __gt__(self, other: Liftable) -> Term:
        return self._with("<", other, True)

    def __ge__(self, other: Liftable) -> Term:
        return self._with("<=", other, True)

    # What is no term is an error: Python would answer `False`, and that would be asserted.

    def __eq__(self, other: object) -> Term:  # type: ignore[override]
        solver = self._solver
        built = solver._term(solver._native.build("=", [self._id, solver._id_of(other)]))
        built._same = isinstance(other, Term) and other._id == self._id
        return built

    def __ne__(self, other: object) -> Term:  # type: ignore[override]
        solver = self._solver
        built = solver._term(solver._native.build("distinct", [self._id, solver._id_of(other)]))
        built._same = not (isinstance(other, Term) and other._id == self._id)
        return built

    def __hash__(self) -> int:
        return hash(self._id)

    def __bool__(self) -> bool:
        """`x == y` has the truth value that says whether both are the same term, so that terms can be keys."""
        if self._same is None:
            raise TypeError("a term is neither true nor false; check() decides, model[term] is a value")
        return self._same

    def reach(self, field: Function, to: Term) -> Term:
        """`to` is reached from here by zero or more steps along the link field."""
        native = self._solver._native
        return self._solver._term(native.reach(_function(field), self._id, self._solver._id_of(to)))

    def between(self, field: Function, via: Term, to: Term) -> Term:
        """`via` lies on the simple path along the link field from here to `to`."""
        solver = self._solver
        ids = (self._id, solver._id_of(via), solver._id_of(to))
        return solver._term(solver._native.between(_function(field), *ids))

    def implies(self, other: Liftable) -> Term:
        """The same as `self >> other`."""
        return self >> other

    def iff(self, other: Liftable) -> Term:
        """The same as `self == other`."""
        return self == other

    def __repr__(self) -> str:
        return self._solver._native.text_of(self._id)


def _function(field: object) -> int:
    if not isinstance(field, Function):
        raise TypeError(f"expected a Function, found {type(field).__name__}")
    return field._id


def _owner(terms: Tuple[Liftable, ...], what: str) -> Solver:
    for term in terms:
        if isinstance(term, Term):
            return term._solver
    raise TypeError(f"{what} needs a Term to know its solver")


def _many(word: str, terms: Tuple[Liftable, ...], what: str) -> Term:
    solver = _owner(terms, what)
    return solver._term(solver._native.build(word, [solver._id_of(t) for t in terms]))


def all_of(*formulas: Liftable) -> Term:
    """Conjunction of any number of formulas."""
    return _many("and", formulas, "all_of")


def any_of(*formulas: Liftable) -> Term:
    """Disjunction of any number of formulas."""
    return _many("or", formulas, "any_of")


def distinct(*terms: Liftable) -> Term:
    """All terms are different."""
    return _many("distinct", terms, "distinct")


def ite(condition: Liftable, left: Liftable, right: Liftable) -> Term:
    """`left` where the condition holds, `right` where it does not."""
    return _many("ite", (condition, left, right), "ite")


def _quantified(for_all: bool, variables: Union[Term, Tuple[Term, ...], List[Term]], body: Term) -> Term:
    bound = (variables,) if isinstance(variables, Term) else tuple(variables)
    solver = _owner((body, *bound), "a quantifier")
    ids = [solver._id_of(v) for v in bound]
    return solver._term(solver._native.quantified(for_all, ids, solver._id_of(body)))


def forall(variables: Union[Term, Tuple[Term, ...], List[Term]], body: Term) -> Term:
    """For all values of variables, made by `Solver.variable`, the body holds."""
    return _quantified(True, variables, body)


def exists(variables: Union[Term, Tuple[Term, ...], List[Term]], body: Term) -> Term:
    """For some values of variables, made by `Solver.variable`, the body holds."""
    return _quantified(False, variables, body)


class Model:
    """A finite model. `model[term]` is a `bool`, an `int` or an `Element`; it outlives later changes of the solver."""

    __slots__ = ("_solver", "_native")

    def __init__(self, solver: Solver, native: _catena.NativeModel) -> None:
        self._solver = solver
        self._native = native

    def __getitem__(self, term: Liftable) -> Union[bool, int, Element]:
        solver = self._solver
        id = solver._id_of(term)
        found = solver._native.value(self._native, id)
        if isinstance(found, list):
            return Element(solver._sorts[solver._native.sort_of(id)].name, found[0])
        return found

    def size(self, sort: Sort) -> int:
        """How many elements an uninterpreted sort has."""
        if sort in (BOOL, INT):
            raise NoValueError(f"{sort} has no elements that could be counted")
        return self._solver._native.size(self._native, self._solver._sort_id(sort))

    def elements(self, sort: Sort) -> List[Element]:
        """The elements of an uninterpreted sort."""
        return [Element(sort.name, index) for index in range(self.size(sort))]

    def __str__(self) -> str:
        return self._solver._native.model_text(self._native)

    __repr__ = __str__


def _milliseconds(seconds: Optional[float]) -> int:
    if seconds is None:
        return 0
    if not seconds > 0:
        raise ValueError(f"a time limit is a positive number of seconds, not {seconds!r}")
    return max(1, min(round(seconds * 1000), 2**63))


def _count(number: Optional[int], what: str) -> int:
    if number is None:
        return 0
    if number <= 0:
        raise ValueError(f"{what} is a positive number, not {number!r}")
    return number


class Solver:
    """An incremental solver. Limits hold for each check: seconds, deterministic steps, bytes of solver state.

    A check may be interrupted by Ctrl-C, and by `cancel()` from another thread; the solver stays usable. While one thread
    uses it, others get `BusyError`.
    """

    def __init__(
        self,
        *,
        proofs: bool = False,
        timeout: Optional[float] = None,
        steps: Optional[int] = None,
        memory: Optional[int] = None,
    ) -> None:
        self._native = _catena.NativeSolver(proofs)
        self._sorts: Dict[int, Sort] = {BOOL._id: BOOL, INT._id: INT}
        self._limits = (timeout, steps, memory)
        self.set_limits(timeout=timeout, steps=steps, memory=memory)

    # ---- life

    def close(self) -> None:
        """Gives its memory back; every later call raises `ClosedError`."""
        self._native.close()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def cancel(self) -> None:
        """Stops the check that another thread waits for, or the next one if there is none: it is unknown then."""
        self._native.cancel()

    def set_limits(
        self, *, timeout: Optional[float] = None, steps: Optional[int] = None, memory: Optional[int] = None
    ) -> None:
        """Sets the limits of each following check; what is left out is not limited."""
        self._native.set_limits(_milliseconds(timeout), _count(steps, "steps"), _count(memory, "memory"))
        self._limits = (timeout, steps, memory)

    # ---- terms

    def _term(self, id: int) -> Term:
        return Term(self, id)

    def _sort_id(self, sort: object) -> int:
        if not isinstance(sort, Sort):
            raise TypeError(f"expected a Sort, found {type(sort).__name__}")
        return sort._id

    def _id_of(self, value: object) -> int:
        if isinstance(value, Term):
            return value._id
        if isinstance(value, bool):
            return self._native.bool(value)
        if isinstance(value, int):
            return self._native.int(value)
        raise TypeError(f"expected a Term, a bool or an int, found {type(value).__name__}")

    def sort(self, name: str) -> Sort:
        """Declares an uninterpreted sort."""
        sort = Sort(self, self._native.sort(name), name)
        self._sorts[sort._id] = sort
        return sort

    def function(self, name: str, *sorts: Sort) -> Function:
        """Declares a function: the sorts of its arguments, then that of its result. One from an uninterpreted sort to
        itself is a link field."""
        if not sorts:
            raise TypeError("a function needs the sort of its result")
        ids = [self._sort_id(sort) for sort in sorts]
        return Function(self, self._native.function(name, ids[:-1], ids[-1]), name, len(ids) - 1)

    def constant(self, name: str, sort: Sort) -> Term:
        """Declares a constant."""
        return self._term(self._native.constant(name, self._sort_id(sort)))

    def constants(self, names: str, sort: Sort) -> List[Term]:
        """Declares several constants, whose names have spaces between them."""
        return [self.constant(name, sort) for name in names.split()]

    def variable(self, name: str, sort: Sort) -> Term:
        """A variable for a quantifier. Each call makes a new one, whatever the name."""
        return self._term(self._native.variable(name, self._sort_id(sort)))

    def term(self, value: Liftable) -> Term:
        """The term of a number or a truth value."""
        return self._term(self._id_of(value))

    # ---- assertions

    def add(self, *formulas: Liftable, name: Optional[str] = None) -> None:
        """Asserts closed formulas until the present scope is closed, under a name that `core()` will mention."""
        if name is not None and len(formulas) != 1:
            raise TypeError("a name belongs to one formula")
        ids = [self._id_of(formula) for formula in formulas]
        for id in ids:
            self._native.assert_(id, name)

    def push(self) -> None:
        """Opens a scope."""
        self._native.push()

    def pop(self) -> None:
        """Closes the newest scope and forgets its assertions."""
        self._native.pop()

    @contextmanager
    def scope(self) -> Iterator[Solver]:
        """A scope as long as a `with` block."""
        self.push()
        try:
            yield self
        finally:
            self.pop()

    def script(self) -> str:
        """Declarations and assertions as an SMT-LIB script."""
        return self._native.script()

    # ---- answers

    def check(self, *assumptions: Liftable, timeout: Optional[float] = None) -> Answer:
        """Whether the assertions are satisfiable together with these formulas. A time limit here is that of this check."""
        ids = [self._id_of(assumption) for assumption in assumptions]
        if timeout is None:
            return Answer(self._native.check(ids))
        before, steps, memory = self._limits
        self.set_limits(timeout=timeout, steps=steps, memory=memory)
        try:
            return Answer(self._native.check(ids))
        finally:
            self.set_limits(timeout=before, steps=steps, memory=memory)

    def reason(self) -> str:
        """Why the last check is unknown."""
        return self._native.reason()

    def model(self) -> Model:
        """The model of the last check."""
        return Model(self, self._native.model())

    def core(self) -> List[str]:
        """Names of the named assertions that the last `UNSAT` needs."""
        return self._native.core_names()

    def core_assumptions(self) -> List[Term]:
        """The assumptions that the last `UNSAT` needs."""
        return [self._term(id) for id in self._native.core_assumptions()]

    def certify(self) -> None:
        """Checks the proof of the last `UNSAT` by code that the solver does not use; the solver must keep proofs."""
        self._native.certify()

    def proof(self) -> Tuple[str, str]:
        """A script and its proof as texts for `certify_proof`: the assertions and needed assumptions of the last `UNSAT`,
        which are decided once more for that."""
        return self._native.proof()


class Dialogue:
    """A dialogue in SMT-LIB 2.6: declarations and assertions stay from one text to the next.

    What is wrong with a command is a response `(error ...)`.
    """

    def __init__(
        self, *, timeout: Optional[float] = None, steps: Optional[int] = None, memory: Optional[int] = None
    ) -> None:
        self._native = _catena.NativeDialogue(
            _milliseconds(timeout), _count(steps, "steps"), _count(memory, "memory"))

    def run(self, commands: str) -> str:
        """Carries out commands and returns the responses, each on lines of its own."""
        return self._native.run(commands)

    def proof(self) -> Optional[str]:
        """The proof of the last `unsat`, if `:produce-proofs` is set."""
        return self._native.proof()

    def cancel(self) -> None:
        """Stops what another thread waits for, or the next check if nothing is running."""
        self._native.cancel()

    def close(self) -> None:
        """Gives its memory back; every later call raises `ClosedError`."""
        self._native.close()

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
