"""Programs: C texts are verified, and what is found is plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _catena
from ._catena import Error
from ._solver import _count, _milliseconds


@dataclass(frozen=True)
class Place:
    """A place in a text."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class CellPointer:
    """A pointer to the cell of this name."""

    cell: str


@dataclass(frozen=True)
class FieldPointer:
    """A pointer to a field of the cell of this name."""

    cell: str
    field: str


class _Wild:
    """A pointer that leads to nothing that was ever allocated."""

    def __repr__(self) -> str:
        return "WILD"


WILD = _Wild()
#: A number, `None` for the null pointer, a pointer, `WILD`, or the elements of an array.
Content = Union[int, None, CellPointer, FieldPointer, _Wild, Tuple["Content", ...]]  # type: ignore[misc]


@dataclass(frozen=True)
class Cell:
    """A cell of the heap, or a variable whose address is taken."""

    name: str
    kind: str
    status: str
    fields: Dict[str, Content] = field(hash=False)


@dataclass(frozen=True)
class State:
    """A concrete state: variables, and cells by the names that they keep through a run."""

    variables: Dict[str, Content] = field(hash=False)
    cells: Dict[str, Cell] = field(hash=False)
    #: The state as a picture, if pictures were asked for; notebooks show it.
    svg: Optional[str] = field(default=None, repr=False, compare=False)

    def _repr_svg_(self) -> Optional[str]:
        return self.svg


@dataclass(frozen=True)
class Step:
    """One statement of a run."""

    place: Optional[Place]
    source: str
    changes: Tuple[str, ...]


@dataclass(frozen=True)
class AbstractStep:
    """One stop of an abstract trace."""

    at: str
    text: str


@dataclass(frozen=True)
class Invariant:
    """A loop invariant in the language of annotations."""

    place: Optional[Place]
    formula: str


@dataclass(frozen=True)
class Verified:
    """Everything that was asked holds on every execution."""

    invariants: Tuple[Invariant, ...]
    lines: Tuple[str, ...]


@dataclass(frozen=True)
class Violated:
    """This run breaks what was asked."""

    message: str
    check: str
    place: Optional[Place]
    entry: State
    steps: Tuple[Step, ...]
    end: State
    omitted: int

    def _repr_svg_(self) -> Optional[str]:
        return self.end.svg


@dataclass(frozen=True)
class TooWeak:
    """It may hold: the invariants that were given or found do not suffice."""

    message: str
    check: str
    place: Optional[Place]
    hint: Optional[str]
    state: Optional[State]
    abstract_trace: Tuple[AbstractStep, ...]


@dataclass(frozen=True)
class Unknown:
    """Nothing is known, and why."""

    message: str
    place: Optional[Place]


Verdict = Union[Verified, Violated, TooWeak, Unknown]


@dataclass(frozen=True)
class Diagnostic:
    """A message about the text."""

    code: str
    severity: str
    message: str
    place: Place
    help: Optional[str]

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class FunctionReport:
    """The answer to one question about one function."""

    function: str
    behavior: Optional[str]
    place: Place
    engine: str
    time: float
    verdict: Verdict
    certificate: Optional[str] = field(repr=False)

    @property
    def is_verified(self) -> bool:
        """Whether the verdict is `Verified`."""
        return isinstance(self.verdict, Verified)


@dataclass(frozen=True)
class Report:
    """Everything that was found out about one text. Only a report that is verified is true."""

    file: str
    functions: Tuple[FunctionReport, ...]
    diagnostics: Tuple[Diagnostic, ...]
    is_verified: bool
    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return self.is_verified

    def __getitem__(self, function: str) -> FunctionReport:
        for entry in self.functions:
            if entry.function == function:
                return entry
        raise KeyError(function)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Checked:
    """What the check of a certificate says: `certified`, `tested`, `rejected` or `missing`."""

    file: str
    function: str
    behavior: Optional[str]
    standing: str
    note: str


class VerifyError(Error):
    """There is no report: the text is wrong, or the question is. `kind` is `rejected`, `stopped`, `no-function`,
    `no-behavior`, `certificate`, `options` or `internal`."""

    def __init__(self, kind: str, message: str, diagnostics: Tuple[Diagnostic, ...]) -> None:
        super().__init__(message)
        self.kind = kind
        self.diagnostics = diagnostics


def _place(found: Optional[Mapping[str, Any]]) -> Optional[Place]:
    return None if found is None else Place(found["file"], found["line"], found["column"])


def _content(found: Any) -> Content:
    if found is None or isinstance(found, int):
        return found
    if isinstance(found, list):
        return tuple(_content(item) for item in found)
    if isinstance(found, dict):
        if "field" in found:
            return FieldPointer(found["cell"], found["field"])
        return CellPointer(found["cell"])
    return WILD if found == "wild" else int(found)


def _state(found: Mapping[str, Any]) -> State:
    variables = {v["name"]: _content(v["value"]) for v in found["variables"]}
    cells = {}
    for c in found["cells"]:
        fields = {name: _content(value) for name, value in c["fields"].items()}
        cells[c["name"]] = Cell(c["name"], c["kind"], c["status"], fields)
    return State(variables, cells, found.get("svg"))


