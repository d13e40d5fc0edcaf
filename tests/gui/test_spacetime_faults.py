"""Planned motions that cannot be, in the real window: said before and after a search, which is stopped, and ends with
the actor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.panel import SpacetimePanel
from app.session import Item
from engine.document import Document, Span
from tests.gui.acting import click, shown_panel
from tests.leaping_lamp import DOFS, ROOT, leap, leaping_lamp, nod
from tests.one_window import OneWindow

pytestmark = pytest.mark.gui
SECOND = 705_600_000


def test_what_cannot_be_is_said_with_names_and_times_and_searches_end_with_what_they_are_of(
    the_window: OneWindow, tmp_path: Path
) -> None:
    lamp, plan = leaping_lamp(tmp_path), nod(muscles=())
    nodded = tuple((dof, 0.0) for dof in (*ROOT, *DOFS[:2]))
    ends = tuple(replace(plan.constraints[1], id=f"{far}", name=f"Nod to {far}", values=(*nodded, ("head.nod", far)))
                 for far in (0.5, 9.0))  # fmt: skip
    broken = lamp.with_part(replace(plan, constraints=(plan.constraints[0], *ends)))
    other = replace(lamp, id="other", name="Other").with_part(leap(0.4))
    with the_window.begun(Document(actors=(broken, other), play=Span(start=0, end=SECOND))) as opened:
        session, current = opened.session, opened.session.of(CurrentSpacetime)
        session.select([Item("lamp")])
        panel = shown_panel(opened, "spacetime.show", SpacetimePanel)
        opened.until(panel.words.isVisible)
        assert "asks Head to be at 515.7°, beyond its bound of 90°" in panel.words.text()
        assert "Nod to 0.5 and Nod to 9.0 ask Head to be at 28.65° and at 515.7°, both at 0.400 s" in panel.words.text()
        assert "No muscle drives Lamp" in panel.words.text()

        before, past = session.document, session.history.past
        click(panel.run)
        opened.until(lambda: not current.running and panel.misses.isVisible())
        assert panel.said.text().startswith("No motion nearby meets all demands")
        worst = panel.misses.labels[0]
        assert worst.text().startswith("Nod to 9.0 (Head) at 0.400 s: missed by ")
        click(worst)
        assert session.playhead == round(0.4 * SECOND)
        assert current.constraint is not None
        assert current.constraint.name == "Nod to 9.0"

        session.select([Item("other")])
        click(panel.run)
        opened.until(lambda: len(current.iterates) > 1)
        click(panel.stop)
        opened.until(lambda: panel.said.text().startswith("Stopped."))
        assert session.document is before
        assert session.history.past == past

        click(panel.run)
        opened.until(lambda: len(current.iterates) > 1)
        opened.window.menus.actions["edit.delete"].trigger()
        opened.until(lambda: "other" not in session.document.actor_index)
        assert not current.running
