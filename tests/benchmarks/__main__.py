"""`python -m tests.benchmarks [NAME ...]`: run the benchmarks, print one table, fail where a ratio is too large."""

from __future__ import annotations

import sys

from threadpoolctl import threadpool_limits

from tests.benchmarks import (
    adjoint,
    batch,
    captures,
    cold,
    compiling,
    curves,
    document,
    dynamics,
    export,
    film_workers,
    first_drag,
    grabbing,
    ik,
    keeping,
    kinematics,
    kinodynamics,
    limited,
    limits,
    maintain,
    markers,
    motion,
    muscles,
    natural_posing,
    playing,
    plotting,
    posing,
    project,
    recovering,
    reduction,
    retarget,
    retargeting,
    shapes,
    skinning,
    soft,
    spacetime,
    sweep,
    timeline,
    trails,
    water,
    window,
)
from tests.benchmarks.harness import Row, table

ENTRIES = (
    kinematics,
    muscles,
    batch,
    ik,
    limits,
    limited,
    maintain,
    posing,
    natural_posing,
    skinning,
    shapes,
    soft,
    spacetime,
    adjoint,
    water,
    document,
    motion,
    dynamics,
    kinodynamics,
    reduction,
    captures,
    retarget,
    retargeting,
    markers,
    grabbing,
    timeline,
    curves,
    keeping,
    trails,
    playing,
    plotting,
    project,
    recovering,
    sweep,
    window,
    first_drag,
    export,
    film_workers,
    cold,
    compiling,
)


def main(names: list[str]) -> int:
    """Exit code: 0 when every ratio holds, 1 when one does not, 2 for a name that is not there."""
    known = {entry.NAME: entry for entry in ENTRIES}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    with threadpool_limits(limits=1):
        for name in names or known:
            print(f"measuring {name}...", file=sys.stderr, flush=True)
            rows.extend(known[name].measure())
    print(table(rows))
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
