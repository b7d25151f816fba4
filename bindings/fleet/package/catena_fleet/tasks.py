"""What is sent to workers and what comes back. Plain values: a worker may be on another machine.

A *task* is one function, script, benchmark task or seed; its answer is one row of the table. A *job* is one call of the
library or of a program: it answers one task, or several functions of one text. What is not yet known of a text, its list
of functions, comes back with the first job about it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

#: Verdicts that a row can have, by kind, the best first.
VERDICTS: Dict[str, Tuple[str, ...]] = {
    "verify": ("verified", "violated", "too-weak", "unknown", "nothing", "rejected"),
    "solve": ("sat", "unsat", "several", "unknown", "nothing", "rejected"),
    "program": ("true", "false", "unknown", "error"),
    "torture": ("quiet", "complaint", "unknown", "error"),
}


@dataclass(frozen=True)
class Options:
    """How a text is read and decided; part of its key."""

    timeout: float = 60.0
    memory: int = 4000 << 20
    steps: Optional[int] = None
    engine: str = "auto"
    checks: Tuple[str, ...] = ()
    malloc_may_fail: bool = False
    lp64: bool = True
    defines: Tuple[str, ...] = ()
    undefines: Tuple[str, ...] = ()
    includes: Tuple[str, ...] = ()
    include_directories: Tuple[str, ...] = ()
    #: Flags of a compiler that change what a program means and that the library is not told of.
    unmodelled: Tuple[str, ...] = ()
    #: Of a program: the words before the file, and the names of its files.
    command: Tuple[str, ...] = ()
    data_model: str = ""

    def text(self) -> str:
        """The same options have the same text."""
        told = {k: v for k, v in asdict(self).items() if v not in (None, (), "", False)}
        return json.dumps(told, sort_keys=True)


def digest(*parts: object) -> str:
    """A hash in which no two lists of parts agree by accident."""
    state = hashlib.sha256()
    for part in parts:
        one = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(one))
        state.update(one)
    return state.hexdigest()[:40]


@dataclass(frozen=True)
class Text:
    """Something to decide, with all that it includes."""

    kind: str
    name: str
    source: bytes
    files: Dict[str, bytes]
    options: Options
    version: str

    def key(self) -> str:
        """The hash of everything that the answers depend on."""
        files = [part for name in sorted(self.files) for part in (name, self.files[name])]
        return digest(self.kind, self.version, self.options.text(), self.name, self.source, *files)


@dataclass(frozen=True)
class Listed:
    """A function of a text, with the key of its row."""

    function: str
    line: int
    size: int
    key: str


@dataclass(frozen=True)
class Job:
    """One call. Without `functions`, the functions are listed first; those whose key is in `known` are left alone."""

    number: int
    text: Text
    functions: Tuple[Listed, ...] = ()
    known: FrozenSet[str] = frozenset()
    #: Functions that are decided together with their list, at most.
    together: int = 4


@dataclass
class Row:
    """The answer to one task."""

    key: str
    kind: str
    file: str
    function: str
    verdict: str
    engine: str = ""
    message: str = ""
    #: Of the place that the message is about: its line, counted from that of the function if it lies in it.
    place: str = ""
    line: int = 0
    seconds: float = 0.0
    size: int = 0
    #: What was said about each behaviour, or about each check of a script.
    answers: List[Dict[str, Any]] = field(default_factory=list)
    tries: int = 1
    worker: str = ""


@dataclass
class Result:
    """What became of a job."""

    number: int
    rows: List[Row] = field(default_factory=list)
    #: The functions of the text, if the job was to list them.
    listed: Optional[List[Listed]] = None
    #: `time` or `memory`: the call did not end by itself and was left behind.
    over: str = ""
    seconds: float = 0.0


@dataclass
class Batch:
    """What became of the jobs of one batch, and of the worker."""

    results: List[Result]
    worker: str
    #: The worker is to be replaced: something still runs in it, or it keeps too much memory.
    worn: bool
    #: Seconds since the end of the batch before, and in this one in which nothing was decided.
    idle: float
    beside: float
