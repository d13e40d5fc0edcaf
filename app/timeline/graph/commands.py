"""GraphCommands: commands on chosen keys and curves of the graph; each is one entry of the history."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from app.session.foreseen import attempted, foreseen
from app.timeline.graph.changes import NewKey, Shift, inserted, removed, reshaped, shifted, tracks_of, typed
from engine.document import Key, Layer, SpeedRange
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, Extrapolation, Interpolation, Tangent, ticks_per_frame
from engine.edits import Edit, both, edit

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve
    from app.timeline.graph.view import CurveGraph
    from app.timeline.keys import Channel, Picked
    from engine.queries.outline import Outline

NO_TANGENTS = (
    "{} turns as one rotation: its keys have no tangents to bend. Flat keys let it rest there, linear and stepped ones "
    "fill the way to the next; Time path changes when it is where."
)
SPLINE_LABEL = "Tension, continuity and bias"


class GraphCommands:
    """Changes the keys and curves of a graph."""

    def __init__(self, graph: CurveGraph) -> None:
        self._graph, self._session = graph, graph.session
        graph.removal_wanted.connect(self.remove)

    @property
    def addressed(self) -> list[Curve]:
        """The curves of the chosen keys, else those chosen in the list, else all that are shown."""
        graph = self._graph
        curves = [graph.curves.curves[place] for place in graph.seen]
        return (
            [curve for curve in curves if graph.picked.get(curve.channel)]
            or [curve for curve in curves if curve.channel in graph.active]
            or curves
        )

    @property
    def meant(self) -> list[Curve]:
        """The addressed curves that may be changed."""
        return [curve for curve in self.addressed if not self._graph.why_closed(curve)]

    @property
    def keyed(self) -> list[Curve]:
        """The addressed curves that have keys of their own."""
        return [curve for curve in self.meant if curve.outline is not None and curve.speed is None]

    @property
    def moving(self) -> list[Curve]:
        """Those of them that are of a layer."""
        return [curve for curve in self.keyed if curve.of_motion]

    @property
    def timings(self) -> list[Curve]:
        """The addressed curves that say when a path is travelled."""
        return [curve for curve in self.meant if curve.speed is not None]

    # Keys

    def remove(self) -> None:
        """Delete the chosen keys."""
        if self._graph.picked:
            self._do("Remove keys", removed(self._graph.curves, self._graph.picked))

    def insert_here(self) -> None:
        """Set keys at the playhead without changing the shape of the curves."""
        time = self._session.playhead
        tracks = [(curve.channel, curve.track) for curve in self.keyed if curve.track is not None]
        bare = {channel for channel, track in tracks if all(key.time != time for key in track.keys)}
        if not bare:
            self._graph.say("No curve that is shown lacks a key at the playhead.")
            return
        self._session.do(inserted([curve for curve in self.keyed if curve.channel in bare], time))
        self._graph.choose({channel: frozenset((time,)) for channel, _ in tracks})

    def set_frame(self, frame: float) -> None:
        """Move the chosen keys so that the first stands at a frame."""
        graph = self._graph
        if graph.picked:
            first = min(min(times) for times in graph.picked.values() if times)
            ticks = round(frame * ticks_per_frame(self._session.document.rate)) - first
            shift = Shift(ticks=ticks)
            wanted = attempted(lambda: shifted(graph.curves, graph.picked, shift))
            if isinstance(wanted, str):  # beyond the ends of time
                self._session.note("warning", wanted)
                return
            landed = shift.picked(graph.curves, graph.picked)
            taken = foreseen(self._session.document, wanted) is not None
            self._do("Move keys", wanted)
            if taken:  # else the keys stay where they are, and chosen
                graph.expect(landed)

    def set_value(self, value: float) -> None:
        """Give the chosen keys a value."""
        if self._graph.picked:
            self._do("Set values of keys", typed(self._graph.curves, self._graph.picked, value))

    # Tangents

    def set_tangents(self, label: str, tangent: Tangent) -> None:
        """Make the spans after the chosen keys cubic and give them tangents of a kind."""

        def new(outline: Outline, place: int) -> Key:
            return replace(outline.track.keys[place], interpolation="cubic", tangent=tangent)

        self._reshape(label, new)

    def make_spline(self) -> None:
        """Give the chosen keys tangents along the chord between their neighbours."""
        if self._bendable:
            self._do("Spline tangents", self.splined())

    def splined(self, *, tension: float = 0.0, continuity: float = 0.0, bias: float = 0.0) -> Edit:
        """Return the edit that gives the chosen keys tangents by tension, continuity and bias."""
        from engine.queries.outline import splined

        def new(outline: Outline, place: int) -> Key:
            return splined(outline.track, place, tension=tension, continuity=continuity, bias=bias)

        return reshaped(self._graph.curves, self._bendable, new)

    def can_bend(self) -> bool:
        """True if keys are chosen that have tangents; else the graph says why not."""
        return bool(self._bendable)

    def fill(self, label: str, interpolation: Interpolation) -> None:
        """Set the interpolation after the chosen keys."""

        def new(outline: Outline, place: int) -> Key:
            return replace(outline.track.keys[place], interpolation=interpolation)

        self._reshape(label, new)

    def break_tangents(self) -> None:
        """Let the two sides of the chosen keys be bent apart."""
        graph = self._graph
        bendable = ((channel, times) for channel, times in graph.picked.items() if channel not in self._turned)
        graph.loose.update((channel, time) for channel, times in bendable for time in times)
        self._bend("Break tangents", lambda outline, place: outline.freed(place, unified=False))
        graph.redraw()

    def unify_tangents(self) -> None:
        """Give both sides of the chosen keys the mean of their slopes, and bend them together."""
        graph = self._graph
        graph.loose.difference_update((channel, time) for channel, times in graph.picked.items() for time in times)
        self._bend("Unify tangents", lambda outline, place: outline.freed(place, unified=True))
        graph.redraw()

    # Curves

    def extend(self, *, before: Extrapolation | None = None, after: Extrapolation | None = None) -> None:
        """Set the extrapolation of curves before their first or after their last key."""
        if self.keyed:
            tracks = tracks_of(curve.channel for curve in self.keyed)
            self._session.do(edit("extend_chosen", chosen=tracks, before=before, after=after))

    def mute(self) -> None:
        """Mute curves, or unmute them where all of them are muted."""
        keyed = self.keyed
        if keyed:
            self.mute_these(keyed, mute=not all(curve.mute for curve in keyed))

    def mute_these(self, curves: list[Curve], *, mute: bool) -> None:
        """Mute or unmute some curves."""
        tracks = tracks_of(curve.channel for curve in curves)
        self._session.do(edit("mute_chosen", chosen=tracks, mute=mute))

    def lock(self) -> None:
        """Lock curves against changes in the graph, or unlock them where all of them are locked."""
        channels = [curve.channel for curve in self.addressed]
        self._graph.lock(channels, locked=not self._graph.locked.issuperset(channels))

    def unwrap(self) -> None:
        """Remove whole turns and flips from the angles of the joints that are shown."""
        if self.moving:
            self._session.do(edit("unwrap_chosen", chosen=tracks_of(curve.channel for curve in self.moving)))

    @property
    def rotations(self) -> dict[tuple[str, str], set[str]]:
        """The joints of the addressed curves, by actor and layer, whose keys can be joined as rotations."""
        found: dict[tuple[str, str], set[str]] = {}
        keyed = self.moving
        if keyed:
            from engine.edits.layers import turns_every_way
        for curve in keyed:
            channel, actor = curve.channel, self._session.document.actor(curve.channel.actor)
            joint = actor.figure.dof_joint.get(channel.coordinate)
            if joint is not None and turns_every_way(joint):
                found.setdefault((channel.actor, channel.layer), set()).add(joint.id)
        return found

    @property
    def turns_as_rotations(self) -> bool:
        """True if the keys of all joints that are addressed, and can be, are joined as rotations."""
        found = self.rotations
        return bool(found) and all(joints <= self._joined(*place) for place, joints in found.items())

    def join_as_rotations(self) -> None:
        """Join the keys of the addressed joints as rotations, or angle by angle where all of them are joined so."""
        back = self.turns_as_rotations
        edits = []
        for (actor, layer), joints in self.rotations.items():
            joined = self._joined(actor, layer)
            wanted = tuple(sorted(joined - joints if back else joined | joints))
            edits.append(edit("set_quaternions", actor=actor, layer=layer, joints=wanted))
        if edits:
            self._do("Join keys angle by angle" if back else "Join keys as rotations", reduce(both, edits))

    def _joined(self, actor: str, layer: str) -> set[str]:
        found = self._session.document.actor(actor).holder(layer)
        return set(found.quaternions) if isinstance(found, Layer) else set()

    def time_path(self) -> None:
        """Travel along the path of the curves by a curve of its own, at an even speed at first.

        It lasts as the chosen keys do, or as long as is played.
        """
        graph = self._graph
        times = [time for chosen in graph.picked.values() for time in chosen]
        start, end = (min(times), max(times)) if len(times) > 1 else play_extent(self._session.document)
        if end <= start:
            self._graph.say("Choose the keys between which the path is to be timed, or set a play range.")
            return
        slope = TICKS_PER_SECOND / (end - start)
        keys = tuple(
            Key(time, value, tangent="free", slope_in=slope, slope_out=slope)
            for time, value in ((start, 0.0), (end, 1.0))
        )
        speeds = tuple(
            (actor, layer, SpeedRange(start=start, end=end, coordinates=names, keys=keys))
            for actor, layer, names in tracks_of(curve.channel for curve in self.moving)
        )
        if speeds:
            self._do("Time path", edit("reshape_chosen", chosen=(), made=(), speeds=speeds))

    def drop_timing(self) -> None:
        """Remove the speed curve: the path is travelled as the keys say again."""
        for curve in self.timings:
            channel, speed = curve.channel, curve.speed
            assert speed is not None, "they all have one"
            self._session.do(edit("remove_speed", actor=channel.actor, layer=channel.layer, start=speed.start))

    # How it is done

    @property
    def _turned(self) -> dict[Channel, Curve]:
        """Return the curves of chosen keys that turn as one rotation with others, and so have no tangents."""
        found = ((channel, self._graph.curves.find(channel)) for channel in self._graph.picked)
        return {channel: curve for channel, curve in found if curve is not None and curve.turning is not None}

    @property
    def _bendable(self) -> Picked:
        """Return the chosen keys that may have tangents of their own, which those of a rotation cannot."""
        graph, turned = self._graph, self._turned
        if turned:
            graph.say(NO_TANGENTS.format(next(iter(turned.values())).group))
        return {channel: times for channel, times in graph.picked.items() if channel not in turned}

    def _bend(self, label: str, new: NewKey) -> None:
        picked = self._bendable
        if picked:
            self._do(label, reshaped(self._graph.curves, picked, new))

    def _reshape(self, label: str, new: NewKey) -> None:
        if self._graph.picked:
            self._do(label, reshaped(self._graph.curves, self._graph.picked, new))

    def _do(self, label: str, wanted: Edit) -> None:
        """Commit one change with a name of its own."""
        gesture = self._session.begin_gesture(label)
        gesture.preview(wanted)
        gesture.finish()
