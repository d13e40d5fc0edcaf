"""What a hundred strokes of a brush cost the undo list and the project file: they are data, not fields."""

from __future__ import annotations

import math
import sys
from itertools import pairwise

import numpy as np

from app.session.history_size import objects
from engine.document import Actor, Blob, Document, Dof, Figure, Joint, Limit
from engine.document.limit import BRUSHES, Grid, GridRange, Stroke
from engine.document.parts import encode_document
from engine.edits.limits import add_stroke

MOST_BYTES = 20_000_000
COUNT = 64


def sculpted() -> list[Document]:
    """A field of 64^3 numbers, and after each of a hundred strokes of 60 points with their mirror images."""
    spacing = math.tau / COUNT
    grid = Grid(counts=(COUNT,) * 3, lower=(-math.pi,) * 3, spacing=(spacing,) * 3, periodic=(True,) * 3)
    own = GridRange(distances=Blob(np.random.default_rng(0).normal(size=grid.counts)))
    dofs = tuple(Dof(id=each, name=each) for each in "abc")
    limit = Limit(id="l", name="Hip", dofs=("a", "b", "c"), range=own, grid=grid)
    figure = Figure(name="One", joints=(Joint(id="j", name="J", dofs=dofs),), limits=(limit,))
    documents = [Document(actors=(Actor(id="one", name="One", figure=figure),))]
    random = np.random.default_rng(1)
    for number in range(100):
        points = tuple(tuple(each) for each in np.cumsum(random.normal(scale=0.02, size=(60, 3)), axis=0).tolist())
        stroke = Stroke(kind=BRUSHES[number % 3], points=points, radius=0.3)
        documents.append(add_stroke(documents[-1], actor="one", limit="l", stroke=stroke, image=stroke))
    return documents


def test_a_hundred_strokes_cost_the_undo_list_and_the_file_little() -> None:
    documents = sculpted()
    assert len(documents[-1].actors[0].figure.limits[0].strokes) == 200
    held = sum(sum(objects(old, new).values()) for old, new in pairwise(documents))
    texts: dict[str, str] = {}
    for each in documents[1:]:
        texts |= encode_document(each).texts
    written = sum(map(sys.getsizeof, texts.values()))
    assert held + written < MOST_BYTES
    assert len({digest for each in documents for digest in encode_document(each).blobs}) == 1
