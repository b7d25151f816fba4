"""What more workers would bring, from the times in a table.

A run is played through: workers take batches from a queue, the longest first or in the order of the list, each batch costs what the
measured run lost between two batches, and the run is over when the last worker is. What is counted is throughput, the share of
time in which workers had nothing to do, and what the slowest tasks cost: the time after which they were the only ones at work.

*Splitting* races the engines of one function on several workers, the others are cancelled when one has decided. Its times are
measured, not guessed: they come from rows of the same function with `--engine E` in the same table. A function that no single
engine was asked about is not split.
"""

from __future__ import annotations

import heapq
import json
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from typing import Dict, List, Optional, Sequence, TextIO, Tuple

from .fleet import LARGEST, MOST, SMALLEST
from .table import Run
from .tasks import Row

#: The share of the tasks that is called slow.
SLOW = 0.01


@dataclass(frozen=True)
class Task:
    """One task: what it takes, what it is thought to take, and what each engine alone takes that decides it."""

    seconds: float
    predicted: float
    engines: Tuple[float, ...] = ()


@dataclass(frozen=True)
class Played:
    """How a run went."""

    workers: int
    order: str
    split: bool
    seconds: float
    per_second: float
    #: Of all the time of all workers, the share with nothing to do.
    idle: float
    #: Seconds at the end in which less than half of the workers had work.
    tail: float
    #: How much sooner the run would be over if the slowest tasks took no time.
    slowest: float


@dataclass(frozen=True)
class Costs:
    """What a run loses beside its tasks: with each batch, until all workers have begun, and with each task."""

    gap: float = 0.0
    ramp: float = 0.0
    each: float = 0.0


