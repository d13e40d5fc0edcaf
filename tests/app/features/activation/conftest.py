"""A worm with three splines and an arm with three muscles, on a session whose worker answers when told."""

from __future__ import annotations

import pytest

from engine.document import Document, Key
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from tests.engine.muscles.arms import bent_arm
from tests.engine.soft.worms import along, keyed, worm_scene


@pytest.fixture
def document() -> Document:
    scene = edit("add_actor", actor=bent_arm()).apply(worm_scene(keyed("upper", 0.04), along("middle"), along("lower")))
    keys = (Key(0, 0.0), Key(SECOND, 0.8))
    return edit("set_muscle_keys", actor="arm", muscle="triceps", keys=keys).apply(scene)
