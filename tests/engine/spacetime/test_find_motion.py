"""Searches for the window: a slice an iteration, minima ranked, what is missed named; in-betweens without a way."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.session.actors import human
from engine.document import Actor, Document, Key, Placement, Span, Track
from engine.document.feet import Foot, feet_of
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.progress import finish
from engine.spacetime.commands.fill_between import FillBetween, FilledBetween
from engine.spacetime.parts import Spacetime, SpacetimeConstraint
from engine.spacetime.queries.find_motion import MotionFound, MotionUnderway, MotionWanted, find_motion
from tests.leaping_lamp import ROOT, leaping_lamp, nod

SECOND = 705_600_000
SIDES = "left", "right"


def searched(document: Document, wanted: MotionWanted) -> tuple[MotionFound, int]:
    """What a search comes to, and in how many slices."""
    values = list(find_motion(document, wanted))
    assert isinstance(values[-1], MotionFound)
    assert all(each is None or isinstance(each, MotionUnderway) for each in values[:-1])
    return values[-1], len(values)


def of(tmp_path: Path, plan: Spacetime) -> Document:
    return Document(actors=(leaping_lamp(tmp_path).with_part(plan),))


def test_each_iteration_is_several_slices_and_minima_are_ranked(tmp_path: Path) -> None:
    document = of(tmp_path, nod())
    found, slices = searched(document, MotionWanted(actor="lamp"))
    assert slices > 3 * len(found.iterates)
    assert [each.state for each in found.minima] == ["solved"]
    compared, _ = searched(document, MotionWanted(actor="lamp", compare=True))
    assert len(compared.iterates) > len(found.iterates)
    efforts = [each.objective for each in compared.minima]
    assert efforts == sorted(efforts)
    assert efforts[0] == pytest.approx(found.minima[0].objective, rel=1e-3)
    torques = found.minima[0].torques
    assert {dof: len(each) for dof, each in torques.items()} == dict.fromkeys(torques, len(found.minima[0].times))


def test_a_search_from_an_earlier_motion_that_leads_nowhere_begins_anew_and_names_what_is_missed(
    tmp_path: Path,
) -> None:
    first, _ = searched(of(tmp_path, nod()), MotionWanted(actor="lamp"))
    high = SpacetimeConstraint(
        id="high", name="High up", stage="stage", quantity="point", joint="head", position=(0.0, 3.0, 0.0), at=0.5
    )
    plan = nod(constraints=(*nod().constraints, high))
    found, _ = searched(of(tmp_path, plan), MotionWanted(actor="lamp", earlier=first.minima[0]))
    (ended,) = found.minima
    assert ended.state != "solved"
    assert [each.iteration for each in found.iterates].count(0) == 2, "from there, then from the straight line"
    assert ended.misses[0].constraint == "high"
    assert ended.misses[0].place is not None
    assert "Missed most" in found.report


def between(
    owner: Actor, tracks: dict[str, float], seconds: float, height: float = 0.0
) -> tuple[FilledBetween, Document]:
    """Fill the time between rest and another pose of an actor that stands so high."""
    end = round(seconds * SECOND)
    keys = tuple(Track(coordinate=dof, keys=(Key(0, 0.0), Key(end, value))) for dof, value in tracks.items())
    layers, placement = (replace(owner.layers[0], tracks=keys),), Placement(position=(0.0, height, 0.0))
    document = Document(actors=(replace(owner, layers=layers, placement=placement),))
    filled = finish(FillBetween(actor=owner.id, id="between", begin=0, end=end).work_through(Evaluator(), document))
    return filled, filled.edit.apply(document)


def test_a_second_key_that_is_no_later_is_refused(tmp_path: Path) -> None:
    document = Document(actors=(leaping_lamp(tmp_path),))
    for end in (SECOND, SECOND // 2):
        command = FillBetween(actor="lamp", id="between", begin=SECOND, end=end)
        with pytest.raises(InvalidArguments, match=r"the time of the second key is .*; allowed: later than 1 s"):
            finish(command.work_through(Evaluator(), document))


def test_what_flies_between_takes_off(tmp_path: Path) -> None:
    filled, document = between(leaping_lamp(tmp_path), {"head.nod": 0.5}, 0.25, 2.0)
    assert not filled.said
    up = next(each for each in document.actors[0].layers[-1].tracks if each.coordinate == ROOT[1])
    assert max(key.value for key in up.keys) > 0.05, "a free fall of a quarter of a second, up and down again"


def test_what_stands_elsewhere_at_the_second_key_leaps_there_when_it_likes(tmp_path: Path) -> None:
    filled, document = between(leaping_lamp(tmp_path), {ROOT[0]: 0.3}, 0.7)
    said = re.fullmatch(r"takes off at (0\.\d+) s; lands at (0\.\d+) s, with a blow of (.+) N s", str(filled))
    assert said is not None
    off, down, hard = map(float, said.groups())
    assert 0.0 < off < down < 0.7
    assert hard > 1.0, "2.1 kg that fall"
    layer = document.actors[0].layers[-1]
    assert layer.span == Span(start=0, end=round(0.7 * SECOND)), "lengths are free, the whole is not"
    along, up = (next(each for each in layer.tracks if each.coordinate == ROOT[k]) for k in (0, 1))
    early = [key.value for key in along.keys if key.time < 0.99 * off * SECOND]
    late = [key.value for key in along.keys if key.time > 1.01 * down * SECOND]
    assert early == pytest.approx([0.0] * len(early))
    assert late == pytest.approx([0.3] * len(late))
    assert max(key.value for key in up.keys) > 0.05
    rise, _ = between(leaping_lamp(tmp_path), {ROOT[1]: 0.3}, 0.5)
    assert re.fullmatch(r"takes off at 0\.\d+ s", str(rise))
    with pytest.raises(NothingThere, match=r"No motion leads .* Missed most: .* at \d\.\d+ s: missed by"):
        between(leaping_lamp(tmp_path), {ROOT[0]: 3.0}, 0.05)


def test_a_seat_without_a_chair_is_refused_before_a_search_with_how_far_it_hangs_over() -> None:
    owner = human(Document())
    rest = Evaluator().joint_transforms(Document(actors=(owner,)), owner.id)[:, :, 3]
    hip, knee = (rest[owner.figure.joint_index[f"{name}_left"]] for name in ("hip", "knee"))
    thigh = float(hip[1] - knee[1])
    seat = {"pelvis.move_y": -thigh, "pelvis.move_z": -thigh}
    seat |= {f"{joint}_{side}.flexion": np.pi / 2.0 for joint in ("hip", "knee") for side in SIDES}
    words = (
        r"At 0\.6 s the centre of mass of Human is (\d\d) cm beyond what it stands on, where it falls\. Give it more"
    )
    with pytest.raises(NothingThere) as refused:
        between(owner, seat, 0.6)
    said = re.search(words, str(refused.value))
    assert said is not None, refused.value
    assert 10 < int(said[1]) < 100.0 * thigh


def test_a_kick_stands_on_both_feet_until_one_lifts() -> None:
    kick = {"hip_right.flexion": 1.4, "ankle_right.dorsiflexion": -0.3, "shoulder_left.flexion": 0.9}
    filled, document = between(human(Document()), kick, 0.6)
    said = re.fullmatch(r"Right foot lifts at (0\.\d+) s", str(filled))
    assert said is not None
    lifts, evaluator, owner = float(said[1]), Evaluator(), document.actors[0]
    left, right = ({foot.handle.joint: foot for foot in feet_of(owner.figure)}[f"ankle_{side}"] for side in SIDES)

    def seen(foot: Foot, seconds: float) -> Array:
        """Where heel and ball are, seen on the ground below them as the motion begins."""
        number = owner.figure.joint_index[foot.handle.joint]
        first, now = (evaluator.joint_transforms(document, owner.id, round(t * SECOND))[number] for t in (0.0, seconds))
        soles = (np.array([foot.heel, foot.ball]) @ first[:, :3].T + first[:, 3]) * (1.0, 0.0, 1.0)
        found: Array = (soles - first[:, 3]) @ first[:, :3] @ now[:, :3].T + now[:, 3]
        return found

    for seconds in (0.4 * lifts, 0.9 * lifts, 0.5 * (lifts + 0.6), 0.6):
        assert seen(left, seconds) == pytest.approx(seen(left, 0.0), abs=0.01)
    for seconds in (0.4 * lifts, 0.9 * lifts):
        assert seen(right, seconds) == pytest.approx(seen(right, 0.0), abs=0.01)
    assert seen(right, 0.6)[:, 1].min() > 0.3
