"""Icons, fonts and the style sheet: bundled, recoloured, sharp."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QFile, QIODevice, QSize
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QIcon
from PySide6.QtWidgets import QApplication

from app.style import resources
from app.style.apply import apply_theme, current_theme
from app.style.fonts import FAMILY, MONO_FAMILY, mono_font, number_font, text_font
from app.style.icons import COLOURS, UnknownIcon, icon, icon_names, icon_path
from app.style.resources import FOLDER, name_hash, pack_tree, register_tree
from app.style.stylesheet import style_sheet
from app.style.theme import THEMES, Theme, dark, light

pytestmark = pytest.mark.gui


def ink(picture: QIcon, size: int, ratio: float, mode: QIcon.Mode = QIcon.Mode.Normal) -> set[str]:
    """Colours of the fully covered pixels."""
    image = picture.pixmap(QSize(size, size), ratio, mode).toImage()
    assert image.width() == round(size * ratio)
    colours = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {colour.name() for colour in colours if colour.alpha() == 255}


@pytest.mark.parametrize("theme", list(THEMES.values()), ids=lambda theme: theme.name)
def test_every_icon_is_drawn_in_the_colour_of_the_theme(styled: QApplication, theme: Theme) -> None:
    for name in icon_names():
        image = icon(name, theme, "accent").pixmap(QSize(48, 48), 1.0).toImage()
        pixels = [image.pixelColor(x, y) for x in range(48) for y in range(48)]
        drawn = [each for each in pixels if each.alpha() > 200]
        assert drawn, name
        wanted = QColor(theme.accent)
        assert all(abs(each.red() - wanted.red()) < 12 for each in drawn), name


def test_icons_have_the_pixels_of_the_screen(styled: QApplication) -> None:
    for ratio in (1.0, 1.25, 1.5, 2.0, 3.0):
        assert ink(icon("square", dark, "text"), 16, ratio) <= {dark.text}


def test_a_disabled_icon_is_fainter(styled: QApplication) -> None:
    picture = icon("square", dark, "text")
    assert ink(picture, 32, 2.0) == {dark.text}
    assert ink(picture, 32, 2.0, QIcon.Mode.Disabled) != {dark.text}


def test_icons_are_made_once() -> None:
    assert icon("eye", dark) is icon("eye", dark)
    assert icon("eye", dark) is not icon("eye", light)


def test_an_unknown_icon_is_named_and_a_near_one_offered(styled: QApplication) -> None:
    with pytest.raises(UnknownIcon, match=r"no icon 'eyes'.*'eye'"):
        icon("eyes", dark)


def test_qt_finds_every_file_of_a_registered_tree(styled: QApplication) -> None:
    files = {f"proof/{folder}/{name}.txt": f"{folder} {name}".encode() for folder in "abc" for name in icon_names()}
    files["proof/empty"] = b""
    register_tree(files)
    for path, content in files.items():
        file = QFile(f":/{path}")
        assert file.open(QIODevice.OpenModeFlag.ReadOnly), path
        assert bytes(file.readAll().data()) == content


def test_names_are_hashed_as_qt_hashes_them() -> None:
    assert name_hash("a") == 0x61
    assert name_hash("ab") == 0x672
    assert pack_tree({"a/b": b"x"}) == pack_tree({"a/b": b"x"})


def test_the_bundled_fonts_are_used(styled: QApplication) -> None:
    assert QFontInfo(styled.font()).family() == FAMILY
    assert QFontInfo(mono_font()).family() == MONO_FAMILY
    assert QFontInfo(text_font(15, QFont.Weight.Medium)).styleName() in ("Medium", "")


def test_figures_are_of_equal_width() -> None:
    metrics = QFontMetricsF(number_font())
    assert len({metrics.horizontalAdvance(digit * 8) for digit in "0123456789"}) == 1
    plain = QFontMetricsF(text_font())
    assert plain.horizontalAdvance("1" * 8) < plain.horizontalAdvance("0" * 8)


@pytest.mark.parametrize("theme", list(THEMES.values()), ids=lambda theme: theme.name)
def test_the_style_sheet_has_no_unfilled_place_and_no_foreign_colour(styled: QApplication, theme: Theme) -> None:
    sheet = style_sheet(theme)
    assert "$" not in sheet
    assert "@" not in sheet
    pictures = re.findall(r"url\((.*?)\)", sheet)
    assert pictures
    assert all(QFile.exists(path) for path in pictures)


def test_another_theme_reaches_the_application(styled: QApplication) -> None:
    apply_theme(styled, light)
    assert current_theme() is light
    assert styled.palette().window().color().name() == light.panel
    apply_theme(styled, dark)
    assert current_theme() is dark
    assert styled.style().name() == "fusion" or styled.styleSheet()


def test_every_colour_of_an_icon_is_served(styled: QApplication) -> None:
    assert all(QFile.exists(icon_path("eye", dark, colour)) for colour in COLOURS)


def test_what_is_bundled_is_named_in_the_licences() -> None:
    text = (FOLDER / "LICENSES.md").read_text(encoding="utf-8")
    for words in (
        "Lucide",
        "ISC License",
        "Cole Bemis",
        "Inter",
        "JetBrains Mono",
        "SIL OPEN FONT LICENSE Version 1.1",
    ):
        assert words in text
    assert {path.stem.split("-")[0] for path in (resources.FOLDER / "fonts").glob("*.ttf")} == {
        "Inter",
        "JetBrainsMono",
    }
