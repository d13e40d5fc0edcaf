"""The key sheet: every key and mouse gesture of a keymap on one page, as HTML and as PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.shell.actions import ACTIONS, MENUS, MOUSE
from app.shell.keymaps import Keymap, Keys, keys_text
from app.style.fonts import text_font

Block = tuple[str, Sequence[tuple[str, str]]]  # a title; what to press, and what it does
COLUMNS = 3
_KEY = re.compile(r"\{([a-z_.]+)\}")  # an action whose key is written here
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)  # [pt] the largest that fits one page is taken


def gestures(keymap: Keymap) -> list[tuple[str, str]]:
    """List what the mouse does in the views."""
    from app.scene.navigation import MICE  # with numpy, which nothing needs before a sheet is asked for

    camera = [(each.gesture, each.effect) for each in MICE[keymap.name]]
    return [*MOUSE, *camera, ("Wheel", "Zoom to the pointer")]


def blocks(keymap: Keymap, keys: Mapping[str, Keys]) -> list[Block]:
    """Return the keys of each menu's actions, and the mouse."""
    found: list[Block] = []
    for menu in MENUS:
        lines = [(action, keys[action.id]) for action in ACTIONS if action.menu == menu and keys[action.id]]
        rows = [(keys_text(each), ": ".join(filter(None, (a.submenu, a.label.rstrip("…"))))) for a, each in lines]
        if rows:
            found.append((menu, rows))
    return [
        *found,
        ("Mouse", [(how, _KEY.sub(lambda found: _first_key(keys, found[1]), what)) for how, what in gestures(keymap)]),
    ]


def _first_key(keys: Mapping[str, Keys], action: str) -> str:
    return keys_text(keys[action][:1]) or next(each.label for each in ACTIONS if each.id == action)


def as_html(keymap: Keymap, keys: Mapping[str, Keys], *, size: float = _SIZES[0]) -> str:
    """Write the whole page; `size` of its text in points."""
    columns = "".join(f"<td width='33%'>{''.join(map(_block, each))}</td>" for each in _shared(blocks(keymap, keys)))
    return (
        "<!DOCTYPE html><html><head><meta charset='utf-8'><title>Keys of Sinew</title><style>"
        f"body {{ font-family: Inter, sans-serif; font-size: {size}pt; color: #1c1d1f; background: #ffffff; }}"
        f"h1 {{ font-size: {size * 1.6}pt; }} h2 {{ font-size: {size * 1.15}pt; }} td {{ vertical-align: top; }}"
        "td.key { color: #0f6058; white-space: nowrap; padding-right: 10px; }"
        f"</style></head><body><h1>Keys of Sinew: {escape(keymap.label)}</h1>"
        f"<table width='100%' cellspacing='12'><tr>{columns}</tr></table></body></html>"
    )


def write_pdf(path: Path, keymap: Keymap, keys: Mapping[str, Keys]) -> None:
    """Write one page, A4 and lying; OSError where it cannot be written."""
    path.write_bytes(b"")  # Qt does not say why it cannot write
    writer = QPdfWriter(str(path))
    writer.setTitle("Keys of Sinew")
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Landscape, QMarginsF(12, 10, 12, 10))
    )
    writer.setResolution(300)
    for size in _SIZES:
        page = QTextDocument()
        page.setDefaultFont(text_font())
        page.documentLayout().setPaintDevice(writer)
        page.setPageSize(writer.pageLayout().paintRectPixels(writer.resolution()).size().toSizeF())
        page.setDocumentMargin(0.0)
        page.setHtml(as_html(keymap, keys, size=size))
        if page.pageCount() == 1:
            break
    page.print_(writer)


def _block(block: Block) -> str:
    title, rows = block
    lines = (f"<tr><td class='key'>{escape(key)}</td><td>{escape(what)}</td></tr>" for key, what in rows)
    return f"<h2>{escape(title)}</h2><table cellspacing='0' cellpadding='1'>{''.join(lines)}</table>"


def _shared(whole: Sequence[Block]) -> list[list[Block]]:
    """Return the blocks in columns of about equal height, in their order."""
    heights = [len(rows) + 2 for _, rows in whole]
    columns: list[list[Block]] = [[] for _ in range(COLUMNS)]
    before = 0.0
    for block, height in zip(whole, heights, strict=True):
        columns[min(int((before + height / 2) * COLUMNS / sum(heights)), COLUMNS - 1)].append(block)
        before += height
    return columns
