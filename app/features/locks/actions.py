"""Pins: parts that stay where they are while the rest moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.features.action import PART, Action, Context, Topic
from app.features.locks.words import HoldingWay, keyed_of, lock_here, span_between
from app.session import Item
from app.session.actors import hangs_on
from engine.document import Actor, Lock
from engine.document.extent import play_extent
from engine.document.lock import AXES, Axis
from engine.document.values import new_id, vector3
from engine.edits import edit
from engine.locks.commands.end_lock import EndLock
from engine.locks.commands.lock_here import BakeLocks
from engine.locks.commands.move_lock import KeyLock
from engine.locks.commands.satisfy import Satisfy

_Lock = partial(Action, menu="Pose", submenu="Pin")
_LOCKED: tuple[Context, ...] = ("part", "actor", "lock")

_AXES = {
    "i": "Pin the direction of the first axis of the selected parts; they may turn about it.",
    "j": "Pin the direction of the second axis.",
    "k": "Pin the direction of the third axis.",
}


class LocksCommands(Topic):
    """Pins: parts that are held while the rest moves."""

    def lock_position(self) -> None:
        """Pin the selected parts at the places where they stand."""
        self._lock(HoldingWay())

    def lock_orientation(self) -> None:
        """Pin the selected parts turned as they are."""
        self._lock(HoldingWay(held="turn", axes=("i", "j")))

    def lock_both(self) -> None:
        """Pin the selected parts where they stand and turned as they are."""
        self._lock(HoldingWay(axes=("i", "j")))

    def lock_level(self) -> None:
        """Pin the selected parts in the level planes through them."""
        self._lock(HoldingWay(held="plane"))

    def lock_on_line(self) -> None:
        """Pin the selected parts on the upright lines through them: a hand on a pole, a knee on a plumb line."""
        self._lock(HoldingWay(held="line"))

    def lock_in_view(self) -> None:
        """Pin the selected parts in planes through them that face the active view."""
        back = self._window.view.cameras[self._window.view.active].axes[2]
        self._lock(HoldingWay(held="plane", normal=vector3("the view", back.tolist())))

    def lock_to_last(self) -> None:
        """Pin what was selected first at what was selected last, as it stands to it now."""
        self._lock_at_last(shared=False)

    def lock_together(self) -> None:
        """Pin the selected parts of several figures together, and let both give way."""
        self._lock_at_last(shared=True)

    def lock_balance(self) -> None:
        """Pin the centre of mass of the selected figures over the places of their other pins."""
        for actor in self._figures():
            if not any(lock.held == "point" and not lock.mute for lock in actor.locks):
                text = f"{actor.name} has no pin yet that it could stand on: pin its feet, and it balances on them"
                self._session.note("note", text)
            self._lock_mass(actor, HoldingWay(held="balance", name="Balance"))

    def lock_centre(self) -> None:
        """Pin the centre of mass of the selected figures over the place where it is."""
        for actor in self._figures():
            self._lock_mass(actor, HoldingWay(held="centre", name="Centre of mass"))

    def unlock(self) -> None:
        """Let the selected parts go."""
        for actor, lock in self._locks():
            self._session.do(edit("remove_lock", actor=actor.id, lock=lock.id))

    def unpin_from_here(self) -> None:
        """End the selected pins at the playhead: the part stays until then and is free from then on. Pin it again at a
        later time, and it is planted anew."""
        now, begin = self._session.playhead, play_extent(self._session.document)[0]
        holding = [each for each in self._locks() if self._holding_now([each[1]])]
        if not holding:
            self._refuse("What is selected is not pinned at this time: its pins end earlier or begin later.")
        for actor, lock in holding:
            if (begin if lock.span is None else lock.span.start) < now:
                self._session.work_out(EndLock(actor=actor.id, lock=lock.id, time=now))
            else:
                self._refuse(f"The pin of {lock.name} begins at this time. Unpin removes it.")

    def mute(self) -> None:
        """Leave the pins of what is selected out, or let them count again if all are left out."""
        mute = not self._all_muted
        for actor, lock in self._locks():
            self._session.do(edit("mute_lock", actor=actor.id, lock=lock.id, mute=mute))

    def key(self) -> None:
        """Set keys of the selected pins at the playhead: where they hold then, and how they are turned."""
        for actor, lock in self._locks():
            what = keyed_of(lock) or ("weight",)
            self._session.work_out(KeyLock(actor=actor.id, lock=lock.id, time=self._session.playhead, what=what))

    def satisfy(self) -> None:
        """Solve until the pins of the selected figures are met as well as can be; that pose becomes their own."""
        session = self._session
        for actor in self._bakeable():
            session.work_out(Satisfy(actor=actor.id, time=session.playhead, auto_key=session.posing.auto_key))

    def bake(self) -> None:
        """Make the motion that pins give the selected figures' own, while it plays; the pins go."""
        for actor in self._bakeable():
            start, end = play_extent(self._session.document)
            self._session.work_out(BakeLocks(id=new_id("layer"), actor=actor.id, start=start, end=end))

    def can_lock(self) -> bool:
        """True if a part is selected, and the engine can tell where it stands."""
        return self._session.engine_state.ready and bool(self._parts())

    def can_lock_in_view(self) -> bool:
        """True if a part is selected, and there is a view."""
        return self.can_lock() and self._window.viewport is not None

    def can_lock_to_last(self) -> bool:
        """True if two parts or more are selected."""
        return self.can_lock() and len(self._parts()) > 1

    def can_lock_together(self) -> bool:
        """True if parts of different actors are selected."""
        return self.can_lock_to_last() and any(actor != self._parts()[-1][0] for actor, _ in self._parts())

    def can_lock_mass(self) -> bool:
        """True if a figure is selected, or something of one."""
        return self._session.engine_state.ready and bool(self._figures())

    def has_locks(self) -> bool:
        """True if something of what is selected is pinned."""
        return bool(self._locks())

    def can_bake(self) -> bool:
        """True if something of the selected figures is pinned."""
        return self._session.engine_state.ready and bool(self._bakeable())

    def mute_text(self) -> str:
        """Return the label of `mute` as it is now."""
        return "Let pin count" if self._locks() and self._all_muted else "Mute pin"

    @property
    def _all_muted(self) -> bool:
        return all(lock.mute for _, lock in self._locks())

    def lock_axis(self, *, axis: Axis) -> None:
        """Pin the direction of an axis."""
        self._lock(HoldingWay(held="turn", axes=(axis,)))

    def _lock(self, what: HoldingWay) -> None:
        for actor, joint in self._parts():
            self._lock_part(actor, joint, what)

    def _lock_at_last(self, *, shared: bool) -> None:
        *first, (target, joint) = self._parts()
        for actor, part in first:
            both = shared and actor != target
            self._lock_part(actor, part, HoldingWay(axes=("i", "j"), target=target, target_joint=joint, shared=both))

    def _lock_mass(self, actor: Actor, what: HoldingWay) -> None:
        if self._holding_now([lock for lock in actor.locks if lock.held == what.held]):
            self._refuse(f"{actor.name} has that pin already: {what.name}")
        else:
            self._lock_part(actor.id, actor.figure.joints[0].id, what)

    def _lock_part(self, actor: str, joint: str, what: HoldingWay) -> None:
        """Ask the engine for the pin, unless it would change nothing."""
        document = self._session.document
        owner, name = document.actor(actor), document.actor(actor).figure.joint(joint).name
        if what.of_mass:
            alike = [lock for lock in owner.locks if lock.held == what.held]
        else:
            alike = [lock for lock in owner.locks if lock.joint == joint and what.is_of(lock)]
        if owner.is_held_at(joint) and what.target is None and not what.of_mass:
            hung = ", ".join(hangs_on(document, each) for each in owner.attachments)
            self._refuse(f"{owner.name} hangs on {hung} and goes where that goes. Detach it, or pin {hung}.")
        elif self._holding_now(alike) and not what.of_mass:
            self._refuse(f"{name} is pinned like that already. Drag its symbol to move the pin; Unpin lets go.")
        else:
            now = self._session.playhead
            span = span_between(document, alike, now)
            self._session.work_out(lock_here(document, actor, joint, what, now, span))

    def _holding_now(self, locks: Sequence[Lock]) -> bool:
        """True if one of them holds at the playhead: a foot that was let go is planted again."""
        now = self._session.playhead
        return any(lock.span is None or lock.span.start <= now < lock.span.end for lock in locks)

    def _refuse(self, text: str) -> None:
        self._session.note("warning", text)

    def _parts(self) -> list[tuple[str, str]]:
        """Return the selected joints, each once; the one joint of a prop."""
        found = []
        for item in self._session.selection.items:
            joint = item.part or self._joint_of_prop(item)
            found += [(item.actor, joint)] if joint is not None else []
        return list(dict.fromkeys(found))

    def _joint_of_prop(self, item: Item) -> str | None:
        figure = self._session.document.actor(item.actor).figure
        return figure.joints[0].id if figure.is_prop else None

    def _locks(self) -> list[tuple[Actor, Lock]]:
        """Return the selected pins; where a part is selected, those on it, and where a whole actor is, all of it."""
        found: dict[str, tuple[Actor, Lock]] = {}
        for item in self._session.selection.items:
            actor = self._session.document.actor(item.actor)
            for lock in actor.locks:
                chosen = lock.id == item.added if item.added is not None else item.part in (None, lock.joint)
                if chosen:
                    found[lock.id] = (actor, lock)
        return list(found.values())

    def _figures(self) -> list[Actor]:
        chosen = {item.actor for item in self._session.selection.items}
        return [each for each in self._session.document.actors if each.id in chosen and not each.figure.is_prop]

    def _bakeable(self) -> list[Actor]:
        chosen = {item.actor for item in self._session.selection.items}
        return [each for each in self._session.document.actors if each.id in chosen and each.locks]


