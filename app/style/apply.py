"""Applies a theme to the application, and returns the one in use."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.style.fonts import load_fonts, set_text_scale, text_font
from app.style.icons import serve_icons
from app.style.stylesheet import style_sheet
from app.style.theme import Theme, dark, mix

_shown = dark


def current_theme() -> Theme:
    """Return the theme in use; painted widgets ask for it as they paint."""
    return _shown


def apply_theme(app: QApplication, theme: Theme, *, text_scale: float = 1.0) -> None:
    """Apply a theme to every present and later widget; painted widgets repaint by themselves."""
    global _shown
    is_on, _shown = _shown is theme, theme
    grown = set_text_scale(text_scale)
    load_fonts()
    serve_icons(theme)
    sheet, is_first = style_sheet(theme), not app.styleSheet()
    if is_on and grown == 1.0 and app.styleSheet() == sheet:
        return  # a sheet that is set again is worked out again for every widget, which takes most of a second
    if is_first and app.style().name() != "fusion" and (fusion := QStyleFactory.create("Fusion")):
        app.setStyle(fusion)  # under a sheet it stays, and has no name
    app.setFont(text_font())
    app.setPalette(palette(theme))
    app.setStyleSheet(sheet)
    if grown != 1.0:
        for widget in app.allWidgets():
            if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont):
                font = widget.font()
                font.setPixelSize(round(font.pixelSize() * grown))
                widget.setFont(font)


def palette(theme: Theme) -> QPalette:
    """Return the palette of a theme, for whatever the style sheet does not name."""
    made, role = QPalette(), QPalette.ColorRole
    for each, colour in (
        (role.Window, theme.panel),
        (role.WindowText, theme.text),
        (role.Base, theme.field),
        (role.AlternateBase, theme.panel),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.danger),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.accent_text),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.text_faint),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.line),
        (role.Mid, theme.line),
        (role.Dark, theme.window),
        (role.Shadow, theme.window),
        (role.Accent, theme.accent),
    ):
        made.setColor(each, QColor(colour))
    faded = QColor(mix(theme.panel, theme.text_faint, 0.55))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, each, faded)
    return made
