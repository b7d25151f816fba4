"""Answers a job in this process, by the library or by a program that it starts."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Dict, List, Optional, Sequence, Tuple

from .functions import count, keys
from .tasks import Job, Listed, Options, Result, Row, Text, digest

#: Of the whole text, where a row is not about one of its functions.
WHOLE = ""
#: Kept of a message or of what a program says.
KEPT = 2000
#: Of Linux; elsewhere a program outlives a worker that is killed until its own limit.
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None
_ORDER = ("verified", "too-weak", "unknown", "violated")


def answer(job: Job) -> Result:
    """Answers a job. What is wrong with the text is an answer too."""
    begun = time.perf_counter()
    kind = job.text.kind
    if kind == "verify":
        result = _verify(job)
    elif kind == "solve":
        result = Result(job.number, [_solve(job.text)])
    else:
        result = Result(job.number, [_program(job.text)])
    result.seconds = time.perf_counter() - begun
    _share(result)
    return result


def whole_key(text: Text) -> str:
    """The key of the row about a whole text."""
    return digest("whole text", text.key())


def patience(job: Job) -> float:
    """Seconds after which a call that has not come back is left behind."""
    limit = job.text.options.timeout
    functions = len(job.functions) or (count(job.text.source) if job.text.kind == "verify" else 1)
    return 5.0 + min(functions, max(job.together, len(job.functions), 1)) * (limit * 1.2 + 0.5)


def _share(result: Result) -> None:
    """The time of the call that no function accounts for is divided among them."""
    if result.rows:
        rest = max(0.0, result.seconds - sum(r.seconds for r in result.rows)) / len(result.rows)
        for row in result.rows:
            row.seconds += rest


def _row(text: Text, verdict: str, message: str, key: Optional[str] = None) -> Row:
    return Row(key or whole_key(text), text.kind, text.name, WHOLE, verdict, message=message[:KEPT], size=len(text.source))


# C texts.


def _verify(job: Job) -> Result:
    from catena import VerifyError

    text = job.text
    try:
        if job.functions:
            return Result(job.number, _decide(text, job.functions))
        if count(text.source) <= job.together and not job.known:
            report = _call(text)
            listed = _list(report, text)
            return Result(job.number, _rows(report, text, listed) or [_nothing(text)], listed)
        listed = _list(_call(text, steps=1), text)
        if not listed:
            return Result(job.number, [_nothing(text)], [])
        wanted = [f for f in listed if f.key not in job.known]
        rows = _decide(text, wanted) if wanted and len(wanted) <= job.together else []
        return Result(job.number, rows, listed)
    except VerifyError as error:
        verdict = "unknown" if error.kind in ("stopped", "internal") else "rejected"
        first = next((str(d) for d in error.diagnostics if d.severity == "error"), str(error))
        row = _row(text, verdict, first)
        if not job.functions:
            return Result(job.number, [row], [Listed(WHOLE, 0, row.size, row.key)])
        return Result(job.number, [Row(f.key, text.kind, text.name, f.function, "unknown", message=first[:KEPT],
                                       size=f.size) for f in job.functions])


def _nothing(text: Text) -> Row:
    return _row(text, "nothing", "no function has a contract, and there is no `main`")


def _call(text: Text, functions: Sequence[str] = (), steps: Optional[int] = None):  # type: ignore[no-untyped-def]
    import catena

    o = text.options
    files = {normpath(name): content for name, content in text.files.items()}
    asked = (lambda path: files.get(normpath(path))) if files else (lambda path: None)
    return catena.verify(
        text.source, file=text.name, engine=o.engine, checks=o.checks, functions=functions, timeout=o.timeout,
        steps=steps or o.steps, memory=o.memory, malloc_may_fail=o.malloc_may_fail, lp64=o.lp64, defines=o.defines,
        undefines=o.undefines, includes=o.includes, include_directories=o.include_directories,
        files=asked if files else None, pictures=False)


def _list(report, text: Text) -> List[Listed]:  # type: ignore[no-untyped-def]
    found: Dict[str, int] = {}
    for f in report.functions:
        found.setdefault(f.function, f.place.line if f.place.file == text.name else 0)
    return keys(text, list(found.items()))


def _decide(text: Text, functions: Sequence[Listed]) -> List[Row]:
    return _rows(_call(text, [f.function for f in functions]), text, functions)


def _rows(report, text: Text, functions: Sequence[Listed]) -> List[Row]:  # type: ignore[no-untyped-def]
    made = []
    for f in functions:
        row = Row(f.key, text.kind, text.name, f.function, "unknown", message="nothing was said", size=f.size)
        worst = -1
        for entry in (e for e in report.functions if e.function == f.function):
            verdict = type(entry.verdict).__name__.lower().replace("tooweak", "too-weak")
            message = getattr(entry.verdict, "message", "")
            if text.options.unmodelled and verdict != "unknown":
                verdict, message = "unknown", f"the flag `{text.options.unmodelled[0]}` changes the meaning and has no model"
            place = getattr(entry.verdict, "place", None)
            row.seconds += entry.time
            row.answers.append({"behavior": entry.behavior, "verdict": verdict, "engine": entry.engine,
                                "message": message[:KEPT], "seconds": entry.time})
            if _ORDER.index(verdict) > worst:
                worst = _ORDER.index(verdict)
                row.verdict, row.engine, row.message = verdict, entry.engine, message[:KEPT]
                inside = place is not None and place.file == text.name and place.line >= f.line
                row.place = "" if place is None else "own" if inside else place.file
                row.line = 0 if place is None else place.line - f.line if inside else place.line
        made.append(row)
    return made


# Scripts.


def _solve(text: Text) -> Row:
    import catena

    o = text.options
    row = _row(text, "nothing", "there is no check-sat")
    try:
        script = text.source.decode()
    except UnicodeDecodeError as error:
        return replace(row, verdict="rejected", message=f"this is not a text file: {error}")
    with catena.Dialogue(timeout=o.timeout, memory=o.memory, steps=o.steps) as dialogue:
        said = dialogue.run(script)
    lines = [line.strip() for line in said.splitlines()]
    answers = [line for line in lines if line in ("sat", "unsat", "unknown")]
    wrong = next((line for line in lines if line.startswith("(error ")), None)
    row.answers = [{"verdict": a} for a in answers]
    if wrong is not None:
        row.verdict, row.message = "rejected", wrong[:KEPT]
    elif "unknown" in answers:
        row.verdict, row.message = "unknown", "some check is unknown"
    elif answers:
        row.verdict, row.message = (answers[0] if len(set(answers)) == 1 else "several"), ""
    return row


# Programs.


def _program(text: Text) -> Row:
    """Runs a program on files of its own, in a directory of its own, within the limits."""
    with tempfile.TemporaryDirectory(prefix="catena-fleet-") as directory:
        files = {**text.files}
        if text.source:
            files[PurePosixPath(text.name).name] = text.source
        for name, content in files.items():
            path = os.path.join(directory, PurePosixPath(name).name)
            with open(path, "wb") as file:
                file.write(content)
        said, code, over = run_program(text.options.command, directory, text.options)
    if text.kind == "torture":
        return _tortured(text, said, code, over)
    row = _row(text, "unknown", over and f"over its {over} limit")
    verdict = next((line[9:].strip() for line in reversed(said.splitlines()) if line.startswith("VERDICT: ")), None)
    if verdict is None and not over:
        last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
        row.verdict, row.message = "error", f"exit status {code}: {last}"[:KEPT]
    elif verdict == "true":
        row.verdict, row.message = "true", ""
    elif verdict is not None and re.fullmatch(r"false\([a-z-]+\)", verdict):
        row.verdict, row.message = "false", verdict[6:-1]
    elif verdict is not None and not over:
        row.message = verdict[:KEPT]
    row.answers = [{"exit": code, "verdict": verdict or ""}]
    return row


def _tortured(text: Text, said: str, code: int, over: str) -> Row:
    if over:
        return _row(text, "unknown", f"over its {over} limit")
    verdict = {0: "quiet", 1: "complaint"}.get(code, "error")
    return _row(text, verdict, "" if verdict == "quiet" else said[-KEPT:])


def run_program(command: Sequence[str], directory: str, options: Options) -> Tuple[str, int, str]:
    """What a program says, its exit status, and which limit it broke, if it did."""
    program = shutil.which(command[0]) or command[0]
    with tempfile.TemporaryFile() as out:
        try:
            # SIGINT of a terminal is for the run, which stops this program itself.
            child = subprocess.Popen([program, *command[1:]], cwd=directory, stdin=subprocess.DEVNULL, stdout=out,
                                     stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=_die_with_worker)
        except OSError as error:
            return f"{command[0]}: {error}", 127, ""
        over = ""
        end = time.monotonic() + options.timeout
        pause = 0.002
        while child.poll() is None:
            if time.monotonic() > end:
                over = "time"
            elif _resident(child.pid) > options.memory:
                over = "memory"
            if over:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
                break
            time.sleep(pause)
            pause = min(0.05, pause * 1.5)
        out.seek(0, os.SEEK_END)
        length = out.tell()
        out.seek(max(0, length - (1 << 20)))
        return out.read().decode(errors="replace"), child.returncode, over


def _die_with_worker() -> None:
    if _PRCTL is not None:
        _PRCTL(1, signal.SIGKILL, 0, 0, 0)


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def resident() -> int:
    """Memory of this process; 0 where the system does not tell."""
    return _resident(os.getpid())
