"""The run: hands jobs to workers, never more than they can take, and writes down what comes back.

Invariants:

- A task is in the table once: its key is the primary key, and a row that is there stays.
- At most `AHEAD` batches are at each worker, so what is under way does not grow with what there is to do.
- A worker that dies loses nothing: its jobs go back. The job it was at is done again alone, `tries` times in all; then its
  answer is `unknown`, with the reason.
- A call that was left behind (time or memory) is `unknown`; if it was about several functions, each is asked about alone.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import os
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Deque, Dict, Iterable, List, Optional, Tuple

from . import execute, local
from .faults import INTERNAL, Fault, plain
from .plan import Plan
from .progress import Progress
from .sources import Reader
from .table import Run, Table
from .tasks import Batch, Job, Listed, Result, Row, Text
from .worker import Worker, library_version, rows_about

#: Batches at a worker: one at work, one that waits.
AHEAD = 2
#: Seconds of predicted work in a batch, at least and at most.
SMALLEST, LARGEST = 0.02, 0.4
#: Jobs in a batch, at most.
MOST = 64
#: Seconds between two commits.
COMMIT = 0.5
#: Seconds between two looks at how large the cluster is.
GROW = 2.0
#: Seconds that a worker may be silent beyond what its jobs may take.
SILENT = 30.0


@dataclass
class Settings:
    """How a run is made."""

    workers: int = 0
    address: Optional[str] = None
    tries: int = 3
    together: int = 4
    again: bool = False
    longest_first: bool = True


@dataclass
class _Work:
    """A job that waits, or is under way."""

    item: int
    functions: Tuple[Listed, ...]
    known: bool = True
    together: int = 4
    tries: int = 1
    alone: bool = False
    seconds: float = 0.0
    number: int = 0


@dataclass
class _Sent:
    ref: Any
    work: List[_Work]
    texts: Dict[int, Job]
    patience: float


@dataclass
class _Slot:
    """A worker as the run sees it."""

    number: int
    actor: Any
    born: Any
    name: str = ""
    ready: bool = False
    sent: Deque[_Sent] = field(default_factory=deque)
    head_since: float = 0.0
    begun: float = 0.0


class Fleet:
    """One run."""

    def __init__(self, plan: Plan, table: Table, reader: Reader, run: Run, settings: Settings, progress: Progress,
                 with_library: bool) -> None:
        self._plan, self._table, self._reader = plan, table, reader
        self._run, self._settings, self._progress = run, settings, progress
        self._with_library = with_library
        self._numbers = itertools.count()
        self._queue: List[Tuple[float, int, _Work]] = []
        self._slots: List[_Slot] = []
        self._slot_numbers = itertools.count(1)
        self._rows: List[Tuple[Row, str, str]] = []
        self._texts: List[Tuple[str, str, str, List[Listed]]] = []
        self._committed = time.monotonic()
        self._failed_births = 0
        self._left = 0.0
        self._first = 0.0
        self._last = 0.0
        self._begins: List[float] = []
        #: Set by a signal handler.
        self.stop = False
        #: Faults of ours were among the answers.
        self.internal = False
        self.lost: List[str] = []

    # The queue.

    def _push(self, work: _Work) -> None:
        item = self._plan.items[work.item]
        predictor = self._plan.predictor
        if work.functions:
            work.seconds = sum(predictor.of_function(item.source.name, f.function, f.size) for f in work.functions)
        else:
            work.seconds = predictor.of_text(item.source.name, item.size)
        order = -work.seconds if self._settings.longest_first else 0.0
        self._left += work.seconds
        heapq.heappush(self._queue, (order, next(self._numbers), work))

    def _pop(self) -> _Work:
        work = heapq.heappop(self._queue)[2]
        self._left = max(0.0, self._left - work.seconds)
        return work

    def _take(self) -> List[_Work]:
        """A batch: the longest job, and more while they are short. What is suspected travels alone."""
        ready = max(1, sum(s.ready for s in self._slots))
        target = min(LARGEST, max(SMALLEST, self._left / (3 * ready)))
        taken: List[_Work] = []
        seconds = 0.0
        while self._queue and len(taken) < MOST:
            following = self._queue[0][2]
            if taken and (following.alone or taken[0].alone or seconds + following.seconds > target):
                break
            work = self._pop()
            seconds += work.seconds
            last = taken[-1] if taken else None
            if last and last.item == work.item and last.functions and work.functions and not work.alone:
                last.functions += work.functions
                last.seconds += work.seconds
            else:
                taken.append(work)
        return taken

    # Workers.

    def _hire(self, ray: Any, wanted: int) -> None:
        while len(self._slots) < wanted:
            number = next(self._slot_numbers)
            actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Worker).remote(number)
            self._slots.append(_Slot(number, actor, actor.born.remote(self._with_library), f"worker {number}"))

    def _wanted(self, ray: Any) -> int:
        if self._settings.workers:
            return self._settings.workers
        return max(1, int(sum(n["Resources"].get("CPU", 0) for n in ray.nodes() if n["Alive"])))

    def _send(self, slot: _Slot) -> None:
        while len(slot.sent) < AHEAD and self._queue and not self.stop:
            # An answer can be lost with the worker that dies just after it. So what is suspected has the worker to itself,
            # or somebody else is blamed.
            if slot.sent and (self._queue[0][2].alone or any(w.alone for w in slot.sent[-1].work)):
                return
            batch: List[_Work] = []
            jobs: List[Job] = []
            for work in self._take():
                job = self._job(work)
                if job is not None:
                    work.number = job.number
                    batch.append(work)
                    jobs.append(job)
            if not jobs:
                continue
            ref = slot.actor.run.remote(jobs)
            now = time.monotonic()
            self._first = self._first or now
            if slot.begun == 0.0:
                slot.begun = now
                self._begins.append(now - self._first)
            if not slot.sent:
                slot.head_since = now
            slot.sent.append(_Sent(ref, batch, {j.number: j for j in jobs}, sum(map(execute.patience, jobs))))

    def _job(self, work: _Work) -> Optional[Job]:
        """The call, with the text as it is now."""
        item = self._plan.items[work.item]
        try:
            text = self._reader.read(item.source)
        except OSError as error:
            self._plan.errors.append(f"{plain(item.source.name)}: {plain(error.strerror or error)}")
            return None
        functions = work.functions
        if text.key() != item.key:
            # It was changed under our hands: what is answered is what it is now.
            item.key, item.whole, item.size = text.key(), execute.whole_key(text), len(text.source)
            if text.kind != "verify":
                item.listed = [Listed(execute.WHOLE, 0, item.size, item.whole)]
            else:
                functions, item.listed = (), None
        work.functions = functions
        known = item.known if work.known and not functions else frozenset()
        return Job(next(self._numbers), text, functions, known, work.together)

    # What comes back.

    def _accept(self, slot: _Slot, batch: Batch) -> None:
        sent = slot.sent.popleft()
        slot.head_since = time.monotonic()
        self._last = slot.head_since
        self._run.batches += 1
        self._run.idle += min(batch.idle, 1.0)
        self._run.beside += batch.beside
        answered = {result.number: result for result in batch.results}
        for work in sent.work:
            result = answered.get(work.number)
            if result is None:
                self._push(work)
            else:
                self._take_in(work, sent.texts[work.number], result)

    def _take_in(self, work: _Work, job: Job, result: Result) -> None:
        if result.over:
            self._left_behind(work, job, f"over its {result.over} limit, and did not stop by itself")
            return
        item = self._plan.items[work.item]
        listed = result.listed
        if not job.functions and listed is None and job.text.kind == "verify":
            listed = [Listed(execute.WHOLE, 0, len(job.text.source), result.rows[0].key)]
        if listed is not None:
            item.listed = listed
            self._progress.total += max(1, len(listed)) - 1
            self._texts.append((item.key, job.text.kind, job.text.name, listed))
            answered = {row.key for row in result.rows}
            missing = [f for f in listed if f.key not in answered and f.key not in self._plan.done]
            self._progress.cached += sum(f.key in self._plan.done and f.key not in answered for f in listed)
            for f in missing:
                self._push(_Work(work.item, (f,), together=self._settings.together))
        self._note(job.text, result.rows, work.tries)
        if result.rows:
            self._plan.predictor.learn(sum(r.size for r in result.rows), result.seconds)

    def _note(self, text: Text, rows: Iterable[Row], tries: int) -> None:
        for row in rows:
            row.tries = tries
            self.internal = self.internal or row.message.startswith("internal error")
            self._progress.verdicts[row.verdict] += 1
            self._rows.append((row, text.version, text.options.text()))

    def _left_behind(self, work: _Work, job: Job, why: str) -> None:
        """Nothing came of a call: each of its functions alone, or the end of it."""
        if len(job.functions) > 1:
            for f in job.functions:
                self._push(replace(work, functions=(f,), tries=work.tries, alone=True))
        elif not job.functions and job.text.kind == "verify" and work.together > 0:
            self._push(replace(work, together=0, alone=True))
        else:
            item = self._plan.items[work.item]
            rows = rows_about(job, why)
            if job.text.kind == "verify" and not job.functions:
                item.listed = [Listed(execute.WHOLE, 0, item.size, rows[0].key)]
                self._texts.append((item.key, "verify", item.source.name, item.listed))
            self._note(job.text, rows, work.tries)

    def _bury(self, slot: _Slot, why: str, suspect: bool = True) -> None:
        """A worker is gone. What it had goes back."""
        self._slots.remove(slot)
        if suspect:
            self._run.crashes += 1
            self._progress.crashes += 1
            at = ", ".join(self._plan.items[w.item].source.name for w in slot.sent[0].work[:3]) if slot.sent else "nothing"
            self.lost.append(f"{slot.name}: {why}, at {at}")
            self._progress.say(f"lost {plain(self.lost[-1])}")
        for place, sent in enumerate(slot.sent):
            for work in sent.work:
                if place == 0 and suspect:
                    lone = len(sent.work) == 1
                    work.alone = True
                    if lone and work.tries >= self._settings.tries:
                        self._left_behind(work, sent.texts[work.number], f"its worker was lost {work.tries} times: {why}")
                        continue
                    work.tries += 1
                self._push(work)
        slot.sent.clear()

    def _retire(self, ray: Any, slot: _Slot) -> None:
        """A worn worker is replaced; it has nothing to answer for."""
        self._bury(slot, "", suspect=False)
        ray.kill(slot.actor)

    # The loop.

    def run(self) -> None:
        """Everything that is open in the plan."""
        for number in self._plan.unlisted:
            self._push(_Work(number, (), together=self._settings.together))
        for number, functions in self._plan.open:
            for f in functions:
                self._push(_Work(number, (f,), together=self._settings.together))
        if not self._queue or self.stop:
            return
        # Ray writes about lost workers to standard output, which is for answers; the run names them itself.
        with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
            self._with_ray()

    def _with_ray(self) -> None:
        ray = local.start(self._settings.address, self._settings.workers)
        try:
            self._progress.begin()
            self._loop(ray)
        finally:
            self._commit()
            self._run.working = max(0.0, self._last - self._first)
            others = self._begins[1:self._run.workers]
            self._run.ramp = sum(others) / len(others) if others else 0.0
            # Nobody is waited for: what is under way is not in the table, and is done next time.
            for slot in self._slots:
                ray.kill(slot.actor)
            ray.shutdown()

    def _loop(self, ray: Any) -> None:
        grown = 0.0
        wanted = 1
        while not self.stop and (self._queue or any(s.sent for s in self._slots)):
            now = time.monotonic()
            if now - grown > GROW:
                wanted, grown = self._wanted(ray), now
                self._run.workers = max(self._run.workers, wanted)
            self._hire(ray, min(wanted, max(1, len(self._queue)) + sum(len(s.sent) > 0 for s in self._slots)))
            for slot in [s for s in self._slots if s.ready]:
                self._send(slot)
            waiting = {(s.sent[0].ref if s.ready else s.born): s for s in self._slots if s.sent or not s.ready}
            if waiting:
                # Ray gives one as soon as there is one; those that are there besides are taken with it.
                done, _ = ray.wait(list(waiting), num_returns=1, timeout=0.2)
                for ref in done:
                    self._receive(ray, waiting[ref], ref)
            for slot in list(self._slots):
                if slot.sent and time.monotonic() - slot.head_since > slot.sent[0].patience + SILENT:
                    ray.kill(slot.actor)
                    self._bury(slot, "it said nothing for too long")
            if time.monotonic() - self._committed > COMMIT or len(self._rows) > 2000:
                self._commit()
            self._progress.show()

    def _receive(self, ray: Any, slot: _Slot, ref: Any) -> None:
        try:
            value = ray.get(ref)
        except ray.exceptions.RayTaskError as error:
            if not slot.ready:
                self._stillborn(f"a worker cannot begin: {plain(error.cause)}")
                self._slots.remove(slot)
            else:
                self._bury(slot, f"internal error: {error.cause}")
            return
        except ray.exceptions.RayError as error:
            if not slot.ready:
                self._stillborn(f"workers do not begin: {plain(error)[:500]}")
            self._bury(slot, "its process or machine is gone")
            return
        if slot.ready:
            self._accept(slot, value)
            if value.worn:
                self._retire(ray, slot)
            return
        if self._with_library and value.version != library_version():
            raise Fault(INTERNAL, f"{plain(value.name)} has catena {plain(value.version)}, and this is {library_version()}")
        slot.ready, slot.name, self._failed_births = True, value.name, 0

    def _stillborn(self, why: str) -> None:
        self._failed_births += 1
        if self._failed_births > 3 + 2 * max(1, len(self._slots)):
            raise Fault(INTERNAL, why)

    def _commit(self) -> None:
        rows, texts = self._rows, self._texts
        self._rows, self._texts = [], []
        self._committed = time.monotonic()
        if rows or texts:
            self._run.done += len(rows)
            self._table.add(rows, texts, self._settings.again)
