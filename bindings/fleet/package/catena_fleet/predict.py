"""How long a task will take: as long as the last time, or by the size of its text.

The longest are done first, so that no long task is begun when all others are done. The prediction changes the order and how many
tasks travel together, and nothing else.
"""

from __future__ import annotations

from typing import Dict, Iterable, List, Tuple

#: Seconds per byte before anything was measured.
_RATE = 1e-5


class Predictor:
    """Learns from what was measured."""

    def __init__(self, times: Dict[Tuple[str, str], float]) -> None:
        self._times = times
        self._files: Dict[str, float] = {}
        for (file, _), seconds in times.items():
            self._files[file] = self._files.get(file, 0.0) + seconds
        self._size = 1.0
        self._seconds = _RATE

    def of_function(self, file: str, function: str, size: int) -> float:
        """Seconds for a function."""
        return self._times.get((file, function)) or self.by_size(size)

    def of_text(self, file: str, size: int) -> float:
        """Seconds for all functions of a text."""
        return self._files.get(file) or self.by_size(size)

    def by_size(self, size: int) -> float:
        """Seconds for something that was never measured."""
        return max(1, size) * self._seconds / self._size

    def learn(self, size: int, seconds: float) -> None:
        """Something of this size took so long. What is long ago counts less."""
        keep = 0.99 if self._size > 1 else 0.0
        self._size = keep * self._size + max(1, size)
        self._seconds = keep * self._seconds + seconds


def longest_first(times: Iterable[float]) -> List[int]:
    """The order in which to begin."""
    known = list(times)
    return sorted(range(len(known)), key=lambda i: (-known[i], i))
