"""What a document is said to need is what its pictures, drags and plots run: nothing else is compiled then.

Each case is a process of its own that warms posing and the purposes that are named, then does the work; any kernel that
it loads or compiles after that is one that no purpose named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from engine.jobs.examples import EXAMPLES
from engine.runtime.rooms import ENGINE

CASES = ("as rotations", "timed", "samples", "correction", "linear skin", "keyed lock", "torque", "place")
PATIENCE = 900.0  # [s] where kernels are compiled first


@pytest.mark.parametrize("case", [*CASES, *(each.id for each in EXAMPLES)])
def test_pictures_drags_and_plots_use_no_kernels_but_those_that_are_named(case: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.jobs.needed", case],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
