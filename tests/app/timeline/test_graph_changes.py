"""Keys of the curves by which a path is travelled."""

from __future__ import annotations

from app.timeline.axis import frame_text
from app.timeline.graph.changes import added_to_speed
from app.timeline.graph.curves import NUMBER, SPEED, Curve
from app.timeline.keys import Channel
from engine.document import Key, SpeedRange, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.queries.outline import Outline


def test_a_key_where_a_speed_curve_overshoots_stays_between_its_neighbours() -> None:
    steep = {"tangent": "free", "slope_in": 9.0, "slope_out": 9.0}
    keys = (Key(0, 0.0), Key(SECOND, 0.3, **steep), Key(2 * SECOND, 0.5), Key(3 * SECOND, 1.0))  # type: ignore[arg-type]
    speed = SpeedRange(start=0, end=3 * SECOND, coordinates=("knee",), keys=keys)
    outline = Outline.of(Track(coordinate=SPEED, keys=keys))
    channel = Channel("one", "low", f"{SPEED}0")
    curve = Curve(channel=channel, group="", name="", unit=NUMBER, outline=outline, speed=speed)
    time = 5 * SECOND // 4
    assert curve.value_at(time) > 0.5
    made = dict(added_to_speed(curve, time).arguments)["speeds"]
    assert isinstance(made, tuple)
    assert next(key.value for key in made[0][2].keys if key.time == time) == 0.5


def test_a_tick_just_under_a_frame_is_told_as_that_frame() -> None:
    rate = (30, 1)
    assert frame_text(frame_time(5, rate) - 1, rate) == "5"
    assert frame_text(frame_time(1234567, rate), rate) == "1234567"
