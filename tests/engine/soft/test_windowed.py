"""Secondary motion of soft bodies: what a window promises of times, edits, and of what went before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Document, Key, Span
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.snapshot import SkinSurface
from engine.motion.changed import changed_span
from engine.runtime.errors import Diverged, InvalidArguments, InvalidDocument
from engine.runtime.progress import finish
from engine.soft import running
from engine.soft.changes import felt_for
from engine.soft.parts import SoftBody
from engine.soft.stage import SoftStage
from engine.soft.windowed import WindowedBody
from tests.engine.soft.driven import SECOND, SWING, flag, waving

TIMES = (SECOND // 3, SECOND // 2 + 12345, SECOND, SECOND + 77)


def windowed(document: Document, evaluator: Evaluator | None = None) -> WindowedBody:
    stage = (evaluator or Evaluator()).stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.stepped(document, "flag")
    assert isinstance(found, WindowedBody)
    return found


def points(document: Document, time: float) -> Array:
    return windowed(document).points(time)


def from_start(document: Document, time: float) -> Array:
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    return stage.stepped(document, "flag").points(time)


def test_a_time_alone_has_the_bytes_that_it_has_in_sequence() -> None:
    document = waving()
    whole = windowed(document)
    in_sequence = [whole.points(time).tobytes() for time in TIMES]
    assert [points(document, time).tobytes() for time in TIMES] == in_sequence
    assert [windowed(document, Evaluator()).points(time).tobytes() for time in reversed(TIMES)] == in_sequence[::-1]
    pictures = [surface(Evaluator(), document, time) for time in (TIMES[2], TIMES[0])]
    evaluator = Evaluator()
    assert [surface(evaluator, document, time) for time in (TIMES[0], TIMES[2])] == pictures[::-1]


def surface(evaluator: Evaluator, document: Document, time: int) -> bytes:
    (found,) = evaluator.snapshot(document, time).of(SkinSurface)
    return found.positions.tobytes()


def test_an_edit_is_felt_within_a_window_after_it_and_nowhere_else() -> None:
    document = waving(window=0.25)
    keyed = edit("set_key", actor="arm", layer="keys", coordinate="turn", time=SECOND, value=-0.9).apply(document)
    spans = {actor: (start, end) for actor, start, end in changed_span(document, keyed)}
    felt = felt_for(document, 0.25)
    first, last = spans["arm"]
    assert first is not None
    assert last is not None
    assert spans["flag"] == (first, last + felt)
    assert 0.25 * SECOND < felt < 0.3 * SECOND, "a window of whole steps, and one more for the speed"
    after = last + felt
    assert points(keyed, after + 1).tobytes() == points(document, after + 1).tobytes()
    assert points(keyed, first - 1).tobytes() == points(document, first - 1).tobytes()
    assert points(keyed, last).tobytes() != points(document, last).tobytes()


def test_shapes_that_an_edit_does_not_touch_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    document, evaluator = waving(window=0.25), Evaluator()
    before = windowed(document, evaluator)
    early, late = before.points(SECOND // 4), before.points(SECOND)
    keyed = edit("set_key", actor="arm", layer="keys", coordinate="turn", time=SECOND, value=-0.9).apply(document)
    worked = list[float]()
    step = WindowedBody._worked_out

    def counted(body: WindowedBody, time: float) -> Any:
        worked.append(time)
        return step(body, time)

    monkeypatch.setattr(WindowedBody, "_worked_out", counted)
    again = windowed(keyed, evaluator)
    assert again.points(SECOND // 4).tobytes() == early.tobytes()
    assert again.points(SECOND).tobytes() != late.tobytes()
    assert worked == [SECOND]
    assert again.points(SECOND).tobytes() == points(keyed, SECOND).tobytes(), "with frames that were kept, too"


def test_a_long_window_comes_to_what_stepping_from_the_start_does() -> None:
    given: dict[str, Any] = {"young": 4e5, "density": 200.0}
    whole = from_start(waving(stepped="from_start", **given), SECOND)
    away = [float(np.abs(points(waving(window=each, **given), SECOND) - whole).max()) for each in (0.05, 0.15, 0.4)]
    assert away[0] > 1e-4
    assert away == sorted(away, reverse=True)
    assert away[2] < 1e-6


def test_what_is_held_follows_exactly_and_the_rest_lags_behind() -> None:
    document = waving()
    body = windowed(document)
    held = body.member.body.attachments[0].points.array
    shape, rigid = body.points(SECOND * 3 // 4), body.carried(SECOND * 3 // 4)
    assert shape[held] == pytest.approx(rigid[held], abs=1e-9)
    assert np.abs(shape - rigid).max() > 5e-3
    still = waving(Key(0, 0.3))
    assert points(still, 0).tobytes() == points(still, 5 * SECOND).tobytes(), "at rest every window is the same"


def test_a_body_that_nothing_drives_or_that_is_let_go_has_no_window() -> None:
    body = flag().parts[0]
    assert isinstance(body, SoftBody)
    with pytest.raises(InvalidDocument, match="stepped over a window is 'held nowhere'"):
        replace(body, attachments=())
    document = waving()
    free = edit("detach_soft_body", actor="flag", attachment="held").apply(document)
    gone = edit("remove_actor", actor="arm").apply(document)
    for each in (free, gone):
        (left,) = each.actor("flag").parts
        assert isinstance(left, SoftBody)
        assert left.stepped == "from_start"
    with pytest.raises(InvalidArguments, match="Window is"):
        edit("set_soft_body", actor="flag", window=0.0).apply(document)


def test_it_hangs_on_what_holds_it_as_the_window_begins() -> None:
    document = waving()
    owner = document.actor("flag")
    (body,) = owner.parts
    assert isinstance(body, SoftBody)
    (held,) = body.attachments
    later = replace(held, span=Span(start=SECOND // 2, end=9 * SECOND))
    spanned = document.with_actor(owner.with_part(replace(body, attachments=(later,))))
    assert points(spanned, 2 * SECOND).tobytes() == points(document, 2 * SECOND).tobytes()
    assert points(spanned, SECOND // 4)[:, 1].mean() < points(document, SECOND // 4)[:, 1].mean() - 0.05, "it falls"


def test_a_window_that_diverges_gives_the_rest_shape_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverging(*_: Any, **__: Any) -> Any:
        raise Diverged(what="soft bodies", value=float("nan"))

    monkeypatch.setattr(running, "step", diverging)
    body = windowed(waving())
    assert body.points(SECOND).tobytes() == body.carried(SECOND).tobytes()
    assert "frame 30.0 cannot be stepped" in body.said[0]


def test_a_baked_one_follows_its_bake() -> None:
    from engine.soft.commands.bake_soft import BakeSoft

    document = waving(*SWING)
    baked = finish(BakeSoft(actor="flag", end=SECOND // 2).work_through(Evaluator(), document)).apply(document)
    assert points(baked, SECOND // 3) == pytest.approx(points(document, SECOND // 3), abs=1e-6)


def test_bodies_with_and_without_a_clock_stand_in_one_scene() -> None:
    document = waving()
    other = replace(flag(stepped="from_start", young=4e4), id="second", name="Second")
    both = replace(document, actors=(*document.actors, other))
    assert points(both, SECOND).tobytes() == points(document, SECOND).tobytes()
    assert len(Evaluator().snapshot(both, SECOND // 10).of(SkinSurface)) == 2
    softer = edit("set_soft_body", actor="second", young=3e4).apply(both)
    assert {actor for actor, _, _ in changed_span(both, softer)} == {"second"}
