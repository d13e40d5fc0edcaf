"""A worm with three splines on a session whose worker answers when told."""

from __future__ import annotations

import pytest

from engine.document import Document
from tests.engine.soft.worms import along, keyed, worm_scene


@pytest.fixture
def document() -> Document:
    return worm_scene(keyed("upper", 0.04), along("middle"), along("lower", -0.04))
