"""Programs with answers that are known to be right: definitions, sets and tasks of BenchExec, texts that say what is expected
of them, and scripts with `(set-info :status ...)`. Seeds of the torture run are here too: nothing is expected but silence.

Tasks of BenchExec are about properties of whole programs, which the program `catena` decides (`--svcomp`); it is started as
the tool-info module `bindings/benchexec/catena.py` would start it. All else is decided by the library, in the worker.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import re
import shlex
import shutil
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from . import sources
from .execute import WHOLE
from .faults import USAGE, Fault, plain
from .sources import Found, Source
from .tasks import Options

#: As in the tool-info module.
PROPERTIES = {
    "unreach-call": r"G\s*!\s*call\(\s*reach_error\(\)\s*\)",
    "valid-memcleanup": r"valid-memcleanup",
    "valid-memsafety": r"valid-(free|deref|memtrack)",
    "no-overflow": r"G\s*!\s*overflow",
    "termination": r"F\s*end",
}
_LARGEST = 16 << 20
_EXPECT = re.compile(r"^// EXPECT: (?:\S*:)?([A-Za-z_]\w*): (verified|violated)\b(?! or)", re.MULTILINE)
_RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)
_STATUS = re.compile(rb"\(\s*set-info\s+:status\s+(sat|unsat)\s*\)")


@dataclass
class _Definition:
    """What a definition says about a group of tasks."""

    name: str
    options: List[str] = field(default_factory=list)
    property: str = ""
    seconds: Optional[float] = None
    memory: Optional[int] = None


class _Finder:
    def __init__(self, base: Options, program: str, only: Sequence[str], given: argparse.Namespace) -> None:
        self.base, self.only, self.given = base, only, given
        self.found = Found()
        self.kinds: List[str] = []
        self._program = program
        self._version = ""

    def program(self) -> Tuple[str, str]:
        """The path of the program, and what its answers depend on."""
        if not self._version:
            path = shutil.which(self._program)
            if path is None:
                raise Fault(USAGE, f"tasks of BenchExec are decided by the program `{plain(self._program)}`, which is not "
                                   "there; name it with --program")
            self._program, self._version = os.path.abspath(path), hash_of(path)
        return self._program, self._version

    # BenchExec.

    def definition(self, path: str) -> None:
        """A definition in XML."""
        try:
            if os.path.getsize(path) > _LARGEST:
                raise Fault(USAGE, f"{plain(path)}: this definition is too large")
            root = xml.parse(path).getroot()
        except (OSError, xml.ParseError) as error:
            raise Fault(USAGE, f"{plain(path)}: this is no definition of BenchExec: {plain(error)}") from None
        if root.tag != "benchmark":
            raise Fault(USAGE, f"{plain(path)}: expected <benchmark>, found <{plain(root.tag)}>")
        directory = os.path.dirname(path) or "."
        whole = _Definition("", _own_options(root), _property(root, directory), _time(root.get("timelimit")),
                            _bytes(root.get("memlimit")))
        runs = root.findall("rundefinition")
        unknown = [name for name in self.only if name not in [r.get("name") for r in runs]]
        if unknown:
            raise Fault(USAGE, f"{plain(path)}: there is no run definition `{plain(unknown[0])}`")
        before = len(self.found.sources)
        for run in runs:
            if self.only and run.get("name") not in self.only:
                continue
            name = run.get("name", "")
            own = replace(whole, name=name, options=whole.options + _own_options(run),
                          property=_property(run, directory) or whole.property)
            for tasks in root.findall("tasks") + run.findall("tasks"):
                label = "/".join(word for word in (name, tasks.get("name", "")) if word)
                group = replace(own, name=label, options=own.options + _own_options(tasks),
                                property=_property(tasks, directory) or own.property)
                for file in self._files(tasks, directory):
                    self.task(file, group)
        if len(self.found.sources) == before:
            self.found.errors.append(f"{plain(path)}: it has no tasks, or none of its files is there")

    def _files(self, tasks: Any, directory: str) -> List[str]:
        paths: List[str] = []
        for element in tasks.findall("includesfile"):
            name = (element.text or "").strip()
            for list_ in _matching(directory, name, self.found):
                paths += _set(list_, self.found)
        for element in tasks.findall("include"):
            paths += _matching(directory, (element.text or "").strip(), self.found)
        out: Set[str] = set()
        for element in tasks.findall("exclude"):
            out.update(os.path.normpath(p) for p in glob.glob(os.path.join(directory, (element.text or "").strip())))
        for element in tasks.findall("excludesfile"):
            for list_ in _matching(directory, (element.text or "").strip(), self.found):
                out.update(_set(list_, self.found))
        unique = dict.fromkeys(os.path.normpath(p) for p in paths)
        return [p for p in unique if p not in out]

    def task(self, path: str, group: _Definition) -> None:
        """One task definition, or a program itself. Without a property in the group: all that the task has."""
        if not path.endswith((".yml", ".yaml")):
            self._program_task(path, os.path.basename(path), [path], group, group.property, "", {})
            return
        task = _yaml(path)
        if not isinstance(task, dict):
            self.found.errors.append(f"{plain(path)}: this is no task definition")
            return
        given = task.get("input_files")
        names = [given] if isinstance(given, str) else given
        properties = task.get("properties")
        if not (isinstance(names, list) and names and all(isinstance(n, str) for n in names)) \
                or not isinstance(properties, list):
            self.found.errors.append(f"{plain(path)}: `input_files` or `properties` is missing")
            return
        directory = os.path.dirname(path)
        told = task.get("options")
        options: Dict[str, Any] = told if isinstance(told, dict) else {}
        for p in properties:
            if not isinstance(p, dict) or not isinstance(p.get("property_file"), str):
                continue
            property_ = _property_of_file(os.path.join(directory, p["property_file"]))
            if not property_ or (group.property and property_ != group.property):
                continue
            expected = ""
            if isinstance(p.get("expected_verdict"), bool):
                expected = "true" if p["expected_verdict"] else "false"
                if expected == "false" and isinstance(p.get("subproperty"), str):
                    expected += f"({p['subproperty']})"
            self._program_task(path, os.path.basename(path), [os.path.join(directory, n) for n in names],
                               replace(group, name=group.name or os.path.basename(directory)), property_, expected, options)

    def _program_task(self, path: str, name: str, inputs: List[str], group: _Definition, property_: str, expected: str,
                      told: Dict[str, Any]) -> None:
        program, version = self.program()
        seconds = group.seconds if group.seconds is not None else self.base.timeout
        memory = group.memory if group.memory is not None else self.base.memory
        model = told.get("data_model") if isinstance(told.get("data_model"), str) else ""
        missing = [i for i in inputs if not os.path.isfile(i)]
        if missing:
            self.found.errors.append(f"{plain(path)}: {plain(missing[0])} is not there")
            return
        files = [os.path.basename(i) for i in inputs]
        command = command_line(program, group.options, property_, str(model or ""), seconds, memory, files)
        options = Options(timeout=seconds, memory=memory, command=tuple(command))
        root = os.path.dirname(os.path.abspath(inputs[0]))
        collection = group.name or os.path.basename(root)
        # The version of the program is part of the key; its path is not, but it is in the command.
        options = replace(options, data_model=str(model or ""), defines=(f"program={version}", f"task={name}"))
        self._add(Source("program", root, files[0], options, f"{collection}", ((WHOLE, expected),)))
        if len(files) > 1:
            self.found.errors.append(f"{plain(path)}: tasks of several files are not supported")
            self.found.sources.pop()

    # Texts and scripts.

    def text(self, source: Source) -> None:
        """A C text whose first lines say how it is verified and what is right."""
        try:
            with open(os.path.join(source.root, source.name), encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError as error:
            self.found.errors.append(f"{plain(source.name)}: {plain(error.strerror)}")
            return
        expected = {name: verdict for name, verdict in _EXPECT.findall(text)}
        runs = _RUN.findall(text)
        options = _simple_run(runs[0], source.options) if runs else source.options
        if not expected or options is None or len(runs) > 1:
            self.found.notes.append(f"{plain(source.name)}: left out, it does not say in one simple line what is right")
            return
        # Limits are those of this command: what is right does not depend on them.
        self._add(replace(source, options=options, collection=_set_of(source), expected=tuple(expected.items())))

    def script(self, source: Source) -> None:
        """A script that says its status."""
        try:
            with open(os.path.join(source.root, source.name), "rb") as file:
                found = _STATUS.findall(file.read())
        except OSError as error:
            self.found.errors.append(f"{plain(source.name)}: {plain(error.strerror)}")
            return
        if len(found) != 1:
            self.found.notes.append(f"{plain(source.name)}: left out, it does not say what is right")
            return
        self._add(replace(source, collection=_set_of(source), expected=((WHOLE, found[0].decode()),)))

    def _add(self, source: Source) -> None:
        self.found.sources.append(source)
        if source.kind not in self.kinds:
            self.kinds.append(source.kind)


def find(operands: Sequence[str], base: Options, program: str, only: Sequence[str],
         given: argparse.Namespace) -> Tuple[Found, List[str]]:
    """All tasks with what is right of them."""
    finder = _Finder(base, program, only, given)
    for operand in operands:
        if not os.path.exists(operand):
            raise Fault(USAGE, f"{plain(operand)}: there is no such file or directory")
        if operand.endswith(".xml"):
            finder.definition(operand)
        elif operand.endswith(".set"):
            group = _Definition(os.path.basename(operand)[:-len(".set")])
            for path in _set(operand, finder.found):
                finder.task(path, group)
        elif operand.endswith((".yml", ".yaml")):
            finder.task(operand, _Definition(""))
        else:
            before = len(finder.found.sources)
            _directory(operand, finder, base)
            if len(finder.found.sources) == before:
                finder.found.errors.append(f"{plain(operand)}: nothing in it says what is right")
    return finder.found, finder.kinds or ["verify"]


def _directory(operand: str, finder: _Finder, base: Options) -> None:
    """Tasks below a directory; if there are none, texts and scripts that say what is right; or those of a list."""
    if os.path.isdir(operand):
        tasks = sorted(glob.glob(os.path.join(glob.escape(operand), "**", "*.yml"), recursive=True))
        tasks = [t for t in tasks if _is_task(_yaml(t))]
        for task in tasks:
            finder.task(task, _Definition(""))
        if tasks:
            return
    wanted = [] if operand.endswith(".smt2") else [("verify", ".c")]
    wanted += [("solve", ".smt2")] if os.path.isdir(operand) or operand.endswith(".smt2") else []
    for kind, ending in wanted:
        found = sources.find([operand], kind, ending, base)
        for source in found.sources:
            (finder.text if kind == "verify" else finder.script)(source)
        if found.sources:
            finder.found.errors += found.errors


def seeds(program: str, text: str, seconds: int, kinds: Sequence[str], base: Options) -> Found:
    """One task per seed of the torture run."""
    found = re.fullmatch(r"(\d{1,15})(?:\.\.(\d{1,15}))?", text)
    first = int(found.group(1)) if found else 0
    end = int(found.group(2)) if found and found.group(2) else first + 1
    if not found or not first < end or end - first > 10_000_000:
        raise Fault(USAGE, f"--seeds {plain(text)}: expected FROM..TO, as in 0..100")
    path = shutil.which(program)
    if path is None:
        raise Fault(USAGE, f"--program {plain(program)}: there is no such program")
    path = os.path.abspath(path)
    version = hash_of(path)
    made = Found()
    chosen = [word for kind in kinds for word in ("--kind", kind)]
    for seed in range(first, end):
        command = (path, "--seconds", str(seconds), "--jobs", "1", "--seed", str(seed), *chosen)
        options = replace(base, timeout=max(base.timeout, seconds * 2.0 + 60), command=command,
                          defines=(f"program={version}",))
        made.sources.append(Source("torture", "", f"seed {seed}", options, given=b""))
    return made


def command_line(program: str, options: Sequence[str], property_: str, model: str, seconds: float, memory: int,
                 files: Sequence[str]) -> List[str]:
    """The command of the tool-info module for the same task."""
    command = [program, "verify", *options]
    if property_ and "--svcomp" not in options:
        command += ["--svcomp", property_]
    if model and "--data-model" not in options:
        command += ["--data-model", model]
    if seconds and "--timeout" not in options:
        command += ["--timeout", str(max(1, int(seconds * 0.95)))]
    if memory and "--memory" not in options:
        command += ["--memory", str(max(64, int(memory * 0.9 / 1_000_000)))]
    return command + list(files)


def hash_of(path: str) -> str:
    """A program's version is what it consists of."""
    state = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                state.update(chunk)
    except OSError as error:
        raise Fault(USAGE, f"{plain(path)}: {plain(error.strerror)}") from None
    return state.hexdigest()[:16]


