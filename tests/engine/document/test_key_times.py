"""On which ticks keys stand, and how many of them between frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.document import Actor, Document, Key, Layer, Lock, Track
from engine.document.key_times import between_frames, key_times, nearest_frame
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import Rate, frame_time
from tests.engine.motion.motions import walker


def keyed() -> Document:
    """A figure whose x and knee are keyed at different times, with a keyed lock on its knee; and one that is not."""
    tracks = (
        Track(coordinate="x", keys=(Key(0, 0.0), Key(SECOND, 0.1))),
        Track(coordinate="knee", keys=(Key(2 * SECOND, 0.0), Key(3 * SECOND, 0.1))),
    )
    joint = next(each.id for each in walker().joints for dof in each.dofs if "knee" in dof.coordinates)
    hold = Lock(id="hold", name="Hold", joint=joint, tracks=(Track(coordinate="x", keys=(Key(5 * SECOND, 0.0),)),))
    first = Actor(id="one", name="One", figure=walker(), layers=(Layer(id="keys", tracks=tracks),), locks=(hold,))
    second = Actor(id="two", name="Two", figure=walker(), layers=(Layer(id="pose"),))
    return Document(actors=(first, second))


def seconds(*times: int) -> tuple[int, ...]:
    return tuple(each * SECOND for each in times)


def test_the_keys_of_all_of_an_actor_of_a_joint_and_of_a_lock() -> None:
    document = keyed()
    joint = document.actor("one").locks[0].joint
    assert key_times(document) == seconds(0, 1, 2, 3, 5)
    assert key_times(document, [("one", None, None)]) == seconds(0, 1, 2, 3, 5)
    assert key_times(document, [("one", joint, None)]) == seconds(2, 3, 5)
    assert key_times(document, [("one", joint, "hold")]) == seconds(5)
    assert key_times(document, [("two", None, None)]) == ()
    assert key_times(document, [("two", None, None), ("one", joint, "hold")]) == seconds(5)


@pytest.mark.parametrize("rate", [(24, 1), (30, 1), (30000, 1001), (7, 3)])
def test_the_nearest_frame(rate: Rate) -> None:
    for frame in (-3, 0, 1, 100, 123456):
        here, after = frame_time(frame, rate), frame_time(frame + 1, rate)
        assert nearest_frame(here, rate) == here
        assert nearest_frame(here + (after - here) // 3, rate) == here
        assert nearest_frame(after - (after - here) // 3, rate) == after


def test_keys_between_frames_are_counted_for_the_rate_of_the_document() -> None:
    document = keyed()
    assert between_frames(document) == 0
    assert between_frames(replace(document, rate=(7, 3))) == 2, "3 seconds are 7 frames, 1 and 2 seconds stand between"
