"""The table of actions: sound on paper, and true to Commands and to the icons."""

from __future__ import annotations

from collections import Counter
from functools import partial
from inspect import signature

import pytest

from app.shell.actions import ACTIONS, MENUS, TOPICS, Action, first_line
from app.style.icons import icon_names


def test_every_id_and_every_key_stands_once() -> None:
    assert max(Counter(action.id for action in ACTIONS).values()) == 1
    keys = Counter(key for action in ACTIONS for key in action.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_menus_open_by_keys_that_no_action_has() -> None:
    opened_by = set(MENUS.values())
    assert len(opened_by) == len(MENUS)
    assert opened_by.isdisjoint(key for action in ACTIONS for key in action.keys)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_an_action_names_things_that_are_there(action: Action) -> None:
    topic = next(each.topic for each in TOPICS if action in each.actions)
    for each in (action.call, action.when, action.checked, action.text):
        method, chosen = (each.func, each.keywords) if isinstance(each, partial) else (each, {})
        if method is not None:
            assert getattr(topic, method.__name__) is method, "of the class that is asked to do it"
            signature(method).bind(None, **chosen)
            assert "{" not in first_line(each or print)
    assert action.when is None or first_line(action.when).startswith("True if "), "as menus say when it can be done"
    assert action.about or first_line(action.call)
    assert not action.icon or action.icon in icon_names()
    assert action.label.strip()
