"""Keymaps: sound as data, changed without a key standing twice, and what is damaged left out by name."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from PySide6.QtCore import QKeyCombination, Qt

from app.scene.navigation import MICE
from app.shell.actions import ACTIONS, MENUS
from app.shell.keymaps import (
    BLENDER,
    INDUSTRY,
    KEYMAPS,
    MOST,
    Keymap,
    Keys,
    assigned,
    is_key,
    keys_in,
    menu_keys,
    owner_of,
    pressed,
    reset,
    sound_keys,
    swapped,
)

keymaps = pytest.mark.parametrize("keymap", KEYMAPS.values(), ids=lambda keymap: keymap.name)
CTRL, SHIFT, KEYPAD = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


def twice(keys: Mapping[str, Keys]) -> list[str]:
    return [key for key, count in Counter(key for each in keys.values() for key in each).items() if count > 1]


@keymaps
def test_every_key_of_a_keymap_can_be_pressed_and_stands_once(keymap: Keymap) -> None:
    keys = keys_in(keymap, {})
    assert keys.keys() == {action.id for action in ACTIONS}
    assert [key for each in keys.values() for key in each if not is_key(key)] == []
    assert twice(keys) == []


@keymaps
def test_a_keymap_names_actions_that_are_there_and_a_mouse(keymap: Keymap) -> None:
    assert keymap.keys.keys() <= {action.id for action in ACTIONS}
    assert keymap.name in MICE


def test_the_industrys_keys_are_those_of_the_table() -> None:
    assert keys_in(INDUSTRY, {}) == {action.id: action.keys for action in ACTIONS}


def test_blender_takes_a_key_from_what_the_table_gave_it_to() -> None:
    keys = keys_in(BLENDER, {})
    assert "A" in keys["select.all"]
    assert keys["view.frame_all"] == ("Home",)
    assert owner_of(".", keys) == "view.frame_selected"


def test_a_menu_gives_way_to_an_action_and_opens_again_after_it() -> None:
    assert menu_keys(keys_in(INDUSTRY, {})) == MENUS
    assert "Add" not in menu_keys(keys_in(BLENDER, {})), "Alt+A deselects there"


def test_ones_own_key_is_taken_from_whoever_has_it() -> None:
    own = assigned({}, {"time.loop": ("F",)})
    keys = keys_in(INDUSTRY, own)
    assert keys["time.loop"] == ("F",)
    assert keys["view.frame_selected"] == ()


def test_swapping_gives_each_the_others_keys_and_resetting_gives_them_back() -> None:
    keys = keys_in(INDUSTRY, {})
    own = assigned({}, swapped("F", "time.loop", keys))
    now = keys_in(INDUSTRY, own)
    assert now["time.loop"] == ("F",)
    assert now["view.frame_selected"] == ("Ctrl+L",)
    back = reset(own, INDUSTRY, "view.frame_selected")
    assert keys_in(INDUSTRY, back)["view.frame_selected"] == ("F",)
    assert keys_in(INDUSTRY, reset(back, INDUSTRY, "time.loop")) == keys


@keymaps
def test_no_row_of_changes_leaves_a_key_twice(keymap: Keymap) -> None:
    chance, own = random.Random(5), dict[str, Keys]()
    ids = [action.id for action in ACTIONS]
    pool = [key for each in keys_in(keymap, {}).values() for key in each] + ["F9", "F10", "Ctrl+F9"]
    for _ in range(120):
        keys, action, key = keys_in(keymap, own), chance.choice(ids), chance.choice(pool)
        step = chance.randrange(3)
        if step == 0:
            own = assigned(own, swapped(key, action, keys))
        elif step == 1:
            own = assigned(own, {action: ()})
        else:
            own = reset(own, keymap, action)
            assert keys_in(keymap, own)[action] == keys_in(keymap, {})[action]
        now = keys_in(keymap, own)
        assert twice(now) == []
        assert max(map(len, now.values())) <= MOST
        assert sound_keys({keymap.name: {each: list(keys) for each, keys in own.items()}}) == ({keymap.name: own}, [])


@pytest.mark.parametrize(
    ("key", "modifiers", "text"),
    [
        (Qt.Key.Key_P, CTRL | SHIFT, "Ctrl+Shift+P"),
        (Qt.Key.Key_1, KEYPAD, "1"),
        (Qt.Key.Key_Question, SHIFT, "?"),
        (Qt.Key.Key_A, SHIFT, "Shift+A"),
        (Qt.Key.Key_Backtab, SHIFT, "Shift+Tab"),
        (Qt.Key.Key_F5, SHIFT, "Shift+F5"),
        (Qt.Key.Key_Shift, SHIFT, ""),
        (Qt.Key.Key_unknown, CTRL, ""),
    ],
)
def test_what_is_pressed_is_written_as_it_is_kept(key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str) -> None:
    assert pressed(QKeyCombination(modifiers, key)) == text
    assert not text or is_key(text)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        (3, "3 instead of a list"),
        ({"vi": {}}, "'vi' is no keymap"),
        ({"industry": []}, "'industry' is no keymap with keys"),
        ({"industry": {"time.loop": "F"}}, "time.loop in industry: 'F' is not a list"),
        ({"industry": {"time.loop": ["F", "G", "H", "I", "J"]}}, "at most 4"),
        ({"industry": {"time.loop": ["Ctrl+K, B"]}}, "'Ctrl+K, B' is no key"),
        ({"industry": {"time.loop": ["Hyper+Q"]}}, "'Hyper+Q' is no key"),
        ({"industry": {"time.loop": [""]}}, "'' is no key"),
        ({"industry": {"time.loop": ["Ctrl"]}}, "'Ctrl' is no key"),
        ({"industry": {"time.loop": [7]}}, "7 is no key"),
        ({"industry": {"time.loop": ["F", "F"]}}, "names a key twice"),
        ({"industry": {"time.play": ["F"], "time.loop": ["F"]}}, "time.loop in industry: F is given twice"),
    ],
)
def test_damaged_keys_are_named_and_left_out_and_the_sound_ones_stay(plain: object, said: str) -> None:
    given = plain if not isinstance(plain, dict) else {**plain, "blender": {"time.end": ["End"]}}
    own, problems = sound_keys(given)
    assert len(problems) == 1
    assert said in problems[0]
    assert "time.loop" not in own.get("industry", {})
    assert own.get("blender", {"time.end": ("End",)}) == {"time.end": ("End",)}


def test_keys_of_an_action_that_is_not_there_do_nothing_and_are_kept() -> None:
    own, problems = sound_keys({"industry": {"water.splash": ["F"]}})
    assert problems == []
    assert own == {"industry": {"water.splash": ("F",)}}
    assert keys_in(INDUSTRY, own["industry"]) == keys_in(INDUSTRY, {})
