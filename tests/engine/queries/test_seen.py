"""Exports hold the end of the stack, what is seen: layers, locks, and what an actor hangs on, not its keys alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import read_contents
from engine.document import Actor, Attachment, Document, Draft, Key, Layer, Placement, Span, Track
from engine.document.carried import carried
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Options
from engine.formats.frames import frames_of
from engine.long.export import export
from engine.model.compile import compile_model
from engine.queries.seen import seen_extent
from tests.conformance.test_formats import biped
from tests.engine.formats.test_gltf_shown import moving
from tests.engine.formats.worlds import figure_in, transforms

NEAR = 1e-5  # [m]
SUFFIXES = (".bvh", ".amc", ".glb")


def track(coordinate: str, *values: float, start: int = 0, step: int = SECOND // 2) -> Track:
    return Track(coordinate=coordinate, keys=tuple(Key(start + step * n, value) for n, value in enumerate(values)))


def stacked() -> Document:
    """Layers that add, weigh, mask, span, are muted and stand before others; and a draft."""
    figure = biped()
    base = Layer(id="base", tracks=(track("root.tx", 0.0, 0.4, 0.1), track("hip_left.ry", 0.0, 0.7, -0.2)))
    layers = (
        base,
        Layer(id="add", mode="add", weight=0.4, tracks=(track("hip_left.ry", 0.5, -0.3), track("trunk.rz", 0.4, 0.1))),
        Layer(id="mask", mask=("trunk.rz",), values=(("hip_right.ry", 1.0), ("trunk.rz", 0.3)), weight=0.5),
        Layer(
            id="span", values=(("knee_left.rx", 0.8),),
            span=Span(start=SECOND // 4, end=2 * SECOND, ease_in=SECOND // 8, ease_out=SECOND // 2),
        ),
        Layer(id="mute", mute=True, tracks=(track("knee_right.rx", 1.0, 2.0, step=5 * SECOND),)),
        Layer(id="draft", drafts=(Draft(time=0, values=(("knee_right.rx", 0.7),)),)),
    )  # fmt: skip
    placement = Placement(position=(0.3, 0.1, -0.2), rotation=(0.8, 0.0, 0.6, 0.0))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=layers, placement=placement),))


def carrying() -> Document:
    """One that moves, and one that hangs on its hand from a time on, swings, and is let go again."""
    first = stacked().actors[0]
    hold = Attachment(
        id="hold", joint="trunk", target="one", target_joint="knee_left", position=(0.0, -0.1, 0.05),
        rotation=(0.8, 0.0, 0.6, 0.0), span=Span(start=SECOND // 3, end=3 * SECOND, ease_in=SECOND // 4),
    )  # fmt: skip
    swing = Layer(id="swing", tracks=(track("hip_right.rx", 0.0, 0.9, 0.2, step=SECOND),))
    two = Actor(
        id="two", name="Two", figure=biped(), layers=(swing,), attachments=(hold,),
        placement=Placement(position=(1.0, 0.0, 0.5)),
    )  # fmt: skip
    return Document(actors=(first, two))


SCENES: dict[str, Callable[[], Document]] = {
    "layers": stacked,
    "attached": carrying,
    "ball": lambda: moving("ball"),
    "hands": lambda: moving("hands"),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("scene", SCENES)
def test_every_joint_stands_where_it_is_seen_all_the_time(scene: str, suffix: str, tmp_path: Path) -> None:
    document, evaluator = SCENES[scene](), Evaluator()
    for actor in document.actors:
        export(tmp_path / f"{actor.id}{suffix}", document, [actor.id], Options())
        back = read_contents(tmp_path / f"{actor.id}{suffix}")
        figure, q = figure_in(back), frames_of(tmp_path, figure_in(back), back, Options(rate=document.rate)).q
        start, end = seen_extent(document.with_all_that_hold(actor.id))
        count = int((end - start) * document.rate[0] / document.rate[1] / SECOND) + 1
        if any(layer.tracks or layer.samples is not None for layer in actor.layers):
            assert len(q) in (count, count - 1), "all that moves it"
        for frame in np.unique(np.linspace(0, len(q) - 1, 12).astype(int)).tolist():
            seen = evaluator.joint_transforms(_bare(document), actor.id, start + frame_time(frame, document.rate))
            found = transforms(figure, q[frame])[:, :, 3]
            away = np.linalg.norm(seen[:, None, :, 3] - found[None], axis=2).min(axis=1)
            assert away.max() <= NEAR, (actor.name, frame)


def _bare(document: Document) -> Document:
    """Without drafts, which are poses and no motion."""
    actors = (
        replace(actor, layers=tuple(replace(layer, drafts=()) for layer in actor.layers)) for actor in document.actors
    )
    return replace(document, actors=tuple(actors))


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_curves_are_those_of_the_locked_motion(suffix: str, tmp_path: Path) -> None:
    document, evaluator = moving("ball"), Evaluator()
    human = next(actor for actor in document.actors if not actor.figure.is_prop)
    export(tmp_path / f"a{suffix}", document, [human.id], Options())
    (layer,) = read_contents(tmp_path / f"a{suffix}").layers
    samples = layer.samples
    assert samples is not None
    for frame in range(0, samples.frame_count, 30):
        seen = evaluator.coordinates(_bare(document), human.id, [samples.time(frame)])[0]
        columns = [human.figure.coordinate_index[name] for name in samples.coordinates]
        np.testing.assert_allclose(samples.values.array[frame], seen[columns], rtol=0.0, atol=1e-9)


def test_the_joint_that_carries_has_a_name_of_its_own_and_changes_nothing_at_rest() -> None:
    figure = biped()
    taken = replace(figure, joints=(replace(figure.joints[0], id="place"), *figure.joints[1:]))
    taken = replace(
        taken,
        joints=tuple(replace(each, parent="place") if each.parent == "root" else each for each in taken.joints),
    )
    for each in (figure, taken):
        under = carried(each)
        assert len(under.joint_index) == len(each.joints) + 1
        assert under.handles == each.handles
        model, rest = compile_model(under), compile_model(each).rest
        state = transforms(under, model.rest)[1:]
        np.testing.assert_allclose(state, transforms(each, rest), rtol=0.0, atol=1e-12)
