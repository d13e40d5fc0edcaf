"""What an edit, a digest, a picture and a save cost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.document import Document
from engine.document.validation import validate
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from tests.benchmarks.harness import Row, interleave, medians
from tests.benchmarks.scenes import document

NAME = "document"


def measure() -> Iterator[Row]:
    """The rows."""
    scene = document()
    validate(scene)  # as one that is opened
    coordinate = scene.actors[0].layers[0].values[40][0]
    evaluator, values = Evaluator(), iter(np.linspace(-0.2, 0.2, 1_000_000).tolist())

    def turn() -> Document:
        change = edit("set_value", actor="one", layer="pose", coordinate=coordinate, value=next(values))
        return change.apply(scene)

    times = medians(
        interleave(
            {
                "edit": turn,
                "copy": lambda: replace(scene, actors=scene.actors),
                "digest": lambda: turn().digest,
                "picture": lambda: evaluator.snapshot(scene),
            }
        )
    )
    yield Row(
        what="an edit of one value",
        measured=times["edit"] * 1e6,
        unit="us",
        asked="at most 50 us",
        peer="a copy of the document",
        peer_measured=times["copy"] * 1e6,
        allowed=9.0,
    )
    yield Row(what="a changed document's digest", measured=(times["digest"] - times["edit"]) * 1e6, unit="us")
    yield Row(
        what="a picture of two humans",
        measured=times["picture"] * 1e6,
        unit="us",
        peer="one edit",
        peer_measured=times["edit"] * 1e6,
        allowed=20.0,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.sinew"
        files = medians(
            interleave(
                {"save": lambda: sinew.write(path, scene), "open": lambda: sinew.read(path)}, rounds=9, repeats=3
            )
        )
    yield Row(what="save two humans, synced and read back", measured=files["save"] * 1e3, unit="ms")
    yield Row(what="open them", measured=files["open"] * 1e3, unit="ms")
