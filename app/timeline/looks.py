"""Looks of the dope sheet's marks and blocks: colours and words for each kind, and the legend that shows them."""

from __future__ import annotations

from collections.abc import Sequence

from app.style.theme import Theme
from app.timeline.rows import RowSource

COLOURS = {"stepped": "warning", "linear": "axis_z", "cubic": "text_quiet", "free": "good", "several": "text_faint"}
WORDS = {
    "stepped": "held until the next key",
    "linear": "straight to the next key",
    "cubic": "smooth",
    "free": "smooth, with tangents of its own",
    "several": "keys of several kinds",
}
SHAPES = {"stepped": "■", "linear": "◆", "cubic": "●", "free": "●", "several": "◆"}


def legend(theme: Theme, sources: Sequence[RowSource]) -> str:
    """Return the legend of marks and bars."""
    marks = (_line(SHAPES[kind], theme.token(COLOURS[kind]), words) for kind, words in WORDS.items())
    looks = (each for source in sources for each in source.looks.values())
    bars = (_line("▬", theme.token(colour), f"when {words}") for colour, words in looks)
    return "<br>".join((*marks, *bars))


def _line(shape: str, colour: str, words: str) -> str:
    return f'<span style="color:{colour}">{shape}</span>&nbsp; {words[:1].upper()}{words[1:]}'
