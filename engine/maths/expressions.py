"""Activation curves written as text: a parser of formulas in t [s], of splines also in s (0 to 1 along one), and
nothing else.

    1 - 0.3 * pulse(t, 0.5, 0.2, 1)          1 + 0.2 * cos(2 * pi * (t - s))

Sums, products, quotients and powers (^, from the right, above a minus: -2^2 is -4), parentheses, numbers, pi, and the
functions of `FUNCTIONS`. A text becomes steps of a stack machine, which `engine.maths.expressed` runs on whole arrays;
no part of it is ever handed to Python. It is bounded in length and in depth, so that no text can stop the program. This
module knows no numpy: documents check their texts by it.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NoReturn

from engine.runtime.errors import EngineError, shown
from engine.runtime.quick_dataclass import dataclass

LONGEST = 500  # characters
DEEPEST = 40  # parentheses, minuses and powers within each other

FUNCTIONS: dict[str, tuple[int, int]] = {
    "sin": (1, 1),
    "cos": (1, 1),
    "exp": (1, 1),
    "abs": (1, 1),
    "min": (2, 9),
    "max": (2, 9),
    "pulse": (3, 4),
    "ramp": (3, 3),
}
"""Least and most arguments of each: pulse(t, start, width[, period]) is 1 for a time of `width` from `start`, and again
after each period; ramp(t, start, end) goes from 0 to 1."""
VARIABLES = ("t", "s")
NAMES = (*VARIABLES, "pi")

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>[-+*/^(),]))"
)

Step = tuple[str, float]
"""A step of the stack machine: "number" and its value, a name, or an operation and how many values it takes."""


class UnreadableExpression(EngineError):
    """A formula that cannot be read: where, what stands there, and what is allowed."""

    def __init__(self, *, text: str, place: int, found: str, allowed: str) -> None:
        super().__init__(f"cannot read the expression {shown(text)}, place {place + 1}: {found}; allowed: {allowed}")
        self.text, self.place, self.found, self.allowed = text, place, found, allowed


@dataclass(frozen=True)
class Expression:
    """A formula that was read."""

    text: str
    steps: tuple[Step, ...]

    @property
    def names(self) -> frozenset[str]:
        """The variables that it depends on."""
        return frozenset(name for name, _ in self.steps if name in VARIABLES)


def parse_expression(text: str, variables: tuple[str, ...] = VARIABLES) -> Expression:
    """Read a formula in some variables; whatever is wrong is refused with its place."""
    if not isinstance(text, str):
        allowed = f"a formula in {' and '.join(variables)}"
        raise UnreadableExpression(text=repr(text), place=0, found="no text", allowed=allowed)
    if len(text) > LONGEST:
        found = f"{len(text):,} characters"
        raise UnreadableExpression(text=text, place=LONGEST, found=found, allowed=f"{LONGEST} at most")
    reader = _Reader(text, variables)
    reader.sum(0)
    if reader.kind != "end":
        reader.refuse_rest()
    return Expression(text, tuple(reader.steps))


class _Reader:
    """Reads by recursive descent, one token ahead; writes steps."""

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self.text, self.steps = text, list[Step]()
        self.names = (*variables, "pi")
        self.values = f"a number, {', '.join(self.names)}, a function or ("  # what a value may be
        self.start = self.end = 0
        self.kind = self.word = ""
        self.next()

    def next(self) -> None:
        """Go on to the next token."""
        rest = self.text[self.end :]
        self.start = self.end + len(rest) - len(rest.lstrip())
        found = _TOKEN.match(self.text, self.end)
        if found is not None:
            self.kind, self.word, self.end = str(found.lastgroup), found[str(found.lastgroup)], found.end()
        elif self.start == len(self.text):
            self.kind, self.word = "end", ""
        else:
            self.kind, self.word = "other", self.text[self.start]

    def refuse(self, found: str, allowed: str) -> NoReturn:
        """Say what is wrong with the token at hand."""
        raise UnreadableExpression(text=self.text, place=self.start, found=found, allowed=allowed)

    def refuse_rest(self) -> NoReturn:
        """Say what follows a whole formula and does not belong to it."""
        if self.kind in ("number", "name") or self.word == "(":
            self.refuse(f"{shown(self.word)} without an operation before it", "+ - * / ^ between two values")
        if self.word == ")":
            self.refuse("a parenthesis that none opens", "as many ( as )")
        self.refuse(f"{shown(self.word)}", "numbers, names and + - * / ^ ( ) ,")

    def sum(self, depth: int) -> None:
        """Read terms with + and - between them."""
        self.product(depth)
        while self.kind == "sign" and self.word in "+-":
            sign = self.word
            self.next()
            self.product(depth)
            self.steps.append((sign, 2))

    def product(self, depth: int) -> None:
        """Read factors with * and / between them."""
        self.signed(depth)
        while self.kind == "sign" and self.word in "*/":
            sign = self.word
            self.next()
            if self.kind == "sign" and self.word == "*" == sign:
                self.refuse("'**'", "^ for powers")
            self.signed(depth)
            self.steps.append((sign, 2))

    def signed(self, depth: int) -> None:
        """Read a power with + or - before it."""
        if depth > DEEPEST:
            self.refuse("too many parentheses, minuses or powers within each other", f"{DEEPEST} at most")
        if self.kind == "sign" and self.word in "+-":
            sign = self.word
            self.next()
            self.signed(depth + 1)
            if sign == "-":
                self.steps.append(("negative", 1))
            return
        self.value(depth)
        if self.kind == "sign" and self.word == "^":
            self.next()
            self.signed(depth + 1)
            self.steps.append(("^", 2))

    def value(self, depth: int) -> None:
        """Read a number, a name, a function or a parenthesis."""
        if self.kind == "number":
            number = float(self.word)
            if number == float("inf"):
                self.refuse(f"{shown(self.word)}, too large", "finite numbers")
            self.steps.append(("number", number))
            self.next()
        elif self.kind == "name":
            self.named(depth)
        elif self.kind == "sign" and self.word == "(":
            self.next()
            self.sum(depth + 1)
            self.close()
        elif self.kind == "end":
            self.refuse("the end, where a value is missing", self.values)
        else:
            self.refuse(f"{shown(self.word)} where a value is missing", self.values)

    def named(self, depth: int) -> None:
        """Read a variable, or a function with its arguments."""
        name, at = self.word, self.start
        if name not in self.names and name not in FUNCTIONS:
            near = get_close_matches(name, (*self.names, *FUNCTIONS), n=1)
            hint = f"there is no name {shown(name)}" + (f", did you mean {near[0]}?" if near else "")
            self.refuse(hint, ", ".join((*self.names, *FUNCTIONS)))
        self.next()
        called = self.kind == "sign" and self.word == "("
        if name in self.names:
            if called:
                self.refuse(f"{name} used as a function", f"{name} * ( for a product")
            self.steps.append((name, 0))
            return
        if not called:
            self.refuse(f"{name} without its arguments", f"( after {name}")
        self.next()
        count = 1
        self.sum(depth + 1)
        while self.kind == "sign" and self.word == ",":
            self.next()
            self.sum(depth + 1)
            count += 1
        least, most = FUNCTIONS[name]
        if not least <= count <= most:
            self.start = at
            wanted = f"{least}" if least == most else f"{least} to {most}"
            self.refuse(f"{name} with {count} argument{'' if count == 1 else 's'}", f"{wanted} of them")
        self.close()
        self.steps.append((name, count))

    def close(self) -> None:
        """Read the end of a parenthesis."""
        if self.kind == "end":
            self.refuse("the end, where ) is missing", "as many ) as (")
        if self.word != ")":
            self.refuse_rest()
        self.next()
