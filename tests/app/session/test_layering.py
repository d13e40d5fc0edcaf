"""What the layers panel may ask of layers, without its window."""

from __future__ import annotations

from engine.edits import edit
from tests.app.session.held import Held


def test_layers_are_not_baked_while_one_of_them_is_shown_alone(held: Held) -> None:
    session = held.session
    session.do(edit("solo_layer", actor="arm", layer="pose", solo=True))
    layer, asked = session.layering.layer, len(held.worker.requests)
    session.layering.bake()
    assert session.layering.layer is layer
    assert len(held.worker.requests) == asked
    assert session.log[-1].text == "Layers of Arm are not baked while Pose counts alone: end Alone first."
    session.do(edit("solo_layer", actor="arm", layer="pose", solo=False))
    before = len(held.worker.requests)
    session.layering.bake()
    assert len(held.worker.requests) > before


def test_the_layer_that_was_chosen_stays_where_the_engine_refuses_to_bake(held: Held) -> None:
    layering = held.session.layering
    layering.add()
    layering.choose("pose")
    layering.bake()
    held.worker.answer("preview")
    assert held.session.log[-1].kind == "error"
    assert layering.layer is not None
    assert layering.layer.id == "pose"
