"""Settling: antialiases a picture at rest by drawing it again with shifts below a pixel and showing the mean.

This gives a software renderer smooth edges without the price of multisampling in every frame. Each further picture is
one step, so a change can end it at any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.scene.gl import Program, RenderTarget, draw_into, fade_by, keep_to, mode, quad
from app.scene.lens import APART, FEWEST, MOST, LensSample, Point, opening, shifts
from app.scene.look import Look
from app.scene.panes import Shot
from app.scene.picture import Picture

STEPS = 8

# Sub-pixel places of eight rooks [px]: no two share a row or a column.
SHIFTS: tuple[Point, ...] = tuple(
    ((2 * x - 7) / 16, (2 * y - 7) / 16) for x, y in ((3, 1), (5, 7), (1, 5), (7, 3), (2, 6), (6, 0), (0, 2), (4, 4))
)

_VERTEX = """
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
_FRAGMENT = "uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at); }"


class Settling:
    """The mean of the pictures so far, for one size of the canvas."""

    def __init__(self, width: int, height: int, shifts: Sequence[Point] = SHIFTS, most: int = MOST) -> None:
        self.size = width, height
        self._shifts, self._most = shifts, most  # where no view has a lens; of a mean where one has
        self._samples: Sequence[LensSample] = ()
        self._program, self._quad = Program(_VERTEX, _FRAGMENT), quad()
        self._single = RenderTarget(width, height)
        self._mean = RenderTarget(width, height, kind="rgba16f", depth=False)
        self.steps = 0

    def restart(self) -> None:
        """Forget the pictures so far."""
        self.steps = 0

    @property
    def finished(self) -> bool:
        """True if all samples are in the mean."""
        return self.steps >= max(len(self._samples), 1)

    def step(self, picture: Picture, shot: Shot, look: Look) -> None:
        """Draw one more picture and add it to the mean."""
        if not self.steps:
            self._samples = samples_of(shot, self._shifts, self._most)
        sample = self.steps, len(self._samples)
        # Only where bodies are do pictures differ, mostly: a third of the time is saved.
        part = picture.unsteady(shot) if self.steps else None
        picture.draw(self._single.handle, shot, look, self._samples[self.steps], sample, part)
        draw_into(self._mean.handle, 0, 0, *self.size)
        if part is not None:
            keep_to(*part)
        mode(blend="fade" if self.steps else None)
        fade_by(1 / (self.steps + 1))
        self._lay(self._single)
        self.steps += 1

    def show(self, handle: int) -> None:
        """Draw the mean into a framebuffer."""
        draw_into(handle, 0, 0, *self.size)
        mode()
        self._lay(self._mean)

    def _lay(self, source: RenderTarget) -> None:
        self._program.use(picture=source.texture)
        self._program.draw(self._quad, mode="triangle_strip")


def mean_picture(
    picture: Picture, shot: Shot, look: Look, target: RenderTarget, samples: int
) -> np.typing.NDArray[np.float64]:
    """Return the mean of `samples` pictures, or of more through a lens, 0 to 255, shape [height, width, 4], row 0 the
    highest."""
    total = np.zeros((target.height, target.width, 4))
    taken = samples_of(shot, [SHIFTS[each % STEPS] for each in range(samples)] if samples > 1 else [(0.0, 0.0)])
    for index, each in enumerate(taken):
        picture.draw(target.handle, shot, look, each, (index, len(taken)))
        total += target.read()
    return total / len(taken)


def samples_of(shot: Shot, usual: Sequence[Point], most: int = MOST) -> tuple[LensSample, ...]:
    """Return the pictures of a shot's mean: the usual ones, or more, where a view of it has a lens."""
    height = {view: pane.height if shot.tile is None else shot.tile.whole[1] for view, pane in shot.panes.items()}
    circles = [
        lens.circle(shot.cameras[view], height[view])
        for view, lens in shot.lenses.items()
        if view in shot.panes and not shot.cameras[view].orthographic
    ]
    if not circles:
        return tuple(LensSample(each) for each in usual)
    count = min(max(math.ceil((max(circles) / APART) ** 2), len(usual), FEWEST), max(most, len(usual)))
    return tuple(map(LensSample, shifts(count), opening(count)))
