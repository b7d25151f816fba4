"""Runs on Ray: nothing is done twice, nothing is lost, limits hold."""

import os
import signal
import sqlite3
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import programs
from conftest import query

WORKERS = ("--workers", "2")


def verdicts(tasks):
    return {(t["file"], t["function"]): t["verdict"] for t in tasks}


def children(root):
    """Processes that a process started, directly or not, with their titles."""
    parents, titles = {}, {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                titles[int(place.name)] = (place / "cmdline").read_bytes().decode(errors="replace")
            except (OSError, IndexError):
                continue
    found, open_ = [], [root]
    while open_:
        parent = open_.pop()
        for pid, of in parents.items():
            if of == parent:
                found.append((pid, titles[pid]))
                open_.append(pid)
    return found


def workers_of(root):
    return [pid for pid, title in children(root) if title.startswith("ray::Worker")]


def listeners(mine):
    """The addresses at which these processes listen, as the system writes them."""
    sockets, listening = set(), set()
    for pid in mine:
        try:
            for handle in Path(f"/proc/{pid}/fd").iterdir():
                target = os.readlink(handle)
                if target.startswith("socket:["):
                    sockets.add(target[8:-1])
        except OSError:
            continue
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and words[9] in sockets:
                listening.add(words[1].split(":")[0])
    return listening


def rows(path):
    """How many rows there are, or 0 while there is no table."""
    try:
        return query(path, "SELECT count(*) FROM tasks")[0][0]
    except sqlite3.Error:
        return 0


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.05)


def test_a_rerun_does_what_changed(fleet, write):
    source = fleet.directory / "src"
    write(40, source)
    (source / "many.c").write_text(programs.several(100, 12))
    (source / "bad.c").write_text("int f(")
    (source / "empty.c").write_text("int x;\n")
    said = fleet("verify", "src", *WORKERS, status=65)
    assert "bad.c: rejected" in said.stdout and "54 tasks" in said.stdout
    first = fleet.tasks()
    assert len(first) == 54 and fleet.last_run()["done"] == 54
    for n in range(40):
        assert verdicts(first)[f"p{n:05}.c", name_of(programs.program(n))] == programs.right(n)
    # Nothing changed: nothing is done, and Ray is not even started.
    again = fleet("verify", "src", *WORKERS, status=65)
    assert fleet.last_run()["done"] == 0
    assert again.stdout.splitlines()[:-1] == said.stdout.splitlines()[:-1]
    assert fleet.tasks() == first
    # One function of many changed: that one is done, and what is asked for again, which takes the place of what was there.
    text = (source / "many.c").read_text()
    (source / "many.c").write_text(text.replace("e->key = 103;", "e->key = 1030;"))
    fleet("verify", "src", *WORKERS, "--again", "rejected", status=65)
    assert fleet.last_run()["done"] == 2 and rows(fleet.directory / "fleet.db") == 55
    changed = [(a, b) for a, b in zip(first, fleet.tasks()) if a["key"] != b["key"]]
    assert [(a["function"], b["function"]) for a, b in changed] == [("push_103", "push_103")]
    # Back again: it is known from before. The fixed file is new. The table holds everything that was ever decided.
    (source / "many.c").write_text(text)
    (source / "bad.c").write_text("int main(void) { return 0; }")
    fleet("verify", "src", *WORKERS, status=1)
    assert fleet.last_run()["done"] == 1 and rows(fleet.directory / "fleet.db") == 56


def name_of(text):
    return text.split("(")[0].split()[-1].lstrip("*") if "/*@" not in text else \
        text.split("@*/")[1].split("(")[0].split()[-1].lstrip("*")


def test_workers_that_are_killed_lose_nothing(fleet, write):
    fleet.misbehave()
    write(400, fleet.directory / "src", "/* SLOW */\n")
    run = fleet.start("verify", "src", *WORKERS, "--tries", "9", "-q")
    killed = []
    over = threading.Event()

    def kill():
        wait_for(lambda: rows(fleet.directory / "fleet.db") > 0 or run.poll() is not None)
        while not over.wait(0.3) and len(killed) < 4:
            for pid in workers_of(run.pid)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    out, err = run.communicate(timeout=120)
    over.set()
    killer.join()
    assert run.returncode == 1, (out, err)
    assert killed and "raylet" not in out
    found = fleet.tasks()
    assert len(found) == len({t["key"] for t in found}) == rows(fleet.directory / "fleet.db") == 400
    assert Counter(t["verdict"] for t in found) == Counter(programs.right(n) for n in range(400))
    for t in found:
        assert t["verdict"] == programs.right(int(t["file"][1:6])), t
    crashes = fleet.last_run()["crashes"]
    assert 1 <= crashes <= len(killed) and err.count("lost worker") == crashes


def test_ctrl_c_leaves_a_table_to_go_on_from(fleet, write):
    fleet.misbehave()
    write(300, fleet.directory / "src", "/* SLOW */\n")
    run = fleet.start("verify", "src", *WORKERS, "-q")
    wait_for(lambda: rows(fleet.directory / "fleet.db") > 0 or run.poll() is not None)
    # Meanwhile, nobody else can reach it.
    listening = listeners({run.pid} | {pid for pid, _ in children(run.pid)})
    loopback = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
    assert listening and listening <= loopback, listening
    # As a terminal does it: everybody in the group hears of it.
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130 and "goes on from here" in err and "Traceback" not in err, (out, err)
    kept = rows(fleet.directory / "fleet.db")
    assert 0 < kept < 300
    assert f"{300 - kept} open" in fleet("show", "fleet.db").stdout
    fleet("verify", "src", *WORKERS, "-q", status=1)
    assert fleet.last_run()["done"] == 300 - kept
    assert [t["verdict"] for t in fleet.tasks()] == [programs.right(n) for n in range(300)]
    assert [r["ended"] for r in runs_of(fleet)] == ["interrupted", "complete"]


