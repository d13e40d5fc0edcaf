"""Pulls by hands: where they are at a time, how they are recorded, and from when on two of them differ."""

from __future__ import annotations

import pytest

from engine.document import Document
from engine.edits import edit
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.soft.pulls import SoftPull, first_pulled
from engine.soft.uses import soft_body
from tests.engine.soft.bodies import soft_actor

A, B, C = (0.0, 1.0, 0.0), (0.1, 1.0, 0.0), (0.2, 1.0, 0.0)


def pull(*times: int, end: int, id: str = "hand") -> SoftPull:
    return SoftPull(id=id, point=(0.05, 0.1, 0.05), times=times, places=(A, B, C)[: len(times)], end=end)


def test_the_hand_stands_still_from_each_time_to_the_next_and_is_gone_after_its_end() -> None:
    one = pull(10, 20, end=30)
    assert [one.place_at(time) for time in (9, 10, 19.5, 20, 29, 30)] == [None, A, A, B, B, None]


def test_a_recorded_place_takes_the_place_of_those_from_its_time_on() -> None:
    one = pull(10, 20, end=90).moved_to(20, C, 95)
    assert (one.times, one.places, one.end) == ((10, 20), (A, C), 95)


def test_one_that_lets_go_keeps_what_is_before_its_end_and_is_never_empty() -> None:
    assert pull(10, 20, 30, end=90).let_go_at(25).times == (10, 20)
    assert pull(10, end=90).let_go_at(10).end == 11


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ((), (), None),
        ((), (pull(10, end=20),), 10),
        ((pull(10, end=90),), (pull(10, 20, end=90),), 20),
        ((pull(10, 20, end=90),), (pull(10, 20, end=50),), 50),
        ((pull(10, 20, end=90),), (pull(10, 25, end=50),), 20),
        ((pull(10, end=90), pull(5, end=7, id="other")), (pull(10, end=90),), 5),
    ],
)
def test_the_first_tick_from_which_they_draw_otherwise(
    old: tuple[SoftPull, ...], new: tuple[SoftPull, ...], first: int | None
) -> None:
    assert first_pulled(old, new) == first


def test_times_that_do_not_rise_are_refused() -> None:
    for times, end in (((20, 10), 30), ((10, 20), 20), ((), 20)):
        with pytest.raises(InvalidDocument, match="the times of a pull"):
            SoftPull(id="hand", point=A, times=times, places=(A,) * len(times), end=end)


def test_edits_put_one_in_place_of_its_like_and_take_it_away() -> None:
    document = Document(actors=(soft_actor(),))
    for one in (pull(10, end=90), pull(10, 20, end=90), pull(5, end=7, id="other")):
        document = edit("put_soft_pull", actor="jelly", pull=one).apply(document)
    body = soft_body(document.actor("jelly"))
    assert body is not None
    assert [(each.id, len(each.times)) for each in body.pulls] == [("hand", 2), ("other", 1)]
    with pytest.raises(UnknownPart):
        edit("remove_soft_pulls", actor="jelly", pulls=("gone",)).apply(document)
    document = edit("remove_soft_pulls", actor="jelly").apply(document)
    body = soft_body(document.actor("jelly"))
    assert body is not None
    assert not body.pulls
