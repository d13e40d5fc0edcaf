"""Help: how to begin, and what each panel is for, with the keys that are on.

A panel says it in its `help_text`: simple HTML, in which `{time.play}` stands for the keys of that action and a
paragraph of class `equation` for what it computes. Its picture is `resources/help/NAME.png`; `start.py
shots help` takes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QWidget

from app.shell.key_sheet import gestures
from app.shell.keymaps import Keymap, Keys, keys_text
from app.style.apply import current_theme
from app.style.fonts import BASE, scaled, text_font
from app.style.resources import FOLDER
from app.style.sheet import Pages, Sheet
from engine.runtime.quick_dataclass import dataclass

SIZE = (860, 640)
LIST_WIDTH = 150
PICTURES = FOLDER / "help"
IMAGE = QTextDocument.ResourceType.ImageResource.value
ACROSS, BESIDE = 600, 240  # [px] of a picture at most: of a panel that is wide, and of one beside which text stands
GENERAL = """
<p>Sinew shows bodies in four views, and you pose them by hand.</p>
<h3>First steps</h3>
<p>Press on a body part and drag: it follows, and the limb bends with it. A click selects it; its joints then stand as
sliders in the <b>Inspector</b>. Drag a slider, or type degrees. Help › First scene leads through it, to a first
animation, in a few minutes.</p>
<p>{lock.position} pins what is selected where it stands: drag the rest, and it stays. {lock.off} lets it go,
{lock.end_here} from this time on. The right
button offers what else can be done.</p>
<p>A joint turns as far as its limits. {limit.show} shows those of the selected joint: build them from what a clip does,
from a cone or a polygon of directions, then brush or drag their boundary; every drag keeps to them at once.</p>
<p>Anything can be undone ({edit.undo}) and done again ({edit.redo}); the <b>History</b> panel jumps to any of it.
{file.save} saves.</p>
<h3>Looking</h3>
<p>{view.maximise} makes the view under the pointer large and small again. {view.frame_selected} brings what is
selected into view, {view.frame_all} everything. The cube in the corner turns a view, and a double click on its
name makes it large.</p>
<h3>Finding</h3>
<p>{help.palette} finds any action by a few letters of its name. {help.keys} lists all keys; each can be changed there,
and the whole keymap with them. {help.here} over a panel tells what the panel is for.</p>
"""
_KEYS = re.compile(r"\{([a-z_]+\.[a-z_0-9]+)\}")


@dataclass(frozen=True)
class HelpTopic:
    """One page of help."""

    name: str  # of the dock, or of what it is about
    title: str
    text: str


def with_keys(text: str, keys: Mapping[str, Keys]) -> str:
    """Write a text with the keys in their places; an action without one is found by its menu."""

    def key(found: re.Match[str]) -> str:
        mine = keys_text(keys[found[1]])
        return f"<b>{escape(mine)}</b>" if mine else "the menu"

    return _KEYS.sub(key, text)


def asked_for(text: str) -> list[str]:
    """Return the actions whose keys a text names."""
    return _KEYS.findall(text)


class HelpSheet(Sheet):
    """The pages at the left, the one that is read at the right; it stays open beside the window."""

    def __init__(self, parent: QWidget, topics: Sequence[HelpTopic], keymap: Keymap, keys: Mapping[str, Keys]) -> None:
        super().__init__(parent, "Help")
        self.setObjectName("help")
        self._topics = (HelpTopic("general", "How to begin", GENERAL + _mouse(keymap)), *topics)
        self._keys = keys
        self.pages = Pages(LIST_WIDTH)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(12)
        for each in self._topics:
            self.pages.add(each.title)
        self.pages.currentRowChanged.connect(lambda row: self._show())
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.pages)
        row.addWidget(self.text, 1)
        self.column.addLayout(row, 1)
        self.add_button()
        self.resize(*SIZE)
        self.turn_to("general")

    def turn_to(self, name: str) -> None:
        """Show a page; the first one if there is none of that name."""
        names = [each.name for each in self._topics]
        self.pages.setCurrentRow(names.index(name) if name in names else 0)

    def show_keys(self, keymap: Keymap, keys: Mapping[str, Keys]) -> None:
        """Other keys are on."""
        self._keys = keys
        self._topics = (HelpTopic("general", "How to begin", GENERAL + _mouse(keymap)), *self._topics[1:])
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Write the text in the colours of the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "text"):
            self._show()

    def _show(self) -> None:
        topic, theme = self._topics[max(self.pages.currentRow(), 0)], current_theme()
        self.text.document().setDefaultFont(text_font(BASE + 1))
        self.text.document().setDefaultStyleSheet(
            f"h2 {{ font-size: {scaled(17)}px; font-weight: 500; }} p, td, li {{ color: {theme.text_quiet}; }}"
            f".equation {{ color: {theme.text}; margin-left: 18px; }}"
            f"h2, h3, b {{ color: {theme.text}; font-weight: 500; }} h3 {{ font-size: {scaled(13)}px; }}"
        )
        image, picture = picture_of(topic.name, self.devicePixelRatioF())
        if picture:
            self.text.document().addResource(IMAGE, QUrl(f"help:{topic.name}"), image)
        self.text.setHtml(f"<h2>{escape(topic.title)}</h2>{picture}{with_keys(topic.text, self._keys)}")


def picture_of(name: str, sharp: float = 1.0) -> tuple[QImage, str]:
    """Read the picture of a panel, as large as it is drawn with `sharp` pixels to each, and write the HTML that shows
    it across the page or beside the text; nothing where there is none."""
    image = QImage(str(PICTURES / f"{name}.png"))
    if image.isNull():
        return image, ""
    is_wide = image.width() > 1.4 * image.height()
    width = min(image.width(), ACROSS if is_wide else BESIDE)
    height = round(image.height() * width / image.width())
    image = image.scaledToWidth(round(width * sharp), Qt.TransformationMode.SmoothTransformation)
    shown = f"<img src='help:{name}' width='{width}' height='{height}'>"
    if is_wide:
        return image, f"<p>{shown}</p>"
    return image, f"<table style='float: right' cellpadding='8'><tr><td>{shown}</td></tr></table>"


def _mouse(keymap: Keymap) -> str:
    lines = (f"<tr><td><b>{escape(how)}</b></td><td>{escape(what)}</td></tr>" for how, what in gestures(keymap))
    return f"<h3>The mouse in the views ({escape(keymap.label)})</h3><table cellpadding='3'>{''.join(lines)}</table>"
