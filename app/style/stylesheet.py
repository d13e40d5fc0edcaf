"""The style sheet: every widget class that the application uses, drawn from a theme's tokens.

`$token` names a colour of the theme, `@name/colour@` a bundled icon in one of its colours.
"""

from __future__ import annotations

import re
from string import Template

from app.style.fonts import scaled
from app.style.icons import icon_path
from app.style.theme import Theme, mix, token_names

_HEIGHT = re.compile(r"(?<=min-height: )([0-9]{2})(?=px)")  # of what holds text
_ICON = re.compile(r"@([a-z0-9-]+)/([a-z_]+)@")

GROUNDS = """
QMainWindow, QMainWindow > QWidget { background: $window; }
QDialog, QMainWindow > QDialog, QMessageBox, QFileDialog, QWizard { background: $panel; }
QMessageBox { icon-size: 26px; messagebox-warning-icon: url(@triangle-alert/warning@);
  messagebox-critical-icon: url(@circle-alert/danger@); messagebox-information-icon: url(@info/accent@);
  messagebox-question-icon: url(@circle-help/accent@); }
QFrame#start-page { background: $panel; border: 1px solid $line; border-radius: 8px; }
QFrame#tour { background: $panel; border: 1px solid $line; border-radius: 8px; }
QFrame#start-page QScrollArea { border-radius: 8px; }
QFrame#palette { background: $panel; border: 1px solid $line; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QWidget { color: $text; selection-background-color: $accent; selection-color: $accent_text; }
QWidget:disabled { color: $disabled; }
QLabel, QCheckBox, QRadioButton { background: transparent; }
QLabel[quiet="true"] { color: $text_quiet; }
QLabel[wrong="true"] { color: $danger; }
QLabel[warned="true"] { color: $warning; }
QLabel[faint="true"] { color: $text_faint; }
QToolTip { background: $tip; color: $tip_text; border: 1px solid $tip_line; padding: 2px 3px; }
QFrame[frameShape="4"], QFrame[frameShape="5"] { color: $line; background: $line; border: none; max-height: 1px; }
"""

MENUS = """
QMenuBar { background: $window; border: none; padding: 2px 4px; spacing: 2px; }
QMenuBar::item { background: transparent; color: $text_quiet; padding: 4px 9px; border-radius: 4px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; color: $text; }
QMenu { background: $panel; border: 1px solid $line; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 6px; }
QMenu::indicator:checked { image: url(@check/accent@); }
QMenu::right-arrow { image: url(@chevron-right/text_faint@); width: 13px; height: 13px; right: 6px; }
"""

DOCKS = """
QDockWidget { color: $text_quiet; titlebar-close-icon: url(@x/text_faint@);
  titlebar-normal-icon: url(@maximize-2/text_faint@); }
QDockWidget::title { background: $panel; text-align: left; padding: 7px 8px 7px 12px; border: none; }
QDockWidget::close-button, QDockWidget::float-button { border: none; border-radius: 4px; padding: 0;
  background: transparent; width: 18px; height: 18px; subcontrol-origin: padding; subcontrol-position: right center; }
QDockWidget::close-button { right: 6px; }
QDockWidget::float-button { right: 26px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: $hover; }
QMainWindow::separator { background: $gap; width: 3px; height: 3px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $gap; }
QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 3px; }
QSplitter::handle:vertical { height: 3px; }
QTabWidget::pane { border: none; background: $panel; }
QTabBar { background: $window; border: none; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $text_faint; padding: 6px 10px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { background: $panel; color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { color: $accent; }
QTabBar[icons="others"]::tab:!selected, QTabBar[icons="all"]::tab { color: transparent; width: 14px; padding: 6px 2px; }
QStatusBar { background: $window; color: $text_quiet; border: none; min-height: 24px; }
QStatusBar::item { border: none; }
QSizeGrip { image: none; width: 0; height: 0; }
QStatusBar QLabel { color: $text_quiet; padding: 0 4px; }
QToolBar { background: $window; border: none; padding: 3px; spacing: 2px; }
QToolBar::separator { background: $line; width: 1px; margin: 4px 5px; }
QGroupBox { border: 1px solid $line; border-radius: 5px; margin-top: 16px; padding: 8px; color: $text_quiet; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 3px; }
QScrollArea, QAbstractScrollArea { background: $panel; border: none; }
QScrollArea > QWidget > QWidget { background: $panel; }
QStackedWidget, QDockWidget > QWidget, QWidget[panel="true"] { background: $panel; }
"""

