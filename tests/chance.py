"""What a shuffled run leaves to chance: the order of its files, and where the mouse pointer stands as tests begin.

Files of tests share a process and its window, so that each finds what those before it have loaded. The usual order, and
a pointer that stands aside, hide a test that hangs on that; `start.py test --shuffle SEED` does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.plan import Task

Shares = tuple[float, float]  # of the width and the height of the screen


def shuffled(tasks: Sequence[Task], seed: int) -> list[Task]:
    """Checks first, as ever; then the files in an order that follows from the seed."""
    files = [task for task in tasks if task.kind is not None]
    Random(seed).shuffle(files)
    return [task for task in tasks if task.kind is None] + files


def place_of_pointer(file: str, seed: int) -> Shares:
    """Somewhere on the screen for the tests of a file; half of the places lie where windows usually stand."""
    chance = Random(f"{seed} {file}")
    share = chance.choice((0.4, 1.0))
    return round(chance.random() * share, 4), round(chance.random() * share, 4)
