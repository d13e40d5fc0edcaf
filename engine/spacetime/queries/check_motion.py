"""CheckMotion: what of a problem contradicts itself or cannot be, in words, before any search.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator

from engine.document import Document


def check_motion(document: Document, actor: str) -> Generator[tuple[str, ...] | None, None, None]:
    """Say what cannot be, of whom the actor meets, too."""
    from engine.spacetime.coupled import coupled_motions
    from engine.spacetime.coupled_faults import check_coupled

    made = coupled_motions(document, actor)
    yield None
    yield tuple(str(each) for each in check_coupled(made))
