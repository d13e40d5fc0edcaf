"""What a document is said to need is what its pictures, drags and plots run: nothing else is compiled then.

Documents that need the same are tried in a process of their own (`needed`), which warms posing and the purposes that
are named, and then does the work; any kernel that it loads or compiles after that is one that no purpose named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache

import pytest

from engine.queries.examples import EXAMPLES
from engine.runtime.rooms import ENGINE

ALIKE = (
    ("lamp", "linear skin"),
    ("lamp_leap", "long_leap", "pendulum", "links", "kneel", "ball_play"),
    ("fall",),
    ("throw",),
    ("walk", "jump", "as rotations", "timed", "samples", "correction", "place"),
    ("torque",),
    ("standing", "hands", "quadruped"),
    ("skeleton",),
    ("ball", "keyed lock"),
    ("punch", "fast_punch", "letters", "grasp"),
    ("hanging_ball",),
    ("ragdoll",),
    (
        "jelly",
        "snake",
        "word",
        "stool",
        "table",
        "lizard",
        "biceps",
        "overlap",
        "regions",
        "arm",
        "leap",
        "two_particles",
    ),
    ("flesh",),
    ("curl",),
    ("body",),
    ("squat",),
    ("muscled_walk", "limp"),
    ("dropped",),
    ("lift",),
    ("seesaw",),
    ("belly",),
    ("face",),
    ("hat",),
    ("dam",),
    ("splash", "floats", "face_down", "waves"),
    ("stream",),
    ("pond",),
    ("duck",),
)
PATIENCE = 900.0  # [s] where kernels are compiled first


def test_all_examples_are_tried() -> None:
    assert {each.id for each in EXAMPLES} <= {case for cases in ALIKE for case in cases}


@cache
def found() -> tuple[dict[str, list[str]], str]:
    """By case the kernels that nobody named, and what went wrong on the way."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.queries.needed", *map(",".join, ALIKE)],
        env={**os.environ, "PYTHONPATH": str(ENGINE.parent)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return {case: names for line in done.stdout.splitlines() for case, names in json.loads(line).items()}, done.stderr


@pytest.mark.parametrize("cases", ALIKE, ids=[cases[0] for cases in ALIKE])
def test_pictures_drags_and_plots_use_no_kernels_but_those_that_are_named(
    cases: tuple[str, ...], allow: Callable[[float], None]
) -> None:
    allow(PATIENCE)
    kernels, problems = found()
    assert {case: kernels.get(case) for case in cases} == {case: [] for case in cases}, problems
