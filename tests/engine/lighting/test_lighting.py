"""Light: kept in the document, in what is drawn, and without a say in what moves."""

from __future__ import annotations

import math

import pytest

from engine.document import Actor, Document, Ellipsoid, prop
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import PictureCache
from engine.lighting.parts import Finish, Lighting
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError

BALL = Actor(id="ball", name="Ball", figure=prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),)))
SCENE = Document(actors=(BALL,))


def test_a_scene_that_says_nothing_is_lit_as_before_and_one_that_does_says_so_in_its_picture() -> None:
    evaluator = Evaluator()
    assert evaluator.snapshot(SCENE, 0).light is None
    lit = edit("set_lighting", azimuth=1.0, floor="#808080", with_view=True).apply(SCENE)
    found = evaluator.snapshot(lit, 0).light
    assert found is not None
    assert (found.azimuth, found.floor, found.with_view, found.fill) == (1.0, "#808080", True, Lighting().fill)
    assert edit("remove_lighting").apply(lit).digest == SCENE.digest


def test_a_finish_is_of_one_actor_and_goes_where_it_is_that_of_all() -> None:
    red = edit("set_finish", actor="ball", colour="#b8482f", roughness=0.4).apply(SCENE)
    (found,) = Evaluator().snapshot(red, 0).finishes
    assert (found.owner, found.colour, found.roughness) == ("ball", "#b8482f", 0.4)
    plain = edit("set_finish", actor="ball", colour="", roughness=1.0).apply(red)
    assert plain.digest == SCENE.digest


def test_a_picture_that_is_kept_is_drawn_anew_in_other_light() -> None:
    cache = PictureCache(Evaluator())
    assert cache.snapshot(SCENE, 0, skins=False).light is None
    lit = edit("set_lighting", key=2.0).apply(SCENE)
    found = cache.snapshot(lit, 0, skins=False).light
    assert found is not None
    assert cache.snapshot(edit("set_finish", actor="ball", roughness=0.2).apply(lit), 0, skins=False).finishes


def test_light_moves_nothing() -> None:
    lit = edit("set_lighting", key=2.0).apply(SCENE)
    assert changed_span(SCENE, lit) == ()
    before, after = (Evaluator().snapshot(each, 0).bodies[0].transforms for each in (SCENE, lit))
    assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize(
    "wrong",
    [
        {"azimuth": 4.0},
        {"elevation": 0.0},
        {"key": -1.0},
        {"size": math.radians(40.0)},
        {"floor": "grey"},
        {"background": "#12345"},
        {"background": "#ABCDEF"},
    ],
)
def test_what_is_no_light_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(EngineError):
        edit("set_lighting", **wrong).apply(SCENE)


def test_a_finish_of_no_colour_is_refused() -> None:
    with pytest.raises(EngineError, match="a colour such as"):
        Finish(colour="red")
