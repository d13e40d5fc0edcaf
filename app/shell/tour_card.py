"""TourCard: what the first scene says, one step at a time, over a corner of the picture where no body is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.fonts import BASE, TITLE, scaled, text_font
from app.style.icon_button import IconButton
from app.style.icons import icon

WIDTH, LEAST = 304, 240  # [logical px]
SHARE = 0.38  # of the picture's width at most, so that a figure in its middle is seen
MARGIN, AROUND = 14, 12  # [px] from the edge of the picture; about a joint, that its flesh is not covered
HEAD, FOOT = 26, 18  # [px] beyond that margin: the name of the view above, the word on auto-key below
TICK = 18


class TourCard(QFrame):
    """Says what to do, and has buttons for those who would rather not; it takes no keyboard by itself."""

    help_text = """
<p>The first scene leads through posing and animating, step by step. Each step is done by doing it: turn the view, drag,
pin, key, play. The card sees it and goes on.</p>
<p><b>Skip</b> goes on without, <b>Back</b> shows the step before again, the cross ends it. The Help menu has the same,
for the keyboard, and begins it anew.</p>
"""
    back, skip, end = Signal(), Signal(), Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self.progress, self.title = QLabel(), QLabel()
        self.text, self.aside = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.progress.setProperty("faint", True)
        self.text.setProperty("quiet", True)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.cross = IconButton("x", "End the tour", action="help.tour_end")
        self.tick = Tick()
        self.back_button, self.skip_button, self.end_button = QPushButton("Back"), QPushButton("Skip"), QPushButton()
        buttons = (self.back_button, self.skip_button, self.end_button)
        for button, signal in zip(buttons, (self.back, self.skip, self.end), strict=True):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(signal)
        self.end_button.setText("Done")
        self.end_button.setDefault(True)
        self.cross.clicked.connect(self.end)
        self._number, self._count = 0, 1
        self._lay_out()
        self.setFixedWidth(scaled(WIDTH))

    def show_step(self, number: int, count: int, title: str, text: str) -> None:
        """Step `number` of `count`, from 1; beyond the last one it only remains to end."""
        over = number > count
        self._number, self._count = number, count
        self.progress.setText("First scene" if over else f"First scene · {number} of {count}")
        self.title.setText(title)
        self.text.setText(text)
        self.tick.setVisible(over)
        self.back_button.setEnabled(number > 1)
        self.skip_button.setVisible(not over)
        self.end_button.setVisible(over)
        self.setAccessibleName(f"{self.progress.text()}: {title}")
        self.say_aside("")

    def show_done(self) -> None:
        """Show a tick: the step was done."""
        self.tick.show()
        self.say_aside("")

    def say_aside(self, text: str) -> None:
        """Say a word on something else that was done."""
        if text != self.aside.text() or self.aside.isHidden() == bool(text):
            self.aside.setText(text)
            self.aside.setVisible(bool(text))
        self.fit()

    def fit(self) -> None:
        """Make the card as high as its text."""
        self._dress()
        column = self.layout()
        assert column is not None, "it was laid out when it was made"
        column.invalidate()
        column.activate()
        self.setFixedHeight(column.totalHeightForWidth(self.width()))
        self.update()

    def place(self, picture: QRect, joints: Sequence[QPoint]) -> None:
        """Go to the corner of the picture where the fewest joints would be covered, the lower left one first."""
        width = min(scaled(WIDTH), max(round(SHARE * picture.width()), LEAST))
        if width != self.width():
            self.setFixedWidth(width)
            self.fit()
        spots = corners(picture, self.size())
        best = min(spots, key=lambda spot: (covered(QRect(spot, self.size()), joints), spot != self.pos()))
        if best != self.pos():
            self.move(best)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, and how far the tour has come as a line along the top."""
        super().paintEvent(event)
        theme, painter = current_theme(), QPainter(self)
        gap, inside = 3.0, self.width() - 32.0
        each = (inside - gap * (self._count - 1)) / self._count
        for number in range(self._count):
            colour = theme.accent if number < self._number else theme.line
            painter.fillRect(QRectF(16.0 + number * (each + gap), 10.0, each, 2.0), QColor(colour))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends it, once the keyboard is here."""
        if event.key() == Qt.Key.Key_Escape:
            self.end.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.layout() is not None:
            self.fit()

    def _lay_out(self) -> None:
        head, buttons, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        head.addWidget(self.progress, 1)
        head.addWidget(self.cross)
        title = QHBoxLayout()
        title.setSpacing(8)
        title.addWidget(self.title, 1)
        title.addWidget(self.tick)
        buttons.setSpacing(8)
        for button in (self.back_button, self.skip_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.end_button)
        column.setContentsMargins(16, 18, 16, 14)
        column.setSpacing(6)
        column.addLayout(head)
        column.addLayout(title)
        column.addWidget(self.text)
        column.addWidget(self.aside)
        column.addSpacing(6)
        column.addLayout(buttons)

    def _dress(self) -> None:
        """Fonts of the text's present size."""
        self.title.setFont(text_font(TITLE))
        for label in (self.text, self.aside):
            label.setFont(text_font(BASE + 1))


class Tick(QWidget):
    """A check mark in the accent; its room is kept while it is away, so that the title does not jump."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(TICK, TICK)
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.setAccessibleName("Done")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icon("circle-check", current_theme(), "accent").paint(painter, 0, 0, TICK, TICK)
        painter.end()


def corners(picture: QRect, size: QSize) -> Iterable[QPoint]:
    """List where the card may stand in a picture, the first choice first."""
    inside = picture.adjusted(MARGIN, MARGIN + HEAD, -MARGIN, -MARGIN - FOOT)
    left, right = inside.left(), max(inside.right() - size.width(), inside.left())
    top, bottom = inside.top(), max(inside.bottom() - size.height(), inside.top())
    yield from (QPoint(left, bottom), QPoint(right, bottom), QPoint(left, top), QPoint(right, top))


def covered(card: QRect, joints: Sequence[QPoint]) -> int:
    """Count the joints that a card would lie over."""
    grown = card.adjusted(-AROUND, -AROUND, AROUND, AROUND)
    return sum(grown.contains(each) for each in joints)
