"""What two bare processes do: `python bare.py DIRECTORY PROCESSES` verifies the programs of a directory without Ray and
without a table, and prints seconds and verdicts as JSON."""

import json
import multiprocessing
import sys
import time
from pathlib import Path


def decide(paths: list) -> tuple:
    import catena

    begun = time.perf_counter()
    verdicts = {}
    for path in paths:
        report = catena.verify(path.read_bytes(), file=path.name, timeout=60, memory=4000 << 20, pictures=False)
        for f in report.functions:
            verdict = type(f.verdict).__name__.lower()
            # Of several behaviours, the one that fails counts.
            name = f"{path.name}:{f.function}"
            verdicts[name] = verdict if verdicts.get(name) != "violated" else "violated"
    return begun, time.perf_counter(), verdicts


def main() -> None:
    paths = sorted(Path(sys.argv[1]).glob("*.c"))
    count = int(sys.argv[2])
    begun = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        done = pool.map(decide, [paths[i::count] for i in range(count)], chunksize=1)
    verdicts = {name: verdict for _, _, part in done for name, verdict in part.items()}
    working = max(end for _, end, _ in done) - min(start for start, _, _ in done)
    json.dump({"seconds": time.perf_counter() - begun, "working": working, "verdicts": verdicts}, sys.stdout)


if __name__ == "__main__":
    main()
