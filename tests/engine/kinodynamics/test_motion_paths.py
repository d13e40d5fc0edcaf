"""Motion paths: what is keyed, what is seen and what full dynamics makes of it; in slices."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from engine.document import Document, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.secondary import Gains, OwnGains
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import Spot
from engine.kinodynamics.ghosts import with_ghosts
from engine.kinodynamics.queries import motion_paths
from engine.kinodynamics.queries.motion_paths import MotionPath, PathsFound, follow_paths, frames_in
from tests.engine.evaluate.locked import LEFT, planted
from tests.engine.kinodynamics.test_secondary import LENGTH, LOOSE, pendulum, with_secondary
from tests.engine.targets.test_meet_targets import AT_KEYS, met, place, scene

NEAR = 1e-6  # [m] float32
TIP = Spot(actor="one", joint="rod", point=(0.0, -LENGTH, 0.0))
SPAN = (0, SECOND)


def swinging(**fields: object) -> Document:
    placed = replace(pendulum(), placement=Placement(position=(0.3, 0.1, -0.2)))
    return Document(actors=(with_secondary(placed, **fields),))


def paths(document: Document, *spots: Spot, span: tuple[int, int] = SPAN) -> dict[str, MotionPath]:
    *before, last = follow_paths(Evaluator(), document, spots or (TIP,), span)
    assert not any(before)
    assert last is not None
    return {each.kind: each for each in last.paths}


def off(path: MotionPath, document: Document) -> float:
    """How far a path is from where the point is in a document at its times [m]."""
    there = [place(document, path.part, path.point, time) for time in path.times.tolist()]
    return float(np.abs(path.points - np.array(there)).max())


def bare(document: Document) -> Document:
    return replace(document, actors=tuple(replace(each, secondary=None) for each in document.actors))


def test_the_first_two_are_what_the_keyed_and_the_seen_figure_do_at_each_frame() -> None:
    document = swinging()
    found = paths(document)
    assert list(found) == ["keyed", "secondary", "dynamics"]
    assert found["keyed"].times.tolist() == [frame_time(frame, (30, 1)) for frame in range(31)]
    assert off(found["keyed"], bare(document)) < NEAR
    assert off(found["secondary"], document) < NEAR
    assert np.abs(found["keyed"].points - found["secondary"].points).max() > 0.02


def test_full_dynamics_is_what_a_window_from_the_start_gives() -> None:
    found = paths(swinging())["dynamics"]
    assert found.times[0] == 0
    for seconds in (0.3, 0.6, 1.0):
        whole = swinging(window=round(seconds * SECOND))
        at = int(np.argmin(np.abs(found.times - round(seconds * SECOND))))
        there = place(whole, "rod", TIP.point, round(seconds * SECOND))
        assert np.abs(found.points[at] - there).max() < NEAR


def test_with_a_short_window_they_part_and_with_stiff_servos_they_join() -> None:
    loose = paths(swinging(window=SECOND // 10))
    at = loose["secondary"].times / SECOND
    free = loose["dynamics"]
    level = np.interp(at, free.times / SECOND, free.points[:, 0])
    assert np.abs(level - loose["secondary"].points[:, 0]).max() > 5e-3
    stiff = paths(swinging(gains=Gains(tension=60.0, gravity=0.0)))
    for kind in ("secondary", "dynamics"):
        level = np.interp(at, stiff[kind].times / SECOND, stiff[kind].points[:, 0])
        assert np.abs(level - stiff["keyed"].points[:, 0]).max() < 3e-3


def test_what_follows_exactly_has_three_paths_in_one() -> None:
    found = paths(swinging(own=(OwnGains(joint="rod", exact=True),)))
    assert np.abs(found["keyed"].points - found["secondary"].points).max() < NEAR
    frames = found["keyed"].times / SECOND
    level = np.interp(frames, found["dynamics"].times / SECOND, found["dynamics"].points[:, 0])
    assert np.abs(level - found["keyed"].points[:, 0]).max() < 1e-3  # between steps by straight lines


def test_what_is_keyed_is_without_a_correction_as_its_ghost_is() -> None:
    document = scene(AT_KEYS)
    after = met(document).edit.apply(document)
    was, now = paths(document), paths(after)
    assert np.array_equal(was["keyed"].points, now["keyed"].points)
    assert np.abs(was["secondary"].points - now["secondary"].points).max() > 0.01
    evaluator, path = Evaluator(), now["keyed"]
    for time, point in zip(path.times.tolist(), path.points, strict=True):
        (ghost,) = with_ghosts(evaluator, evaluator.snapshot(after, time)).ghosts
        frame = ghost.transforms[ghost.parts.index(path.part)]
        assert np.abs(frame[:, :3] @ path.point + frame[:, 3] - point).max() < NEAR


def test_locks_count_in_what_is_keyed_and_seen() -> None:
    document = planted()
    swung = replace(document, actors=(replace(document.actors[0], secondary=with_secondary(pendulum()).secondary),))
    foot = Spot(actor=swung.actors[0].id, joint=LEFT)
    found = paths(swung, foot, span=(SECOND, 3 * SECOND // 2))
    assert off(found["keyed"], bare(swung)) < NEAR
    assert off(found["secondary"], swung) < NEAR
    assert "dynamics" in found


def test_what_does_not_swing_is_hidden_or_gone_has_none() -> None:
    still = Document(actors=(pendulum(),))
    hidden = Document(actors=(replace(with_secondary(pendulum()), visible=False),))
    for document in (still, hidden, Document()):
        assert paths(document) == {}
    assert paths(swinging(), replace(TIP, joint="gone")) == {}


def test_a_simulation_that_breaks_leaves_the_other_two(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.kinodynamics.tracking import KinoModel
    from engine.runtime.errors import Diverged

    def broken(*_: object) -> None:
        raise Diverged(what="the path", value=float("nan"))

    monkeypatch.setattr(KinoModel, "path", broken)
    assert list(paths(swinging())) == ["keyed", "secondary"]


def test_too_long_a_span_is_followed_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion_paths, "MOST_FRAMES", 5)
    monkeypatch.setattr(motion_paths, "MOST_STEPS", 7)
    assert frames_in(Document(), (SECOND, 9 * SECOND)).tolist() == [frame_time(30 + n, (30, 1)) for n in range(5)]
    assert frames_in(Document(), (1, 2)).tolist() == [1], "between frames"
    found = paths(swinging())
    assert len(found["keyed"].times) == 5
    assert len(found["dynamics"].times) == 8


def test_it_pauses_after_each_slice() -> None:
    ticks = count()
    found = list(follow_paths(Evaluator(), swinging(), (TIP,), SPAN, clock=lambda: 0.003 * next(ticks)))
    assert found[:-1] == [None] * (len(found) - 1)
    assert len(found) > 20
    assert isinstance(found[-1], PathsFound)


def test_gains_change_two_of_three() -> None:
    loose, tense = paths(swinging()), paths(swinging(gains=replace(LOOSE, tension=4.0)))
    assert np.array_equal(loose["keyed"].points, tense["keyed"].points)
    for kind in ("secondary", "dynamics"):
        assert np.abs(loose[kind].points - tense[kind].points).max() > 0.01
