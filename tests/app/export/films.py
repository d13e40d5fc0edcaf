"""What the tests of films work on: a figure that moves, and a reader of what was written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from app.export.plan import Plan
from app.scene.camera import Camera
from engine.document import Actor, Document, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.figure_toml import load_figure
from tests.beeps import beeping

SECOND = TICKS_PER_SECOND


def waving(*, seconds: int = 1, sound: bool = False) -> Document:
    """A human that turns round once."""
    figure = load_figure("human")
    keys = (Key(0, 0.0, "linear"), Key(seconds * SECOND, 3.0, "linear"))
    layer = Layer(id="keys", tracks=(Track(coordinate="pelvis.turn", keys=keys),))
    actor = Actor(id="human", name="Human", figure=figure, layers=(layer,))
    return Document(actors=(actor,), sound=beeping(0.5) if sound else None)


def plan_for(out: Path, document: Document, **changes: Any) -> Plan:
    """A small film of a document."""
    usual: dict[str, Any] = {
        "size": (160, 120),
        "samples": 1,
        "start": 0,
        "end": SECOND,
        "rate": (10, 1),
        "camera": Camera(),
    }
    return Plan(**(usual | {"document": document, "out": out} | changes))


@dataclass(frozen=True)
class Read:
    """What a film file holds."""

    size: tuple[int, int]
    rate: float
    codec: str
    frames: list[NDArray[np.uint8]]
    heard: NDArray[np.float32] | None  # the left side


def read(path: Path) -> Read:
    """Read a film with another program than the one that wrote it."""
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        frames = [np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8) for frame in file.decode(stream)]
        assert stream.average_rate is not None
        rate, name = float(stream.average_rate), stream.codec_context.name
    heard = None
    with av.open(str(path)) as file:
        if file.streams.audio:
            chunks = [frame.to_ndarray() for frame in file.decode(file.streams.audio[0])]
            heard = np.concatenate([each[0] for each in chunks])
    height, width = frames[0].shape[:2]
    return Read(size=(width, height), rate=rate, codec=name, frames=frames, heard=heard)
