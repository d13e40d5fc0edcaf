"""Help: every panel has its page, and the keys that a page names are those of actions that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.scene import Viewport
from app.shell.actions import ACTIONS
from app.shell.help_sheet import GENERAL, asked_for, picture_of, with_keys
from app.shell.key_sheet import as_html, blocks, write_pdf
from app.shell.keymaps import KEYMAPS, Keymap, keys_in
from app.timeline import Transport
from tests.app.shell.conftest import Open

COMPUTE_NOTHING = {"outliner", "inspector", "log", "history", "timeline"}
keymaps = pytest.mark.parametrize("keymap", KEYMAPS.values(), ids=lambda keymap: keymap.name)


def test_every_panel_says_what_it_is_for(open_window: Open) -> None:
    window = open_window(wait=False)
    panels = {name: dock.widget() for name, dock in window.docks.items()}
    texts = {name: str(getattr(panel, "help_text", "")) for name, panel in panels.items()}
    assert [name for name, text in texts.items() if len(text) < 80] == []
    with_equations = {name for name, text in texts.items() if re.search("class=.equation.", text)}
    assert set(texts) - with_equations == COMPUTE_NOTHING
    assert [name for name in texts if not picture_of(name)[1]] == []
    known = {action.id for action in ACTIONS}
    for text in (GENERAL, Viewport.help_text, Transport.help_text, *texts.values()):
        assert set(asked_for(text)) <= known


@keymaps
def test_a_page_names_the_keys_that_are_on(keymap: Keymap) -> None:
    keys = keys_in(keymap, {"time.loop": ("F9",), "edit.undo": ()})
    text = with_keys("{time.loop} loops, {edit.undo} goes back & {view.frame_all}", keys)
    assert text.startswith("<b>F9</b> loops, the menu goes back & <b>")


@keymaps
def test_the_key_sheet_lists_every_action_that_has_a_key(keymap: Keymap, qapp: object, tmp_path: Path) -> None:
    keys = keys_in(keymap, {"time.loop": ("<",)})
    listed = {key for _, rows in blocks(keymap, keys) for key, _ in rows}
    assert len([action for action, each in keys.items() if each]) <= sum(len(rows) for _, rows in blocks(keymap, keys))
    assert "<" in listed
    assert "&lt;" in as_html(keymap, keys)
    write_pdf(tmp_path / "keys.pdf", keymap, keys)
    assert (tmp_path / "keys.pdf").read_bytes().count(b"/Type /Page\n") == 1