def runs_of(fleet):
    import json

    return json.loads(fleet("export", "fleet.db", "--json").stdout)["runs"]


def test_a_run_that_is_killed_goes_on(fleet, write):
    fleet.misbehave()
    write(300, fleet.directory / "src", "/* SLOW */\n")
    run = fleet.start("verify", "src", *WORKERS, "-q")
    wait_for(lambda: rows(fleet.directory / "fleet.db") > 0 or run.poll() is not None)
    mine = children(run.pid)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate(timeout=60)
    # Ray's processes notice that they are alone, but take their time.
    for pid, title in mine:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    kept = rows(fleet.directory / "fleet.db")
    fleet("verify", "src", *WORKERS, "-q", status=1)
    assert 0 < kept and fleet.last_run()["done"] == 300 - kept and len(fleet.tasks()) == 300


def test_what_breaks_its_limits_is_unknown_and_the_run_lives(fleet, write):
    source = fleet.directory / "src"
    write(12, source)
    for word in ("CRASH", "HANG", "HOARD", "RAISE"):
        # One function of three misbehaves; the others are decided all the same.
        text = programs.several(0, 3).replace("second_2", f"{word.lower()}_it")
        (source / f"{word.lower()}.c").write_text(f"/* {word} */\n" + text)
    fleet.misbehave()
    said = fleet("verify", "src", *WORKERS, "--timeout", "1", "--memory", "300", "--tries", "2", status=70)
    found = {(t["file"], t["function"]): t for t in fleet.tasks()}
    for word, reason in (("crash", "lost 2 times"), ("hang", "time limit"), ("hoard", "memory limit")):
        one = found[f"{word}.c", f"{word}_it"]
        assert one["verdict"] == "unknown" and reason in one["message"], one
        assert found[f"{word}.c", "push_1"]["verdict"] == "verified"
    assert "internal error: ZeroDivisionError" in found["raise.c", ""]["message"]
    assert all(found[f"p{n:05}.c", name_of(programs.program(n))]["verdict"] == programs.right(n) for n in range(12))
    assert "lost worker" in said.stderr and "crash.c" in said.stderr
    assert fleet.last_run()["crashes"] >= 2


def test_scripts(fleet):
    (fleet.directory / "in").mkdir()
    for name, text in (("a", "(assert false) (check-sat)"), ("b", "(check-sat)"), ("c", "(check")):
        (fleet.directory / "in" / f"{name}.smt2").write_text(text)
    fleet("solve", "in", *WORKERS, status=65)
    assert [t["verdict"] for t in fleet.tasks()] == ["unsat", "sat", "rejected"]
    fleet("solve", "in/a.smt2", "in/b.smt2", *WORKERS)
    assert fleet.last_run()["done"] == 0


def test_mistakes_are_named(fleet):
    (fleet.directory / "a.c").write_text("int main(void) { return 0; }")
    for arguments, words in (
        (("verify", "missing"), "no such file"),
        (("verify", "a.c", "--engine", "z3"), "expected one of auto"),
        (("verify", "a.c", "--again", "certainly"), "expected some of"),
        (("verify", "a.c", "--timeout", "-1"), "invalid number of seconds"),
        (("verify", "a.c", "--address", "127.0.0.1:1"), "nobody answers at 127.0.0.1:1"),
        (("verify", "a.c", "--address", "nonsense"), "expected HOST:PORT"),
        (("simulate", "fleet.db", "-j", "0"), "expected numbers"),
        (("torture", "--program", "missing"), "no such program"),
        (("nonsense",), "invalid choice"),
    ):
        assert words in fleet(*arguments, status=64).stderr, arguments
    assert "no C file" in fleet("verify", empty_database(fleet), status=65).stderr
    (fleet.directory / "fleet.db").write_bytes(b"x" * 5000)
    for arguments in (("verify", "a.c"), ("show", "fleet.db"), ("export", "fleet.db", "--csv"), ("simulate", "fleet.db")):
        assert "no table" in fleet(*arguments, status=65).stderr


def empty_database(fleet):
    (fleet.directory / "compile_commands.json").write_text("[]")
    return "compile_commands.json"


def test_two_machines_and_one_goes_away(fleet, write, monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    # Workers get their path from the machines, not from the run.
    fleet.misbehave()
    monkeypatch.setenv("PYTHONPATH", fleet.environment["PYTHONPATH"])
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    write(400, fleet.directory / "src", "/* SLOW */\n")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        run = fleet.start("verify", "src", "--address", cluster.address, "--tries", "5", "-q")
        table = fleet.directory / "fleet.db"
        wait_for(lambda: rows(table) > 20 or run.poll() is not None)
        cluster.remove_node(second, allow_graceful=False)
        cluster.add_node(num_cpus=1)
        out, err = run.communicate(timeout=120)
        assert run.returncode == 1, (out, err)
        assert "lost worker" in err
    finally:
        cluster.shutdown()
    found = fleet.tasks()
    assert len(found) == len({t["key"] for t in found}) == 400
    assert [t["verdict"] for t in found] == [programs.right(n) for n in range(400)]
    assert len({t["worker"] for t in found}) >= 2
