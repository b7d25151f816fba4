"""The texts that a command is about: files, directories, lists, compilation databases; each with what it includes.

Workers may be on other machines, so a text travels with everything that it can include: every file that one of its `#include`
lines may mean. Names are seen from the root: the directory that is named, or the one of the list or database. So a project may
be moved, and its keys stay.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field, replace
from posixpath import dirname, join, normpath
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from . import flags
from .faults import USAGE, Fault, plain
from .tasks import Options, Text

DATABASE = "compile_commands.json"
_DEPTH = 64
#: Included files of one text, together.
_LARGEST = 64 << 20
_INCLUDE = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*(?:\"([^\"\n]+)\"|<([^>\n]+)>|(\S))",
                      re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A text that is read when it is needed."""

    kind: str
    root: str
    #: Seen from the root.
    name: str
    options: Options
    #: For `bench`: the set it belongs to, and what is right, by function.
    collection: str = ""
    expected: Tuple[Tuple[str, str], ...] = ()
    #: A text that is not read from the disk.
    given: Optional[bytes] = None

    def expectation(self, function: str) -> str:
        """What is right of a function, or nothing."""
        return dict(self.expected).get(function, "")


@dataclass
class Found:
    """What the operands stand for."""

    sources: List[Source] = field(default_factory=list)
    #: Worth saying.
    notes: List[str] = field(default_factory=list)
    #: What is wrong with the input; the rest goes on.
    errors: List[str] = field(default_factory=list)


