"""The table: one SQLite file with one row per answered task, by the hash of what the task is about.

The file is data, and may be anybody's: before it is used, its mark, its version, its schema (exactly ours: no triggers, no
views) and its integrity are looked at, and every value that is read is checked. Nothing in it is ever run.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple
from urllib.parse import quote

from .faults import INTERNAL, REJECTED, USAGE, Fault, plain
from .tasks import VERDICTS, Listed, Row

#: `CtFl`, at a place of the file that says whose it is.
MARK = 0x4374466C
FORMAT = 1
#: Tables that are larger are not looked through before they are used.
LOOKED_THROUGH = 64 << 20

_SCHEMA = (
    """CREATE TABLE tasks (key TEXT PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL, function TEXT NOT NULL,
 verdict TEXT NOT NULL, engine TEXT NOT NULL, message TEXT NOT NULL, place TEXT NOT NULL, line INTEGER NOT NULL,
 seconds REAL NOT NULL, size INTEGER NOT NULL, answers TEXT NOT NULL, tries INTEGER NOT NULL, worker TEXT NOT NULL,
 version TEXT NOT NULL, options TEXT NOT NULL, finished REAL NOT NULL)""",
    """CREATE TABLE texts (key TEXT PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL, functions TEXT NOT NULL)""",
    """CREATE TABLE latest (position INTEGER PRIMARY KEY, key TEXT NOT NULL, line INTEGER NOT NULL,
 collection TEXT NOT NULL, expected TEXT NOT NULL)""",
    """CREATE TABLE runs (number INTEGER PRIMARY KEY, command TEXT NOT NULL, version TEXT NOT NULL, options TEXT NOT NULL,
 started REAL NOT NULL, seconds REAL NOT NULL, working REAL NOT NULL, workers INTEGER NOT NULL, tasks INTEGER NOT NULL,
 done INTEGER NOT NULL, crashes INTEGER NOT NULL, batches INTEGER NOT NULL,
 idle REAL NOT NULL, beside REAL NOT NULL, ramp REAL NOT NULL, ended TEXT NOT NULL)""",
    """CREATE INDEX by_file ON tasks (kind, file)""",
)
_SHAPE: Tuple[Tuple[str, type], ...] = (
    ("key", str), ("kind", str), ("file", str), ("function", str), ("verdict", str), ("engine", str), ("message", str),
    ("place", str), ("line", int), ("seconds", float), ("size", int), ("answers", str), ("tries", int), ("worker", str))


@dataclass(frozen=True)
class Entry:
    """A task of the latest run, in order, with what was expected of it."""

    key: str
    line: int
    collection: str = ""
    expected: str = ""


@dataclass
class Run:
    """One run, for those who look at the table later."""

    command: str
    version: str
    options: str
    started: float
    #: From the beginning to the end, and from the first job to the last.
    seconds: float = 0.0
    working: float = 0.0
    workers: int = 0
    tasks: int = 0
    done: int = 0
    crashes: int = 0
    batches: int = 0
    #: Time of workers between batches, and in batches beside their tasks.
    idle: float = 0.0
    beside: float = 0.0
    #: How much later than the first the other workers began, in the mean.
    ramp: float = 0.0
    ended: str = "running"


class Table:
    """An open table."""

    def __init__(self, path: str, write: bool) -> None:
        self.path = path
        self._number: Optional[int] = None
        new = not os.path.exists(path) or os.path.getsize(path) == 0
        if new and not write:
            raise Fault(USAGE, f"{plain(path)}: there is no table")
        if not new and not os.path.isfile(path):
            raise Fault(USAGE, f"{plain(path)}: this is no file")
        try:
            uri = f"file:{quote(os.path.abspath(path))}?mode={'rwc' if write else 'ro'}"
            self._db = sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None)
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "synchronous=FULL"):
                self._db.execute(f"PRAGMA {pragma}")
            if new:
                self._make()
            else:
                self._look()
                if write:
                    self._db.execute("BEGIN IMMEDIATE")
                    self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def _fault(self, error: sqlite3.Error) -> Fault:
        text = str(error)
        if "readonly" in text or "unable to open" in text:
            return Fault(USAGE, f"{plain(self.path)}: the table cannot be written: {plain(text)}")
        if "full" in text or "disk I/O" in text:
            return Fault(INTERNAL, f"{plain(self.path)}: {plain(text)}; what is in the table stays, and a run goes on from it")
        if "locked" in text:
            return Fault(USAGE, f"{plain(self.path)}: another program keeps the table to itself: {plain(text)}")
        return Fault(REJECTED, f"{plain(self.path)}: this is no table of catena-fleet, or it is damaged: {plain(text)}")

    def _make(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            self._db.execute(statement)
        self._db.execute(f"PRAGMA application_id={MARK}")
        self._db.execute(f"PRAGMA user_version={FORMAT}")
        self._db.execute("COMMIT")

    def _look(self) -> None:
        mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        if mark != MARK:
            raise Fault(REJECTED, f"{plain(self.path)}: this is no table of catena-fleet")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version != FORMAT:
            raise Fault(REJECTED, f"{plain(self.path)}: a table of format {version}; this program knows format {FORMAT}. "
                                  "Name another file, or export it with the program that made it")
        found = {row[0] for row in self._db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        if found != set(_SCHEMA):
            raise Fault(REJECTED, f"{plain(self.path)}: the schema of this table is not ours")
        if os.path.getsize(self.path) <= LOOKED_THROUGH:
            said = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if said != "ok":
                raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: {plain(said)}")

    def _all(self, query: str, given: Sequence[object] = ()) -> List[Tuple[Any, ...]]:
        try:
            return self._db.execute(query, given).fetchall()
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def _write(self, work: Iterable[Tuple[str, Iterable[Sequence[object]]]]) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, rows in work:
                self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            try:
                self._db.execute("ROLLBACK")
            except sqlite3.Error:
                pass
            raise self._fault(error) from None

    def close(self) -> None:
        """Nothing is read or written after this."""
        self._db.close()

    # What is there.

    def texts(self) -> Dict[str, List[Listed]]:
        """The functions of each text that was listed, by its key."""
        made = {}
        for key, functions in self._all("SELECT key, functions FROM texts"):
            listed = _listed(functions)
            if isinstance(key, str) and listed is not None:
                made[key] = listed
        return made

    def times(self, kind: str) -> Dict[Tuple[str, str], float]:
        """How long each function took when it was last decided, in any version, by any options."""
        found = self._all("SELECT file, function, seconds FROM tasks WHERE kind = ? ORDER BY finished", (kind,))
        return {(f, g): s for f, g, s in found if isinstance(s, float) and 0 <= s < 1e9}

    def keys(self, verdicts: Optional[Sequence[str]] = None) -> Set[str]:
        """The keys of all rows, or of those with these verdicts."""
        if verdicts is None:
            return {key for key, in self._all("SELECT key FROM tasks")}
        marks = ",".join("?" * len(verdicts))
        return {key for key, in self._all(f"SELECT key FROM tasks WHERE verdict IN ({marks})", verdicts)}

    def keys_by_file(self, kind: str) -> Dict[str, Set[str]]:
        """The keys of all rows of a kind, by the name of the text."""
        made: Dict[str, Set[str]] = {}
        for file, key in self._all("SELECT file, key FROM tasks WHERE kind = ?", (kind,)):
            made.setdefault(file, set()).add(key)
        return made

    def latest(self) -> List[Tuple[Entry, Optional[Row]]]:
        """What the latest run was about, in order; a task without a row is open."""
        columns = ", ".join(f"t.{name}" for name, _ in _SHAPE)
        query = (f"SELECT l.key, l.line, l.collection, l.expected, {columns} FROM latest l LEFT JOIN tasks t "
                 "ON t.key = l.key ORDER BY l.position")
        made = []
        for key, line, collection, expected, *values in self._all(query):
            if not (isinstance(key, str) and isinstance(line, int) and isinstance(collection, str)
                    and isinstance(expected, str)):
                raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: a task without a name")
            made.append((Entry(key, line, collection, expected), None if values[0] is None else self._row(values)))
        return made

    def rows(self) -> Iterator[Row]:
        """All rows, of all runs."""
        columns = ", ".join(name for name, _ in _SHAPE)
        for values in self._all(f"SELECT {columns} FROM tasks ORDER BY kind, file, function, finished"):
            yield self._row(values)

    def _row(self, values: Sequence[Any]) -> Row:
        named = dict(zip((name for name, _ in _SHAPE), values))
        for name, kind in _SHAPE:
            if not isinstance(named[name], kind):
                raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: {name} is no {kind.__name__}")
        try:
            named["answers"] = json.loads(named["answers"])
        except (ValueError, RecursionError):
            named["answers"] = None
        if not isinstance(named["answers"], list) or not all(isinstance(a, dict) for a in named["answers"]):
            raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: answers are no list")
        if named["verdict"] not in VERDICTS.get(named["kind"], ()) or not 0 <= named["seconds"] < 1e9:
            raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: no such verdict or time")
        return Row(**named)

    def runs(self) -> List[Run]:
        """All runs, in order."""
        names = list(Run.__dataclass_fields__)
        shape = [str, str, str, float, float, float, int, int, int, int, int, float, float, float, str]
        made = []
        for values in self._all(f"SELECT {', '.join(names)} FROM runs ORDER BY number"):
            if not all(isinstance(v, kind) for v, kind in zip(values, shape)):
                raise Fault(REJECTED, f"{plain(self.path)}: the table is damaged: a run that is none")
            made.append(Run(*values))
        return made

    # What is added.

    def add(self, rows: Sequence[Tuple[Row, str, str]], texts: Sequence[Tuple[str, str, str, List[Listed]]],
            again: bool = False) -> None:
        """Adds rows with version and options, and lists of functions. A key that is there stays as it is, unless the
        answer was asked for `again`."""
        now = time.time()
        verb = "INSERT OR REPLACE" if again else "INSERT OR IGNORE"
        row_values = [(*(json.dumps(r.answers) if name == "answers" else getattr(r, name) for name, _ in _SHAPE), version,
                       options, now) for r, version, options in rows]
        text_values = [(key, kind, file, json.dumps([[f.function, f.line, f.size, f.key] for f in functions]))
                       for key, kind, file, functions in texts]
        self._write([(f"{verb} INTO tasks VALUES ({','.join('?' * 17)})", row_values),
                     ("INSERT OR REPLACE INTO texts VALUES (?,?,?,?)", text_values)])

    def set_latest(self, entries: Sequence[Entry]) -> None:
        """These are the tasks that the run is about."""
        values = [(i, e.key, e.line, e.collection, e.expected) for i, e in enumerate(entries)]
        self._write([("DELETE FROM latest WHERE ? = 0", [(0,)]), ("INSERT INTO latest VALUES (?,?,?,?,?)", values)])

    def note_run(self, run: Run) -> None:
        """Writes the run down, once more whenever there is news of it."""
        names = list(Run.__dataclass_fields__)
        values = [getattr(run, name) for name in names]
        if self._number is None:
            self._number = 1 + max((n for n, in self._all("SELECT number FROM runs")), default=0)
        statement = f"INSERT OR REPLACE INTO runs (number, {', '.join(names)}) VALUES ({','.join('?' * (len(names) + 1))})"
        self._write([(statement, [(self._number, *values)])])


def _listed(text: object) -> Optional[List[Listed]]:
    try:
        found = json.loads(text) if isinstance(text, str) else None
        if not isinstance(found, list):
            return None
        made = [Listed(*item) for item in found]
    except (ValueError, TypeError, RecursionError):
        return None
    good = all(isinstance(f.function, str) and isinstance(f.line, int) and isinstance(f.size, int)
               and isinstance(f.key, str) for f in made)
    return made if good else None
