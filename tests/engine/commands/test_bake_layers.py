"""Layers baked into one show the same at every frame; samples made keys stay near."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.commands import bake_layers
from engine.commands.bake_layers import BakeLayers, MakeKeys, touched
from engine.document import Actor, Bell, Blob, Correction, Document, Key, Layer, Samples, Span, Term, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import Pace, finish
from tests.engine.motion.motions import BALL, walker

RATE = (30, 1)
TIMES = [frame_time(frame, RATE) for frame in range(61)]


def scene(*layers: Layer) -> Document:
    return Document(actors=(Actor(id="one", name="One", figure=walker(), layers=layers),), rate=RATE)


def shown(document: Document) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(Evaluator().coordinates(document, "one", TIMES))


def baked(document: Document, *layers: str) -> Document:
    wish = BakeLayers(id="baked", actor="one", layers=layers, name="Baked")
    return finish(wish.work_through(Evaluator(), document)).apply(document)


POSE = Layer(id="pose", values=(("knee", 0.3), ("hip.0", 0.1)))
WALK = Layer(id="walk", tracks=(Track(coordinate="knee", keys=(Key(0, 0.0), Key(2 * SECOND, 1.0))),))
MORE = Layer(
    id="more", mode="add", weight=0.5, values=(("knee", 0.4), ("x", 1.0)),
    span=Span(start=SECOND // 2, end=SECOND, ease_in=SECOND // 4),
)  # fmt: skip


@pytest.mark.parametrize("layers", [("walk", "more"), ("pose", "walk", "more"), ("more",)])
def test_what_is_baked_shows_the_same_at_every_frame(layers: tuple[str, ...]) -> None:
    document = scene(POSE, WALK, MORE)
    after = baked(document, *layers)
    assert [layer.id for layer in after.actors[0].layers if layer.id in layers] == []
    assert np.abs(shown(after) - shown(document)).max() < 1e-12


def test_what_stands_above_still_counts_and_others_solo_changes_nothing() -> None:
    top = Layer(id="top", mode="add", values=(("knee", 0.2),))
    document = scene(POSE, replace(WALK, solo=True), MORE, top)
    after = baked(document, "walk", "more")
    assert [layer.id for layer in after.actors[0].layers] == ["pose", "baked", "top"]
    plain = scene(POSE, WALK, MORE, top)
    assert np.abs(shown(after) - shown(plain)).max() < 1e-12


def test_poses_that_do_not_move_become_a_pose_that_goes_on_being_posed() -> None:
    after = baked(scene(POSE, replace(MORE, span=None)), "pose", "more")
    layer = after.actors[0].layers[0]
    assert layer.samples is None
    assert layer.by_coordinate == pytest.approx({"x": 0.5, "hip.0": 0.1, "knee": 0.5})


def test_a_bake_keeps_the_frames_of_dense_samples() -> None:
    values = Blob(np.sin(np.arange(121.0))[:, None])
    capture = Layer(id="walk", samples=Samples(coordinates=("knee",), values=values, rate=(120, 1)))
    samples = baked(scene(capture, MORE), "walk", "more").actors[0].layers[0].samples
    assert samples is not None
    assert samples.rate == (120, 1)


def test_a_mask_and_whole_balls_say_what_is_touched() -> None:
    turned = Layer(id="turned", values=(("turn.x", 0.1), ("knee", 1.0)))
    assert touched(walker(), [turned]) == (*BALL, "knee")
    assert touched(walker(), [replace(turned, mask=("turn.x", "knee"))]) == ("knee",)


@pytest.mark.parametrize(
    ("layers", "why"),
    [((), "ids of layers"), (("nobody",), "ids of layers"), (("muted",), "count again"), (("empty",), "poses or")],
)
def test_what_cannot_be_baked_is_refused_by_name(layers: tuple[str, ...], why: str) -> None:
    document = scene(replace(POSE, id="muted", mute=True), Layer(id="empty"))
    with pytest.raises(InvalidArguments, match=why):
        baked(document, *layers)


def test_samples_become_few_keys_that_stay_near() -> None:
    values = np.sin(np.arange(61) / 9.0)[:, None]
    capture = Layer(id="walk", mode="add", samples=Samples(coordinates=("knee",), values=Blob(values), rate=RATE))
    document = scene(POSE, capture)
    wish = MakeKeys(actor="one", layer="walk")
    after = finish(wish.work_through(Evaluator(), document)).apply(document)
    layer = after.actors[0].layers[1]
    assert (layer.samples, layer.mode) == (None, "add")
    assert 2 < len(layer.tracks[0].keys) < 20
    assert np.abs(shown(after) - shown(document)).max() < np.radians(0.5)
    with pytest.raises(InvalidArguments, match="samples"):
        finish(wish.work_through(Evaluator(), after))


def test_a_long_motion_is_baked_in_slices_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = Blob(np.sin(np.arange(1201) / 9.0)[:, None])
    capture = Layer(id="walk", samples=Samples(coordinates=("knee",), values=values, rate=(120, 1), start=-77))
    document = scene(POSE, capture, MORE)
    whole = baked(document, "pose", "walk", "more")
    monkeypatch.setattr(bake_layers, "Pace", lambda: Pace(0.0))
    wish = BakeLayers(id="baked", actor="one", layers=("pose", "walk", "more"), name="Baked")
    shares = list(wish.work_through(Evaluator(), document))
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert finish(wish.work_through(Evaluator(), document)).apply(document).digest == whole.digest


def test_a_correction_is_baked_to_where_its_last_bell_ends() -> None:
    bell = Bell(time=2 * SECOND, before=SECOND, after=SECOND)
    term = Term(bell=bell, amplitudes=(("knee", 0.3), ("turn.y", 0.4)), wiggles=(("x", 0.05),))
    fix = Layer(id="fix", mode="add", correction=Correction(terms=(term,)))
    document = scene(POSE, WALK, fix)
    assert touched(walker(), (fix,)) == ("x", *BALL, "knee")
    for chosen in (("fix",), ("walk", "fix")):
        after = baked(document, *chosen)
        assert np.abs(shown(after) - shown(document)).max() < 1e-12
        late = [2 * SECOND + frame_time(frame, RATE) for frame in range(1, 61)]
        rows = (np.asarray(Evaluator().coordinates(each, "one", late)) for each in (after, document))
        assert np.abs(np.subtract(*rows)).max() < 1e-12