Do = LocksCommands

ACTIONS: tuple[Action, ...] = (
    _Lock(
        id="lock.position", label="Pin position", call=Do.lock_position, keys=("P",), icon="lock", when=Do.can_lock,
        contexts=PART,
    ),
    _Lock(
        id="lock.orientation", label="Pin orientation", call=Do.lock_orientation, keys=("Shift+K",), icon="rotate-3d",
        when=Do.can_lock, contexts=PART,
    ),
    _Lock(
        id="lock.both", label="Pin position and orientation", call=Do.lock_both, keys=("Ctrl+K",), icon="axis-3d",
        when=Do.can_lock, contexts=PART,
    ),
    *(
        _Lock(
            id=f"lock.axis_{axis}", label=f"Pin direction of axis {axis}", call=partial(Do.lock_axis, axis=axis),
            when=Do.can_lock, contexts=PART, begins_group=axis == "i", about=_AXES[axis],
        )
        for axis in AXES
    ),
    _Lock(
        id="lock.level", label="Pin at this height", call=Do.lock_level, icon="square", when=Do.can_lock,
        contexts=PART, begins_group=True,
    ),
    _Lock(id="lock.line", label="Pin on an upright line", call=Do.lock_on_line, when=Do.can_lock, contexts=PART),
    _Lock(
        id="lock.view", label="Pin in the plane of the view", call=Do.lock_in_view, when=Do.can_lock_in_view,
        contexts=PART,
    ),
    _Lock(
        id="lock.to_last", label="Pin to what was selected last", call=Do.lock_to_last, when=Do.can_lock_to_last,
        contexts=PART, begins_group=True,
    ),
    _Lock(
        id="lock.together", label="Pin together, both give way", call=Do.lock_together, when=Do.can_lock_together,
        contexts=PART,
    ),
    _Lock(
        id="lock.balance", label="Pin the balance over the pinned parts", call=Do.lock_balance, icon="circle-dot",
        when=Do.can_lock_mass, contexts=PART, begins_group=True,
    ),
    _Lock(
        id="lock.centre", label="Pin the centre of mass here", call=Do.lock_centre, when=Do.can_lock_mass,
        contexts=PART,
    ),
    _Lock(
        id="lock.mute", label="Mute pin", call=Do.mute, when=Do.has_locks, text=Do.mute_text, contexts=_LOCKED,
        begins_group=True,
    ),
    _Lock(id="lock.key", label="Key pin", call=Do.key, when=Do.has_locks, contexts=("lock",)),
    _Lock(
        id="lock.off", label="Unpin", call=Do.unlock, keys=("Alt+K",), icon="lock-open", when=Do.has_locks,
        contexts=_LOCKED,
    ),
    _Lock(id="lock.end_here", label="Unpin from here on", call=Do.unpin_from_here, keys=("U",), when=Do.has_locks,
        contexts=_LOCKED,
    ),
    _Lock(
        id="lock.satisfy", label="Satisfy pins", call=Do.satisfy, keys=("Alt+Shift+K",), when=Do.can_bake,
        contexts=_LOCKED, begins_group=True,
    ),
    _Lock(
        id="lock.bake", label="Bake pins", call=Do.bake, when=Do.can_bake, contexts=("actor", "lock"),
    ),
)  # fmt: skip
