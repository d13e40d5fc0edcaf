"""Finding an action by a few letters."""

from __future__ import annotations

import pytest

from app.shell.actions import ACTIONS
from app.shell.finding import answers
from app.shell.keymaps import INDUSTRY, keys_in


def found(query: str) -> list[str]:
    keys = keys_in(INDUSTRY, {})
    scored = [(answers(query, each, each.label, keys[each.id]), each.id) for each in ACTIONS]
    return [name for score, name in sorted(scored, key=lambda line: -(line[0] or 0.0)) if score is not None]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("frame sel", "view.frame_selected"),
        ("fsel", "view.frame_selected"),
        ("selected frame", "view.frame_selected"),
        ("UNDO", "edit.undo"),
        ("ctrl+l", "time.loop"),
        ("space", "time.play"),
        ("human", "add.human"),
    ],
)
def test_a_few_letters_find_it_first(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_a_menu_finds_what_stands_in_it() -> None:
    assert set(found("look from")) >= {"view.front", "view.back", "view.top"}


def test_every_label_finds_its_action() -> None:
    for action in ACTIONS:
        assert action.id in found(action.label)


def test_nothing_typed_finds_all_and_nonsense_nothing() -> None:
    assert len(found("")) == len(ACTIONS)
    assert found("xqzv") == []
    assert found("frame xqzv") == []
    assert found("\\[(") == []
