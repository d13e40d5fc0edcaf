"""Exporting: films and frames, encoded by another program and put in place by the app."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from app.export.encoder import Encoder
from app.export.plan import Plan
from engine.document import Document
from engine.runtime.errors import EngineError
from tests.app.export.films import SECOND, plan_for, read
from tests.beeps import beeping
from tests.reliability.deeds import WITHIN, Unsound

SIZE = (32, 32)
FRAMES = 3


class Exporting:
    """A film and three frames, over and over, each time of another colour."""

    name, steps, grace = "export", 4, 0.0

    def prepare(self, folder: Path) -> None:
        """Nothing."""

    def begin(self, folder: Path) -> None:
        """Nothing."""

    def step(self, folder: Path, number: int) -> None:
        plan = self._plan(folder, number)
        encoder = Encoder(plan)
        for _ in range(FRAMES):
            if not encoder.wait_for_room():
                break
            encoder.put(_frame(number))
        encoder.finish()
        if not encoder.wait(WITHIN):
            raise Unsound("an export does not end")
        if encoder.state != "done":
            raise EngineError(encoder.problem or encoder.state)

    def end(self) -> None:
        """Nothing."""

    def check(self, folder: Path, done: int, begun: int) -> int:
        names = {path.name for number in (1, 2) for path in self._plan(folder, number).names}
        left = [each.name for each in folder.iterdir() if not each.name.startswith(".")]
        if not names.issuperset(left):
            raise Unsound(f"an export has left {left}")
        found = done
        for number in range(max(begun - 1, 1), begun + 1):
            if self._is_there(folder, number):
                found = number
            elif number <= done:
                raise Unsound(f"export {number} was done and is not there")
        return found

    def _is_there(self, folder: Path, number: int) -> bool:
        """Whether all files of an export are there; none may be half."""
        names = self._plan(folder, number).names
        colours = {path: _colour(path) for path in names if path.exists()}
        for path, colour in colours.items():
            if not any(abs(colour - _red(each)) < 4 for each in (number, number - 2) if each > 0):
                raise Unsound(f"{path.name} is of colour {colour}, not of exports {number} or {number - 2}")
        if len(colours) < len(names) and number > 2 and not colours:
            raise Unsound(f"export {number - 2} has gone")
        return len(colours) == len(names) and all(abs(each - _red(number)) < 4 for each in colours.values())

    def _plan(self, folder: Path, number: int) -> Plan:
        out, codec = (folder / "film.mp4", "h264") if number % 2 else (folder / "frame.png", "png")
        return plan_for(out, Document(sound=beeping(0.2)), codec=codec, size=SIZE, end=(FRAMES - 1) * SECOND // 10)


def _red(number: int) -> int:
    return 40 + 16 * (number // 2 % 12)


def _frame(number: int) -> bytes:
    pixels = np.full((SIZE[1], SIZE[0], 4), 255, dtype=np.uint8)
    pixels[..., :3] = _red(number)
    return pixels.tobytes()


def _colour(path: Path) -> int:
    """How bright a whole picture or film is; refuses half of one."""
    if path.suffix == ".png":
        image = QImage(str(path))
        if (image.width(), image.height()) != SIZE:
            raise Unsound(f"{path.name} is no whole picture")
        return image.pixelColor(3, 3).red()
    try:
        film = read(path)
    except Exception as error:
        raise Unsound(f"{path.name} is no film: {error}") from error
    if (film.size, len(film.frames)) != (SIZE, FRAMES):
        raise Unsound(f"{path.name} has {len(film.frames)} frames of {film.size}")
    return round(float(film.frames[-1].mean()))
