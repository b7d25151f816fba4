"""Definitions of BenchExec and other programs with known answers; what a simulation says of them."""

import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import programs
from catena_fleet import bench, simulate
from catena_fleet.simulate import Costs, Task
from catena_fleet.table import Run
from catena_fleet.tasks import Row
from conftest import HERE

WORKERS = ("--workers", "2")
#: Stands for the program: it knows the answer by the name of the file, and says how it was called.
PROGRAM = """#!{python}
import os, sys, time
if "--svcomp" not in sys.argv: sys.exit(64)
name = os.path.basename(sys.argv[-1])
assert open(sys.argv[-1]).read().startswith("int main")
open("witness.yml", "w").write("left here")
print("some words")
if "hang" in name: time.sleep(100)
if "crash" in name: os.abort()
for word in ("true", "false(unreach-call)", "false(valid-free)", "unknown(no idea)"):
    if word.split("(")[-1].strip(")").replace(" ", "-") in name:
        print("VERDICT: " + word)
"""
PROPERTY = {"unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            "valid-memsafety": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"}


def competition(directory: Path) -> None:
    """A small repository of the competition, with a definition and a program."""
    (directory / "program").write_text(PROGRAM.format(python=sys.executable))
    (directory / "program").chmod(0o755)
    (directory / "c/properties").mkdir(parents=True)
    for name, text in PROPERTY.items():
        (directory / "c/properties" / f"{name}.prp").write_text(text)
    for name, property_, expected in (
        ("true-1", "unreach-call", "true"), ("true-2", "unreach-call", "false"), ("unreach-call-3", "unreach-call", "false"),
        ("no-idea-4", "unreach-call", "true"), ("crash-5", "unreach-call", "true"), ("hang-6", "unreach-call", "true"),
        ("valid-free-7", "valid-memsafety", "false\n    subproperty: valid-free"),
        ("valid-free-8", "valid-memsafety", "false\n    subproperty: valid-deref"),
    ):
        place = directory / "c" / ("reach" if property_ == "unreach-call" else "memory")
        place.mkdir(exist_ok=True)
        (place / f"{name}.i").write_text(f"int main(void) {{ return {len(name)}; }}")
        (place / f"{name}.yml").write_text(
            f"format_version: '2.0'\ninput_files: '{name}.i'\nproperties:\n"
            f"  - property_file: ../properties/{property_}.prp\n    expected_verdict: {expected}\n"
            "options:\n  language: C\n  data_model: ILP32\n")
    (directory / "c/Reach.set").write_text("# a remark\nreach/*.yml\n")
    (directory / "c/Memory.set").write_text("memory/*.yml\nmissing/*.yml\n")
    (directory / "all.xml").write_text("""<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="catena" timelimit="2 s" memlimit="1 GB">
  <option name="--witness">witness.yml</option>
  <rundefinition name="unreach-call">
    <tasks name="reach"><includesfile>c/Reach.set</includesfile><propertyfile>c/properties/unreach-call.prp</propertyfile></tasks>
  </rundefinition>
  <rundefinition name="valid-memsafety">
    <tasks name="memory"><includesfile>c/Memory.set</includesfile><propertyfile>c/properties/valid-memsafety.prp</propertyfile></tasks>
  </rundefinition>
</benchmark>
""")


def test_a_definition_of_benchexec(fleet):
    competition(fleet.directory)
    said = fleet("bench", "all.xml", "--program", "./program", *WORKERS, status=65)
    lines = {words[0]: words[1:4] for words in map(str.split, said.stdout.splitlines()) if len(words) == 5}
    assert lines["unreach-call/reach"] == ["2", "1", "3"]
    assert lines["valid-memsafety/memory"] == ["1", "1", "0"]
    assert lines["all"] == ["3", "2", "3"]
    assert "missing/*.yml: there is no such file" in said.stderr
    found = {t["file"]: t for t in fleet.tasks()}
    assert found["hang-6.i"]["message"] == "over its time limit" and found["crash-5.i"]["verdict"] == "error"
    assert found["valid-free-8.i"]["message"] == "valid-free" and found["valid-free-8.i"]["judgement"] == "wrong"
    assert not list(fleet.directory.rglob("witness.yml"))
    # A second run does nothing; one definition is a part; another program is another version.
    fleet("bench", "all.xml", "--program", "./program", *WORKERS, status=65)
    assert fleet.last_run()["done"] == 0
    fleet("bench", "all.xml", "--program", "./program", "--rundefinition", "unreach-call", *WORKERS, status=1)
    assert len(fleet.tasks()) == 6 and fleet.last_run()["done"] == 0


