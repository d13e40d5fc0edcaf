"""Pages that are made of tables of the engine and of the window, so that they say what is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.shell.actions import ACTIONS, MENUS
from app.shell.key_sheet import blocks
from app.shell.keymaps import KEYMAPS, keys_in
from engine.formats import overview

OTHERS = {"File": {"Open recent"}, "View": {"Panels > "}, "Edit": {"Preferences > "}}  # what lists more
FORMATS_HEAD = """# File formats

What Sinew reads and writes, how large a file may be, and what a person is asked. Help > File formats shows the same
table. A file that is too large, damaged or of another kind is refused with its name, the line and what to do; nothing
is read by halves. `python -m engine info FILE` says what is in one. How figures are written by hand: [figures as
text](figure-format.md).

"""
KEYS_HEAD = """# Keys and mouse

All keys of the two keymaps that come with Sinew. Help > Keyboard shortcuts… changes any of them, prints them on one
page, and chooses the keymap; the start page asks for it.

"""


def formats() -> str:
    """Every format with its limits."""
    return f"{FORMATS_HEAD}{overview.markdown()}\n"


def keys() -> str:
    """Every key of each keymap."""
    parts = [KEYS_HEAD]
    for keymap in KEYMAPS.values():
        parts.append(f"## {keymap.label}\n\n{keymap.about}\n")
        for title, rows in blocks(keymap, keys_in(keymap, {})):
            lines = "\n".join(f"| {_cell(how)} | {_cell(what)} |" for how, what in rows)
            parts.append(f"### {title} ({keymap.label})\n\n| press | to |\n| --- | --- |\n{lines}\n")
    return "\n".join(parts)


def menu_entries() -> dict[str, set[str]]:
    """What stands in each menu: actions, and submenus with theirs, without the dots behind them."""
    found: dict[str, set[str]] = {menu: set() for menu in MENUS}
    for action in ACTIONS:
        label = action.label.rstrip("…")
        found[action.menu] |= {f"{action.submenu} > {label}", f"{action.submenu}"} if action.submenu else {label}
    for menu, entries in OTHERS.items():
        found[menu] |= entries
    return found


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "\\`").replace("[", "\\[").replace("*", "\\*")


MADE: Mapping[str, Callable[[], str]] = {"formats.md": formats, "keys.md": keys}