class Reader:
    """Reads texts and what they include; included files are kept, because many texts include the same."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._kept: Dict[str, Optional[bytes]] = {}

    def read(self, source: Source) -> Text:
        """The text, as it is now. `OSError` if it cannot be read."""
        if source.given is not None:
            content = source.given
        else:
            with open(os.path.join(source.root, source.name), "rb") as file:
                content = file.read()
        files: Dict[str, bytes] = {}
        if source.kind == "verify":
            files = self._included(source, content)
        return Text(source.kind, source.name, content, files, source.options, self._version)

    def _file(self, root: str, name: str) -> Optional[bytes]:
        path = os.path.join(root, name)
        if path not in self._kept:
            try:
                with open(path, "rb") as file:
                    self._kept[path] = file.read()
            except OSError:
                self._kept[path] = None
        return self._kept[path]

    def _included(self, source: Source, content: bytes) -> Dict[str, bytes]:
        directories = source.options.include_directories
        files: Dict[str, bytes] = {}
        open_: List[Tuple[str, bytes]] = [(source.name, content)]
        computed = False
        total = 0

        def add(name: str) -> None:
            nonlocal total
            name = normpath(name)
            if name in files or name == source.name:
                return
            found = self._file(source.root, name)
            if found is not None and total + len(found) <= _LARGEST:
                total += len(found)
                files[name] = found
                open_.append((name, found))

        for name in source.options.includes:
            for place in ("", dirname(source.name), *directories):
                add(join(place, name))
        while open_:
            name, text = open_.pop()
            if b"include" not in text and b"import" not in text:
                continue
            for quoted, angled, other in _INCLUDE.findall(text):
                computed = computed or bool(other)
                path = (quoted or angled).decode(errors="replace")
                for place in ((dirname(name),) if quoted else ()) + directories:
                    if path:
                        add(join(place, path))
        if computed:
            self._ask(source, content, add)
        return files

    def _ask(self, source: Source, content: bytes, add) -> None:  # type: ignore[no-untyped-def]
        """What a macro includes is known to the library only."""
        import catena

        o = source.options

        def asked(path: str) -> Optional[bytes]:
            add(path)
            return self._file(source.root, normpath(path))

        try:
            catena.verify(content, file=source.name, steps=1, timeout=10, lp64=o.lp64, defines=o.defines,
                          undefines=o.undefines, includes=o.includes, include_directories=o.include_directories,
                          files=asked, pictures=False)
        except catena.Error:
            pass


def find(operands: Sequence[str], kind: str, ending: str, base: Options) -> Found:
    """What the operands stand for: directories, compilation databases, lists, and files with this ending."""
    found = Found()
    seen = set()
    for operand in operands:
        for source in _one(operand, kind, ending, base, found):
            place = (source.root, source.name)
            if place not in seen:
                seen.add(place)
                found.sources.append(source)
    return found


def _one(operand: str, kind: str, ending: str, base: Options, found: Found) -> Iterator[Source]:
    if os.path.isdir(operand):
        databases = [join(operand, DATABASE), join(operand, "build", DATABASE)] if kind == "verify" else []
        database = next((d for d in databases if os.path.isfile(d)), None)
        if database is not None:
            yield from _database(database, operand, base, found)
            return
        names = sorted(_below(operand, "", ending, _DEPTH, found))
        if not names:
            found.errors.append(f"{plain(operand)}: there is no {ending} file below it")
        for name in names:
            yield _source(kind, operand, name, base)
    elif not os.path.exists(operand):
        raise Fault(USAGE, f"{plain(operand)}: there is no such file or directory")
    elif operand.endswith(".json") and kind == "verify":
        yield from _database(operand, dirname(operand) or ".", base, found)
    elif operand.endswith((ending, ".i")):
        directory, name = os.path.split(operand)
        yield _source(kind, directory or ".", name, base)
    else:
        yield from _list(operand, kind, base, found)


def _source(kind: str, root: str, name: str, base: Options) -> Source:
    root = os.path.abspath(root)
    return Source(kind, root, name, _seen_from(base, root))


def _seen_from(options: Options, root: str) -> Options:
    """Directories of our own command line are seen from where it was typed, those of a text from its root."""
    def seen(path: str) -> str:
        return os.path.relpath(os.path.abspath(path), root)

    includes = tuple(seen(p) if os.path.isfile(p) else p for p in options.includes)
    return replace(options, include_directories=tuple(map(seen, options.include_directories)), includes=includes)


def _below(root: str, inside: str, ending: str, depth: int, found: Found) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(os.path.join(root, inside)), key=lambda e: e.name)
    except OSError as error:
        found.errors.append(f"{plain(join(root, inside))}: {error.strerror}")
        return
    for entry in entries:
        name = join(inside, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if depth > 0 and not entry.name.startswith("."):
                yield from _below(root, name, ending, depth - 1, found)
        elif entry.name.endswith(ending) and entry.is_file():
            yield name


def _list(path: str, kind: str, base: Options, found: Found) -> Iterator[Source]:
    root = dirname(path) or "."
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(USAGE, f"{plain(path)}: this is no list of files: {error}") from None
    if any("\0" in line for line in lines):
        raise Fault(USAGE, f"{plain(path)}: this is no list of files")
    for line in lines:
        name = line.strip()
        if name and not name.startswith("#"):
            yield _source(kind, root, os.path.relpath(os.path.join(root, name), root), base)


def _database(path: str, root: str, base: Options, found: Found) -> Iterator[Source]:
    try:
        with open(path, encoding="utf-8") as file:
            commands = json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        found.errors.append(f"{plain(path)}: {plain(error)}")
        return
    if not isinstance(commands, list):
        found.errors.append(f"{plain(path)}: expected a list of commands")
        return
    root = os.path.abspath(root)
    beside = os.path.abspath(dirname(path) or ".")
    first: Dict[str, Options] = {}
    for number, command in enumerate(commands, 1):
        words = _words(command)
        if isinstance(words, str):
            found.errors.append(f"{plain(path)}: command {number}: {words}")
            continue
        directory = os.path.normpath(os.path.join(beside, command["directory"]))
        name = os.path.relpath(os.path.join(directory, command["file"]), root)
        options, language = flags.read(words[1:], directory, base)
        end = os.path.splitext(name)[1]
        if language or end not in (".c", ".i", ".h"):
            found.notes.append(f"{plain(name)}: left out, it is {plain(language or f'`{end}`, not C')}")
            continue
        options = _seen_from(options, root)
        if name in first:
            if first[name] != options:
                found.notes.append(f"{plain(name)}: compiled several times with different flags; the first are used")
            continue
        first[name] = options
        yield Source("verify", root, name, options)
    if not first:
        found.errors.append(f"{plain(path)}: there is no C file in it")


def _words(command: object) -> "List[str] | str":
    if not isinstance(command, dict) or not isinstance(command.get("file"), str):
        return "`file` is missing"
    if not isinstance(command.get("directory"), str):
        return "`directory` is missing"
    given = command.get("arguments")
    if isinstance(given, list):
        return given if all(isinstance(w, str) for w in given) else "`arguments` is no list of texts"
    if isinstance(command.get("command"), str):
        words = flags.words_of(command["command"])
        return words if words is not None else "`command` cannot be split into words"
    return "neither `command` nor `arguments` is there"
