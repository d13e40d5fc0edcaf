"""ShadowPace: which shadows the next picture of the views has, by what a person chose and by what the machine manages.

A card draws all. A processor draws the key's shadow with equal edges while something moves, as long as a picture takes
no more than `LONGEST`, else contact alone; all of them once the picture rests.
"""

from __future__ import annotations

from collections import deque

from app.scene.look import Shadows

LONGEST = 26.0  # [ms] of a picture: what else the window does takes the rest of a thirtieth of a second
TRIED = 5  # pictures that are all slower before the key's shadow is given up


class ShadowPace:
    """Keeps how long pictures took."""

    def __init__(self, *, software: bool, settles: bool) -> None:
        self._software, self._settles = software, settles
        self._times = deque[float](maxlen=TRIED)
        self._scene: object = None
        self._is_quick = False  # what was chosen last

    def choose(self, wanted: Shadows, *, resting: bool) -> Shadows:
        """Return the shadows of a picture, of a mean of several where it is one of a picture at `resting`."""
        found = self._chosen(wanted, resting=resting)
        self._is_quick = found == "quick"
        return found

    def _chosen(self, wanted: Shadows, *, resting: bool) -> Shadows:
        if wanted not in ("auto", "full") or not self._software:
            return "full" if wanted == "auto" else wanted
        if resting or (wanted == "full" and not self._settles):
            return "full"
        return "quick" if wanted == "full" or not self.is_slow else "contact"

    @property
    def is_slow(self) -> bool:
        """True if the key's shadow takes too long while something moves."""
        return len(self._times) == TRIED and min(self._times) > LONGEST

    def took(self, milliseconds: float, scene: object) -> None:
        """Take over how long the picture took for which shadows were chosen; another `scene`, such as another size, is
        tried anew."""
        if scene != self._scene:
            self._scene = scene
            self._times.clear()
        if self._is_quick:
            self._times.append(milliseconds)
