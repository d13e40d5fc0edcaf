"""Actions on the keys and bars that are chosen in the timeline."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import Action, Topic

if TYPE_CHECKING:
    from app.timeline.panel import TimelinePanel
    from app.timeline.sheet_commands import SheetCommands
    from engine.edits.several import Filling

_Keys = partial(Action, menu="Time", submenu="Keys of the timeline")


class TimelineCommands(Topic):
    """The commands on the keys and bars that are chosen in the timeline."""

    def copy(self) -> None:
        """Copy the keys that are chosen in the timeline."""
        self._now.copy()

    def paste(self) -> None:
        """Set copied keys from the playhead on: on the selected actor, in the chosen layer or pin."""
        self._now.paste()

    def delete(self) -> None:
        """Take away the keys that are chosen in the timeline."""
        self._now.remove()

    def choose_all(self) -> None:
        """Choose every key in the timeline."""
        self._now.choose_all()

    def fill(self, kind: Filling) -> None:
        """Set the interpolation after the chosen keys."""
        self._now.fill(kind)

    def lift_span(self) -> None:
        """Let the layer, pin or attachment whose bar is chosen last always."""
        self._now.lift_span()

    def insert_time(self) -> None:
        """Hold the selected actors, or all, still for as long as the chosen keys or the play range last."""
        self._now.insert_time()

    def remove_time(self) -> None:
        """Take the time of the chosen keys, or the play range, out of the selected actors, or all."""
        self._now.remove_time()

    def frame_chosen(self) -> None:
        """Show the chosen keys from edge to edge of the timeline."""
        self._now.frame()

    def show_all(self) -> None:
        """Show all that is played from edge to edge of the timeline."""
        self._now.show_all()

    def toggle_snapping(self) -> None:
        """Keep keys and ends that are dragged in the timeline on whole frames."""
        self._panel.axis.set_snapping(not self.is_snapping())

    def is_snapping(self) -> bool:
        """True if dragged keys stay on whole frames."""
        return self._panel.axis.snapping

    def has_keys(self) -> bool:
        """True if there are keys."""
        return any(holder.tracks for actor in self._session.document.actors for holder in actor.holders)

    def has_chosen(self) -> bool:
        """True if keys are chosen in the timeline."""
        return self._commands.has_chosen

    def has_copied(self) -> bool:
        """True if keys were copied."""
        return self._commands.has_copied

    def is_limited(self) -> bool:
        """True if a bar with a span is chosen in the timeline."""
        return self._commands.limited is not None

    def has_range(self) -> bool:
        """True if keys that last longer than a moment are chosen, or a play range is set."""
        return self._commands.range is not None

    def insert_text(self) -> str:
        """Return the label: how much is inserted, and where."""
        return self._with_range("Insert")

    def remove_text(self) -> str:
        """Return the label: how much is removed, and where."""
        return self._with_range("Remove")

    def _with_range(self, verb: str) -> str:
        text = self._commands.range_text
        return f"{verb} time: {text}" if text else f"{verb} time"

    @property
    def _panel(self) -> TimelinePanel:
        panel: TimelinePanel = self._window.docks["timeline"].widget()  # type: ignore[assignment]
        return panel

    @property
    def _commands(self) -> SheetCommands:
        return self._panel.sheet.commands

    @property
    def _now(self) -> SheetCommands:
        """The sheet's actions, once the sheet knows the document of now: behind another tab it has not followed."""
        self._panel.refresh()
        return self._commands


Do = TimelineCommands
_FILLINGS: tuple[tuple[Filling, str, str], ...] = (
    ("auto", "Auto tangents", "Let curves run smoothly on from the chosen keys, without overshoot."),
    ("flat", "Flat tangents", "Let curves be level at the chosen keys."),
    (
        "free", "Free tangents",
        "Keep the tangents of the chosen keys as they are now, to be turned by hand.",
    ),
    (
        "spline", "Spline tangents (Catmull-Rom)",
        "Give the chosen keys tangents from neighbour to neighbour (Catmull and Rom).",
    ),
    ("linear", "Linear", "Let curves run straight from the chosen keys to the next."),
    ("stepped", "Stepped", "Hold the values of the chosen keys until the next."),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    _Keys(
        id="timeline.copy", label="Copy keys", call=Do.copy, icon="copy", when=Do.has_chosen, contexts=("key",),
        begins_group=True,
    ),
    _Keys(
        id="timeline.paste", label="Paste keys at the playhead", call=Do.paste, icon="clipboard", when=Do.has_copied,
        contexts=("sheet",),
    ),
    _Keys(
        id="timeline.delete", label="Delete keys", call=Do.delete, icon="trash-2", when=Do.has_chosen,
        contexts=("key",),
    ),
    _Keys(
        id="timeline.choose_all", label="Choose all keys", call=Do.choose_all, when=Do.has_keys, contexts=("sheet",),
    ),
    *(
        _Keys(
            id=f"timeline.{kind}", label=label, about=about, call=partial(Do.fill, kind=kind), when=Do.has_chosen,
            contexts=("filling",), begins_group=kind == "auto",
        )
        for kind, label, about in _FILLINGS
    ),
    _Keys(
        id="timeline.always", label="Let it last always", call=Do.lift_span, when=Do.is_limited, contexts=("block",),
        begins_group=True,
    ),
    _Keys(
        id="timeline.insert_time", label="Insert time", call=Do.insert_time, when=Do.has_range, text=Do.insert_text,
        contexts=("sheet",), begins_group=True,
    ),
    _Keys(
        id="timeline.remove_time", label="Remove time", call=Do.remove_time, when=Do.has_range, text=Do.remove_text,
        contexts=("sheet",),
    ),
    _Keys(
        id="timeline.frame_chosen", label="Show chosen keys", call=Do.frame_chosen, when=Do.has_chosen,
        contexts=("key",), begins_group=True,
    ),
    _Keys(id="timeline.show_all", label="Show all that is played", call=Do.show_all, icon="scan", contexts=("sheet",)),
    _Keys(
        id="timeline.snap", label="Whole frames", call=Do.toggle_snapping, checked=Do.is_snapping, contexts=("sheet",),
    ),
)  # fmt: skip
