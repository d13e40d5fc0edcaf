"""CurvesPanel: the graph editor: a row of tools, the head of time, the list of curves and the graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.session import Session
from app.session.found_curves import FoundCurves
from app.style.export_button import ExportButton
from app.style.following import Following
from app.style.fonts import scaled
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.units import Unit
from app.style.wrapping_row import WrappingRow
from app.timeline.axis import TimeAxis
from app.timeline.graph.channels import ChannelList
from app.timeline.graph.commands import GraphCommands
from app.timeline.graph.key_field import KeyField
from app.timeline.graph.spline_card import SplineCard
from app.timeline.graph.view import CurveGraph
from app.timeline.sheet import NAMES
from app.timeline.time_head import TimeHead
from engine.document.extent import play_extent
from engine.document.motion import ticks_per_frame
from engine.queries.chart_files import write_drawn

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve

FRAME = Unit(suffix="", words="frames", scale=1.0, decimals=0, step=1.0, coarse=10.0)
GAP = 10  # [logical px] between groups of tools


class CurvesPanel(Following):
    """The curves of the selection."""

    title = "Curves"
    reported = Signal(str)  # a word for the status line
    export_asked = Signal(str)  # the ending of the file
    export_name = "keys"
    help_text = """
<p>The curves of the joints that are selected, over time. Click a key or draw a box to choose keys, with Shift to add,
with Ctrl to turn about; drag to move them, with Shift in time or in value alone. Faint lines show the curves as they
were before the drag. Double-click, or click with Ctrl, to set a key: on a curve it keeps its shape. While the last
click was here, {view.frame_selected} shows the chosen keys, {view.frame_all} all, {select.all} chooses all,
{edit.delete} deletes, and Esc lets go of a drag.</p>
<p>Drag the end of a tangent to bend the curve. Both sides of a key turn together until you break them, or hold Ctrl;
Shift makes a tangent flat. Weighted tangents also have a length, of which Shift keeps the slope. A tangent never goes
backwards in time, and is never upright. A joint that turns as one rotation (of a glTF file) has keys without tangents:
its curves are drawn as it really turns, and a time path sets its timing.</p>
<p>In the list, click a curve to choose it, with Ctrl several; the buttons mute a curve, so that its keys do not count,
and lock it here. What commands change are the curves of the chosen keys, else those chosen in the list, else all.
Torques of a planned motion that is found and not kept are shown, but cannot be changed.</p>
<p><b>Time path</b> shows how far along its path the motion has come: between two keys, or over all that is played.
Drag its keys to change the timing and leave the path as it is.</p>
<p>The wheel zooms about the pointer, with Ctrl in time, with Shift in value; the middle button moves the view. The disk
exports the curves as numbers (CSV and NPZ, in SI units) or as a drawing (SVG).</p>
<p>Between two keys, h apart, a curve is the cubic of its ends' values v and slopes m, u from 0 to 1; a time path s runs
through it at another pace:</p>
<p class="equation">q(u) = (2u³ − 3u² + 1) v₀ + (u³ − 2u² + u) h m₀ + (3u² − 2u³) v₁ + (u³ − u²) h m₁,
&nbsp;&nbsp; q(s(t))</p>
"""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self.head = TimeHead(session, axis, margin=NAMES)
        self.graph = CurveGraph(session, axis)
        self.commands = GraphCommands(self.graph)
        self.channels = ChannelList(self.graph)
        self.frame = KeyField("Frame", "The frame of the first chosen key; type another to move the chosen keys there")
        self.value = KeyField("Value", "The value of the first chosen key; type another for all chosen keys")
        self.export = ExportButton()
        self.export.setEnabled(False)
        self._switches: list[tuple[IconButton, Callable[[], bool]]] = []
        self._lay_out()
        self.frame.entered.connect(self.commands.set_frame)
        self.value.entered.connect(self.commands.set_value)
        self.channels.mute_wanted.connect(self._mute)
        self.graph.reported.connect(self.reported)
        self.export.asked.connect(self.export_asked)
        self.graph.changed.connect(self._show_numbers)
        self.graph.chosen_changed.connect(self._show_numbers)
        session.document_changed.connect(lambda old, new: self.follow())
        session.selection_changed.connect(lambda selection: self.follow())
        session.of(FoundCurves).changed.connect(self.follow)
        session.snapshot_ready.connect(self._begin)

    def sizeHint(self) -> QSize:
        return QSize(500, 240)

    @property
    def is_current(self) -> bool:
        """True if it shows the present selection, and not that of before it went behind another tab."""
        return self.graph.is_filled and not self._behind

    def refresh(self) -> None:
        """Show the present curves, once there was a picture."""
        if self._session.snapshot is not None:
            self.graph.axis.set_rate(self._session.document.rate)
            self.graph.fit_axis()
            self.graph.follow()

    @property
    def has_curves(self) -> bool:
        """True if there is anything to write."""
        return self.is_current and bool(self.graph.seen)

    def write_curves(self, path: Path) -> None:
        """Write the curves that are drawn, at every frame of what is played, in SI units."""
        from app.timeline.graph.curves import drawn_of

        document, curves = self._session.document, self.graph.curves.curves
        (first, last), drawn = play_extent(document), drawn_of(document, [curves[place] for place in self.graph.seen])
        self._session.exchange.write_chart(path, lambda: write_drawn(path, document.rate, first, last, drawn))

    def open_spline(self) -> None:
        """Open the sliders of tension, continuity and bias, if keys are chosen that have tangents."""
        if not self.graph.picked:
            self.graph.say("Choose keys first: click them, or drag a box around them.")
        elif self.commands.can_bend():
            SplineCard(self._session, self.commands, self).open_below(self.spline)

    def set_weighted(self, weighted: bool) -> None:
        """Turn weighted tangents, which have a length of their own, on or off."""
        self.graph.weighted = weighted
        self.graph.redraw()
        self._show_numbers()

    def set_snapping(self, snapping: bool) -> None:
        """Turn snapping of moved keys to whole values on or off."""
        self.graph.scale.snapping = snapping
        self._show_numbers()

    def _tools(self) -> WrappingRow:
        tools = WrappingRow(gap=GAP, margins=QMargins(8, 3, 8, 3))
        graph, commands = self.graph, self.commands
        tools.add_group(
            button("scan", "Show all curves", graph.fit_all),
            button("focus", "Show the chosen keys", graph.fit),
        )
        self.spline = button(
            "chart-spline", "Spline tangents: along the chord between the neighbours", commands.make_spline
        )
        tools.add_group(
            button(
                "spline",
                "Auto tangents: smooth, without overshoot",
                lambda: commands.set_tangents("Auto tangents", "auto"),
            ),
            self.spline,
            button("minus", "Flat tangents", lambda: commands.set_tangents("Flat tangents", "flat")),
            button("slash", "Linear: straight to the next key", lambda: commands.fill("Linear keys", "linear")),
            button(
                "corner-right-up",
                "Stepped: held until the next key",
                lambda: commands.fill("Stepped keys", "stepped"),
            ),
        )
        tools.add_group(
            button("unlink-2", "Break tangents: bend each side alone", commands.break_tangents),
            button("link-2", "Unify tangents: bend both sides together", commands.unify_tangents),
            self._switch(
                "weight", "Weighted: tangents have a length of their own", self.set_weighted, lambda: graph.weighted
            ),
        )
        tools.add_group(
            self._switch("unfold-vertical", "Normalise: show each curve at full height",
                         lambda on: graph.show_as(normalised=on), lambda: graph.normalised),
            self._switch("funnel", "Isolate: show only the curves that are chosen in the list",
                         lambda on: graph.show_as(isolated=on), lambda: graph.isolated),
            self._switch("magnet", "Whole values: keys that are moved stand on whole degrees and centimetres",
                         self.set_snapping, lambda: graph.scale.snapping),
        )  # fmt: skip
        tools.add_group(
            button("waves", "Unwrap angles: take out jumps of whole turns and flips", commands.unwrap),
            button("gauge", "Time path: when the path is travelled, apart from the path", commands.time_path),
        )
        tools.add_group(self.export)
        tools.add_group(self.frame, self.value, spacing=4, at_end=True)
        return tools

    def _lay_out(self) -> None:
        self.channels.setFixedWidth(scaled(NAMES))
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.channels)
        below.addWidget(self.graph, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._tools())
        column.addWidget(self.head)
        column.addLayout(below, 1)

    def _switch(self, name: str, tip: str, call: Callable[[bool], None], is_on: Callable[[], bool]) -> IconButton:
        switch = IconButton(name, tip)
        switch.setCheckable(True)
        switch.clicked.connect(call)
        self._switches.append((switch, is_on))
        return switch

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.follow()

    def _mute(self, curve: Curve) -> None:
        self.commands.mute_these([curve], mute=not curve.mute)

    def _show_numbers(self) -> None:
        """Show the switches, and time and value of the first chosen key."""
        for switch, is_on in self._switches:
            switch.setChecked(is_on())
        graph = self.graph
        self.export.setEnabled(graph.is_filled and bool(graph.seen))
        chosen = [(min(times), channel) for channel, times in graph.picked.items() if times]
        curves = [curve for _, channel in chosen if (curve := graph.curves.find(channel)) is not None]
        if not curves:
            self.frame.show_value(0.0, None)
            self.value.show_value(0.0, None)
            return
        time, channel = min(chosen)
        self.frame.show_value(time / ticks_per_frame(self._session.document.rate), FRAME)
        units = {curve.unit.suffix: curve.unit for curve in curves}
        first = graph.curves.find(channel)
        keys = () if first is None or first.track is None or first.speed is not None else first.track.keys
        value = next((key.value for key in keys if key.time == time), None)
        unit = next(iter(units.values())) if len(units) == 1 and value is not None else None
        self.value.show_value(value or 0.0, unit)


def button(name: str, tip: str, call: Callable[[], None]) -> IconButton:
    """Make a tool that does one thing."""
    made = IconButton(name, tip)
    made.clicked.connect(lambda _: call())
    return made
