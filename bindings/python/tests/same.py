"""Answers many questions through Python, for comparison with Rust: `same.py LIST OUT`, as bindings/core/examples/same.rs."""

import pathlib
import sys

import catena
from catena import _catena

STEPS = 2_000_000


def main(names, out):
    for n, name in enumerate(pathlib.Path(names).read_text().splitlines()):
        text = pathlib.Path(name).read_bytes()
        if name.endswith(".c"):
            answer = _catena.verify_json(text, f'{{"file": "{name}", "steps": {STEPS}}}', None, None)
            # The values say the same as the text that they are made of.
            report = catena.verify(text, file=name, steps=STEPS)
            shown = f'"verified":{"true" if report else "false"}'
            assert shown in answer, name
            for function in report.functions:
                assert type(function.verdict).__name__.lower().replace("tooweak", "too-weak") in answer, name
        else:
            answer = catena.Dialogue(steps=STEPS).run(text.decode())
        (pathlib.Path(out) / f"{n}.txt").write_text(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
