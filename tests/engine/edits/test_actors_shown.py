"""Isolating and freezing actors."""

from __future__ import annotations

import pytest

from engine.edits import edit
from engine.runtime.errors import InvalidDocument
from tests.engine.figures import scene


def test_isolating_hides_all_others_and_show_all_brings_them_back() -> None:
    document = scene()
    alone = edit("isolate_actors", actors=(document.actors[1].id,)).apply(document)
    assert [each.visible for each in alone.actors] == [place == 1 for place in range(len(document.actors))]
    assert edit("isolate_actors", actors=(document.actors[1].id,)).apply(alone) is alone
    assert all(each.visible for each in edit("show_all_actors").apply(alone).actors)
    with pytest.raises(InvalidDocument, match="one or more"):
        edit("isolate_actors", actors=()).apply(document)


def test_edits_by_name_change_a_frozen_actor() -> None:
    document = scene()
    frozen = edit("freeze_actor", actor="one", frozen=True).apply(document)
    assert frozen.actor("one").frozen
    assert edit("freeze_actor", actor="one", frozen=True).apply(frozen) is frozen
    assert edit("rename_actor", actor="one", name="Cold").apply(frozen).actor("one").name == "Cold"
