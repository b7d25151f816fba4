"""Where the key of a function is the same before and after a change elsewhere, so is the answer."""

import os

from catena_fleet import execute
from catena_fleet.functions import _divide
from catena_fleet.tasks import Job, Options, Text

from conftest import HERE

#: As many take some seconds; FLEET_TEXTS=1000 takes them all.
TEXTS = int(os.environ.get("FLEET_TEXTS", "12"))
CORPUS = HERE.parent.parent.parent / "tests/programs"


def answers(source: bytes) -> dict:
    result = execute.answer(Job(1, Text("verify", "a.c", source, {}, Options(timeout=20), "1"), together=1000))
    return {row.key: (row.function, row.verdict) for row in result.rows if row.function}


def test_a_body_that_is_in_no_other_key_changes_no_other_answer():
    compared = texts = 0
    for path in sorted(CORPUS.rglob("*.c")):
        source = path.read_bytes()
        divided = _divide(source)
        if divided is None or not 2 <= len(divided[1]) <= 6 or texts >= TEXTS:
            continue
        before = answers(source)
        texts += 1
        for function in divided[1]:
            # It does nothing, the same after a statement that does nothing, or never returns.
            body = source[function.start:function.end]
            other = (b"{ if (1 == 2) " + body + b" }", b"{ ; " + body + b" }", b"{ while (1) ; }")[compared % 3]
            after = answers(source[:function.start] + other + source[function.end:])
            for key in before.keys() & after.keys():
                assert before[key] == after[key], (path, function.name, before[key], after[key])
                compared += 1
    assert compared > 5, (compared, texts)
    print(f"{compared} answers in {texts} texts")
