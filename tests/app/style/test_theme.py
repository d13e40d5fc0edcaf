"""Colours: well formed, and readable by computation."""

from __future__ import annotations

import dataclasses
import re
from itertools import product

import pytest

from app.style.theme import GROUNDS, TEXTS, THEMES, Theme, contrast, dark, mix, token_names

AGREED = {
    *("window", "panel", "raised", "field", "line", "text", "text_quiet", "text_faint", "accent", "accent_text"),
    *("warning", "danger", "good", "view_top", "view_bottom", "grid", "axis_x", "axis_y", "axis_z"),
}
themes = pytest.mark.parametrize("theme", list(THEMES.values()), ids=lambda theme: theme.name)


def test_every_agreed_token_is_there() -> None:
    assert set(token_names()) == AGREED


@themes
def test_every_token_is_six_hexadecimal_digits(theme: Theme) -> None:
    assert not [name for name in token_names() if not re.fullmatch("#[0-9a-f]{6}", theme.token(name))]


def test_contrast_of_black_on_white_is_21_and_of_a_colour_on_itself_1() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#3a7f10", "#3a7f10") == 1.0
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@themes
@pytest.mark.parametrize(("text", "ground"), list(product(TEXTS, GROUNDS)))
def test_text_is_readable_on_plain_grounds(theme: Theme, text: str, ground: str) -> None:
    assert contrast(theme.token(text), theme.token(ground)) >= 4.5


@themes
@pytest.mark.parametrize("text", ["text", "text_quiet"])
def test_text_is_readable_on_tinted_grounds(theme: Theme, text: str) -> None:
    for ground in (theme.selection, theme.hover, theme.fill):
        assert contrast(theme.token(text), ground) >= 4.5


@pytest.mark.parametrize("text", TEXTS)
def test_text_of_the_theme_of_high_contrast_has_seven_to_one(text: str) -> None:
    theme = THEMES["contrast"]
    tinted = [theme.selection, theme.hover, theme.fill] if text.startswith("text") else []
    assert min(contrast(theme.token(text), ground) for ground in (*map(theme.token, GROUNDS), *tinted)) >= 7.0
    assert contrast(theme.accent_text, theme.accent) >= 7.0
    assert contrast(theme.line, theme.panel) >= 4.5, "what bounds a thing is seen too"


@themes
def test_messages_are_readable_on_their_tinted_ground(theme: Theme) -> None:
    for colour in ("accent", "warning", "danger"):
        assert contrast(theme.text, mix(theme.raised, theme.token(colour), 0.10)) >= 4.5


@themes
def test_the_accent_is_seen_and_carries_its_text(theme: Theme) -> None:
    assert contrast(theme.accent_text, theme.accent) >= 4.5
    assert all(contrast(theme.accent, theme.token(ground)) >= 3.0 for ground in GROUNDS)


def test_a_theme_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        dark.text = "#000000"  # type: ignore[misc]


def test_mixing_goes_from_the_ground_to_what_lies_over_it() -> None:
    assert mix("#102030", "#ffffff", 0.0) == "#102030"
    assert mix("#102030", "#f0e0d0", 1.0) == "#f0e0d0"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
