"""What the benchmarks work on."""

from __future__ import annotations

from engine.document import Actor, Document, Figure, Layer
from engine.formats.figure_toml import load_figure


def human() -> Figure:
    """The figure of 71 degrees of freedom."""
    return load_figure("human")


def document() -> Document:
    """Two humans, every coordinate of the first one given a value."""
    figure = human()
    values = tuple((name, 0.01) for name in figure.coordinates)
    return Document(
        actors=(
            Actor(id="one", name="One", figure=figure, layers=(Layer(id="pose", values=values),)),
            Actor(id="two", name="Two", figure=figure, layers=(Layer(id="pose"),)),
        )
    )