def play(tasks: Sequence[Task], workers: int, order: str, costs: Costs, split: bool = False) -> Tuple[float, float, float]:
    """Seconds until all is done, seconds of work and seconds of the tail."""
    queue = [replace(t, predicted=t.seconds) for t in tasks] if order == "known" else list(tasks)
    if order != "listed":
        queue.sort(key=lambda t: -t.predicted)
    left = sum(t.predicted for t in queue)
    gap = costs.gap
    free = [(costs.ramp if i else 0.0, i) for i in range(workers)]
    heapq.heapify(free)
    ends: List[float] = []
    worked = 0.0
    at = 0
    while at < len(queue):
        now, worker = heapq.heappop(free)
        target = min(LARGEST, max(SMALLEST, left / (3 * workers)))
        first = queue[at]
        if split and len(first.engines) > 1 and free and min(first.engines) < first.seconds:
            # As many workers as there are engines, or as are there; they begin when all of them are free.
            helpers = [heapq.heappop(free) for _ in range(min(len(first.engines), workers) - 1)]
            # With fewer workers than engines, those that were not begun do not count: the best are unknown beforehand.
            taken = min(first.engines[:len(helpers) + 1])
            begin = max([now] + [h[0] for h in helpers])
            end = begin + min(taken, first.seconds) + costs.each + gap
            worked += (1 + len(helpers)) * (end - begin)
            left -= first.predicted
            at += 1
            for name in [worker] + [h[1] for h in helpers]:
                heapq.heappush(free, (end, name))
            ends.append(end)
            continue
        batch, predicted = 0.0, 0.0
        n = 0
        while at < len(queue) and n < MOST and (n == 0 or predicted + queue[at].predicted <= target):
            batch += queue[at].seconds + costs.each
            predicted += queue[at].predicted
            at += 1
            n += 1
        left -= predicted
        worked += batch - n * costs.each
        heapq.heappush(free, (now + batch + gap, worker))
        ends.append(now + batch + gap)
    total = max(ends, default=0.0)
    last = sorted((time for time, _ in free), reverse=True)
    half = last[len(last) // 2] if last else 0.0
    return total, worked, max(0.0, total - half)


def tasks_of(rows: Sequence[Row], everything: Sequence[Row]) -> List[Task]:
    """The tasks of a run. The prediction is by size, as it is when nothing was measured before."""
    size = sum(max(1, row.size) for row in rows) or 1
    rate = sum(row.seconds for row in rows) / size
    alone: Dict[Tuple[str, str], List[Tuple[str, float]]] = defaultdict(list)
    for row in everything:
        if row.kind == "verify" and row.verdict in ("verified", "violated") and row.answers:
            engines = {a.get("engine") for a in row.answers}
            # Of `--engine E` all behaviours are answered by E.
            if len(engines) == 1:
                alone[row.file, row.function].append((str(engines.pop()), row.seconds))
    made = []
    for row in rows:
        named: Dict[str, float] = {}
        for engine, seconds in alone[row.file, row.function]:
            named[engine] = min(seconds, named.get(engine, seconds))
        made.append(Task(row.seconds, max(1, row.size) * rate, tuple(named[e] for e in sorted(named))))
    return made


def costs_of(runs: Sequence[Run]) -> Costs:
    """What the latest run lost that did something."""
    for run in reversed(runs):
        if run.batches > 0 and run.done > 0:
            return Costs(min(0.5, max(0.0, run.idle / run.batches)), min(60.0, max(0.0, run.ramp)),
                         min(0.5, max(0.0, run.beside / run.done)))
    return Costs(0.002)


def one(tasks: Sequence[Task], workers: int, order: str, costs: Costs, split: bool = False) -> Played:
    """One run, with and without its slowest tasks."""
    total, worked, tail = play(tasks, workers, order, costs, split)
    slow = max(1, int(len(tasks) * SLOW))
    bound = sorted((t.seconds for t in tasks), reverse=True)[slow - 1] if tasks else 0.0
    without, _, _ = play([t for t in tasks if t.seconds < bound], workers, order, costs, split)
    idle = 1 - worked / (total * workers) if total > 0 else 0.0
    return Played(workers, order, split, total, len(tasks) / total if total > 0 else 0.0, max(0.0, idle), tail,
                  total - without)


def print_all(rows: Sequence[Row], everything: Sequence[Row], runs: Sequence[Run], workers: Sequence[int], as_json: bool,
              out: TextIO) -> None:
    """A line per number of workers, order, and way of splitting."""
    tasks = tasks_of(rows, everything)
    costs = costs_of(runs)
    splittable = sum(len(t.engines) > 1 for t in tasks)
    played = [one(tasks, n, order, costs) for n in workers for order in ("listed", "predicted", "known")]
    if splittable:
        played += [one(tasks, n, "known", costs, True) for n in workers]
    played.sort(key=lambda p: p.workers)
    measured: Optional[Run] = next((r for r in reversed(runs) if r.done == r.tasks > 0 and r.ended == "complete"), None)
    if as_json:
        json.dump({"tasks": len(tasks), "costs": asdict(costs), "splittable": splittable, "played": [asdict(p) for p in played],
                   "measured": asdict(measured) if measured else None}, out, indent=1)
        out.write("\n")
        return
    work = sum(t.seconds for t in tasks)
    longest = max((t.seconds for t in tasks), default=0.0)
    out.write(f"{len(tasks)} tasks, {work:.1f} s of work, the longest {longest:.2f} s; {costs.gap * 1000:.1f} ms between "
              f"batches, {costs.each * 1000:.1f} ms with each task\n")
    if measured:
        out.write(f"measured: {measured.workers} workers, {measured.working:.2f} s from the first task to the last answer\n")
    out.write(f"{'workers':>7} {'order':>10} {'split':>6} {'seconds':>9} {'tasks/s':>9} {'idle':>6} {'tail':>8} "
              f"{'slowest 1 %':>12}\n")
    for p in played:
        out.write(f"{p.workers:7} {p.order:>10} {'yes' if p.split else 'no':>6} {p.seconds:9.2f} {p.per_second:9.1f} "
                  f"{p.idle:6.1%} {p.tail:8.2f} {p.slowest:12.2f}\n")
    if not splittable:
        out.write("splitting is not played: no function of this table was decided by two engines alone (`--engine E`)\n")
