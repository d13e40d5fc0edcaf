"""Stills: what a frame shows is what the window shows of that time, one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Actor, Box, Document, Dof, Figure, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import Spot
from engine.measure import Quantity
from engine.queries.stills import Still, Stills, StillsWanted
from engine.queries.trails import OnionSkins, Wanted
from engine.runtime.errors import UnknownPart
from tests.engine.measure.motions import all_of as measured
from tests.engine.measure.motions import pendulum


def swinging() -> Document:
    """An arm that turns by one radian in a second."""
    shapes = (Box(half=(0.05, 0.2, 0.05)),)
    joint = Joint(id="arm", name="Arm", dofs=(Dof(id="arm.turn", name="Turn", axis=(0.0, 0.0, 1.0)),), shapes=shapes)
    keys = (Key(0, 0.0, "linear"), Key(SECOND, 1.0, "linear"))
    layer = Layer(id="keys", tracks=(Track(coordinate="arm.turn", keys=keys),))
    return Document(actors=(Actor(id="arm", name="Arm", figure=Figure(name="Arm", joints=(joint,)), layers=(layer,)),))


def all_of(wanted: StillsWanted, times: list[int]) -> tuple[Still, ...]:
    *_, last = filter(None, Stills(Evaluator(), wanted).answer(times))
    return last


def test_a_still_is_the_evaluators_picture_of_its_time() -> None:
    document, times = swinging(), [frame_time(each, (30, 1)) for each in (0, 7, 30)]
    found = all_of(StillsWanted(document=document), times)
    assert [each.snapshot.time for each in found] == times
    for each in found:
        own = Evaluator().snapshot(document, each.snapshot.time)
        np.testing.assert_array_equal(each.snapshot.bodies[0].transforms, own.bodies[0].transforms)
        assert (each.trails, each.numbers) == (None, ())


def test_answers_hold_all_so_far_in_their_order() -> None:
    answers = list(filter(None, Stills(Evaluator(), StillsWanted(document=swinging())).answer([0, 5, 9])))
    assert [[still.snapshot.time for still in each] for each in answers] == [[0], [0, 5], [0, 5, 9]]
    assert answers[2][0] is answers[0][0]


def test_numbers_are_of_the_time_and_name_what_they_are_of() -> None:
    wanted = StillsWanted(document=swinging(), quantities=(Quantity(kind="value", actor="arm", part="arm.turn"),))
    first, last = all_of(wanted, [SECOND // 4, SECOND])
    assert (first.numbers[0].label, first.numbers[0].unit) == ("Arm, Turn", "rad")
    assert [first.numbers[0].value, last.numbers[0].value] == pytest.approx([0.25, 1.0])


def test_a_quantity_that_is_not_there_is_named() -> None:
    wanted = StillsWanted(document=swinging(), quantities=(Quantity(kind="value", actor="arm", part="leg"),))
    with pytest.raises(UnknownPart, match="leg"):
        all_of(wanted, [0])


def test_a_short_trail_and_onion_skins_go_with_the_time() -> None:
    trails = Wanted(
        spots=(Spot(actor="arm", joint="arm", point=(0.0, 1.0, 0.0)),),
        first=0, last=SECOND, onions=OnionSkins(actors=("arm",), before=1, after=1),
    )  # fmt: skip
    time = frame_time(15, (30, 1))
    (short,) = all_of(StillsWanted(document=swinging(), trails=trails, around=3), [time])
    assert short.trails is not None
    assert short.trails.whole
    assert (len(short.trails.trails[0].times), short.trails.time) == (7, time)
    assert [each.time for each in short.trails.onions] == [frame_time(each, (30, 1)) for each in (14, 16)]
    (long,) = all_of(StillsWanted(document=swinging(), trails=trails), [time])
    assert long.trails is not None
    assert len(long.trails.trails[0].times) == 31


def test_masses_are_told_where_they_are_wanted() -> None:
    (with_them,) = all_of(StillsWanted(document=swinging(), balance=True), [0])
    (without,) = all_of(StillsWanted(document=swinging()), [0])
    assert len(with_them.snapshot.balances) == 1
    assert without.snapshot.balances == ()


def test_curves_are_measured_once_for_all_frames() -> None:
    quantity = Quantity(kind="value", actor="arm", part="arm.turn")
    source = Stills(Evaluator(), StillsWanted(document=swinging(), quantities=(quantity,), curves=(0, SECOND)))
    *_, found = filter(None, source.answer([0, SECOND // 2]))
    (series,) = found[0].curves
    assert found[1].curves[0] is series
    assert (len(series.times), series.times[-1]) == (31, SECOND)
    np.testing.assert_allclose(series.values, np.arange(31) / 30, atol=1e-6)
    (without,) = all_of(StillsWanted(document=swinging(), quantities=(quantity,)), [0])
    assert without.curves == ()


@pytest.mark.parametrize("curves", [None, (0, SECOND)])
def test_the_work_of_a_time_is_what_its_curve_has_come_to(curves: tuple[int, int] | None) -> None:
    document, work = pendulum(), Quantity(kind="work", actor="a", part="rod.z")
    times = [frame_time(each, document.rate) for each in range(31)]
    found = all_of(StillsWanted(document=document, quantities=(work,), curves=curves), times[3:9:5])
    (series,) = measured(document, (work,), times)
    assert [each.numbers[0].value for each in found] == pytest.approx(series.values[3:9:5].tolist())
    assert series.values[8] > 1.0
    assert (found[0].numbers[0].label, found[0].numbers[0].unit) == ("Rod, Swing, work", "J")
