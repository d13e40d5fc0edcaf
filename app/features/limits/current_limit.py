"""CurrentLimit: the joint limit that a person looks at: its picture, how the pose stands to it, what is done with it.

It is a limit over the joint that was selected last, else the one chosen in the table. The picture, the table and how
the pose stands to it are worked out on the engine's thread, and only while somebody watches. A stroke of the brush is
a preview of its own, laid over the field that is there, until it becomes one edit.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.limits.pointing import PointingDirections
from app.session.engine_link import describe
from app.session.engine_steps import FilesExported
from app.session.filing import Filing, Listener
from app.session.live_query import LiveQuery, Question
from app.session.selection import Item
from engine.commands.build_limits import BuildLimits
from engine.commands.make_limit import ImportLimit, Kind, MakeLimit, write_limit
from engine.document import Actor, Document, Figure, Joint, Limit
from engine.document.limit import BRUSHES, BrushKind, Stroke
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import new_id
from engine.edits import edit
from engine.queries.limit_pictures import LimitPicture, LimitPictures, LimitReading, LimitWanted
from engine.queries.limit_table import LimitRow, limit_rows, plain_row
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.model.snapshot import Snapshot

PICTURE, STANDING, ROWS = "limit picture", "limit standing", "limit rows"  # keys of the worker
TRAIL = 400  # poses
LEAP = TICKS_PER_SECOND // 2  # of the playhead, after which a trail begins anew
Place = tuple[float, ...]
Which = tuple[str, str]  # ids of an actor and of a limit of it


@dataclass(frozen=True, kw_only=True)
class Brush:
    """A brush: what a drag over the boundary does."""

    kind: BrushKind | None = None  # None: a drag turns the view
    radius: float = 0.25  # [rad]
    strength: float = 0.5
    mirror: int | None = None  # the angle in which a stroke is mirrored about 0


class CurrentLimit(QObject):
    """The joint limit that is seen."""

    changed = Signal()  # another limit, or none
    picture_changed = Signal()  # another picture of it, or why there is none
    rows_changed = Signal()
    standing_changed = Signal()
    brush_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._watched = self._moving = False
        self._stood = 0  # the playhead, when the pose was looked at last
        self.on_body = False
        self.brush = Brush()
        self.picture: LimitPicture | None = None
        self.standing: LimitReading | None = None
        self.angles: Place | None = None  # of the pose that is seen
        self.trail: list[Place] = []
        self.rows: tuple[LimitRow, ...] = ()
        self.problem = ""  # why the limit that is seen cannot be worked out
        self._refused: tuple[object, ...] | None = None  # the content that cannot be worked out
        self._chosen: dict[str, str] = {}  # limit by actor
        self._cuts: dict[Which, tuple[float | None, ...]] = {}
        self._planes: dict[Which, tuple[int, int]] = {}
        self._stroke: tuple[Stroke, ...] = ()
        self._stroked: Which | None = None  # the limit that the stroke began on
        self._asked: tuple[Figure, LimitWanted] | None = None
        self._pictures = LimitPictures()  # the engine thread's alone
        link, refuse = session.engine, self._take_failure
        self._picture_query = LiveQuery(self, link, PICTURE, self._take_picture, refuse=refuse)
        self._standing_query = LiveQuery(self, link, STANDING, self._take_standing, refuse=refuse)
        self._rows_query = LiveQuery(self, link, ROWS, self._take_rows)
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(self._follow)
        session.engine_changed.connect(self._follow)
        session.snapshot_ready.connect(self._take_snapshot)
        self.pointing = PointingDirections(session, self)

    # What is seen

    @property
    def owner(self) -> Actor | None:
        """The figure whose limits are meant: the one selected last, else the first."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        return document.actors[0] if document.actors else None

    @property
    def joint(self) -> Joint | None:
        """The joint that is meant, if it has hinges: the one selected last, else that of the limit that is seen."""
        owner, active = self.owner, self._session.selection.active
        if owner is None:
            return None
        if active is not None and active.part in owner.figure.joint_index:
            found = owner.figure.joint(active.part)
            return found if any(dof.kind == "hinge" for dof in found.dofs) else None
        return None if self.limit is None else owner.figure.dof_joint[self.limit.dofs[0]]

    @property
    def is_ball(self) -> bool:
        """True if the joint that is meant has three hinges."""
        return self.joint is not None and sum(dof.kind == "hinge" for dof in self.joint.dofs) == 3

    @property
    def limit(self) -> Limit | None:
        """The limit that is seen: the chosen one if the selected joint has a part in it, else one that has."""
        owner, active = self.owner, self._session.selection.active
        if owner is None:
            return None
        fitting = list(owner.figure.limits)
        if active is not None and active.part in owner.figure.joint_index:
            own = {dof.id for dof in owner.figure.joint(active.part).dofs}
            fitting = [each for each in fitting if own.intersection(each.dofs)]
        chosen = self._chosen.get(owner.id)
        return next((each for each in fitting if each.id == chosen), fitting[0] if fitting else None)

    @property
    def can_wrap(self) -> bool:
        """True if there is a surface or a line that a sphere can be shrunk onto."""
        return self.limit is not None and len(self.limit.dofs) in (2, 3)

    @property
    def cuts(self) -> tuple[float | None, ...]:
        """The places of the slices, one across each angle [rad]; None where there is none."""
        limit = self.limit
        if limit is None:
            return ()
        size = len(limit.dofs)
        kept = self._cuts.get(self._which or ("", ""), ())
        return kept if len(kept) == size else (*(None,) * (size - 1), 0.0) if size == 3 else (None,) * size

    @property
    def plane(self) -> tuple[int, int]:
        """The two angles that are seen of four or five."""
        kept = self._planes.get(self._which or ("", ""), (0, 1))
        return kept if self.limit is not None and max(kept) < len(self.limit.dofs) else (0, 1)

    @property
    def _which(self) -> Which | None:
        owner, limit = self.owner, self.limit
        return None if owner is None or limit is None else (owner.id, limit.id)

    @property
    def brushing(self) -> bool:
        """True if a stroke is being drawn."""
        return bool(self._stroke)

    @property
    def watched(self) -> bool:
        """True if a panel shows the limits."""
        return self._watched

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks."""
        if watched != self._watched:
            self._watched = watched
            if watched:
                self._asked = None  # the answer for the views alone is without the pose
                self._picture_query.forget()
            else:
                self.end_stroke(keep=False)
            self._follow()

    def show_on_body(self, shown: bool) -> None:
        """Show the patch that the bone can reach in the views, or hide it."""
        if shown != self.on_body:
            self.on_body = shown
            self._follow()
            self.changed.emit()

    def choose(self, limit: str) -> None:
        """See a limit of the figure; its joint is selected, if none of its joints is."""
        owner = self.owner
        if owner is None:
            return
        self._chosen[owner.id] = limit
        meant, active = owner.figure.limit(limit), self._session.selection.active
        joints = [owner.figure.dof_joint[each].id for each in meant.dofs]
        if active is None or active.actor != owner.id or active.part not in joints:
            self._session.select([Item(owner.id, joints[0])])
        self._follow()
        self.changed.emit()

    def set_cut(self, axis: int, place: float | None) -> None:
        """Put a slice across an angle [rad], or take it away."""
        which, limit = self._which, self.limit
        if which is not None and limit is not None and axis < len(limit.dofs):
            self._cuts[which] = tuple(place if at == axis else each for at, each in enumerate(self.cuts))
            self._follow()

    def set_plane(self, first: int, second: int) -> None:
        """See these two angles of four or five."""
        which = self._which
        if which is not None and first != second:
            self._planes[which] = (first, second)
            self._follow()

    # The brush

    def set_brush(self, **changes: object) -> None:
        """Another kind, radius, strength or mirror."""
        brush = replace(self.brush, **changes)  # type: ignore[arg-type]
        assert brush.kind is None or brush.kind in BRUSHES, "a kind of stroke"
        if brush != self.brush:
            self.brush = brush
            self.brush_changed.emit()

    def draw_stroke(self, points: Sequence[Place]) -> None:
        """Show the limit as a stroke through these angles [rad] would make it; one that it did not begin on, not."""
        brush, limit, which = self.brush, self.limit, self._which
        self._stroked = self._stroked or which
        if brush.kind is None or limit is None or not points or which != self._stroked:
            self._stroke = ()
            self._follow()
            return
        stroke = Stroke(kind=brush.kind, points=tuple(points), radius=brush.radius, strength=brush.strength)
        self._stroke = (stroke,)
        if brush.mirror is not None and brush.mirror < len(limit.dofs):
            self._stroke = (stroke, stroke.mirrored(brush.mirror))
        self._follow()

    def end_stroke(self, *, keep: bool = True) -> None:
        """Make the stroke that is shown an edit, or drop it."""
        strokes, which = self._stroke, self._which
        begun, self._stroke, self._stroked = self._stroked, (), None
        if strokes and keep and which is not None and which == begun:
            image = {"image": strokes[1]} if len(strokes) > 1 else {}
            self._session.do(edit("add_stroke", actor=which[0], limit=which[1], stroke=strokes[0], **image))
        self._follow()

    # What is done with it

    def do(self, name: str, /, **arguments: object) -> None:
        """Change the limit that is seen."""
        if self.owner is not None and self.limit is not None:
            self._session.do(edit(name, actor=self.owner.id, limit=self.limit.id, **arguments))

    def make(self, kind: Kind) -> None:
        """Give the joint that is meant a limit of that kind."""
        owner, joint = self.owner, self.joint
        if owner is not None and joint is not None:
            old = "" if self.limit is None else self.limit.id
            self._session.work_out(MakeLimit(actor=owner.id, joint=joint.id, kind=kind, id=new_id("limit"), old=old))
            if kind == "polygon":
                self.pointing.show(True)

    def build(self, command: BuildLimits) -> None:
        """Build limits from clips."""
        self._session.work_out(command)

    def take_file(self, path: Path) -> None:
        """Make what a mesh or a field file holds the limit of the joint that is meant."""
        owner, joint = self.owner, self.joint
        if owner is not None and joint is not None:
            self._session.work_out(ImportLimit(actor=owner.id, joint=joint.id, path=path, id=new_id("limit")))

    def write(self, path: Path) -> None:
        """Write the limit that is seen as a mesh or a field, by the ending."""
        owner, limit, document = self.owner, self.limit, self._session.document
        if owner is None or limit is None or not self._session.is_ready("The limit"):
            return

        def job(listener: Listener) -> Generator[FilesExported, None, None]:
            write_limit(path, document, owner.id, limit.id)
            yield FilesExported((path,))

        self._session.exchange.queue.add(Filing("export", path, job=job))

    # How it is asked for

    @property
    def wanted(self) -> LimitWanted | None:
        """The question of what to show now; None where there is nothing to show."""
        owner, limit = self.owner, self.limit
        if owner is None or limit is None or not (self._watched or self.on_body):
            return None
        size = len(limit.dofs)
        cuts = tuple((axis, place) for axis, place in enumerate(self.cuts) if place is not None and size == 3)
        return LimitWanted(
            actor=owner.id,
            limit=limit.id,
            cuts=cuts,
            plane=self.plane,
            at=self.angles if size > 3 and self.angles is not None and len(self.angles) == size else (),
            strokes=self._stroke,
            reach=self.on_body,
        )

    def _follow(self, *_: object) -> None:
        """Ask for what is to be seen now, unless that was asked for last."""
        session, wanted = self._session, self.wanted
        self._follow_rows()
        if wanted is None or session.engine.evaluator is None:
            self._stop()
            return
        document, figure = session.shown, session.shown.actor(wanted.actor).figure
        if self._refused is not None and self._refused == _content(figure, wanted):
            self._stop()
            return
        self.problem, self._refused = "", None
        question = Question(
            work=lambda: self._pictures.answer(document, wanted), of=(figure,), about=wanted, needs=("limits",)
        )
        if self._picture_query.follow(question):
            before, self._asked = self._asked, (figure, wanted)
            other = before is None or (before[1].actor, before[1].limit) != (wanted.actor, wanted.limit)
            if other:
                self.trail, self.standing, self.angles = [], None, None
                self.changed.emit()
            if other or (before is not None and before[0] is not figure):
                self._stand(document, wanted, again=True)

    def _stop(self) -> None:
        """Show nothing."""
        shown, self._asked = self.picture is not None or self.standing is not None, None
        self._picture_query.stop()
        self._standing_query.stop()
        if shown:
            self.angles, self.trail = None, []
            self.changed.emit()

    def _follow_rows(self) -> None:
        owner, session, evaluator = self.owner, self._session, self._session.engine.evaluator
        if owner is None or not self._watched or evaluator is None:
            self._rows_query.stop()
            return
        if session.shown is not session.document and self._rows_query.question is not None:
            return  # while something is dragged
        document, actor = session.shown, owner.id
        question = Question(
            work=lambda: limit_rows(evaluator, document, actor),
            of=(owner.figure, owner.layers),
            about=actor,
            document=document,
            needs=("limits",),
        )
        if self._rows_query.follow(question):
            known = {each.limit: each for each in self.rows}
            rows = tuple(plain_row(each) for each in owner.figure.limits)
            self.rows = tuple(known[each.limit] if _same(known.get(each.limit), each) else each for each in rows)
            self.rows_changed.emit()

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        if self._asked is not None and self._watched:
            self._stand(snapshot.document, self._asked[1])

    def _stand(self, document: Document, wanted: LimitWanted, *, again: bool = False) -> None:
        """Ask how the pose that is seen stands to the limit."""
        session = self._session
        seen = () if session.snapshot is None else session.snapshot.bodies
        pose = next((each.pose for each in seen if each.owner == wanted.actor and each.role == "result"), None)
        owner = document.actor(wanted.actor) if wanted.actor in document.actor_index else None
        limit = None if owner is None else next((e for e in owner.figure.limits if e.id == wanted.limit), None)
        if pose is None or owner is None or limit is None or len(pose) != len(owner.figure.coordinates):
            return
        angles = tuple(float(pose[owner.figure.coordinate_index[each]]) for each in limit.dofs)
        moves, time = session.player.playing or session.shown is not session.document, session.playhead
        if moves and (not self._moving or abs(time - self._stood) > LEAP):
            self.trail = []
        self._moving, self._stood = moves, time
        if angles == self.angles and not again:
            return
        self.angles = angles
        if moves and (not self.trail or self.trail[-1] != angles):
            self.trail = [*self.trail[-TRAIL:], angles]
        question = Question(work=lambda: self._pictures.standing(document, wanted, angles), needs=("limits",))
        self._standing_query.ask(question)
        self.standing_changed.emit()
        if len(angles) > 3:
            self._follow()  # slices stand where the pose is

    def _take_picture(self, picture: LimitPicture | None) -> None:
        if picture is None:
            self.picture = None
        elif self._is_asked(picture.wanted.actor, picture.wanted.limit):
            self.picture = picture
            self.picture_changed.emit()

    def _take_standing(self, standing: LimitReading | None) -> None:
        if standing is None:
            self.standing = None
        elif self._is_asked(standing.actor, standing.limit):
            self.standing = standing
            self.standing_changed.emit()

    def _take_rows(self, rows: tuple[LimitRow, ...] | None) -> None:
        if rows is None and self.rows and self.owner is None:
            self.rows = ()
            self.rows_changed.emit()
        elif rows is not None and self._knows(rows):
            self.rows = rows
            self.rows_changed.emit()

    def _is_asked(self, actor: str, limit: str) -> bool:
        """True if that limit is the one to be shown, and not the one before."""
        return self._asked is not None and (self._asked[1].actor, self._asked[1].limit) == (actor, limit)

    def _knows(self, rows: tuple[LimitRow, ...]) -> bool:
        """True if rows are of the limits that there are, and not of those that there were."""
        return self.owner is not None and [row.limit for row in rows] == [each.id for each in self.owner.figure.limits]

    def _take_failure(self, problem: BaseException) -> None:
        """Note a limit that cannot be worked out: it is not asked for again until it is another."""
        if self._asked is not None:
            self.problem, self._refused = describe(problem), _content(*self._asked)
            self._stop()
            self.picture_changed.emit()


def _content(figure: Figure, wanted: LimitWanted) -> tuple[object, ...]:
    """Return all that the field of a limit is computed from."""
    limit = figure.limit(wanted.limit)
    axes = tuple(figure.coordinate_dof[each].axis for each in limit.dofs)
    return wanted.actor, limit.digest, axes, wanted.strokes


def _same(old: LimitRow | None, row: LimitRow) -> bool:
    """True if a line describes a limit as it is now, but for what has to be worked out."""
    return old is not None and replace(old, volume=None, bytes=None, inside=None, problem="") == row
