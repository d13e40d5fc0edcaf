"""The graph editor: what is shown of curves, their keys, tangents and ends, and the timing of a path."""

from __future__ import annotations

from functools import partial

from app.features.action import Action, Topic
from app.timeline.graph.commands import GraphCommands
from app.timeline.graph.panel import CurvesPanel
from app.timeline.graph.view import CurveGraph

_Curves = partial(Action, menu="Animate", submenu="Curves")
_Tangents = partial(Action, menu="Animate", submenu="Tangents")


class CurvesCommands(Topic):
    """The commands of the graph editor."""

    def has_curves(self) -> bool:
        """True if the Curves panel shows curves: select joints, and raise it."""
        return self._is_current and bool(self._graph.curves.curves)

    def has_keyed_curves(self) -> bool:
        """True if the Curves panel shows curves with keys, not locked: select joints that are keyed."""
        return self._is_current and bool(self._do.keyed)

    def has_chosen_keys(self) -> bool:
        """True if keys are chosen in the Curves panel."""
        return self._is_current and any(self._graph.picked.values())

    def has_timing(self) -> bool:
        """True if the Curves panel shows the timing of a path."""
        return self._is_current and bool(self._do.timings)

    def is_normalised(self) -> bool:
        """True if each curve is shown at full height."""
        return self._is_made and self._graph.normalised

    def is_isolated(self) -> bool:
        """True if only the curves chosen in the list are shown."""
        return self._is_made and self._graph.isolated

    def is_snapping(self) -> bool:
        """True if keys that are moved stand on whole values."""
        return self._is_made and self._graph.scale.snapping

    def is_weighted(self) -> bool:
        """True if tangents that are bent take a length of their own."""
        return self._is_made and self._graph.weighted

    def show(self) -> None:
        """Bring the Curves panel to the front."""
        self._window.show_panel("curves")

    def fit_all(self) -> None:
        """See all curves whole."""
        self._graph.fit_all()

    def fit(self) -> None:
        """See the chosen keys, or all curves where fewer than two are."""
        self._graph.fit()

    def normalise(self) -> None:
        """Show each curve at full height, whatever its unit."""
        self._graph.show_as(normalised=not self._graph.normalised)

    def isolate(self) -> None:
        """Show only the curves that are chosen in the list."""
        self._graph.show_as(isolated=not self._graph.isolated)

    def snap(self) -> None:
        """Let keys that are moved stand on whole degrees and centimetres."""
        self._panel.set_snapping(not self._graph.scale.snapping)

    def insert(self) -> None:
        """Set keys at the playhead without changing the shape of the curves."""
        self._do.insert_here()

    def remove(self) -> None:
        """Take the keys away that are chosen in the Curves panel."""
        self._do.remove()

    def mute(self) -> None:
        """Leave curves out of account, or let them count again; their keys stay."""
        self._do.mute()

    def lock(self) -> None:
        """Keep curves from being changed in the graph, or no longer."""
        self._do.lock()

    def unwrap(self) -> None:
        """Take jumps of whole turns and flips out of the angles of the joints that are shown."""
        self._do.unwrap()

    def can_turn(self) -> bool:
        """True if the Curves panel shows a joint of three hinges with keys, which can be joined as rotations."""
        return self._is_current and bool(self._do.rotations)

    def is_turning(self) -> bool:
        """True if the keys of such joints are joined as rotations."""
        return self.can_turn() and self._do.turns_as_rotations

    def join_rotations(self) -> None:
        """Join the keys of a joint as rotations, by a spline of quaternions, in place of angle by angle."""
        self._do.join_as_rotations()

    def time_path(self) -> None:
        """Say by a curve of its own when the path is travelled, and leave the path as it is."""
        self._do.time_path()

    def drop_timing(self) -> None:
        """Take the timing of a path away."""
        self._do.drop_timing()

    def auto(self) -> None:
        """Smooth tangents from the neighbours, without overshoot."""
        self._do.set_tangents("Auto tangents", "auto")

    def spline(self) -> None:
        """Tangents along the chord between the neighbours."""
        self._do.make_spline()

    def flat(self) -> None:
        """Level tangents."""
        self._do.set_tangents("Flat tangents", "flat")

    def linear(self) -> None:
        """Straight from the chosen keys to the next."""
        self._do.fill("Linear keys", "linear")

    def stepped(self) -> None:
        """Held from the chosen keys to the next."""
        self._do.fill("Stepped keys", "stepped")

    def open_spline(self) -> None:
        """Shape the spline through the chosen keys by tension, continuity and bias (Kochanek and Bartels)."""
        self._panel.open_spline()

    def break_apart(self) -> None:
        """Bend the two sides of the chosen keys each alone."""
        self._do.break_tangents()

    def unify(self) -> None:
        """Give both sides of the chosen keys one slope, and bend them together."""
        self._do.unify_tangents()

    def weigh(self) -> None:
        """Let tangents that are bent take a length of their own."""
        self._panel.set_weighted(not self._graph.weighted)

    def hold_before(self) -> None:
        """Stay at the first key before it."""
        self._do.extend(before="hold")

    def linear_before(self) -> None:
        """Come to the first key in a straight line."""
        self._do.extend(before="linear")

    def cycle_before(self) -> None:
        """Repeat the keys before the first."""
        self._do.extend(before="cycle")

    def offset_before(self) -> None:
        """Repeat the keys before the first, each time from where the next begins."""
        self._do.extend(before="cycle_offset")

    def hold_after(self) -> None:
        """Stay at the last key after it."""
        self._do.extend(after="hold")

    def linear_after(self) -> None:
        """Go on from the last key in a straight line."""
        self._do.extend(after="linear")

    def cycle_after(self) -> None:
        """Repeat the keys after the last."""
        self._do.extend(after="cycle")

    def offset_after(self) -> None:
        """Repeat the keys after the last, each time from where the one before ended."""
        self._do.extend(after="cycle_offset")

    @property
    def _is_made(self) -> bool:
        """True once the panel was seen or asked for: menus are brought up to date before, while the window starts."""
        return self._window.docks["curves"].is_made

    @property
    def _is_current(self) -> bool:
        return self._is_made and self._panel.is_current

    @property
    def _panel(self) -> CurvesPanel:
        panel = self._window.docks["curves"].widget()
        assert isinstance(panel, CurvesPanel), "the dock of that name"
        return panel

    @property
    def _graph(self) -> CurveGraph:
        return self._panel.graph

    @property
    def _do(self) -> GraphCommands:
        return self._panel.commands


