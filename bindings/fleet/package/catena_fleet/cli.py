"""The command line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from dataclasses import replace
from typing import Any, Callable, List, NoReturn, Optional, Sequence, Tuple

from . import __version__, show
from .faults import INTERNAL, INTERRUPTED, REJECTED, USAGE, Fault, plain
from .fleet import Fleet, Settings
from .plan import make
from .progress import Progress
from .sources import Found, Reader, find
from .table import Run, Table
from .tasks import VERDICTS, Options

_AFTER = """exit status: 0 all verified (answered, right), 1 something violated (wrong), 2 something undecided, 64 usage, 65 input
rejected, 70 internal, 130 interrupted. docs/fleet.md is a tutorial."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.001 <= value <= 1e7:
        raise ValueError
    return value


def _count(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 10_000_000:
        raise ValueError
    return value


_seconds.__name__ = "number of seconds"
_count.__name__ = "number"


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = _Parser(prog="catena-fleet", description="Many programs on many processes and machines.", epilog=_AFTER)
    top.add_argument("--version", action="version", version=f"catena-fleet {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def running(name: str, about: str, command: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about, epilog=_AFTER)
        sub.set_defaults(run=command)
        sub.add_argument("--table", default="fleet.db", metavar="FILE", help="where answers stand (fleet.db)")
        sub.add_argument("--workers", "-j", type=_count, metavar="N", help="as many as there are processors if nothing is said")
        sub.add_argument("--address", metavar="HOST:PORT", help="a Ray cluster; without it, Ray runs on this machine, for it alone")
        sub.add_argument("--timeout", type=_seconds, default=60.0, metavar="SECONDS", help="of each task (60)")
        sub.add_argument("--memory", type=_count, default=4000, metavar="MB", help="of each task (4000)")
        sub.add_argument("--tries", type=_count, default=3, metavar="N", help="a task whose worker is lost, at most (3)")
        sub.add_argument("--again", default="", metavar="LIST", help="do tasks with these verdicts again, e.g. unknown,too-weak; all")
        sub.add_argument("--progress", choices=("auto", "always", "never"), default="auto")
        sub.add_argument("--quiet", "-q", action="store_true", help="only the summary")
        sub.add_argument("--list", action="store_true", help="a line for every task, not only for what is not verified")
        return sub

    def reading(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--steps", type=_count, metavar="N", help="of each task, the same on every machine")
        sub.add_argument("--engine", default="auto")
        sub.add_argument("--check", default="", metavar="LIST")
        sub.add_argument("--malloc", choices=("never-fails", "may-fail"), default="never-fails")
        sub.add_argument("--data-model", choices=("ILP32", "LP64"), default="LP64")
        sub.add_argument("-I", action="append", default=[], metavar="DIR")
        sub.add_argument("-D", action="append", default=[], metavar="NAME[=VALUE]")
        sub.add_argument("-U", action="append", default=[], metavar="NAME")
        sub.add_argument("--include", action="append", default=[], metavar="FILE")

    sub = running("verify", "verify every function that has a contract, and main", _verify)
    sub.add_argument("operands", nargs="+", metavar="DIR|LIST|compile_commands.json|FILE.c")
    reading(sub)
    sub = running("solve", "decide SMT-LIB scripts", _solve)
    sub.add_argument("operands", nargs="+", metavar="DIR|LIST|FILE.smt2")
    sub.add_argument("--steps", type=_count, metavar="N", help="of each check, the same on every machine")
    sub = running("bench", "compare with the answers that are known to be right", _bench)
    sub.add_argument("operands", nargs="+", metavar="DIR|LIST|FILE.xml|FILE.set|FILE.yml|FILE.c|FILE.smt2")
    sub.add_argument("--program", default="catena", metavar="PATH", help="decides tasks of BenchExec (catena)")
    sub.add_argument("--rundefinition", action="append", default=[], metavar="NAME", help="of a definition of BenchExec, only these")
    reading(sub)
    sub = running("torture", "hammer the crate, one seed per task", _torture)
    sub.add_argument("--program", required=True, metavar="PATH", help="the example `torture` of the crate")
    sub.add_argument("--seeds", default="0..100", metavar="FROM..TO", help="(0..100)")
    sub.add_argument("--seconds", type=_count, default=10, metavar="N", help="of each seed (10)")
    sub.add_argument("--kind", action="append", default=[], metavar="KIND")

    def looking(name: str, about: str, command: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.set_defaults(run=command)
        sub.add_argument("table", metavar="TABLE")
        sub.add_argument("--all", action="store_true", help="the answers of all runs, not only those of the latest")
        return sub

    sub = looking("show", "a summary of a table", _show)
    sub.add_argument("--list", action="store_true", help="a line for every task")
    sub = looking("export", "a table as CSV or JSON", _export)
    form = sub.add_mutually_exclusive_group(required=True)
    form.add_argument("--csv", action="store_true")
    form.add_argument("--json", action="store_true")
    sub.add_argument("--output", "-o", metavar="FILE", help="instead of standard output")
    sub = looking("simulate", "what more workers would bring, from the times in a table", _simulate)
    sub.add_argument("--workers", "-j", default="1,2,5,10,20,50,100,200,500,1000", metavar="LIST")
    sub.add_argument("--json", action="store_true")
    return top


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a command and gives the exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except Fault as fault:
        print(f"catena-fleet {options.command}: {fault}", file=sys.stderr)
        return fault.status
    except KeyboardInterrupt:
        print(f"catena-fleet {options.command}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERNAL
    except OSError as error:
        print(f"catena-fleet {options.command}: {plain(error)}", file=sys.stderr)
        return INTERNAL


def _options(given: argparse.Namespace) -> Options:
    options = Options(timeout=given.timeout, memory=given.memory << 20, steps=getattr(given, "steps", None))
    if hasattr(given, "engine"):
        options = replace(
            options, engine=given.engine, checks=tuple(w for w in given.check.split(",") if w),
            malloc_may_fail=given.malloc == "may-fail", lp64=given.data_model == "LP64", defines=tuple(given.D),
            undefines=tuple(given.U), includes=tuple(given.include), include_directories=tuple(given.I))
    return options


def _verify(given: argparse.Namespace) -> int:
    options = _options(given)
    _probe(options)
    return _run(given, find(given.operands, "verify", ".c", options), ["verify"])


def _probe(options: Options) -> None:
    """Words that the library does not know are a mistake of the caller's, not of every text."""
    import catena

    try:
        catena.verify("int x;", engine=options.engine, checks=options.checks)
    except catena.VerifyError as error:
        if error.kind == "options":
            raise Fault(USAGE, str(error)) from None


def _solve(given: argparse.Namespace) -> int:
    return _run(given, find(given.operands, "solve", ".smt2", _options(given)), ["solve"])


def _bench(given: argparse.Namespace) -> int:
    from . import bench

    options = _options(given)
    _probe(options)
    found, kinds = bench.find(given.operands, options, given.program, given.rundefinition, given)
    return _run(given, found, kinds, judge=True)


def _torture(given: argparse.Namespace) -> int:
    from . import bench

    return _run(given, bench.seeds(given.program, given.seeds, given.seconds, given.kind, _options(given)), ["torture"])


def _again(text: str) -> Tuple[str, ...]:
    every = sorted({word for words in VERDICTS.values() for word in words})
    words = tuple(w for w in text.split(",") if w)
    if "all" in words:
        return tuple(every)
    for word in words:
        if word not in every:
            raise Fault(USAGE, f"--again: found `{plain(word)}`, expected some of {', '.join(every)}, or all")
    return words


def _run(given: argparse.Namespace, found: Found, kinds: Sequence[str], judge: bool = False) -> int:
    from .worker import library_version

    begun = time.time()
    again = _again(given.again)
    progress = Progress(given.progress)
    for note in found.notes:
        progress.say(note)
    with_library = any(kind in ("verify", "solve") for kind in kinds)
    version = library_version() if with_library else "of programs"
    table = Table(given.table, write=True)
    reader = Reader(version)
    workers = given.workers or (0 if given.address else _processors())
    settings = Settings(workers, given.address, given.tries, again=bool(again))
    run = Run(given.command, version, _options(given).text(), begun, workers=workers)
    try:
        plan = make(found.sources, table, reader, again, kinds)
        plan.errors[:0] = found.errors
        run.tasks = progress.total = len(plan.entries())
        progress.cached = plan.cached()
        table.set_latest(plan.entries())
        table.note_run(run)
        fleet = Fleet(plan, table, reader, run, settings, progress, with_library)
        signals = _stoppable(fleet)
        try:
            fleet.run()
            run.ended = "interrupted" if fleet.stop else "complete"
        except BaseException:
            run.ended = "failed"
            raise
        finally:
            for number, handler in signals:
                signal.signal(number, handler)
            run.seconds = time.time() - begun
            run.tasks = len(plan.entries())
            if run.ended != "failed" or sys.exc_info()[0] is not Fault:
                table.set_latest(plan.entries())
                table.note_run(run)
        progress.end()
        for error in plan.errors:
            progress.say(error)
        return _report(given, table, fleet, bool(plan.errors), judge)
    finally:
        table.close()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _stoppable(fleet: Fleet) -> List[Tuple[int, Any]]:
    """The first Ctrl-C ends the run in order, the second at once."""
    def stop(number: int, frame: object) -> None:
        if fleet.stop:
            raise KeyboardInterrupt
        fleet.stop = True

    return [(number, signal.signal(number, stop)) for number in (signal.SIGINT, signal.SIGTERM)]


def _report(given: argparse.Namespace, table: Table, fleet: Fleet, errors: bool, judge: bool) -> int:
    answered = table.latest()
    status = show.status(answered)
    if not given.quiet:
        for entry, row in answered:
            good = row is not None and (show.judgement(entry, row) == "right" if judge else row.verdict in
                                        ("verified", "sat", "unsat", "several", "quiet", "nothing", "true"))
            if given.list or (row is not None and not good):
                word = f"{show.judgement(entry, row)}: " if judge and entry.expected else ""
                print(f"{word}{show.line(entry, row)}" + (f" (expected {plain(entry.expected)})" if word else ""))
    if judge:
        lines, status = show.judged(answered)
        print("\n".join(lines))
    for text in show.summary(answered, table.runs()):
        print(text)
    if fleet.stop:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    return INTERNAL if fleet.internal else REJECTED if errors else status


def _answered(given: argparse.Namespace) -> Tuple[Table, show.Answered]:
    table = Table(given.table, write=False)
    return table, (show.everything(table) if given.all else table.latest())


def _show(given: argparse.Namespace) -> int:
    table, answered = _answered(given)
    if given.list:
        for entry, row in answered:
            print(show.line(entry, row))
    if any(entry.expected for entry, _ in answered):
        print("\n".join(show.judged(answered)[0]))
    for text in show.summary(answered, table.runs()):
        print(text)
    return 0


def _export(given: argparse.Namespace) -> int:
    table, answered = _answered(given)
    out = open(given.output, "w", encoding="utf-8", newline="") if given.output else sys.stdout
    try:
        if given.csv:
            show.as_csv(answered, out)
        else:
            show.as_json(answered, table.runs(), out)
    finally:
        if given.output:
            out.close()
    return 0


def _simulate(given: argparse.Namespace) -> int:
    from . import simulate

    try:
        workers = [int(word) for word in given.workers.split(",")]
        if not workers or not all(1 <= n <= 100_000 for n in workers):
            raise ValueError
    except ValueError:
        raise Fault(USAGE, f"--workers {plain(given.workers)}: expected numbers, as in 10,100,1000") from None
    table, answered = _answered(given)
    simulate.print_all([row for _, row in answered if row], list(table.rows()), table.runs(), workers, given.json, sys.stdout)
    return 0
