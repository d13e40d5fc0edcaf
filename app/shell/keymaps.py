"""Keymaps: which keys and which buttons of the mouse do what, in two ways that people bring along.

The table of actions holds the industry's keys. A keymap says where it differs, by the action's id, and a person's own
keys, kept in the preferences for each keymap, say where they differ from that. Each key does one thing: a person's
own choice takes it from whatever the keymap gave it to, and the keymap's from what the table gave it to. A key is
written as Qt writes it in portable text ("Ctrl+Shift+P"); the number pad counts as the row of figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from app.shell.actions import ACTIONS, MENUS
from engine.runtime.quick_dataclass import dataclass

Keys = tuple[str, ...]
OwnKeys = Mapping[str, Mapping[str, Keys]]  # by keymap, by action
MOST = 4  # keys of one action


@dataclass(frozen=True, kw_only=True)
class Keymap:
    """One way to lay out keys and mouse."""

    name: str  # kept in the preferences; names its buttons in `app.scene.navigation.MICE` too
    label: str
    about: str
    keys: Mapping[str, Keys]  # by action, where they are not the table's


INDUSTRY = Keymap(
    name="industry",
    label="Industry",
    about="Alt and the mouse move the camera, as in Maya and Cascadeur; so does the middle button. "
    "W moves, E rotates, F frames.",
    keys={},
)
BLENDER = Keymap(
    name="blender",
    label="Blender",
    about="The middle button moves the camera, the number pad chooses the view. G moves, R rotates, Home frames all.",
    keys={
        "edit.delete": ("X", "Del"),
        "pose.key": ("I",),
        "keys.delete_here": ("Alt+I",),
        "figure.edit": ("Tab", "Shift+E"),
        "figure.add_bone": ("E", "Shift+B"),
        "select.all": ("A",),
        "select.none": ("Alt+A",),
        "lock.position": ("K", "P"),
        "select.limb": ("L", "Shift+L"),
        "time.backwards": ("Ctrl+Shift+Space",),
        "time.key_before": ("Down",),
        "time.key_after": ("Up",),
        "time.scene_start": ("Ctrl+Home",),
        "time.scene_end": ("Ctrl+End",),
        "time.range_start": ("Ctrl+Shift+Home",),
        "time.range_end": ("Ctrl+Shift+End",),
        "time.back": ("Left",),
        "time.on": ("Right",),
        "time.start": ("Shift+Left",),
        "time.end": ("Shift+Right",),
        "view.frame_all": ("Home",),
        "view.frame_selected": (".",),
        "view.maximise": ("Ctrl+Space", "M"),
        "view.hide": ("H",),
        "view.show_all": ("Alt+H",),
        "view.isolate": ("/",),
        "help.palette": ("F3", "Ctrl+Shift+P"),
        "tool.pose": ("W",),
        "tool.move": ("G",),
        "tool.rotate": ("R",),
        "tool.axes_next": (",",),
        "tool.snap": ("Shift+Tab",),
    },
)
KEYMAPS: Mapping[str, Keymap] = {each.name: each for each in (INDUSTRY, BLENDER)}


def keys_in(keymap: Keymap, own: Mapping[str, Keys]) -> dict[str, Keys]:
    """Return the keys of every action, by id; no key stands twice. One that the keymap gives to another action does not
    come back to the action that usually has it, though a person takes it away from there."""
    taken: set[str] = set()
    found: dict[str, Keys] = {}
    given = {key for keys in keymap.keys.values() for key in keys}
    usual = {action.id: action.keys for action in ACTIONS}
    table = {action: tuple(key for key in keys if key not in given) for action, keys in usual.items()}
    for layer in (own, keymap.keys, table):
        for action in (each for each in table if each in layer and each not in found):
            found[action] = tuple(key for key in layer[action] if key not in taken)
            taken.update(found[action])
    return {action: found[action] for action in table}


def menu_keys(keys: Mapping[str, Keys]) -> dict[str, str]:
    """Find the key that opens each menu; one that an action has opens none."""
    taken = {key for each in keys.values() for key in each}
    return {menu: key for menu, key in MENUS.items() if key not in taken}


def owner_of(key: str, keys: Mapping[str, Keys]) -> str | None:
    """Return the action that has a key."""
    return next((action for action, each in keys.items() if key in each), None)


def assigned(own: Mapping[str, Keys], changes: Mapping[str, Keys]) -> dict[str, Keys]:
    """Return a person's own keys after these actions were given these keys, which no other of them keeps."""
    taken = {key for keys in changes.values() for key in keys}
    others = {action: tuple(key for key in keys if key not in taken) for action, keys in own.items()}
    return {**others, **changes}


