"""The pictures of the documentation can be made, and show what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests import shots

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("name", shots.PICTURES)
def test_every_picture_can_be_made(qapp: object, name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.png"
    shots.take(name, path)
    picture = QImage(str(path))
    assert (picture.width(), picture.height()) == (1280, 800)
    colours = {picture.pixel(x, y) for x in range(230, 970, 5) for y in range(30, 640, 5)}
    assert len(colours) > 500, "a shaded body, not an empty page"
    assert (shots.FOLDER / f"{name}.png").is_file(), "made by `python3 start.py shots` and committed"
