"""Plans: what is refused, what is rounded, and which frame is of which time."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.export.plan import KINDS, Plan, Turntable
from app.scene.camera import Camera
from engine.document import Document
from engine.document.drafts import without_drafts
from engine.edits import edit
from engine.runtime.errors import InvalidArguments
from tests.app.export.films import SECOND, plan_for
from tests.beeps import beeping

OUT = Path("film.mp4")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"codec": "mpeg2"}, "the codec is 'mpeg2'; allowed: h264, vp9, av1, gif, png"),
        ({"codec": "gif"}, "the file's ending is '.mp4'; allowed: .gif for GIF"),
        ({"size": (0, 100)}, "the size is (0, 100)"),
        ({"size": (8193, 100)}, "the size is '8193 x 100'; allowed: sides of at most 8192 pixels for H.264 video"),
        ({"samples": 3}, "the number of samples is 3; allowed: 1, 2, 4, 8, 16, 32"),
        ({"start": SECOND, "end": 0}, "the end of the range is '0 s'; allowed: at or after its start, 1 s"),
        ({"rate": (0, 1)}, "the rate is (0, 1)"),
        ({"rate": (1_000_000, 1)}, "the number of frames is 1000001"),
        ({"background": "transparent"}, "PNG pictures can be transparent"),
        ({"background": "red"}, "the background is 'red'"),
        ({"turntable": Turntable(turns=math.nan)}, "the turns of the turntable is nan"),
        ({"turntable": Turntable(seconds=-1.0)}, "the seconds of the turntable is -1.0"),
        ({"camera": Camera(distance=math.inf)}, "the camera is"),
    ],
)
def test_what_cannot_be_is_refused_with_the_value_and_what_can(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        plan_for(OUT, Document(), **changes)
    assert said in str(caught.value)


def test_a_picture_larger_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.export.plan._memory", lambda: 1 << 30)
    with pytest.raises(InvalidArguments, match="million pixels, which is what this machine's memory holds"):
        plan_for(Path("a.png"), Document(), codec="png", size=(8000, 8000))


def test_a_gif_is_not_faster_than_viewers_show_it() -> None:
    with pytest.raises(InvalidArguments, match="at most 50 frames a second for a GIF"):
        plan_for(Path("a.gif"), Document(), codec="gif", rate=(60, 1))


@pytest.mark.parametrize("codec", ["h264", "vp9", "av1"])
def test_odd_sides_of_a_film_become_even_and_it_is_said(codec: Any) -> None:
    plan = plan_for(OUT, Document(), codec=codec, size=(161, 121))
    assert plan.frame_size == (162, 122)
    assert plan.notes == (f"{KINDS[plan.codec].label} has even sides: 161 x 121 becomes 162 x 122",)


def test_sides_of_pictures_stay_odd() -> None:
    plan = plan_for(Path("a.png"), Document(), codec="png", size=(161, 121))
    assert (plan.frame_size, plan.notes) == ((161, 121), ())


def test_frames_stand_on_their_ticks_to_the_end_of_the_range() -> None:
    plan = plan_for(OUT, Document(), rate=(30000, 1001), end=SECOND)
    assert plan.count == 30
    assert plan.time(29) == round(29 * SECOND * 1001 / 30000) <= SECOND
    assert plan_for(OUT, Document(), start=5, end=5).count == 1


def test_a_turntable_goes_round_once_and_meets_its_beginning() -> None:
    plan = plan_for(OUT, Document(), turntable=Turntable(seconds=2.0))
    assert (plan.count, {plan.time(each) for each in range(plan.count)}) == (20, {0})
    turns = [plan.camera_at(each).azimuth for each in range(plan.count)]
    assert turns[0] == plan.camera.azimuth
    assert abs(turns[1] - turns[0]) == pytest.approx(2.0 * math.pi / 20)
    assert plan.camera_at(plan.count).azimuth == pytest.approx(plan.camera.azimuth, abs=1e-9)


def test_a_sound_that_cannot_be_is_left_out_and_it_is_said() -> None:
    document = Document(sound=beeping(0.5))
    assert plan_for(OUT, document).has_sound
    assert not plan_for(OUT, document, sound=False).has_sound
    gif = plan_for(Path("a.gif"), document, codec="gif")
    assert not gif.has_sound
    assert gif.notes == ("the sound Beep is left out: GIF has none",)
    still = plan_for(OUT, document, turntable=Turntable(seconds=1.0))
    assert still.notes == ("the sound Beep is left out: time stands still",)


def test_the_span_of_sound_is_as_long_as_the_frames_are_seen() -> None:
    plan = plan_for(OUT, Document(), rate=(10, 1), end=SECOND - 1)
    assert (plan.count, plan.span) == (10, (0, SECOND))


def test_a_draft_is_seen_in_one_picture_and_not_in_a_film() -> None:
    from tests.app.export.films import waving

    document = waving()
    actor = document.actors[0]
    name = actor.figure.coordinates[0]
    draft = edit("set_draft", actor="human", layer="keys", time=0, values=((name, 0.5),)).apply(document)
    assert draft != document
    assert plan_for(OUT, draft, end=0).wanted.document is draft
    assert plan_for(OUT, draft).wanted.document == without_drafts(draft) == document


def test_a_large_picture_has_lines_as_wide_in_proportion() -> None:
    small = plan_for(OUT, Document(), size=(1280, 720))
    assert small.pixel_ratio == 1.0
    assert replace(small, size=(3840, 2160)).pixel_ratio == 2.0


def test_a_plan_knows_its_files_and_which_other_writes_one_of_them(tmp_path: Path) -> None:
    def made(name: str, count: int, codec: str = "png") -> Plan:
        return plan_for(tmp_path / name, Document(), codec=codec, end=(count - 1) * SECOND // 10)

    film, one, frames = made("a.mp4", 5, "h264"), made("a.png", 1), made("a.png", 3)
    assert (film.names, one.names) == ((film.out,), (one.out,))
    assert [each.name for each in frames.names] == ["a_0001.png", "a_0002.png", "a_0003.png"]
    assert made("a.png", 10_000).names[0].name == "a_00001.png"
    assert film.meets(made("a.mp4", 2, "h264"))
    assert frames.meets(made("a.png", 2))
    assert frames.meets(made("a_0003.png", 1))
    assert made("a_0003.png", 1).meets(frames)
    for other in (film, one, made("a_0004.png", 1), made("a_3.png", 1), made("b.png", 3), made("a.png", 10_000)):
        assert not frames.meets(other)
        assert not other.meets(frames)
