"""What a table says: lines, a summary, CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from dataclasses import asdict
from typing import Any, Dict, Iterator, List, Optional, Sequence, TextIO, Tuple

from .faults import REJECTED, UNDECIDED, VERIFIED, VIOLATED, plain
from .table import Entry, Run, Table
from .tasks import Row

Answered = List[Tuple[Entry, Optional[Row]]]
_GOOD = frozenset(("verified", "sat", "unsat", "several", "true", "quiet"))
_BAD = frozenset(("violated", "false", "complaint"))
_COLUMNS = ("file", "function", "line", "collection", "expected", "judgement", "verdict", "engine", "seconds", "message",
            "place", "tries", "worker", "kind", "size", "key")


def status(answered: Answered) -> int:
    """The exit status that `catena verify` would have for all of it."""
    verdicts = {row.verdict if row else "open" for _, row in answered}
    if "rejected" in verdicts:
        return REJECTED
    if verdicts & _BAD:
        return VIOLATED
    if verdicts <= _GOOD | {"nothing"} and verdicts & _GOOD:
        return VERIFIED
    return UNDECIDED


def place(entry: Entry, row: Row) -> str:
    """Where the message points to; the function may have moved since."""
    if not row.place:
        return ""
    return f"{row.file}:{entry.line + row.line}" if row.place == "own" else f"{row.place}:{row.line}"


def line(entry: Entry, row: Optional[Row], name: str = "") -> str:
    """One answer, as `catena verify` begins it."""
    if row is None:
        return plain(f"{name or entry.key}: open")
    of = f"{row.file}:{row.function}" if row.function else row.file
    by = f"{row.engine}, " if row.engine else ""
    where = place(entry, row)
    about = f": {where + ': ' if where else ''}{row.message}" if row.message else ""
    return plain(f"{of}: {row.verdict} ({by}{row.seconds * 1000:.0f} ms){about}")


def judgement(entry: Entry, row: Optional[Row]) -> str:
    """`right`, `wrong`, `undecided`, or nothing where nothing was expected."""
    if not entry.expected:
        return ""
    if row is None or row.verdict not in _GOOD | _BAD | {"too-weak"}:
        return "undecided"
    if row.verdict == entry.expected.split("(")[0]:
        part = entry.expected.partition("(")[2].rstrip(")")
        return "right" if not part or row.message == part else "wrong"
    return "undecided" if row.verdict == "too-weak" else "wrong"


def summary(answered: Answered, runs: Sequence[Run]) -> Iterator[str]:
    """How many of each verdict, what it took, and how the latest run went."""
    counts = Counter(row.verdict if row else "open" for _, row in answered)
    seconds = sum(row.seconds for _, row in answered if row)
    parts = ", ".join(f"{n} {word}" for word, n in counts.most_common())
    yield f"{len(answered)} tasks: {parts or 'none'}; {seconds:.1f} s of work"
    slow = sorted((row.seconds, line(entry, row)) for entry, row in answered if row)[-3:]
    for taken, text in reversed(slow):
        if taken > 1:
            yield f"  slow: {text}"
    again = [row for _, row in answered if row and row.tries > 1]
    if again:
        yield f"  done more than once, because workers were lost: {len(again)}"
    if runs:
        run = runs[-1]
        rate = f", {run.done / run.working:.1f}/s" if run.working > 0 and run.done else ""
        yield plain(f"run {len(runs)}: {run.command}, {run.ended}, {run.done} done in {run.seconds:.1f} s{rate}, "
                    f"{run.workers} workers, {run.crashes} lost, catena {run.version}")


def judged(answered: Answered) -> Tuple[List[str], int]:
    """Right, wrong and undecided by set; the exit status is 1 if anything is wrong."""
    sets: Dict[str, "Counter[str]"] = defaultdict(Counter)
    seconds: Dict[str, float] = defaultdict(float)
    for entry, row in answered:
        word = judgement(entry, row) or "no expectation"
        for name in (entry.collection, "all"):
            sets[name][word] += 1
            seconds[name] += row.seconds if row else 0.0
    width = max([len(plain(name)) for name in sets] + [3])
    lines = [f"{'set':{width}} {'right':>7} {'wrong':>7} {'undecided':>9} {'seconds':>9}"]
    for name in sorted(sets, key=lambda n: (n == "all", n)):
        c = sets[name]
        lines.append(f"{plain(name):{width}} {c['right']:7} {c['wrong']:7} {c['undecided']:9} {seconds[name]:9.1f}")
    if sets["all"]["no expectation"]:
        lines.append(f"without an expectation: {sets['all']['no expectation']}")
    code = VIOLATED if sets["all"]["wrong"] else UNDECIDED if sets["all"]["undecided"] else VERIFIED
    return lines, code


def _records(answered: Answered) -> Iterator[Dict[str, Any]]:
    for entry, row in answered:
        record: Dict[str, Any] = asdict(row) if row else {"key": entry.key, "verdict": "open"}
        if row:
            record["place"] = place(entry, row)
        record.update(line=entry.line, collection=entry.collection, expected=entry.expected,
                      judgement=judgement(entry, row))
        yield record


def as_csv(answered: Answered, out: TextIO) -> None:
    """One line per task. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for record in _records(answered):
        writer.writerow([_cell(record.get(name, "")) for name in _COLUMNS])


def _cell(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, str):
        text = plain(value)
        return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
    return value


def as_json(answered: Answered, runs: Sequence[Run], out: TextIO) -> None:
    """Everything, with the runs."""
    json.dump({"format": 1, "runs": [asdict(run) for run in runs], "tasks": list(_records(answered))}, out, indent=1)
    out.write("\n")


def everything(table: Table) -> Answered:
    """The rows of all runs as if one run had been about them."""
    return [(Entry(row.key, 0), row) for row in table.rows()]