def test_the_command_is_that_of_the_tool_info_module(tmp_path):
    pytest.importorskip("benchexec", reason="benchexec cannot be had")
    from benchexec.tools.template import BaseTool2

    spec = importlib.util.spec_from_file_location("tool", HERE.parent.parent / "benchexec/catena.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tool = module.Tool()
    assert tool.PROPERTIES == bench.PROPERTIES
    for word, text in PROPERTY.items():
        place = tmp_path / f"{word}.prp"
        place.write_text(text)
        task = BaseTool2.Task.with_files(["a.i"], property_file=str(place), options={"data_model": "ILP32"})
        limits = BaseTool2.ResourceLimits(cputime=900, memory=7 * 10**9)
        for options in (["--witness", "w.yml"], ["--timeout", "3"]):
            command = tool.cmdline("catena", list(options), task, limits)
            assert command == bench.command_line("catena", options, word, "ILP32", 900, 7 * 10**9, ["a.i"])


def test_benchexec_itself_says_the_same(tmp_path, fleet):
    """The tool-info module in a plain run of BenchExec, without containers."""
    pytest.importorskip("benchexec", reason="benchexec cannot be had")
    competition(tmp_path)
    for name in ("crash-5", "hang-6"):
        (tmp_path / "c/reach" / f"{name}.yml").unlink()
    text = (tmp_path / "all.xml").read_text().replace('tool="catena"', 'tool="tools.catena"')
    (tmp_path / "all.xml").write_text(text)
    (tmp_path / "tools").mkdir()
    shutil.copy(HERE.parent.parent / "benchexec/catena.py", tmp_path / "tools")
    (tmp_path / "bin").mkdir()
    version = 'import sys\nif "--version" in sys.argv: print("catena 0.1.0"); sys.exit()\n'
    (tmp_path / "bin/catena").write_text((tmp_path / "program").read_text().replace("import os, sys, time\n", f"import os, sys, time\n{version}", 1))
    (tmp_path / "bin/catena").chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "benchexec.benchexec", "--no-container", "--tool-directory", "bin", "--rundefinition",
         "unreach-call", "all.xml"], cwd=tmp_path, env=dict(os.environ, PYTHONPATH=str(tmp_path)), text=True,
        capture_output=True, timeout=120)
    said = {words[1]: words[2] for words in map(str.split, done.stdout.splitlines()) if len(words) > 2 and words[1].endswith(".yml")}
    if not said:
        pytest.skip(f"BenchExec does not run here: {(done.stdout + done.stderr)[-300:]}")
    assert said == {"no-idea-4.yml": "unknown(no", "true-1.yml": "true", "true-2.yml": "true",
                    "unreach-call-3.yml": "false(unreach-call)"}, done.stdout
    fleet("bench", "all.xml", "--program", "bin/catena", "--rundefinition", "unreach-call", *WORKERS, status=1)
    assert [t["verdict"] for t in fleet.tasks()] == ["unknown", "true", "true", "false"]


def test_the_definition_beside_it_is_read(fleet):
    """Without the repository its sets are missing, which is said."""
    competition(fleet.directory)
    definition = str(HERE.parent.parent / "benchexec/catena.xml")
    assert "ReachSafety-Heap.set: there is no such file" in fleet("bench", definition, "--program", "./program", status=65).stderr


def test_definitions_that_are_none(fleet):
    competition(fleet.directory)
    for text in ("", "<a/>", "<benchmark timelimit='soon'/>", '<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/hostname">]><b>&x;</b>'):
        (fleet.directory / "bad.xml").write_text(text)
        fleet("bench", "bad.xml", "--program", "./program", status=64)
    (fleet.directory / "c/reach/true-1.yml").write_text("!!python/object/apply:os.system ['touch gone']")
    (fleet.directory / "c/reach/true-2.yml").write_text("input_files: [1]\nproperties: 7\n")
    said = fleet("bench", "c/reach/true-1.yml", "c/reach/true-2.yml", "--program", "./program", status=65)
    assert "no task definition" in said.stderr and not list(fleet.directory.rglob("gone"))
    fleet("bench", "all.xml", "--program", "./missing", status=64)


def test_a_program_that_is_there():
    """The real program reads what is expected of it."""
    program = os.environ.get("CATENA_PROGRAM")
    if not program:
        pytest.skip("no program `catena` was built")
    from catena_fleet import execute
    from catena_fleet.tasks import Job, Options, Text

    source = b"extern void reach_error(void); int main(void) { int x = 1; if (x != 1) reach_error(); return 0; }"
    command = bench.command_line(program, [], "unreach-call", "LP64", 20, 10**9, ["a.c"])
    row, = execute.answer(Job(1, Text("program", "a.c", source, {}, Options(timeout=20, command=tuple(command)), "1"))).rows
    assert row.verdict == "true", row


