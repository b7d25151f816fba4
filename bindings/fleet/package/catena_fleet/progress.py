"""The line that says how far a run is."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TextIO


class Progress:
    """Counts verdicts; on a terminal one line is written again and again."""

    def __init__(self, mode: str = "auto", out: TextIO = sys.stderr) -> None:
        self.verdicts: "Counter[str]" = Counter()
        self.total = 0
        self.cached = 0
        self.crashes = 0
        self._out = out
        self._shown = mode == "always" or (mode == "auto" and out.isatty())
        self._start = time.monotonic()
        self._last = 0.0

    @property
    def done(self) -> int:
        """Answered in this run."""
        return sum(self.verdicts.values())

    def text(self) -> str:
        """The line."""
        elapsed = max(1e-6, time.monotonic() - self._start)
        counts = ", ".join(f"{n} {word}" for word, n in sorted(self.verdicts.items()))
        parts = [f"{self.cached + self.done} of {self.total}", f"{self.done / elapsed:.1f}/s"]
        parts += [f"{self.cached} in the table"] if self.cached else []
        parts += [counts] if counts else []
        parts += [f"{self.crashes} workers lost"] if self.crashes else []
        return ", ".join(parts)

    def begin(self) -> None:
        """The work begins now: the rate counts from here."""
        self._start = time.monotonic()

    def show(self) -> None:
        """Writes the line, a few times a second."""
        now = time.monotonic()
        if self._shown and now - self._last > 0.2:
            self._last = now
            self._out.write(f"\r\x1b[K{self.text()}")
            self._out.flush()

    def say(self, message: str) -> None:
        """A line of its own."""
        if self._shown:
            self._out.write("\r\x1b[K")
        self._out.write(f"catena-fleet: {message}\n")
        self._out.flush()

    def end(self) -> None:
        """The line is left behind."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
