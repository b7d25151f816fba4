"""A worker keeps its limits, whoever answers."""

import sys
import time

import pytest

from catena_fleet import execute
from catena_fleet.functions import keys
from catena_fleet.tasks import Job, Options, Result, Row, Text
from catena_fleet.worker import Guard

import programs


def job(number=1, kind="solve", source=b"", functions=(), together=4, **options):
    return Job(number, Text(kind, "a.c", source, {}, Options(**{"timeout": 0.1, **options}), "1"), functions,
               together=together)


def test_an_answer():
    batch = Guard("w", lambda j: Result(j.number, [Row("k", "solve", "a", "", "sat")])).run([job(1), job(2)])
    assert [r.number for r in batch.results] == [1, 2] and not batch.worn
    assert batch.results[0].rows[0].worker == "w"


def test_a_call_that_does_not_come_back(monkeypatch):
    monkeypatch.setattr(execute, "patience", lambda job: 0.2)
    guard = Guard("w", lambda j: time.sleep(60))
    batch = guard.run([job(1), job(2)])
    assert [(r.number, r.over) for r in batch.results] == [(1, "time")] and batch.worn
    # What was sent to it before it was replaced is not answered with the answer to something else.
    assert guard.run([job(3)]).results == [] and guard.run([]).worn


def test_a_call_that_takes_too_much(monkeypatch):
    monkeypatch.setattr("catena_fleet.worker.SLACK", 32 << 20)
    kept = []

    def hoard(job):
        for _ in range(200):
            kept.append(bytearray(b"x" * (4 << 20)))
            time.sleep(0.01)

    batch = Guard("w", hoard).run([job(memory=64 << 20)])
    kept.clear()
    assert [r.over for r in batch.results] == ["memory"] and batch.worn


def test_a_fault_of_ours_is_an_answer():
    batch = Guard("w", lambda j: 1 // 0).run([job()])
    row, = batch.results[0].rows
    assert row.verdict == "unknown" and "ZeroDivisionError" in row.message


def test_patience_grows_with_the_functions():
    assert execute.patience(job(timeout=10)) < execute.patience(job(timeout=100))
    text = programs.several(0, 6).encode()
    assert execute.patience(job(kind="verify", source=text, timeout=10)) > 4 * 10


def test_functions_of_a_text_are_listed_and_decided():
    text = programs.several(0, 3).encode()
    result = execute.answer(job(kind="verify", source=text, timeout=20))
    assert [r.verdict for r in result.rows] == ["verified", "violated", "verified"]
    assert [r.key for r in result.rows] == [f.key for f in result.listed]
    assert len({r.key for r in result.rows}) == 3
    # More than fit together are listed, and decided one by one.
    listed = execute.answer(job(kind="verify", source=text, timeout=20, together=2))
    assert listed.rows == [] and listed.listed == result.listed
    one = execute.answer(job(kind="verify", source=text, timeout=20, functions=(result.listed[1],)))
    assert [(r.function, r.verdict, r.key) for r in one.rows] == [("second_2", "violated", result.listed[1].key)]


def test_limits_of_the_library():
    row, = execute.answer(job(kind="verify", source=programs.program(4).encode(), timeout=20, steps=1)).rows
    assert row.verdict == "unknown" and row.message


def test_a_text_that_is_none():
    for source, verdict in ((b"int f(", "rejected"), (b"\xff\0", "rejected"), (b"int x;", "nothing")):
        row, = execute.answer(job(kind="verify", source=source, timeout=20)).rows
        assert (row.verdict, row.function) == (verdict, "")


def test_a_flag_without_a_model_is_unknown():
    text = programs.program(0).encode()
    row, = execute.answer(job(kind="verify", source=text, timeout=20, unmodelled=("-fshort-enums",))).rows
    assert row.verdict == "unknown" and "-fshort-enums" in row.message


def test_scripts():
    def said(text, **options):
        row, = execute.answer(job(source=text, **{"timeout": 20, **options})).rows
        return row.verdict

    assert said(b"(declare-const n Int) (assert (< 2 n 4)) (check-sat)") == "sat"
    assert said(b"(assert false) (check-sat)") == "unsat"
    assert said(b"(check-sat) (assert false) (check-sat)") == "several"
    assert said(b"(assert (= 1 true)) (check-sat)") == "rejected"
    assert said(b"") == "nothing" and said(b"\xff") == "rejected"


@pytest.mark.parametrize("code, limit", [("import time; time.sleep(60)", "time"),
                                         ("k = []\nwhile True: k.append(bytearray(b'x' * (1 << 24)))", "memory")])
def test_a_program_that_does_not_end(tmp_path, code, limit):
    options = Options(timeout=1 if limit == "time" else 30, memory=300 << 20)
    begun = time.monotonic()
    _, _, over = execute.run_program((sys.executable, "-c", code), str(tmp_path), options)
    assert over == limit and time.monotonic() - begun < 25


def test_a_program_says_its_verdict(tmp_path):
    def said(text):
        command = (sys.executable, "-c", f"print({text!r}); raise SystemExit(3)")
        row, = execute.answer(job(kind="program", timeout=20, command=command, source=b"x")).rows
        return row.verdict, row.message

    assert said("VERDICT: true") == ("true", "")
    assert said("VERDICT: false(valid-free)") == ("false", "valid-free")
    assert said("VERDICT: unknown(why)") == ("unknown", "unknown(why)")
    assert said("panic") == ("error", "exit status 3: panic")


def test_keys_of_a_worker_are_those_of_the_run():
    text = Text("verify", "a.c", programs.several(0, 3).encode(), {}, Options(timeout=20), "1")
    listed = execute.answer(Job(1, text)).listed
    assert listed == keys(text, [(f.function, f.line) for f in listed])
