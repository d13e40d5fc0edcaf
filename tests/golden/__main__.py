"""`python3 start.py goldens [--record | --add] [--deep] [KIND[/NAME] ...]`: compare goldens, or record them anew.

What differs is printed either way, a line each. Recording writes over what was recorded, but for logs and project
files that are there: their text is kept, and only what comes of it is recorded; what no log holds yet gets a log.
Adding writes entries that are new, as those of another format, and leaves all that was recorded on whatever machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import perf_counter

from tests.golden import found, making, pictures
from tests.golden.kinds import KINDS, all_of, find


def main(arguments: Sequence[str]) -> int:
    """Exit code: 0 when all is as recorded, or recorded; 1 when something differs; 2 for a name that is not there."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="KIND[/NAME]", help=f"of {', '.join(KINDS)}, pictures; all if none")
    parser.add_argument("--record", action="store_true", help="write what is found over what was recorded")
    parser.add_argument("--add", action="store_true", help="write entries that are new beside what was recorded")
    parser.add_argument("--deep", action="store_true", help="those too that every run of the tests leaves out")
    chosen = parser.parse_args(arguments)
    wanted = chosen.names or [*(kind for kind in KINDS if chosen.deep or not KINDS[kind].deep), "pictures"]
    unknown = [each for each in wanted if each.partition("/")[0] not in (*KINDS, "pictures")]
    if unknown:
        print(f"no golden is called {', '.join(unknown)}", file=sys.stderr)
        return 2
    if chosen.record and any(each in ("logs", "files") for each in wanted):
        making.make_missing()
    apart = sum(_go_through(each, record=chosen.record, add=chosen.add) for each in wanted)
    print(f"{apart} goldens {'recorded anew' if chosen.record else 'differ'}; on {found.machine()}")
    return int(apart > 0 and not chosen.record)


def _go_through(what: str, *, record: bool, add: bool) -> int:
    """How many of a kind differed."""
    kind, _, name = what.partition("/")
    began = perf_counter()
    if kind == "pictures":
        apart = pictures.go_through(record=record)
        print(f"pictures: {perf_counter() - began:.1f} s", flush=True)
        return apart
    names, apart = [name] if name else all_of(kind), 0
    for each in names:
        started, got, before = perf_counter(), find(kind, each), found.recorded(kind, each)
        lines = found.differences(before, got)
        for line in lines:
            print(f"{kind}/{each}: {line}", flush=True)
        apart += bool(lines)
        if record and (lines or (before is not None and before.machine != found.machine())):
            found.record(kind, each, got)
        elif add and lines and before is not None:
            found.record(kind, each, got, kept=before)
        if perf_counter() - started > 3.0:
            print(f"{kind}/{each} took {perf_counter() - started:.1f} s", flush=True)
    if record and not name:
        found.remove_others(kind, names)
    print(f"{kind}: {len(names)} in {perf_counter() - began:.1f} s", flush=True)
    return apart


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