VIEWS = """
QAbstractItemView { background: $panel; border: none; outline: none; alternate-background-color: $panel;
  selection-background-color: $selection; selection-color: $text; }
QAbstractItemView::item { min-height: 24px; padding: 0 4px; border: none; }
QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { background: $selection; color: $text; }
QTreeView { show-decoration-selected: 1; padding-left: 5px; }
QTreeView::branch { background: transparent; border: none; }
QTreeView::branch:hover { background: $hover; }
QTreeView::branch:selected { background: $selection; }
QTreeView::branch:has-children:closed { image: url(@chevron-right/text_faint@); }
QTreeView::branch:has-children:open { image: url(@chevron-down/text_faint@); }
QAbstractItemView:focus { border: none; }
QAbstractItemView QLineEdit { border-radius: 2px; padding: 0 3px; margin: 0; min-height: 20px; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $text_faint; border: none; border-bottom: 1px solid $line;
  padding: 5px 8px; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: $field; border: 1px solid $line; border-radius: 4px;
  padding: 3px; }
QPlainTextEdit:focus, QTextEdit:focus { border-color: $accent; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 9px; }
QScrollBar:horizontal { height: 9px; }
QScrollBar::handle { background: $handle; border-radius: 2px; margin: 1px 2px; }
QScrollBar::handle:horizontal { margin: 2px 1px; }
QScrollBar::handle:hover { background: $text_faint; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QAbstractScrollArea::corner { background: $panel; border: none; }
"""

FIELDS = """
QLineEdit, QAbstractSpinBox, QComboBox { background: $field; border: 1px solid $line; border-radius: 4px;
  padding: 3px 7px; min-height: 18px; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: $handle; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: $accent; }
NumberField { min-height: 0; padding: 0 8px; margin: 0; border-color: $accent; }
QLineEdit[wrong="true"], QLineEdit[wrong="true"]:focus { border-color: $danger; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { background: $panel; }
QAbstractSpinBox { padding: 3px 1px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 16px; border: none; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-arrow { image: url(@chevron-up/text_faint@); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(@chevron-down/text_faint@); width: 10px; height: 10px; }
QComboBox QLineEdit { background: transparent; border: none; padding: 0; min-height: 0; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(@chevron-down/text_faint@); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line; padding: 4px; }
QSlider { min-height: 20px; }
QSlider::groove:horizontal { height: 3px; border-radius: 1px; background: $line; }
QSlider::sub-page:horizontal { height: 3px; border-radius: 1px; background: $accent; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -5px 0; border-radius: 6px; background: $text_quiet; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { background: $accent; }
QProgressBar { background: $field; border: none; border-radius: 2px; max-height: 4px; min-height: 4px;
  color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
"""

BUTTONS = """
QPushButton { background: $raised; border: 1px solid $line; border-radius: 4px; padding: 5px 14px; min-width: 56px; }
QPushButton[slim="true"] { padding: 0 8px; min-width: 0; }
QPushButton:hover { background: $raised_hover; }
QPushButton:pressed { background: $field; }
QPushButton:focus { border-color: $accent; }
QPushButton:default { background: $accent; color: $accent_text; border-color: $accent; }
QPushButton:default:hover { background: $accent_hover; }
QPushButton:default:focus { border: 2px solid $text; padding: 4px 13px; }
QPushButton:checked { background: $selection; border-color: $accent; }
QPushButton:disabled { background: $panel; color: $disabled; border-color: $line; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 3px;
  color: $text_quiet; }
QToolButton:hover { background: $hover; color: $text; }
QToolButton:pressed, QToolButton:checked { background: $selection; color: $text; }
QToolButton[plain="true"]:checked { background: transparent; }
QToolButton[plain="true"]:hover { background: $hover; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }
QToolButton[popupMode="2"] { padding-right: 3px; }
QCheckBox, QRadioButton { spacing: 7px; border: 1px solid transparent; border-radius: 3px; padding: 2px; }
QCheckBox:focus, QRadioButton:focus { border-color: $accent; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $handle;
  background: $field; border-radius: 3px; }
QRadioButton::indicator { border-radius: 7px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url(@check/accent_text@); }
QCheckBox::indicator:indeterminate { background: $accent; border-color: $accent; image: url(@minus/accent_text@); }
QRadioButton::indicator:checked { border-color: $accent; background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5,
  fx: 0.5, fy: 0.5, stop: 0 $accent, stop: 0.5 $accent, stop: 0.6 $field, stop: 1 $field); }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; background: $panel; }
"""


def style_sheet(theme: Theme) -> str:
    """Return the whole style sheet of a theme."""
    colours = {name: theme.token(name) for name in token_names()}
    colours |= {"selection": theme.selection, "hover": theme.hover}
    colours |= {
        "disabled": mix(theme.panel, theme.text_faint, 0.55),
        "handle": mix(theme.panel, theme.text_faint, 0.5),
        "raised_hover": mix(theme.raised, theme.text, 0.07),
        "accent_hover": mix(theme.accent, theme.text, 0.12),
        "gap": theme.line if theme.window == theme.panel else theme.window,
        "tip": theme.raised,
        "tip_text": theme.text,
        "tip_line": theme.line,
    }
    text = Template(GROUNDS + MENUS + DOCKS + VIEWS + FIELDS + BUTTONS).substitute(colours)
    text = _HEIGHT.sub(lambda found: str(scaled(int(found[1]))), text)
    return _ICON.sub(lambda found: icon_path(found[1], theme, found[2]), text)