def _verdict(found: Mapping[str, Any]) -> Verdict:
    ((word, v),) = found.items()
    if word == "verified":
        invariants = (Invariant(_place(i["place"]), i["formula"]) for i in v["invariants"])
        return Verified(tuple(invariants), tuple(v["lines"]))
    if word == "violated":
        steps = (Step(_place(s["place"]), s["source"], tuple(s["changes"])) for s in v["steps"])
        return Violated(v["message"], v["check"], _place(v["place"]), _state(v["entry"]), tuple(steps),
                        _state(v["end"]), v["omitted"])
    if word == "too-weak":
        state = None if v["state"] is None else _state(v["state"])
        trace = (AbstractStep(s["at"], s["text"]) for s in v["abstract_trace"])
        return TooWeak(v["message"], v["check"], _place(v["place"]), v["hint"], state, tuple(trace))
    return Unknown(v["message"], _place(v["place"]))


def _diagnostics(found: Iterable[Mapping[str, Any]]) -> Tuple[Diagnostic, ...]:
    made = []
    for d in found:
        place = _place(d["place"])
        assert place is not None
        made.append(Diagnostic(d["code"], d["severity"], d["message"], place, d["help"]))
    return tuple(made)


def _result(text: str) -> Dict[str, Any]:
    result: Dict[str, Any] = json.loads(text)
    if "error" in result:
        error = result["error"]
        raise VerifyError(error["kind"], error["message"], _diagnostics(error["diagnostics"]))
    return result


def _bytes(source: Union[str, bytes]) -> bytes:
    if isinstance(source, str):
        return source.encode()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    raise TypeError(f"expected str or bytes, found {type(source).__name__}")


def _words(given: Union[str, Iterable[str]]) -> List[str]:
    return [given] if isinstance(given, str) else list(given)


def verify(
    source: Union[str, bytes],
    *,
    file: str = "input.c",
    engine: str = "auto",
    checks: Union[str, Iterable[str]] = (),
    functions: Union[str, Iterable[str]] = (),
    behaviors: Union[str, Iterable[str]] = (),
    certificates: bool = False,
    timeout: Optional[float] = None,
    steps: Optional[int] = None,
    memory: Optional[int] = None,
    jobs: int = 1,
    malloc_may_fail: bool = False,
    lp64: bool = True,
    defines: Iterable[str] = (),
    undefines: Iterable[str] = (),
    includes: Iterable[str] = (),
    include_directories: Iterable[str] = (),
    files: Union[Mapping[str, str], Callable[[str], Union[str, bytes, None]], None] = None,
    disk: bool = False,
    pictures: bool = True,
    progress: Optional[Callable[[str, str], object]] = None,
) -> Report:
    """Decides every function of a C text that has a contract, and `main`.

    Limits are for each function: seconds, deterministic steps, bytes. `files` gives what the text includes: texts by path,
    or a function from a path to `str`, `bytes` or `None`; with `disk`, included files are read from the disk.
    States come with pictures that notebooks show.
    `progress` is told the name of a function and a few words, from other threads. An exception in either function stops
    the work and is raised here, as is Ctrl-C.
    """
    options: Dict[str, Any] = {
        "file": file,
        "engine": engine,
        "checks": _words(checks),
        "functions": _words(functions),
        "behaviors": _words(behaviors),
        "certificates": bool(certificates),
        "timeout_ms": _milliseconds(timeout),
        "steps": _count(steps, "steps"),
        "memory": _count(memory, "memory"),
        "jobs": jobs,
        "malloc_may_fail": bool(malloc_may_fail),
        "lp64": bool(lp64),
        "defines": list(defines),
        "undefines": list(undefines),
        "includes": list(includes),
        "include_directories": list(include_directories),
        "disk": bool(disk),
        "pictures": bool(pictures),
    }
    asked = None
    if callable(files):
        asked = files
    elif files is not None:
        options["files"] = dict(files)
    result = _result(_catena.verify_json(_bytes(source), json.dumps(options), progress, asked))
    report = result["report"]
    functions_found = []
    for f in report["functions"]:
        place = _place(f["place"])
        assert place is not None
        functions_found.append(FunctionReport(f["function"], f["behavior"], place, f["engine"], f["time_ms"] / 1000,
                                              _verdict(f["verdict"]), f["certificate"]))
    return Report(report["file"], tuple(functions_found), _diagnostics(report["diagnostics"]), result["verified"],
                  result["text"])


def certify(source: Union[str, bytes], certificate: str, *, file: str = "input.c") -> List[Checked]:
    """Checks a certificate that `verify(..., certificates=True)` made: the text is read again, proofs of obligations are
    checked step by step, runs are made again. One entry for each function and behavior."""
    result = _result(_catena.certify_json(file, _bytes(source), certificate))
    return [Checked(c["file"], c["function"], c["behavior"], c["standing"], c["note"]) for c in result["checked"]]
