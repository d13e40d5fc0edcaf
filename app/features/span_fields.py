"""SpanFields: when something counts: its start, its end, and how long it comes in and goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from app.features.form import EditForm
from app.session import Session
from engine.document import Span
from engine.edits import Edit
from engine.runtime.options import described


class SpanFields(EditForm):
    """Sliders of a span, which are hidden where there is none."""

    def __init__(
        self,
        session: Session,
        whose: str,
        span: Callable[[], Span | None],
        make_edit: Callable[..., Edit],
        **shown: Any,
    ) -> None:
        """`whose` begins what a screen reader says; `make_edit` gives the edit for start, end and eases."""
        self._span, self._set_ends = span, make_edit
        super().__init__(
            session,
            described(Span(start=0, end=1)),
            self._with_end,
            named=lambda label: f"{whose}, {label}",
            resets=False,
            **shown,
        )

    def show_span(self, span: Span | None) -> None:
        """Show a span as it is now."""
        self.setVisible(span is not None)
        if span is not None:
            self.show_values(span)

    def _with_end(self, field: str, value: int) -> Edit:
        """Make the edit that changes one end or ease [ticks]; the others give way where they must."""
        span = self._span()
        assert span is not None, "shown only for a span"
        ends = asdict(span) | {field: value}
        if field == "start":
            ends["start"] = min(ends["start"], ends["end"] - 1)
        ends["end"] = max(ends["end"], ends["start"] + 1)
        length = ends["end"] - ends["start"]
        mine, other = ("ease_in", "ease_out") if field == "ease_in" else ("ease_out", "ease_in")
        ends[mine] = min(ends[mine], length)
        ends[other] = min(ends[other], length - ends[mine])
        return self._set_ends(**ends)
