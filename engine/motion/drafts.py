"""A layer as it is at one of its drafts: two layers, which `Motion` is compiled from like any others.

The first is the layer itself, its mask closed for what the draft gives, so that all else (rotations joined from keys,
paths timed by a speed curve) stays as it was; the second is the draft as a pose of the same mode, weight and span.
Rates of drafted coordinates are zero: a draft is one picture and no motion.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Draft, Figure, Layer


def at_draft(figure: Figure, layers: tuple[Layer, ...], time: float) -> tuple[Layer, ...]:
    """The layers at a time [ticks]; the identical tuple where no draft stands on it."""
    if all(layer.draft_at(time) is None for layer in layers):
        return layers
    made: list[Layer] = []
    for layer in layers:
        draft = layer.draft_at(time)
        made += [layer] if draft is None else _parted(figure, layer, draft)
    return tuple(made)


def _parted(figure: Figure, layer: Layer, draft: Draft) -> list[Layer]:
    drafted = {name for name, _ in draft.values}
    open_to = figure.coordinates if layer.mask is None else layer.mask
    rest = replace(layer, mask=tuple(name for name in open_to if name not in drafted), drafts=())
    pose = Layer(
        id=f"{layer.id} draft",
        values=draft.values,
        mode=layer.mode,
        weight=layer.weight,
        span=layer.span,
        mask=layer.mask,
        mute=layer.mute,
        solo=layer.solo,
    )
    return [rest, pose]
