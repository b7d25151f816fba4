"""What tests share: a program to run, programs to verify, and a library that can be made to misbehave."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import programs

HERE = Path(__file__).parent

#: Stands before the library in the path of workers; a text that has one of these words makes it misbehave.
MISBEHAVING = '''
import os, sys, time
_own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != _own]
_this = sys.modules.pop("catena")
import catena as _real
_verify = _real.verify

def verify(source, **options):
    for word, deed in (("CRASH", lambda: os._exit(9)), ("HANG", lambda: time.sleep(1000)),
                       ("SLOW", lambda: time.sleep(0.02)), ("HOARD", lambda: _hoard()), ("RAISE", lambda: 1 // 0)):
        if word in (source if isinstance(source, str) else bytes(source).decode(errors="replace")) and options.get("steps") != 1:
            names = options.get("functions") or ()
            if word == "SLOW" or not names or any(word.lower() in name for name in names):
                deed()
    return _verify(source, **options)

def _hoard():
    kept = []
    while True:
        kept.append(bytearray(b"x" * (32 << 20)))
        time.sleep(0.01)

_real.verify = verify
'''


class Fleet:
    """Runs the program in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.environment = dict(os.environ, RAY_USAGE_STATS_ENABLED="0")

    def command(self, *arguments: str) -> list:
        return [sys.executable, "-m", "catena_fleet", *arguments]

    def start(self, *arguments: str) -> subprocess.Popen:
        # A process of its own group that does not inherit an ignored SIGINT.
        return subprocess.Popen(self.command(*arguments), cwd=self.directory, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def __call__(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(self.command(*arguments), cwd=self.directory, env=self.environment, text=True,
                              capture_output=True, timeout=170)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def tasks(self, table: str = "fleet.db") -> list:
        """The tasks of the latest run, as they are exported."""
        return json.loads(self("export", table, "--json").stdout)["tasks"]

    def last_run(self, table: str = "fleet.db") -> dict:
        return json.loads(self("export", table, "--json").stdout)["runs"][-1]

    def misbehave(self) -> None:
        """Workers have a library that misbehaves when it is told to."""
        place = self.directory / "misbehaving" / "catena"
        place.mkdir(parents=True)
        (place / "__init__.py").write_text(MISBEHAVING)
        before = self.environment.get("PYTHONPATH", "")
        self.environment["PYTHONPATH"] = os.pathsep.join(p for p in (str(place.parent), before) if p)


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)


@pytest.fixture
def write():
    return programs.write


def query(path: Path, text: str) -> list:
    """Reads a table as any tool would."""
    with sqlite3.connect(path) as db:
        return db.execute(text).fetchall()
