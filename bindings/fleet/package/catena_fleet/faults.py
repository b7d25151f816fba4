"""What stops a run, with the exit status that says so."""

from __future__ import annotations

VERIFIED = 0
VIOLATED = 1
UNDECIDED = 2
USAGE = 64
REJECTED = 65
INTERNAL = 70
INTERRUPTED = 130


class Fault(Exception):
    """The run cannot go on; the message is for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def plain(text: object) -> str:
    """Text that may come from a file of others, without what would steer a terminal."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else f"\\x{ord(c):02x}" for c in str(text))