def test_texts_scripts_and_seeds(fleet):
    source = fleet.directory / "src"
    source.mkdir()
    for n in range(6):
        text = programs.program(n)
        name = text.split("(struct")[0].split("(int a)")[0].split()[-1].lstrip("*")
        expected = "verified" if n == 1 else programs.right(n)
        (source / f"{n}.c").write_text(f"// RUN: verify --timeout 100 %s\n// EXPECT: {name}: {expected}\n{text}")
    (source / "vague.c").write_text("// RUN: verify %s\n// EXPECT: f: verified or unknown (why)\n" + programs.program(0))
    (source / "s.smt2").write_text("(set-info :status unsat)\n(assert false)\n(check-sat)\n")
    said = fleet("bench", "src", *WORKERS, status=1)
    assert "all" in said.stdout and said.stdout.split("all")[1].split()[:3] == ["6", "1", "0"], said.stdout
    assert "wrong: 1.c:second_2: violated" in said.stdout and "vague.c: left out" in said.stderr
    # Seeds: one complains.
    (fleet.directory / "program").write_text(
        f"#!{sys.executable}\nimport sys\nseed = sys.argv[sys.argv.index('--seed') + 1]\n"
        "print('complaint' if seed == '3' else 'quiet')\nsys.exit(seed == '3')\n")
    (fleet.directory / "program").chmod(0o755)
    said = fleet("torture", "--program", "./program", "--seeds", "0..5", *WORKERS, status=1)
    assert "seed 3: complaint" in said.stdout and "4 quiet" in said.stdout


def test_a_simulation_by_hand():
    tasks = [Task(1.0, 1.0)] * 4 + [Task(4.0, 4.0)]
    assert simulate.play(tasks, 1, "listed", Costs())[0] == pytest.approx(8)
    # The long one last: two workers end at 2 and 6; first: both at 4.
    assert simulate.play(tasks, 2, "listed", Costs())[0] == pytest.approx(6)
    assert simulate.play(tasks, 2, "known", Costs())[0] == pytest.approx(4)
    assert simulate.play(tasks, 2, "predicted", Costs(gap=1))[0] == pytest.approx(7)
    assert simulate.play(tasks, 100, "known", Costs())[0] == pytest.approx(4)
    assert simulate.play([], 3, "known", Costs())[0] == 0
    # Two engines raced: one of them takes a second.
    raced = [Task(4.0, 4.0, (1.0, 9.0))]
    assert simulate.play(raced, 2, "known", Costs(), split=True)[0] == pytest.approx(1)
    assert simulate.play(raced, 1, "known", Costs(), split=True)[0] == pytest.approx(4)
    one = simulate.one(tasks, 2, "known", Costs())
    assert one.idle == pytest.approx(0) and one.slowest > 0 and one.per_second == pytest.approx(5 / 4)


def test_the_simulation_predicts_what_is_measured(fleet, write):
    """Two workers, from the times of the run and of what it lost between batches."""
    write(1500, fleet.directory / "src")
    fleet("verify", "src", *WORKERS, "-q", status=1)
    said = json.loads(fleet("simulate", "fleet.db", "--json", "-j", "2,1000").stdout)
    measured = said["measured"]["working"]
    predicted = next(p["seconds"] for p in said["played"] if p["workers"] == 2 and p["order"] == "predicted")
    print(f"predicted {predicted:.2f} s, measured {measured:.2f} s")
    # What is asked of it on a quiet machine is a tenth; tests run beside other work.
    assert 0.7 < predicted / measured < 1.3, (predicted, measured)
    assert "splitting is not played" in fleet("simulate", "fleet.db").stdout


def test_splitting_is_played_from_measured_engines():
    def row(verdict, engine, seconds):
        return Row("k", "verify", "a.c", "f", verdict, engine, seconds=seconds, size=10, answers=[{"engine": engine}])

    everything = [row("verified", "vc", 5.0), row("verified", "pdr", 2.0), row("verified", "pdr", 1.0),
                  row("too-weak", "heaps", 0.1)]
    task, = simulate.tasks_of(everything[:1], everything)
    # `heaps` decides nothing, so it does not count.
    assert sorted(task.engines) == [1.0, 5.0] and task.seconds == 5.0
    out = io.StringIO()
    simulate.print_all(everything[:1], everything, [], [4], True, out)
    played = [p for p in json.loads(out.getvalue())["played"] if p["split"]]
    assert [p["seconds"] for p in played] == [pytest.approx(1.002)]


def test_costs_are_of_the_latest_run_that_did_something():
    runs = [Run("verify", "1", "{}", 0.0, batches=20, done=5, idle=2.0, beside=1.0, ramp=0.5), Run("verify", "1", "{}", 0.0)]
    assert simulate.costs_of(runs) == Costs(0.1, 0.5, 0.2) and simulate.costs_of([]) == Costs(0.002)
