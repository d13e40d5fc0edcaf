"""The example "Flesh on bones": a human of flesh about a stiffened skeleton, as figures 36 and 37 of Engell-Norregard
2012 have it.

A lattice of cubes fills the skin of the figure, split to tetrahedra; those about its bones are 250 times as stiff and
are drawn to where its joints go. It walks, and the flesh follows late.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.queries.examples import human, shipped_part
from engine.soft.flesh import flesh
from engine.soft.making import soft_actor
from engine.soft.parts import SoftWorld


def fleshed() -> Document:
    """A figure that walks, and the flesh on it."""
    figure = human("human", "Human")
    motion = shipped_part("motions/walk/1")
    figure = replace(figure, layers=(motion,), visible=False)  # type: ignore[arg-type]
    body, _ = flesh(
        figure.figure,
        figure.figure.skins[0],
        target="human",
        along=30,
        hold="spring",
        young=1.2e4,
        density=1000.0,
        stiffness_damping=0.012,
        touches=False,
    )
    made = replace(soft_actor("flesh", "Flesh", body), placement=figure.placement)
    parts = (SoftWorld(step=1.0 / 60.0, tolerance=1e-2),)
    return Document(actors=(figure, made), play=Span(start=0, end=2 * SECOND), rate=(60, 1), parts=parts)
