"""Activations of a file as keys, by an import and by the menu."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.formats.sto_table import write_sto
from engine.muscles.uses import activations_of
from tests.gui.acting import changed
from tests.gui.test_muscles import act, opened
from tests.stage import Stage

__all__ = ["opened"]
pytestmark = pytest.mark.gui


def test_activations_of_a_file_are_keys_by_import_and_by_the_menu(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, before = tmp_path / "controls.sto", opened.session.document
    write_sto(path, "controls", ["biceps", "soleus"], [[0.1 * row, 0.08 * row, 0.5] for row in range(11)])

    def keys() -> dict[str, int]:
        found = activations_of(opened.session.document.actors[0]).activations
        return {each.muscle: len(each.track.keys) for each in found if each.track is not None}

    opened.window.files.open(path)
    opened.until_told("left out: soleus", "edit")
    assert keys()["biceps"] == 2
    said = next(each.text for each in reversed(opened.session.log) if each.kind == "edit")
    assert said.startswith("Activations of Arm from controls.sto: 2 keys of 1 muscle; ")
    assert said.endswith("left out: soleus")
    assert len(opened.session.document.actors) == len(before.actors)
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
    monkeypatch.setattr(opened.window.asking, "choose_motion", lambda then: then(path))
    act(opened, "muscles.take_activations")
    assert changed(opened, before) is not before
    assert keys()["biceps"] == 2
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
