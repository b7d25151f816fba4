"""Tables of others, and what can happen to a file."""

import sqlite3

import pytest

from catena_fleet import show
from catena_fleet.faults import Fault
from catena_fleet.table import Entry, Run, Table
from catena_fleet.tasks import Listed, Row


def row(key="k", verdict="verified", **other):
    return Row(key, "verify", "a.c", "f", verdict, **other)


def made(path, rows=(row(),)):
    table = Table(str(path), write=True)
    table.add([(r, "1", "{}") for r in rows], [("t", "verify", "a.c", [Listed("f", 1, 2, "k")])])
    table.set_latest([Entry(r.key, 1) for r in rows])
    run = Run("verify", "1", "{}", 0.0)
    table.note_run(run)
    table.note_run(run)
    table.close()
    return str(path)


def refused(path, status, *words, write=False):
    with pytest.raises(Fault) as fault:
        table = Table(str(path), write=write)
        table.latest()
        list(table.rows())
        table.runs()
    assert fault.value.status == status, fault.value
    assert all(word in str(fault.value) for word in words), fault.value


def test_a_row_is_there_once(tmp_path):
    path = made(tmp_path / "a.db")
    table = Table(path, write=True)
    table.add([(row(verdict="unknown"), "1", "{}")], [])
    assert [r.verdict for r in table.rows()] == ["verified"]
    table.add([(row(verdict="unknown"), "1", "{}")], [], again=True)
    assert [r.verdict for r in table.rows()] == ["unknown"]
    assert len(table.runs()) == 1
    assert table.texts() == {"t": [Listed("f", 1, 2, "k")]}


def test_what_is_no_table(tmp_path):
    path = tmp_path / "a.db"
    refused(path, 64, "there is no table")
    path.write_bytes(b"hello, this is no database at all" * 100)
    refused(path, 65, "no table of catena-fleet")
    refused(path, 65, "no table of catena-fleet", write=True)
    assert path.read_bytes().startswith(b"hello")
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE tasks (a)")
    refused(path, 65, "no table of catena-fleet", write=True)
    refused(tmp_path, 64, "no file")


def test_a_table_of_another_version(tmp_path):
    path = made(tmp_path / "a.db")
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    refused(path, 65, "format 99", "format 1")


@pytest.mark.parametrize("statement", [
    "CREATE TRIGGER t AFTER INSERT ON tasks BEGIN DELETE FROM tasks; END",
    "CREATE VIEW more AS SELECT * FROM tasks",
    "DROP TABLE latest",
    "ALTER TABLE tasks ADD COLUMN more",
])
def test_a_schema_that_is_not_ours(tmp_path, statement):
    path = made(tmp_path / "a.db")
    with sqlite3.connect(path) as db:
        db.execute(statement)
    refused(path, 65, "not ours", write=True)


@pytest.mark.parametrize("change", [
    "verdict = 'certainly'", "seconds = 'long'", "answers = '{'", "answers = '[1]'", "message = x'00'", "seconds = 1e300",
    "kind = 'other'", "line = 'one'", "answers = '" + "[" * 100000 + "'",
])
def test_values_that_are_none(tmp_path, change):
    path = made(tmp_path / "a.db")
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE tasks SET {change}")
    refused(path, 65, "damaged")


def test_lists_of_functions_that_are_none_are_made_again(tmp_path):
    path = made(tmp_path / "a.db")
    for text in ("{}", "[1]", "[[1,2,3,4]]", '[["f"]]', "[" * 100000):
        with sqlite3.connect(path) as db:
            db.execute("UPDATE texts SET functions = ?", (text,))
        assert Table(path, write=False).texts() == {}


def test_every_cut_and_every_flipped_byte_is_an_answer_or_a_fault(tmp_path):
    whole = open(made(tmp_path / "a.db", [row(str(n)) for n in range(50)]), "rb").read()
    path = tmp_path / "b.db"
    for at in list(range(1, len(whole), 977)) + list(range(16, 100, 7)):
        for text in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xff]) + whole[at + 1:]):
            path.write_bytes(text)
            try:
                table = Table(str(path), write=False)
                show.status(table.latest())
                list(table.rows()), table.runs(), table.texts()
                table.close()
            except Fault as fault:
                assert fault.status in (64, 65), fault


def test_what_a_table_says_cannot_steer_a_terminal(tmp_path):
    path = made(tmp_path / "a.db", [row(message="\x1b[2Jgone\nnext", verdict="unknown")])
    table = Table(path, write=False)
    (entry, found), = table.latest()
    assert "\x1b" not in show.line(entry, found) and "\n" not in show.line(entry, found)


def test_cells_are_no_formulas(tmp_path):
    import io

    path = made(tmp_path / "a.db", [row(message="=1+1", verdict="unknown")])
    out = io.StringIO()
    show.as_csv(Table(path, write=False).latest(), out)
    assert "'=1+1" in out.getvalue()


def test_a_full_disk(tmp_path):
    table = Table(made(tmp_path / "a.db"), write=True)
    pages = table._db.execute("PRAGMA page_count").fetchone()[0]
    table._db.execute(f"PRAGMA max_page_count={pages + 1}")
    with pytest.raises(Fault) as fault:
        for n in range(1000):
            table.add([(row(str(n), message="x" * 2000), "1", "{}")], [])
    assert fault.value.status == 70 and "full" in str(fault.value)
    assert len(list(table.rows())) >= 1
    table.close()
    assert len(list(Table(str(tmp_path / "a.db"), write=False).rows())) >= 1


def test_a_place_that_cannot_be_written(tmp_path, fleet):
    (fleet.directory / "a.c").write_text("int main(void) { return 0; }")
    for place in ("missing/fleet.db", "/proc/fleet.db", "."):
        assert "cannot be written" in fleet("verify", "a.c", "--table", place, status=64).stderr or place == "."


def test_judgements():
    def judged(verdict, expected, message=""):
        return show.judgement(Entry("k", 1, "", expected), row(verdict=verdict, message=message) if verdict else None)

    assert judged("verified", "verified") == "right" and judged("violated", "verified") == "wrong"
    assert judged("unknown", "verified") == judged("too-weak", "violated") == judged(None, "verified") == "undecided"
    assert judged("false", "false(valid-free)", "valid-free") == "right"
    assert judged("false", "false(valid-free)", "valid-deref") == "wrong"
    assert judged("verified", "") == ""
