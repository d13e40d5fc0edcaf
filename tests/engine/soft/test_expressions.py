"""Activation curves as text: what they give, and what is refused with its place."""

import random

import numpy as np
import pytest

from engine.maths.expressions import DEEPEST, FUNCTIONS, LONGEST, NAMES, UnreadableExpression, parse_expression
from engine.soft.activations import evaluate_expression


def value(text: str, t: float = 0.0, s: float = 0.0) -> float:
    return float(evaluate_expression(parse_expression(text), t, s)[0])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1", 1.0),
        (" .5e1 + 2. ", 7.0),
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("10 - 2 - 3", 5.0),
        ("8 / 2 / 2", 2.0),
        ("2 ^ 3 ^ 2 / 512", 1.0),
        ("5 + -2 ^ 2", 1.0),
        ("2 ^ -1", 0.5),
        ("--3", 3.0),
        ("+3", 3.0),
        ("2 * -3 + 7", 1.0),
        ("sin(pi / 2)", 1.0),
        ("cos(0) + exp(0) + abs(-1)", 3.0),
        ("min(3, 1, 2) + max(3, 1, 2)", 4.0),
        ("t + 10 * s", 7.0),
        ("pulse(t, 1, 2)", 1.0),
        ("pulse(t, 2.5, 1)", 0.0),
        ("pulse(t, 0, 0.5, 1)", 1.0),
        ("pulse(t, 0.5, 0.3, 1)", 0.0),
        ("pulse(t, 3, 1, 1)", 0.0),
        ("pulse(t, 1, 2, 0)", 1.0),
        ("ramp(t, 1, 3)", 0.5),
        ("ramp(t, 3, 4) + 2", 2.0),
        ("ramp(t, 2, 2)", 1.0),
        ("ramp(t, 3, 1)", 0.5),
    ],
)
def test_formulas_have_their_values(text: str, wanted: float) -> None:
    assert value(text, t=2.0, s=0.5) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", 0, "value is missing"),
        ("1 +", 3, "value is missing"),
        ("1 + * 2", 4, "'\\*' where a value is missing"),
        ("coss(t)", 0, "did you mean cos"),
        ("1 + foo", 4, "no name 'foo'"),
        ("2t", 1, "without an operation"),
        ("2(t)", 1, "without an operation"),
        ("(1 + 2", 6, r"\) is missing"),
        ("1 + 2)", 5, "none opens"),
        ("2 ** 3", 3, r"\^ for powers"),
        ("sin", 3, "without its arguments"),
        ("sin()", 4, "value is missing"),
        ("sin(1, 2)", 0, "2 arguments"),
        ("1 + pulse(t, 1)", 4, "2 arguments"),
        ("t(1)", 1, "used as a function"),
        ("1, 2", 1, "','"),
        ("1e999", 0, "too large"),
        ("1 & 2", 2, "'&'"),
        ("t.real", 1, "'.'"),
        ("__import__('os')", 0, "no name"),
        ("\u0661 + 1", 0, "value is missing"),
        ("((((" * DEEPEST, DEEPEST + 1, "within each other"),
        ("-" * (2 * DEEPEST), DEEPEST + 1, "within each other"),
        ("2^" * DEEPEST + "^", 2 * DEEPEST, "value is missing"),
        ("1+" * LONGEST, LONGEST, "1,000 characters"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, place: int, says: str) -> None:
    with pytest.raises(UnreadableExpression, match=says) as caught:
        parse_expression(text)
    assert caught.value.place == place


def test_values_are_clamped_and_that_is_said() -> None:
    found, notes = evaluate_expression(parse_expression("t"), np.array([-1.0, 0.0, 50.0, 1e9]), 0.0)
    assert found.tolist() == [0.0, 0.0, 50.0, 100.0]
    assert "held between 0 and 100" in notes[0]
    found, notes = evaluate_expression(parse_expression("s / s"), 0.0, np.array([0.0, 1.0]))
    assert found.tolist() == [1.0, 1.0]
    assert "passive" in notes[0]
    assert evaluate_expression(parse_expression("exp(9999)"), 0.0, 0.0)[0] == 1.0
    assert evaluate_expression(parse_expression("1 / 2"), 0.0, 0.0)[1] == ()


def test_times_and_places_are_broadcast() -> None:
    expression = parse_expression("1 + 0.5 * cos(2 * pi * (t - s))")
    assert expression.names == {"t", "s"}
    found, _ = evaluate_expression(expression, np.linspace(0, 1, 5)[:, None], np.linspace(0, 1, 3))
    assert found.shape == (5, 3)
    assert found[0] == pytest.approx([1.5, 0.5, 1.5])


def test_any_text_is_read_or_refused_by_name() -> None:
    words = [*NAMES, *FUNCTIONS, *"+-*/^(),", "1", "2.5", "1e3", " ", "eval", ".", "\n", "é", "\0", "(" * 30]
    chance = random.Random(20)
    read, places = 0, list[tuple[int, int]]()
    for _ in range(4000):
        text = "".join(chance.choices(words, k=chance.randrange(1, 12)))
        try:
            expression = parse_expression(text)
        except UnreadableExpression as refused:
            places.append((refused.place, len(text)))
            continue
        read += 1
        found, _ = evaluate_expression(expression, np.linspace(-1.0, 3.0, 7), 0.5)
        assert ((found >= 0.0) & (found <= 100.0)).all()
    assert read > 50
    assert all(0 <= place <= length for place, length in places)
