"""Planned motions as they are drawn: where the figure stands in them, where demands are, and what pushes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document, Placement
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.spacetime.parts import SpacetimeConstraint, SpacetimeForce
from engine.spacetime.queries.draw_motion import LONGEST, MotionDrawn, draw_motion
from engine.spacetime.queries.drawn_plan import WEIGHT
from engine.spacetime.queries.seen_motion import MotionMiss, SeenMotion
from tests.engine.spacetime.lamps import AT_REST, TOE, PlainCompiled, PlainPush, hop, lamps, leap


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


def drawn(
    evaluator: Evaluator,
    motion: SeenMotion | None,
    seconds: float = 0.0,
    *,
    document: Document | None = None,
    chosen: str | None = None,
    before: MotionDrawn | None = None,
) -> MotionDrawn:
    time = round(seconds * SECOND)
    steps = draw_motion(
        evaluator, document or lamps(), "lamp", motion, time, chosen=chosen, before=before, clock=lambda: 0.0
    )
    found = [each for each in steps if each is not None]
    return found[-1]


def base_at(found: MotionDrawn, tick: int) -> list[float]:
    onion = next(each for each in found.onions if each.time == tick)
    place: list[float] = onion.bodies.transforms[0, :, 3].tolist()
    return place


def test_the_figure_stands_along_the_motion_and_at_the_present(evaluator: Evaluator) -> None:
    motion = hop(leap())
    found = drawn(evaluator, motion, 0.575)
    times = [each.time / SECOND for each in found.onions]
    assert {0.0, 0.4, 0.75, 1.15} <= {round(each, 6) for each in times}, "at the ends of stages"
    assert all(each.planned and each.bodies.role == "onion" for each in found.onions)
    (now,) = (each for each in found.onions if each.number == 0)
    assert now.time == round(0.575 * SECOND)
    assert now.bodies.transforms[0, :, 3] == pytest.approx((0.2, 0.15, 0.0), abs=1e-6)
    assert base_at(found, round(1.15 * SECOND)) == pytest.approx((0.4, 0.0, 0.0), abs=1e-6)
    assert all((each.number < 0) == (each.time < now.time) for each in found.onions if each.number)
    assert found.onions[-1] is now, "drawn last"
    after = drawn(evaluator, motion, 9.0)
    assert next(each.time for each in after.onions if each.number == 0) == motion.end, "where it ends"


def test_torques_are_worked_out_where_they_are_asked_for(evaluator: Evaluator) -> None:
    plain, motion = hop(leap()), hop(leap())
    drawn(evaluator, plain)
    assert plain.known_torques is None
    for _ in draw_motion(evaluator, lamps(), "lamp", motion, 0, torques=True):
        pass
    assert motion.known_torques is motion.torques
    assert all(len(each) == len(motion.times) for each in motion.torques.values())


def test_where_another_time_is_shown_what_is_known_is_taken_over(evaluator: Evaluator) -> None:
    motion, document = hop(leap()), lamps()
    first = drawn(evaluator, motion, 0.1, document=document)
    second = drawn(evaluator, motion, 0.2, document=document, before=first)
    assert first.posed[round(0.4 * SECOND)] is second.posed[round(0.4 * SECOND)]
    aside = document.with_actor(replace(document.actors[0], placement=Placement(position=(1.0, 0.0, 0.0))))
    moved = drawn(evaluator, motion, 0.2, document=aside, before=second)
    assert base_at(moved, 0) == pytest.approx((1.0, 0.0, 0.0)), "not of a lamp that stands elsewhere"
    other = drawn(evaluator, hop(leap(), distance=0.9), 0.2, document=document, before=second)
    assert base_at(other, round(0.75 * SECOND)) == pytest.approx((0.9, 0.0, 0.0), abs=1e-6), "nor of another motion"


def test_what_a_motion_leaves_open_is_as_layers_have_it(evaluator: Evaluator) -> None:
    class Bent(PlainCompiled):
        def pose(self, planned: object, seconds: float) -> dict[str, float]:
            return {"base.x": 0.3}

    motion = hop(leap())
    bent = SeenMotion(
        "lamp", 0, 1, 0.0, 0.0, "solved", motion.planned, Bent(motion.compiled.plan)  # type: ignore[arg-type]
    )  # fmt: skip
    (now,) = (each for each in drawn(evaluator, bent).onions if each.number == 0)
    aside = lamps().actors[0]
    values = tuple({**AT_REST, "base.x": 0.3}.items())
    posed = replace(aside, layers=(replace(aside.layers[0], values=values),))
    (as_posed,) = evaluator.snapshot(Document(actors=(posed,))).bodies
    assert now.bodies.transforms == pytest.approx(as_posed.transforms)


def test_a_demanded_point_stands_where_it_is_wanted_and_its_miss_leads_there(evaluator: Evaluator) -> None:
    miss = MotionMiss(constraint="land", seconds=0.75, words="Land here at 0.750 s: missed by 0.03 m")
    law = MotionMiss(
        constraint="", seconds=0.5, words="The momentum of Head at 0.500 s: missed by 2 N s", place=(0.1, 0.2, 0.0)
    )
    plain, missed = hop(leap()), hop(leap(), state="no way", misses=(miss, law), distance=0.37)
    (mark,) = drawn(evaluator, plain).marks
    assert (mark.constraint, mark.name, mark.part, mark.movable, mark.missed) == ("land", "Land here", "base", True, "")
    assert mark.time == round(0.75 * SECOND)
    assert mark.place == (0.5, 0.0, 0.0)
    assert mark.at == pytest.approx((0.4 + TOE[0], 0.0, 0.0), abs=1e-6)
    first, second = drawn(evaluator, missed).marks
    assert first.missed == "missed by 0.03 m"
    assert first.at == pytest.approx((0.47, 0.0, 0.0), abs=1e-6)
    assert (second.constraint, second.place, second.movable) == ("", law.place, False)
    assert (second.name, second.missed) == ("The momentum of Head", "missed by 2 N s")


def test_before_any_search_demands_stand_there_too_and_velocities_at_the_figure(evaluator: Evaluator) -> None:
    fast = SpacetimeConstraint(
        id="fast", name="This fast", stage="crouch", quantity="point_velocity", joint="base", point=TOE,
        position=(1.0, 2.0, 0.0),
    )  # fmt: skip
    heavy = SpacetimeConstraint(
        id="centre", name="Over here", stage="crouch", quantity="centre", position=(0.2, 0.3, 0.0), on=False
    )
    plan = leap()
    found = drawn(evaluator, None, document=lamps(replace(plan, constraints=(*plan.constraints, fast, heavy))))
    assert found.onions == ()
    land, speed = found.marks
    assert (land.place, land.at) == ((0.5, 0.0, 0.0), None)
    assert speed.place == pytest.approx(TOE)
    assert (speed.velocity, speed.movable) == ((1.0, 2.0, 0.0), False)


def test_a_demanded_pose_that_says_where_the_root_is_stands_there_and_can_be_led_along_its_slides(
    evaluator: Evaluator,
) -> None:
    plan, turn = leap(), (0.5**0.5, 0.0, 0.5**0.5, 0.0)  # about y: the lamp's x is the world's -z
    there = replace(plan.constraints[-1], values=(("base.x", 0.6), ("base.turn", 0.1), ("head.turn", 0.0)))
    document = lamps(replace(plan, constraints=(there,)))
    turned = replace(document.actors[0], placement=Placement(position=(0.0, 1.0, 0.0), rotation=turn))
    (mark,) = drawn(evaluator, hop(plan), document=document.with_actor(turned)).marks
    assert (mark.constraint, mark.part, mark.movable) == ("end", "base", True)
    assert mark.place == pytest.approx((0.0, 1.0, -0.6), abs=1e-6)
    assert mark.at == pytest.approx((0.0, 1.0, -0.4), abs=1e-6)
    assert [dof for dof, _ in mark.slides] == ["base.x"]
    assert mark.slides[0][1] == pytest.approx((0.0, 0.0, -1.0), abs=1e-9)
    assert not drawn(evaluator, hop(plan), document=lamps(replace(plan, constraints=plan.constraints[-1:]))).marks


def test_what_is_chosen_is_drawn_a_demanded_pose_or_where_a_stage_stands(evaluator: Evaluator) -> None:
    motion = hop(leap())
    pose, *others = drawn(evaluator, motion, chosen="end").onions
    assert not pose.planned
    assert all(each.planned for each in others)
    assert pose.time == motion.end
    at_rest = evaluator.snapshot(lamps()).bodies[0].transforms.copy()
    at_rest[:, 0, 3] += 0.4
    assert pose.bodies.transforms == pytest.approx(at_rest, abs=1e-6), "what it leaves open is as in the motion"
    found = drawn(evaluator, motion, 0.9, chosen="landing")
    assert [each.part for each in found.stands] == ["base", "base"]
    toe = next(each for each in found.stands if each.place[0] > 0.45)
    assert toe.place == pytest.approx((0.5, 0.0, 0.0), abs=1e-6)
    leans = np.array(toe.edges) - toe.place
    assert np.abs(leans[:, 0] / leans[:, 1]) == pytest.approx(0.8), "as much as friction"
    assert leans[:, 2] == pytest.approx(0.0)
    assert leans[0, 0] == pytest.approx(-leans[1, 0])
    assert drawn(evaluator, motion, 0.9, chosen="flight").stands == ()


def test_blows_are_drawn_at_any_time_and_forces_at_the_present_as_long_as_they_are_hard(evaluator: Evaluator) -> None:
    up = PlainPush("the blow at Base", (0.5, 0.0, 0.0), (0.0, 3.0, 0.0), 0.75, blow=True)
    along = replace(up, name="the blow along the ground at Base", vector=(-4.0, 0.0, 0.0))
    nothing = replace(up, vector=(0.0, 1e-6, 0.0))
    motion = hop(leap(), struck=(up, along, nothing))
    *blows, force = drawn(evaluator, motion, 0.1).arrows
    assert [(each.name, each.push, each.place) for each in blows] == [
        ("The blow at Base", up.vector, up.position), ("The blow along the ground at Base", along.vector, up.position),
    ]  # fmt: skip
    assert [each.time for each in (*blows, force)] == [round(each * SECOND) for each in (0.75, 0.75, 0.1)]
    assert blows[1].length / blows[0].length == pytest.approx(4.0 / 3.0)
    assert (force.blow, force.push) == (False, (0.0, 20.6, 0.0))
    joints = next(each for each in drawn(evaluator, motion).onions if each.time == 0).bodies.transforms[:, :, 3]
    size = float(np.ptp(joints, axis=0).max())
    assert force.length == pytest.approx(WEIGHT * size, rel=1e-3), "the lamp's whole weight"
    assert not [each for each in drawn(evaluator, motion, 0.5).arrows if not each.blow]
    assert not [each for each in drawn(evaluator, motion, -0.5).arrows if not each.blow], "before it begins"
    hard = hop(leap(), struck=(replace(up, vector=(0.0, 999.0, 0.0)),))
    assert drawn(evaluator, hard, 0.5).arrows[0].length == pytest.approx(LONGEST * size)


def test_blows_that_stop_what_is_nailed_from_then_on_are_one_arrow_in_their_middle(evaluator: Evaluator) -> None:
    plan = leap()
    first, flight, landing = plan.stages
    nailed = replace(plan, stages=(first, flight, replace(landing, nailed=True)))
    stops = tuple(
        PlainPush("the blow that stops Base", place, vector, 0.75, blow=True)
        for place, vector in (((0.3, 0.1, 0.0), (-2.0, 0.0, 0.0)), ((0.5, -0.1, 0.0), (1.0, 3.0, 0.0)))
    )
    (arrow,) = (each for each in drawn(evaluator, hop(nailed, struck=stops), 0.5).arrows if each.blow)
    assert arrow.place == pytest.approx((0.4, 0.0, 0.0))
    assert arrow.push == pytest.approx((-1.0, 3.0, 0.0))


def test_other_minima_stand_beside_the_motion_in_their_order_and_are_taken_over_where_they_are_the_same(
    evaluator: Evaluator,
) -> None:
    first, second, third = hop(leap()), hop(leap()), hop(leap())
    time, document = round(0.5 * SECOND), lamps()

    def beside(motion: SeenMotion, before: MotionDrawn | None = None) -> MotionDrawn:
        ways = (first, second, third)
        steps = draw_motion(evaluator, document, "lamp", motion, time, ways=ways, before=before, clock=lambda: 0.0)
        return [each for each in steps if each is not None][-1]

    found = beside(second)
    assert [(each.number, each.motion) for each in found.ways] == [(1, first), (3, third)]
    near, far = (each.shift[0] for each in found.ways)
    assert far == pytest.approx(2.0 * near)
    own = next(each for each in found.onions if each.number == 0 and not each.way)
    for way in found.ways:
        moved = way.onion.bodies.transforms[:, :, 3] - own.bodies.transforms[:, :, 3]
        assert moved == pytest.approx(np.tile(way.shift, (len(moved), 1)), abs=1e-5), "as the motion is, at one time"
        assert way.top[1] > way.onion.bodies.transforms[:, 1, 3].max()
    places = np.concatenate([each.bodies.transforms[:, 0, 3] for each in found.onions if not each.way])
    assert near > np.ptp(places), "none stands in another's way"
    assert [one is other for one, other in zip(found.ways, beside(second, found).ways, strict=True)] == [True, True]
    assert [each.number for each in beside(first, found).ways] == [2, 3], "the first stands at its place now"


def test_points_of_the_ghost_may_be_taken_but_those_that_are_demanded_then(evaluator: Evaluator) -> None:
    motion = hop(leap())
    found = drawn(evaluator, motion, 0.5)
    assert [each.joint for each in found.points] == ["base", "lower", "upper", "head", "head"]
    own = next(each for each in found.onions if each.number == 0)
    assert found.points[1].place == pytest.approx(own.bodies.transforms[1, :, 3], abs=1e-6)
    assert drawn(evaluator, motion, 5.0).points == (), "outside of the motion there are none"
    there = SpacetimeConstraint(
        id="there", name="There", stage="crouch", quantity="point", joint="upper", position=(0.0, 0.5, 0.0), at=0.5
    )
    document = lamps(replace(leap(), constraints=(*leap().constraints, there)))
    joints = [each.joint for each in drawn(evaluator, motion, 0.2, document=document).points]
    assert joints == ["base", "lower", "head", "head"]


def test_forces_of_ones_own_are_arrows_while_they_act_and_blows_where_their_stages_end(evaluator: Evaluator) -> None:
    wind = SpacetimeForce(
        id="wind", name="Wind", joint="head", direction=(2.0, 0.0, 0.0), stages=("flight",), least=3.0, most=3.0
    )
    kick = SpacetimeForce(id="kick", name="Kick", joint="base", blow=True, stages=("crouch", "flight"), least=0.0)
    document = lamps(replace(leap(), forces=(wind, kick)))
    motion = hop(leap())
    (first, second) = drawn(evaluator, motion, 0.1, document=document).forces
    assert [each.force.id for each in (first, second)] == ["kick", "kick"]
    assert [each.time for each in (first, second)] == [motion.tick(motion.stages[at].ends) for at in (0, 1)]
    acting = drawn(evaluator, motion, 0.5, document=document).forces
    assert [each.force.id for each in acting] == ["wind", "kick", "kick"]
    way = np.array(acting[0].tip) - acting[0].place
    assert way[0] > 0.0
    assert way[1:] == pytest.approx((0.0, 0.0))
    twice = lamps(replace(leap(), forces=(replace(wind, least=6.0, most=6.0),)))
    longer = drawn(evaluator, motion, 0.5, document=twice).forces[0]
    assert np.array(longer.tip) - longer.place == pytest.approx(2.0 * way), "twice as hard, twice as long"
    assert [each.force.id for each in drawn(evaluator, motion, 0.1, document=twice, chosen="wind").forces] == ["wind"]
