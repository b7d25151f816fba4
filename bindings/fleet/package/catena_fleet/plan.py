"""What is still to be done: the texts of a command against the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

from .execute import WHOLE, whole_key
from .faults import plain
from .predict import Predictor
from .sources import Reader, Source
from .table import Entry, Table
from .tasks import Listed, Text


@dataclass
class Item:
    """One text of the run."""

    source: Source
    #: The key of the text and of the row about all of it, when it was last read.
    key: str
    whole: str
    size: int
    #: Its functions, if they are known; their rows may be missing.
    listed: Optional[List[Listed]] = None
    #: Keys of rows about former states of the text.
    known: FrozenSet[str] = frozenset()

    def entries(self) -> List[Entry]:
        """Its tasks, for the list of the latest run; one for all while its functions are not known."""
        of = self.listed if self.listed is not None else [Listed(WHOLE, 0, self.size, self.whole)]
        if not of:
            of = [Listed(WHOLE, 0, self.size, self.whole)]
        return [Entry(f.key, f.line, self.source.collection, self.source.expectation(f.function)) for f in of]


@dataclass
class Plan:
    """All texts, and which functions of them are open."""

    items: List[Item]
    done: Set[str]
    predictor: Predictor
    errors: List[str] = field(default_factory=list)
    #: Of items: those that are to be listed first, or are a single task.
    unlisted: List[int] = field(default_factory=list)
    #: Functions without an answer, by item.
    open: List[Tuple[int, List[Listed]]] = field(default_factory=list)

    def cached(self) -> int:
        """Tasks that are answered in the table."""
        total = sum(len(item.entries()) for item in self.items)
        return total - len(self.unlisted) - sum(len(functions) for _, functions in self.open)

    def entries(self) -> List[Entry]:
        """All tasks in order."""
        return [entry for item in self.items for entry in item.entries()]


def make(sources: Sequence[Source], table: Table, reader: Reader, again: Sequence[str], kinds: Sequence[str]) -> Plan:
    """Reads all texts once; rows with the verdicts in `again` count as missing."""
    done = table.keys()
    redo = table.keys(again) if again else set()
    done -= redo
    texts = table.texts()
    by_file = table.keys_by_file("verify") if "verify" in kinds else {}
    times = {place: seconds for kind in kinds for place, seconds in table.times(kind).items()}
    plan = Plan([], done, Predictor(times))
    for source in sources:
        try:
            text = reader.read(source)
        except OSError as error:
            plan.errors.append(f"{plain(source.name)}: {plain(error.strerror or error)}")
            continue
        item = item_of(source, text)
        number = len(plan.items)
        plan.items.append(item)
        if source.kind != "verify":
            item.listed = [Listed(WHOLE, 0, item.size, item.whole)]
            if item.whole not in done:
                plan.unlisted.append(number)
            continue
        item.listed = texts.get(item.key)
        item.known = frozenset(by_file.get(source.name, set()) - redo)
        if item.listed is None or (item.listed == [] and item.whole not in done):
            item.listed = None
            plan.unlisted.append(number)
            continue
        functions = [f for f in item.listed if f.key not in done]
        if any(f.function == WHOLE for f in functions):
            item.listed = None
            plan.unlisted.append(number)
        elif functions:
            plan.open.append((number, functions))
    return plan


def item_of(source: Source, text: Text) -> Item:
    """The item for a text as it was read."""
    return Item(source, text.key(), whole_key(text), len(text.source))


def names(items: Sequence[Item]) -> Dict[str, str]:
    """The name of each task by its key."""
    return {f.key: f"{item.source.name}:{f.function}" for item in items for f in item.listed or []}