def _set_of(source: Source) -> str:
    return "/".join([os.path.basename(source.root), os.path.dirname(source.name)]).rstrip("/")


def _simple_run(line: str, base: Options) -> Optional[Options]:
    """`verify` of the file with options that do not matter to what is right, or that the library has."""
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    if not words or words[0] != "verify" or words[-1] != "%s":
        return None
    options, at = base, 1
    while at < len(words) - 1:
        word, value = words[at], words[at + 1]
        at += 2
        if word == "--engine":
            options = replace(options, engine=value)
        elif word == "--check":
            options = replace(options, checks=tuple(value.split(",")))
        elif word not in ("--timeout", "--memory"):
            return None
    return options if at == len(words) - 1 else None


def _own_options(element: Any) -> List[str]:
    words: List[str] = []
    for option in element.findall("option"):
        words.append(option.get("name", ""))
        if option.text and option.text.strip():
            words.append(option.text.strip())
    return words


def _property(element: Any, directory: str) -> str:
    found = element.find("propertyfile")
    return "" if found is None else _property_of_file(os.path.join(directory, (found.text or "").strip()))


def _property_of_file(path: str) -> str:
    """The word of the property; its file's name says it where the file is not there."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(1 << 16)
    except (OSError, UnicodeDecodeError):
        name = os.path.basename(path).removesuffix(".prp")
        return name if name in PROPERTIES else ""
    return next((word for word, pattern in PROPERTIES.items() if re.search(pattern, text)), "")


def _set(path: str, found: Found) -> List[str]:
    directory = os.path.dirname(path)
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        found.errors.append(f"{plain(path)}: {plain(error)}")
        return []
    paths: List[str] = []
    for line in lines:
        if line.strip() and not line.strip().startswith("#"):
            paths += _matching(directory, line.strip(), found)
    return paths


def _matching(directory: str, pattern: str, found: Found) -> List[str]:
    paths = sorted(glob.glob(os.path.join(directory, pattern), recursive=True))
    if not paths:
        found.errors.append(f"{plain(os.path.join(directory, pattern))}: there is no such file")
    return [os.path.normpath(p) for p in paths]


def _is_task(found: object) -> bool:
    return isinstance(found, dict) and "properties" in found


def _yaml(path: str) -> object:
    import yaml

    try:
        if os.path.getsize(path) > 1 << 20:
            return None
        with open(path, encoding="utf-8") as file:
            return yaml.safe_load(file)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return None


_UNITS = {"": 1, "s": 1, "min": 60, "h": 3600, "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def _quantity(text: Optional[str], what: str) -> Optional[float]:
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    if not found or found.group(2) not in _UNITS:
        raise Fault(USAGE, f"{what}: found `{plain(text)}`, expected a number and a unit")
    return float(found.group(1)) * _UNITS[found.group(2)]


def _time(text: Optional[str]) -> Optional[float]:
    return _quantity(text, "timelimit")


def _bytes(text: Optional[str]) -> Optional[int]:
    value = _quantity(text, "memlimit")
    return None if value is None else int(value)
