"""CurrentMuscles: whose muscles a person looks at, which one is chosen, and what the engine tells of them.

A muscle is chosen by selecting its item, so that views, lanes and outliner agree. Its actor is the one with muscles
that was selected last; where none is, the first of the scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal

from app.lanes.current_lanes import CurrentLanes
from app.session.following import follow_parts
from app.session.live_report import LiveReport
from app.session.selection import Item
from engine.document import Actor, Document, Dof
from engine.document.values import new_id
from engine.edits import edit, joined
from engine.muscles.commands.key_expressions import KeyExpressions
from engine.muscles.parts import Muscle, MuscleActivations, Muscles, MuscleSet, MuscleWrap
from engine.muscles.queries.arms import ArmCurve, arm_curves
from engine.muscles.queries.crossed import MuscleGroup, dofs_crossed, muscle_groups
from engine.muscles.queries.new_parts import muscle_between
from engine.muscles.queries.tell_muscles import MusclesTold, tell_muscles

if TYPE_CHECKING:
    from app.session.session import Session

KEY, ARMS_KEY = "muscles", "moment arms"  # of the worker


class CurrentMuscles(QObject):
    """The muscles that are seen."""

    changed = Signal()  # the muscles, or which is chosen
    told_changed = Signal()  # what they measure at the playhead
    arm_changed = Signal()  # the moment arm of the chosen one
    point_changed = Signal()  # which point of its path is chosen
    wrap_changed = Signal()  # which wrap is chosen
    hand_changed = Signal()  # what Delete is for

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._lanes = session, session.of(CurrentLanes)
        session.hands.append(self)
        self._chosen: dict[str, str] = {}  # by actor, the muscle that was chosen last
        self._dof = ""
        self._point, self._wrap = 0, ""
        self._moves: Literal["point", "wrap"] = "point"  # which of both was chosen last
        self._was_in_hand = False
        self._grouped: tuple[object, object, tuple[MuscleGroup, ...]] | None = None
        self._meant: tuple[Document, Muscles, str, Muscle | None] | None = None  # what `muscle` found last, of what
        self._report: LiveReport[MusclesTold] = LiveReport(session, KEY, "muscles", lambda: self.owner, tell_muscles)
        self._report.changed.connect(self.told_changed)
        self._arms: LiveReport[ArmCurve] = LiveReport(
            session, ARMS_KEY, "muscles", lambda: self.owner, arm_curves, chosen=self._arm_wanted
        )
        self._arms.changed.connect(self.arm_changed)
        self._lanes.listing_changed.connect(self._forget_meant)  # before anyone asks
        follow_parts(session, Muscles, self._follow)
        for signal in (session.playhead_moved, session.engine_changed, self._lanes.listing_changed):
            signal.connect(lambda *_: self._ask())

    def watch(self, watched: bool) -> None:
        """Ask the engine while somebody sees the answer."""
        self._report.watch(watched)
        self._arms.watch(watched)

    # What there is

    @property
    def told(self) -> MusclesTold | None:
        """The report of the engine on the muscles that are meant."""
        value, owner = self._report.value, self.owner
        return value if value is not None and owner is not None and value.actor == owner.id else None

    @property
    def arm(self) -> ArmCurve | None:
        """The moment arm of the chosen muscle over the chosen degree of freedom."""
        value, muscle = self._arms.value, self.muscle
        return value if value is not None and muscle is not None and value.muscle == muscle.id else None

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            found = document.actor(active.actor)
            if found.parts and found.part(Muscles) is not None:
                return found
        pairs = [(each, part) for each in document.actors if each.parts and (part := each.part(Muscles)) is not None]
        return next((each for each, part in pairs if part.muscles), pairs[0][0] if pairs else None)

    @property
    def muscles(self) -> Muscles | None:
        """Its muscles."""
        owner = self.owner
        return None if owner is None else owner.part(Muscles)

    @property
    def activations(self) -> MuscleActivations:
        """Their activations."""
        owner = self.owner
        return (None if owner is None else owner.part(MuscleActivations)) or MuscleActivations()

    @property
    def groups(self) -> tuple[MuscleGroup, ...]:
        """The groups among which a person chooses."""
        owner, muscles = self.owner, self.muscles
        if owner is None or muscles is None:
            return ()
        known = self._grouped
        if known is None or known[0] is not muscles or known[1] is not owner.figure:
            self._grouped = known = (muscles, owner.figure, tuple(muscle_groups(owner.figure, muscles)))
        return known[2]

    @property
    def has_listed(self) -> bool:
        """True if a lane of one of them is listed."""
        return next(self._listed(), None) is not None

    @property
    def listed(self) -> tuple[Muscle, ...]:
        """The muscles of which lanes are listed."""
        return tuple(self._listed())

    @property
    def muscle(self) -> Muscle | None:
        """The muscle that is chosen: it is selected, or was the last that was; else the first that is listed."""
        owner, muscles = self.owner, self.muscles
        if owner is None or muscles is None:
            return None
        # It is asked for some times with each picture of a document that plays.
        document, chosen, known = self._session.shown, self._chosen.get(owner.id, ""), self._meant
        if known is None or known[0] is not document or known[1] is not muscles or known[2] != chosen:
            found = muscles.muscle(chosen) or next(self._listed(), None)
            self._meant = known = (document, muscles, chosen, found)
        return known[3]

    @property
    def point(self) -> int:
        """The number of the point that is chosen on the path of the chosen muscle."""
        muscle = self.muscle
        return 0 if muscle is None else min(self._point, len(muscle.points) - 1)

    @property
    def wrap(self) -> MuscleWrap | None:
        """The wrap that is chosen: the last that was; else the first that the chosen muscle goes round, or any."""
        muscles, muscle = self.muscles, self.muscle
        if muscles is None:
            return None
        ids = (self._wrap, *(() if muscle is None else (each.wrap for each in muscle.wraps)))
        found = (muscles.wrap(each) for each in ids)
        return next((each for each in found if each is not None), next(iter(muscles.wraps), None))

    @property
    def moves(self) -> Literal["point", "wrap"]:
        """The kind of part of the chosen muscle that manipulators are for: that of the one that was chosen last."""
        return self._moves

    @property
    def dofs(self) -> tuple[Dof, ...]:
        """The degrees of freedom that the chosen muscle crosses."""
        owner, muscle = self.owner, self.muscle
        return () if owner is None or muscle is None else dofs_crossed(owner.figure, muscle)

    @property
    def dof(self) -> Dof | None:
        """That over which its moment arm is shown: at first the one that is nearest to its insertion."""
        dofs = self.dofs
        return next((each for each in dofs if each.id == self._dof), dofs[-1] if dofs else None)

    @property
    def may_change(self) -> bool:
        """True if there are muscles of an actor that is not frozen."""
        return self.owner is not None and not self.owner.frozen

    @property
    def expression(self) -> str:
        """The expression that tells the activation of the chosen muscle; empty: none does."""
        muscle = self.muscle
        found = None if muscle is None else self.activations.of(muscle.id)
        return "" if found is None else found.expression

    @property
    def has_expression(self) -> bool:
        """True if the chosen muscle has one, and it may be given to others."""
        return self.may_change and bool(self.expression)

    @property
    def has_listed_expression(self) -> bool:
        """True if a muscle that is listed has one that may be made keys of."""
        return self.may_change and bool(self._expressed)

    # What is chosen

    def choose(self, muscle: str) -> None:
        """Choose a muscle, for all that show it."""
        owner = self.owner
        if owner is not None:
            self._session.select([Item(owner.id, owner.figure.joints[0].id, muscle)])

    def choose_point(self, point: int) -> None:
        """Choose a point of the path of the chosen muscle."""
        if (point, "point") != (self._point, self._moves):
            self._point, self._moves = point, "point"
            self.point_changed.emit()

    def choose_wrap(self, wrap: str) -> None:
        """Choose a wrap of the figure."""
        if (wrap, "wrap") != (self._wrap, self._moves):
            self._wrap, self._moves = wrap, "wrap"
            self.wrap_changed.emit()

    def choose_dof(self, dof: str) -> None:
        """Show moment arms over this degree of freedom."""
        if dof != self._dof:
            self._dof = dof
            self._arms.ask()
            self.changed.emit()

    # What is done

    def do(self, name: str, /, **arguments: Any) -> None:
        """Change the muscles that are meant."""
        owner = self.owner
        if owner is not None:
            self._session.do(edit(name, actor=owner.id, **arguments))

    def express(self, muscles: tuple[str, ...], expression: str) -> None:
        """Let an expression tell the activations of some muscles; an empty one leaves them to their keys."""
        self.do("set_muscle_expression", muscles=muscles, expression=expression)

    def express_listed(self) -> None:
        """Give the expression of the chosen muscle to all that are listed."""
        if self.expression:
            self.express(tuple(each.id for each in self._listed()), self.expression)

    def key_expressions(self) -> None:
        """Make keys of the expressions of all muscles that are listed."""
        owner, muscles = self.owner, self._expressed
        if owner is not None and muscles:
            self._session.work_out(KeyExpressions(actor=owner.id, muscles=muscles))

    def keep_set(self) -> None:
        """Keep the muscles that are listed as a set, called by what was searched for."""
        listed, muscles = tuple(each.id for each in self.listed), self.muscles
        if not listed or muscles is None:
            return
        words = self._lanes.search.strip()
        stem, taken = words.capitalize() or "Set", {each.name for each in muscles.sets}
        named = (stem if words and not place else f"{stem} {place + 1}" for place in range(len(taken) + 2))
        made = MuscleSet(id=new_id("set"), name=next(each for each in named if each not in taken), muscles=listed)
        self.do("put_muscle_set", set=made)
        self._lanes.choose_group(("muscle", "set", made.id))

    @property
    def ends_of_new(self) -> tuple[Actor, str, str] | None:
        """Between which joints of whom a new muscle would go: the last two selected, or one and its first child."""
        items = self._session.selection.items
        if not items or items[-1].part is None or items[-1].actor not in self._session.document.actor_index:
            return None
        owner, last = self._session.document.actor(items[-1].actor), items[-1].part
        own = (each.part for each in items[:-1] if each.actor == owner.id and each.added is None)
        others = [each for each in own if each is not None and each != last]
        if owner.frozen or items[-1].added is not None:
            return None
        if others:
            return owner, others[-1], last
        child = next((each.id for each in owner.figure.joints if each.parent == last), None)
        return None if child is None else (owner, last, child)

    def add_muscle(self) -> None:
        """Add a muscle between the joints that are selected, and select it."""
        found = self.ends_of_new
        if found is None:
            return
        owner, first, last = found
        present = owner.part(Muscles) or Muscles()
        taken = {each.name for each in present.muscles}
        name = next(each for at in range(len(taken) + 1) if (each := f"Muscle {at + 1}") not in taken)
        made = muscle_between(owner.figure, first, last, id=new_id("muscle"), name=name)
        chosen = Item(owner.id, owner.figure.joints[0].id, made.id)
        self._session.do(edit("add_muscle", actor=owner.id, muscle=made), choose=chosen)

    def remove_muscle(self) -> None:
        """Take the muscles away that are selected, or else the chosen one."""
        owner, muscles, muscle = self.owner, self.muscles, self.muscle
        if owner is None or muscles is None or muscle is None:
            return
        added = [each.added for each in self._session.selection.items if each.actor == owner.id]
        ids = [each for each in added if each is not None and muscles.muscle(each) is not None] or [muscle.id]
        changes = [edit("remove_muscle", actor=owner.id, muscle=each) for each in ids]
        self._session.do(joined(changes))

    # What Delete is for: the muscle that is selected

    @property
    def is_selected(self) -> bool:
        """True if the chosen muscle is selected."""
        active, owner, muscle = self._session.selection.active, self.owner, self.muscle
        if active is None or owner is None or muscle is None:
            return False
        return (active.actor, active.added) == (owner.id, muscle.id)

    @property
    def in_hand(self) -> bool:
        """True if Delete is for a muscle."""
        return self.may_change and self.is_selected

    def remove(self) -> None:
        """Take it away."""
        self.remove_muscle()

    def let_go(self) -> None:
        """Something else is what Delete is for now: the muscle stays selected."""

    # How it follows

    def _forget_meant(self) -> None:
        self._meant = None

    def _listed(self) -> Iterator[Muscle]:
        owner, muscles = self.owner, self.muscles
        if owner is not None and muscles is not None:
            lists = self._lanes.listing()
            yield from (each for each in muscles.muscles if lists((owner.id, each.id), each.name))

    @property
    def _expressed(self) -> tuple[str, ...]:
        """The muscles that are listed and have expressions."""
        own = {each.muscle for each in self.activations.activations if each.expression}
        return tuple(each.id for each in self._listed() if each.id in own) if own else ()

    def _arm_wanted(self) -> tuple[str, str]:
        """Give the muscle and the degree of freedom of the moment arm."""
        muscle, dof = self.muscle, self.dof
        return "" if muscle is None else muscle.id, "" if dof is None else dof.id

    def _ask(self) -> None:
        self._report.ask()
        self._arms.ask()

    def _follow(self) -> None:
        active = self._session.selection.active
        if active is not None and active.added is not None:
            muscles = self.muscles
            if muscles is not None and muscles.muscle(active.added) is not None:
                if self._chosen.get(active.actor) != active.added:
                    self._point, self._wrap, self._moves = 0, "", "point"
                self._chosen[active.actor] = active.added
        self._ask()
        self.changed.emit()
        if self.in_hand != self._was_in_hand:
            self._was_in_hand = self.in_hand
            self.hand_changed.emit()