Do = CurvesCommands

KEYS, SHOWN = Do.has_chosen_keys, Do.has_curves
_Before = partial(Action, menu="Animate", submenu="Before the first key", when=Do.has_keyed_curves)
_After = partial(Action, menu="Animate", submenu="After the last key", when=Do.has_keyed_curves)

ACTIONS: tuple[Action, ...] = (
    _Curves(id="curves.show", label="Show curves", call=Do.show, icon="chart-spline"),
    _Curves(id="curves.fit_all", label="Fit all curves", call=Do.fit_all, icon="scan", when=SHOWN),
    _Curves(id="curves.fit", label="Fit chosen keys", call=Do.fit, icon="focus", when=SHOWN),
    _Curves(
        id="curves.normalise", label="Normalise curves", call=Do.normalise, icon="unfold-vertical",
        checked=Do.is_normalised,
    ),
    _Curves(id="curves.isolate", label="Isolate chosen curves", call=Do.isolate, icon="funnel", checked=Do.is_isolated),
    _Curves(id="curves.snap", label="Snap to whole values", call=Do.snap, icon="magnet", checked=Do.is_snapping),
    _Curves(
        id="curves.insert", label="Insert key on curves", call=Do.insert, icon="plus", when=Do.has_keyed_curves,
        begins_group=True,
    ),
    _Curves(id="curves.remove", label="Remove chosen keys", call=Do.remove, icon="trash-2", when=KEYS),
    _Curves(
        id="curves.mute", label="Mute curves", call=Do.mute, icon="volume-x", when=Do.has_keyed_curves,
        begins_group=True,
    ),
    _Curves(id="curves.lock", label="Lock curves", call=Do.lock, icon="lock", when=SHOWN),
    _Curves(
        id="curves.unwrap", label="Unwrap angles", call=Do.unwrap, icon="waves", when=Do.has_keyed_curves,
        begins_group=True,
    ),
    _Curves(
        id="curves.rotations", label="Join keys as rotations", call=Do.join_rotations, icon="rotate-3d",
        when=Do.can_turn, checked=Do.is_turning,
    ),
    _Curves(id="curves.time_path", label="Time path", call=Do.time_path, icon="gauge", when=Do.has_keyed_curves),
    _Curves(id="curves.drop_timing", label="Remove time path", call=Do.drop_timing, when=Do.has_timing),
    _Tangents(id="curves.auto", label="Auto tangents", call=Do.auto, icon="spline", when=KEYS),
    _Tangents(id="curves.spline", label="Spline tangents", call=Do.spline, icon="chart-spline", when=KEYS),
    _Tangents(
        id="curves.tension", label="Tension, continuity and bias…", call=Do.open_spline, icon="sliders-horizontal",
        when=KEYS,
    ),
    _Tangents(id="curves.flat", label="Flat tangents", call=Do.flat, icon="minus", when=KEYS),
    _Tangents(id="curves.linear", label="Linear", call=Do.linear, icon="slash", when=KEYS),
    _Tangents(id="curves.stepped", label="Stepped", call=Do.stepped, icon="corner-right-up", when=KEYS),
    _Tangents(
        id="curves.break", label="Break tangents", call=Do.break_apart, icon="unlink-2", when=KEYS, begins_group=True,
    ),
    _Tangents(id="curves.unify", label="Unify tangents", call=Do.unify, icon="link-2", when=KEYS),
    _Tangents(id="curves.weighted", label="Weighted tangents", call=Do.weigh, icon="weight", checked=Do.is_weighted),
    _Before(id="curves.before_hold", label="Hold", call=Do.hold_before),
    _Before(id="curves.before_linear", label="Linear", call=Do.linear_before),
    _Before(id="curves.before_cycle", label="Cycle", call=Do.cycle_before),
    _Before(id="curves.before_offset", label="Cycle with offset", call=Do.offset_before),
    _After(id="curves.after_hold", label="Hold", call=Do.hold_after),
    _After(id="curves.after_linear", label="Linear", call=Do.linear_after),
    _After(id="curves.after_cycle", label="Cycle", call=Do.cycle_after),
    _After(id="curves.after_offset", label="Cycle with offset", call=Do.offset_after),
)  # fmt: skip
