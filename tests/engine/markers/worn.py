"""Figures that wear markers, and captures of their motions, made up: what was seen is known to the last digit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Actor, Figure, Handle, Layer
from engine.formats.captured import handle_places
from engine.formats.figure_toml import load_figure
from engine.markers.captured_markers import CapturedMarkers
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow

RATE = (100, 1)


def wearing(name: str = "stick", count: int = 3, seed: int = 4) -> Figure:
    """A figure that ships, with so many markers on each body."""
    figure, random = load_figure(name), np.random.default_rng(seed)
    handles = []
    for joint in figure.joints:
        for place in range(count):
            x, y, z = random.normal(0.0, 0.08, 3).tolist()
            label = f"{joint.id}.{place}"
            handles.append(Handle(id=f"worn {label}", name=label.upper(), joint=joint.id, point=(x, y, z)))
    return replace(figure, handles=tuple(handles))


def swaying(figure: Figure, frames: int = 40, seed: int = 5, part: float = 0.6) -> Array:
    """Poses of a smooth motion within the limits, shape [frames, coordinates]."""
    model, random = compile_model(figure), np.random.default_rng(seed)
    lower = np.where(np.isfinite(model.lower), model.lower, -0.6)
    upper = np.where(np.isfinite(model.upper), model.upper, 0.6)
    phase = np.linspace(0.0, 4.0, frames)[:, None] + random.uniform(0.0, 6.0, len(model.rest))
    q = 0.5 * (lower + upper) + 0.5 * part * (upper - lower) * np.sin(phase)
    return np.array([follow(model.driven, row) for row in q])


def seen(figure: Figure, q: Array) -> CapturedMarkers:
    """What a camera system would see of it."""
    labels = tuple(each.name for each in figure.handles)
    return CapturedMarkers(labels, handle_places(figure, figure.handles, q), RATE, 0)


def actor_of(figure: Figure, id: str = "worn") -> Actor:
    """The figure in a scene, without a motion."""
    return Actor(id=id, name="Worn", figure=figure, layers=(Layer(id="pose"),))
