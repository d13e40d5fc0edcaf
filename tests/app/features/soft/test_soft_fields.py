"""Fields of a soft body: materials that its cells may be of, fields that have an effect, and its attachments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.features.soft.attachments import SoftAttachments
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.fields import ContactFields, MaterialFields
from app.features.soft.panel import SoftPanel
from app.session import Item
from engine.document import Actor, Blob, Box, Document, prop
from engine.edits import Edit, edit
from engine.soft.making import soft_box
from engine.soft.parts import SoftAttachment, SoftBody
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held, deliver
from tests.engine.soft.bodies import soft_actor, soft_cube


@pytest.fixture
def document() -> Document:
    crate = Actor(id="crate", name="Crate", figure=prop("Crate", (Box(half=(0.1, 0.1, 0.1)),)))
    return Document(actors=(crate, soft_actor()))


def nothing(name: str, value: object) -> Edit | None:
    return None


def shown(form: MaterialFields | ContactFields) -> set[str]:
    return {name for name, row in form.rows.items() if not row.isHidden()}


def body_of(held: Held) -> SoftBody:
    found = held.session.document.actor("jelly").part(SoftBody)
    assert found is not None
    return found


def attachment(id: str, hold: str = "hard") -> SoftAttachment:
    points, places = Blob(np.zeros(1, dtype=np.int32)), Blob(np.zeros((1, 3)))
    return SoftAttachment(id=id, points=points, places=places, target="crate", joint="body", hold=hold)


def test_springs_have_no_ratio_of_poisson_and_mooney_rivlin_has_a_share(held: Held, qtbot: QtBot) -> None:
    form = MaterialFields(held.session, "hexahedra", nothing)
    qtbot.addWidget(form)
    always = {"material", "young", "density", "mass_damping", "stiffness_damping"}
    for material, more in (("springs", set()), ("neo_hookean", {"poisson"}), ("mooney_rivlin", {"poisson", "share"})):
        form.show_body(replace(soft_cube(), material=material))
        assert shown(form) == always | more


def test_edges_are_springs_alone(held: Held, qtbot: QtBot) -> None:
    form = MaterialFields(held.session, "edges", nothing)
    qtbot.addWidget(form)
    box = form.fields["material"]
    assert isinstance(box, QComboBox)
    assert [box.itemText(place) for place in range(box.count())] == ["Springs"]


def test_shares_of_friction_are_shown_with_a_heading_and_none_without_contact(held: Held, qtbot: QtBot) -> None:
    form, body = ContactFields(held.session, nothing), soft_cube()
    qtbot.addWidget(form)
    form.show_body(body)
    assert shown(form) == {"touches", "touches_by_surface", "touches_itself", "pushes", "friction", "heading"}
    form.show_body(replace(body, heading=(0.0, 0.0, 1.0)))
    assert shown(form) >= {"forward", "backward", "sideways"}
    form.show_body(replace(body, touches=False))
    assert shown(form) == {"touches", "pushes"}
    form.show_body(soft_box((0.1, 0.1, 0.1), (1, 1, 1), cells="squares"))
    assert shown(form) == {"touches", "touches_itself", "pushes", "friction", "heading"}, "its outline is its surface"


def test_the_chosen_attachment_stays_chosen_and_its_fields_change_it_alone(held: Held, qtbot: QtBot) -> None:
    session = held.session
    for one in (attachment("first"), attachment("second", "spring")):
        session.do(edit("attach_soft_body", actor="jelly", attachment=one))
    session.select([Item("jelly")])
    found = SoftAttachments(session, session.of(CurrentSoft))
    qtbot.addWidget(found)
    found.show_body(session.document.actor("jelly"), body_of(held))
    assert found.list.count() == 2
    assert found.chosen == body_of(held).attachment("second")
    found.list.setCurrentRow(0)
    assert found.form.rows["tension"].isHidden()
    found._set_when(1)
    assert [each.span is not None for each in body_of(held).attachments] == [True, False]
    found.show_body(session.document.actor("jelly"), body_of(held))
    assert found.chosen == body_of(held).attachment("first")
    found._detach()
    found.show_body(session.document.actor("jelly"), body_of(held))
    assert found.chosen == body_of(held).attachment("second")


def test_the_panel_fits_into_three_hundred_pixels_with_all_unfolded(held: Held, qtbot: QtBot) -> None:
    session = held.session
    session.do(edit("attach_soft_body", actor="jelly", attachment=attachment("only", "spring")))
    session.select([Item("crate"), Item("jelly")])
    panel = SoftPanel(session)
    put_on_screen(panel, qtbot)
    for section in panel.sections.values():
        section.header.set_unfolded(True)
    deliver()
    assert panel.material is not None
    seen = [each for each in (panel.about, *panel.findChildren(QComboBox)) if each.isVisible()]
    assert len(seen) > 5
    assert all(each.mapTo(panel, each.rect().topRight()).x() <= 300 for each in seen)
