"""A worker: one process that holds the library and answers jobs one after the other.

Each job is answered on a thread, and another one looks at clock and memory, in case the library does not keep its own limits. A call
that has to be left behind makes the worker worn: the run replaces it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import queue
import socket
import threading
import time
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

from . import execute
from .tasks import Batch, Job, Result, Row

#: Between two looks at a job.
EVERY = 0.05
#: Memory beyond the limit that is forgiven.
SLACK = 256 << 20


@dataclass(frozen=True)
class Born:
    """What a new worker says of itself."""

    name: str
    pid: int
    node: str
    version: str


@functools.lru_cache(maxsize=1)
def library_version() -> str:
    """The version of the library and the hash of its code: a build of one's own keeps the number."""
    import catena
    from catena import _catena

    state = hashlib.sha256()
    path = getattr(_catena, "__file__", None)
    if path:
        with open(path, "rb") as file:
            state.update(file.read())
    return f"{catena.__version__}+{state.hexdigest()[:12]}"


class Guard:
    """Answers jobs within limits that do not depend on who answers."""

    def __init__(self, name: str, answer: Callable[[Job], Result] = execute.answer) -> None:
        self.name = name
        self._answer = answer
        self._in: "queue.SimpleQueue[Job]" = queue.SimpleQueue()
        self._out: "queue.SimpleQueue[Result]" = queue.SimpleQueue()
        self._ended = time.perf_counter()
        self._busy = False
        self._worn = False
        self._start = execute.resident()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            job = self._in.get()
            try:
                result = self._answer(job)
            except BaseException as error:  # noqa: BLE001  a fault of ours is an answer
                result = Result(job.number, rows_about(job, f"internal error: {type(error).__name__}: {error}"))
            self._out.put(result)

    def run(self, jobs: List[Job]) -> Batch:
        """Answers jobs in order; what comes after a call that was left behind is not answered."""
        begun = time.perf_counter()
        idle = begun - self._ended if self._busy else 0.0
        self._busy = True
        results = []
        for job in jobs:
            if self._worn:
                # Something still runs here, and would be taken for the answer.
                break
            result, self._worn = self._one(job)
            for row in result.rows:
                row.worker = self.name
            results.append(result)
        memory = max((job.text.options.memory for job in jobs), default=0)
        grown = execute.resident() - self._start > max(memory // 2, SLACK)
        self._ended = time.perf_counter()
        beside = max(0.0, self._ended - begun - sum(r.seconds for r in results))
        return Batch(results, self.name, self._worn or grown, idle, beside)

    def _one(self, job: Job) -> Tuple[Result, bool]:
        begun = time.perf_counter()
        allowed = execute.resident() + job.text.options.memory + job.text.options.memory // 8 + SLACK
        end = begun + execute.patience(job)
        self._in.put(job)
        while True:
            try:
                return self._out.get(timeout=EVERY), False
            except queue.Empty:
                over = self._over(end, allowed)
                if over:
                    return Result(job.number, [], None, over, time.perf_counter() - begun), True

    @staticmethod
    def _over(end: float, allowed: int) -> str:
        if time.perf_counter() > end:
            return "time"
        return "memory" if execute.resident() > allowed else ""


def rows_about(job: Job, message: str) -> List[Row]:
    """Rows that say why nothing is known of what the job was to answer."""
    text = job.text
    verdict = "error" if text.kind in ("program", "torture") and message.startswith("internal") else "unknown"
    if job.functions:
        return [Row(f.key, text.kind, text.name, f.function, verdict, message=message, size=f.size)
                for f in job.functions]
    return [Row(execute.whole_key(text), text.kind, text.name, execute.WHOLE, verdict, message=message,
                size=len(text.source))]


class Worker:
    """The actor."""

    def __init__(self, number: int) -> None:
        self._name = f"worker {number} ({socket.gethostname()}, process {os.getpid()})"
        self._guard: Optional[Guard] = None

    def born(self, with_library: bool) -> Born:
        """Loads the library."""
        import ray

        self._guard = Guard(self._name)
        node = ray.get_runtime_context().get_node_id()
        return Born(self._name, os.getpid(), node, library_version() if with_library else "")

    def run(self, jobs: List[Job]) -> Batch:
        """Answers jobs."""
        assert self._guard is not None, "a worker is born before it works"
        return self._guard.run(jobs)
