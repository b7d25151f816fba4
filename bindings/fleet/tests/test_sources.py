"""What a command is about, and what a text is read with."""

import json
import os

import pytest

from catena_fleet import flags
from catena_fleet.faults import Fault
from catena_fleet.sources import Reader, find
from catena_fleet.tasks import Options


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(source):
    return Reader("1").read(source)


def test_directories_lists_and_files(tmp_path):
    for name in ("b.c", "in/a.c", ".hidden/c.c", "d.h"):
        write(tmp_path / name, "int x;")
    (tmp_path / "in" / "up").symlink_to(tmp_path)
    found = find([str(tmp_path)], "verify", ".c", Options())
    assert [s.name for s in found.sources] == ["b.c", "in/a.c"]
    write(tmp_path / "list", "# a remark\n\nin/a.c\nmissing.c\nin/a.c\n")
    found = find([str(tmp_path / "list")], "verify", ".c", Options())
    assert [s.name for s in found.sources] == ["in/a.c", "missing.c"]
    with pytest.raises(OSError):
        read(found.sources[1])
    with pytest.raises(Fault):
        find([str(tmp_path / "nothing")], "verify", ".c", Options())
    write(tmp_path / "empty" / "x.h", "")
    assert "no .c file" in find([str(tmp_path / "empty")], "verify", ".c", Options()).errors[0]
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\xff")
    with pytest.raises(Fault):
        find([str(tmp_path / "binary")], "verify", ".c", Options())


def test_what_is_included_travels_along_and_is_in_the_key(tmp_path):
    write(tmp_path / "a.c", '#include "h/one.h"\n#include <stdlib.h>\n#if 0\n# include <far.h>\n#endif\nint x;')
    write(tmp_path / "h/one.h", '#include "two.h"\n#include "../a.c"\n')
    write(tmp_path / "h/two.h", '#include "one.h"\n')
    write(tmp_path / "inc/far.h", "int far;")
    source, = find([str(tmp_path / "a.c")], "verify", ".c", Options(include_directories=(str(tmp_path / "inc"),))).sources
    text = read(source)
    assert sorted(text.files) == ["h/one.h", "h/two.h", "inc/far.h"]
    before = text.key()
    write(tmp_path / "h/two.h", '#include "one.h"\nint two;\n')
    assert read(source).key() != before
    write(tmp_path / "h/two.h", '#include "one.h"\n')
    assert read(source).key() == before
    # A file that would now be found first.
    write(tmp_path / "inc/h/one.h", "int other;")
    assert read(source).key() != before


def test_a_project_may_be_moved(tmp_path):
    keys = []
    for place in ("here", "there/deeper"):
        write(tmp_path / place / "p/a.c", '#include "a.h"\n')
        write(tmp_path / place / "p/a.h", "int a;")
        write(tmp_path / place / "inc/b.h", "int b;")
        options = Options(include_directories=(str(tmp_path / place / "inc"),))
        source, = find([str(tmp_path / place)], "verify", ".c", options).sources
        keys.append(read(source).key())
    assert keys[0] == keys[1]


def test_what_a_macro_includes(tmp_path):
    write(tmp_path / "a.c", '#define WHICH "chosen.h"\n#include WHICH\n')
    write(tmp_path / "chosen.h", "int chosen;")
    source, = find([str(tmp_path / "a.c")], "verify", ".c", Options()).sources
    assert list(read(source).files) == ["chosen.h"]


def test_compilation_databases(tmp_path):
    for name in ("a.c", "sub/b.c", "c.cpp"):
        write(tmp_path / name, "int x;")
    write(tmp_path / "sub/pre.h", "int pre;")
    commands = [
        {"file": "a.c", "directory": str(tmp_path), "command": "cc -c -Iinc -DA='x y' -UB a.c"},
        {"file": "a.c", "directory": str(tmp_path), "command": "cc -c a.c"},
        {"file": "b.c", "directory": "sub", "arguments": ["cc", "-include", "pre.h", "-m32", "-fshort-enums", "b.c"]},
        {"file": "c.cpp", "directory": str(tmp_path), "command": "c++ c.cpp"},
        {"directory": "."}, {"file": "a.c", "directory": ".", "command": "'"}, 7,
    ]
    write(tmp_path / "compile_commands.json", json.dumps(commands))
    for operand in (tmp_path, tmp_path / "compile_commands.json"):
        found = find([str(operand)], "verify", ".c", Options())
        a, b = found.sources
        assert (a.name, a.options.defines, a.options.undefines) == ("a.c", ("A=x y",), ("B",))
        assert a.options.include_directories == ("inc",)
        assert (b.name, b.options.lp64, b.options.unmodelled) == (os.path.join("sub", "b.c"), False, ("-fshort-enums",))
        assert list(read(b).files) == ["sub/pre.h"]
        assert len(found.errors) == 3 and len(found.notes) == 2
    for text in ("{", "{}", "[" * 100000, "[]"):
        write(tmp_path / "compile_commands.json", text)
        found = find([str(tmp_path)], "verify", ".c", Options())
        assert found.errors and not found.sources


def test_flags():
    def read(text):
        return flags.read(text.split(), "/p", Options())

    options, language = read("-Iinc -isystem sys -I /abs -DA -UA -DB=1 -DB=2 -std=gnu11 -O2 -o x.o -MF d a.c")
    assert options.include_directories == ("/p/inc", "/abs", "/p/sys")
    assert (options.defines, options.undefines, options.unmodelled) == (("B=2",), ("A",), ())
    assert read("-std=c++17 -ansi -funsigned-char @more")[0].unmodelled == ("-std=c++17", "-ansi", "-funsigned-char", "@more")
    assert read("-x c++ a.c")[1] == "c++" and language == ""
    read("-I"), read("-D"), read("-imacros"), read("-o")
