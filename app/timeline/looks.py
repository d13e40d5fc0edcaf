"""Looks of the dope sheet's marks and blocks: colours and words for each kind, and the legend that shows them."""

from __future__ import annotations

from app.style.theme import Theme

COLOURS = {"stepped": "warning", "linear": "axis_z", "cubic": "text_quiet", "free": "good", "several": "text_faint"}
WORDS = {
    "stepped": "held until the next key",
    "linear": "straight to the next key",
    "cubic": "smooth",
    "free": "smooth, with tangents of its own",
    "several": "keys of several kinds",
}
SHAPES = {"stepped": "■", "linear": "◆", "cubic": "●", "free": "●", "several": "◆"}
BLOCKS = {"layer": "accent", "lock": "warning", "attachment": "axis_z", "target": "good", "rule": "good"}
BLOCK_WORDS = {
    "layer": "a layer counts",
    "lock": "a lock holds",
    "attachment": "something is held",
    "target": "a target is led to",
    "rule": "keys are led to, or one frame of several",
}


def legend(theme: Theme) -> str:
    """Return the legend of marks and bars."""
    marks = (_line(SHAPES[kind], theme.token(COLOURS[kind]), words) for kind, words in WORDS.items())
    bars = (_line("▬", theme.token(BLOCKS[kind]), f"when {words}") for kind, words in BLOCK_WORDS.items())
    return "<br>".join((*marks, *bars))


def _line(shape: str, colour: str, words: str) -> str:
    return f'<span style="color:{colour}">{shape}</span>&nbsp; {words[:1].upper()}{words[1:]}'
