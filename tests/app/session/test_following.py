"""What features hear of previews: those of a scene with what they show."""

from __future__ import annotations

from dataclasses import replace

from app.session import Item
from app.session.following import follow_parts
from engine.edits import edit
from engine.physics.parts import Physics
from tests.app.session.held import Held

PREVIEW = "preview"


def drag(held: Held, *values: float) -> None:
    gesture = held.session.begin_gesture("Turn")
    for value in values:
        gesture.preview(edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value))
        held.worker.answer(PREVIEW)
    gesture.finish()


def test_a_drag_in_a_scene_without_such_a_part_is_heard_of_as_it_is_kept(held: Held) -> None:
    heard: list[float] = []
    follow_parts(held.session, Physics, lambda: heard.append(held.session.shown.actor("arm").layers[0].values[0][1]))
    drag(held, 0.1, 0.2, 0.3)
    assert heard == [0.3]
    held.session.select([Item("arm")])
    assert heard == [0.3, 0.3]


def test_each_preview_is_heard_of_where_the_scene_has_one_and_the_first_that_has_none_any_more(held: Held) -> None:
    heard: list[bool] = []
    follow_parts(held.session, Physics, lambda: heard.append(held.session.shown is held.session.document))
    plain, soft = held.session.document, held.session.document.actor("box").with_part(Physics())
    for document in (plain.with_actor(soft), plain.with_actor(replace(soft, name="Jelly")), plain, plain):
        held.session.preview_changed.emit(document)
    assert heard == [True] * 3
    held.session.do(edit("rename_actor", actor="box", name="Crate"))
    assert len(heard) == 4