def swapped(key: str, action: str, keys: Mapping[str, Keys]) -> dict[str, Keys]:
    """List the changes by which an action gets this key alone, and whoever has it gets the action's own ones for it."""
    changes: dict[str, Keys] = {action: (key,)}
    other = owner_of(key, keys)
    if other is not None and other != action:
        before = tuple(each for each in keys[action] if each != key)
        changes[other] = tuple(dict.fromkeys((*before, *(each for each in keys[other] if each != key))))[:MOST]
    return changes


def reset(own: Mapping[str, Keys], keymap: Keymap, action: str) -> dict[str, Keys]:
    """Return a person's own keys with one action as the keymap has it."""
    kept = assigned(own, {action: keys_in(keymap, {})[action]})
    return {each: keys for each, keys in kept.items() if each != action}


def key_text(key: str) -> str:
    """Write a key as it is written on this system."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def keys_text(keys: Iterable[str]) -> str:
    """Keys as they are written on this system."""
    return " or ".join(map(key_text, keys))


def pressed(combination: QKeyCombination) -> str:
    """Write a pressed key as portable text; empty for a modifier alone and for what no keyboard sends twice alike."""
    key, modifiers = combination.key(), combination.keyboardModifiers()
    if key in _ALONE:
        return ""
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    kept = modifiers & ~Qt.KeyboardModifier.KeypadModifier
    if 0x21 <= key.value <= 0xFF and not chr(key.value).isalpha():  # Shift is in the sign itself: "?", not "Shift+?"
        kept &= ~Qt.KeyboardModifier.ShiftModifier
    return QKeySequence(QKeyCombination(kept, key)).toString(QKeySequence.SequenceFormat.PortableText)


def sound_keys(plain: object) -> tuple[dict[str, dict[str, Keys]], list[str]]:
    """Return a person's own keys as they were kept, and what was wrong with those that are left out."""
    if not isinstance(plain, dict):
        return {}, [f"they are {plain!r} instead of a list for each keymap"]
    own: dict[str, dict[str, Keys]] = {}
    problems: list[str] = []
    for name, lines in plain.items():
        if name not in KEYMAPS or not isinstance(lines, dict):
            problems.append(f"{name!r} is no keymap with keys; there are {' and '.join(KEYMAPS)}")
            continue
        own[name] = {}
        taken: set[str] = set()
        for action, keys in lines.items():
            problem = _wrong_with(keys, taken)
            if problem:
                problems.append(f"{action} in {name}: {problem}")
            else:
                own[name][action] = tuple(keys)
                taken.update(keys)
    return own, problems


def _wrong_with(keys: Any, taken: set[str]) -> str:
    if not isinstance(keys, Sequence) or isinstance(keys, str) or len(keys) > MOST:
        return f"{keys!r} is not a list of at most {MOST} keys"
    for key in keys:
        if not isinstance(key, str) or not is_key(key):
            return f"{key!r} is no key"
        if key in taken:
            return f"{key} is given twice"
    return "" if len(set(keys)) == len(keys) else f"{keys!r} names a key twice"


def is_key(text: str) -> bool:
    """True if a text is one key that can be pressed, written as Qt writes it."""
    sequence = QKeySequence(text)
    pressed_keys: list[QKeyCombination] = [sequence[place] for place in range(sequence.count())]  # type: ignore[index]
    if len(pressed_keys) != 1 or pressed_keys[0].key() in _ALONE:
        return False
    return sequence.toString(QKeySequence.SequenceFormat.PortableText) == text


_ALONE = (
    Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_CapsLock,
    Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown, Qt.Key(0),
)  # fmt: skip
