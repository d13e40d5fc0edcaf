"""Joint limits: built, made, sculpted, imported and exported; of the joint that is selected."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from app.features.action import PART, Action, Topic
from app.features.limits.current_limit import CurrentLimit
from app.features.window import FileKind
from app.session.building import slug
from engine.document import Figure, Limit
from engine.document.values import new_id

MESH = FileKind(name="limit", title="Export joint limit", endings={".obj": "Meshes", ".npz": "Fields"})
FIELD = replace(MESH, endings={".npz": "Fields"}, also=(".obj",))
READ = replace(MESH, title="Import joint limit", together="Joint limits")
_Limit = partial(Action, menu="Figure", submenu="Joint limits")


def mirrored_name(figure: Figure, limit: Limit) -> str:
    """Name the mirror image of a limit: as the joints of the other side, if it is called as those of its."""
    joints = dict.fromkeys(figure.dof_joint[each].id for each in limit.dofs)
    own = [figure.joint(each) for each in joints]
    others = [figure.joint(each.mirror) if each.mirror is not None else each for each in own]
    if limit.name != " with ".join(each.name for each in own):
        return f"{limit.name} mirrored"
    return " with ".join(each.name for each in others)


class LimitsCommands(Topic):
    """The limit of the joint that is selected."""

    @property
    def _current(self) -> CurrentLimit:
        return self._session.of(CurrentLimit)

    def show(self) -> None:
        """Show where the selected joint may turn."""
        self._window.show_panel("limits")

    def build(self) -> None:
        """Build limits of joints from what actors do, or from files of motion."""
        from app.features.limits.sheet import LimitsSheet

        owner = self._current.owner
        if owner is not None:
            sheet = LimitsSheet(self._window, self._session, owner, self._window.asking.choose_motion)
            sheet.accepted.connect(lambda: self._current.build(sheet.command))
            sheet.open()

    def make_box(self) -> None:
        """Give the joint a limit between the lower and upper limits of its hinges."""
        self._current.make("box")

    def make_cone(self) -> None:
        """Give the joint a limit of a cone about its bone, and of a twist."""
        self._current.make("cone")

    def make_polygon(self) -> None:
        """Make the limit of the joint a polygon of directions, around its samples or its cone, to be shaped."""
        self._current.make("polygon")

    def wrap(self) -> None:
        """Shrink a sphere onto the limit, so that what is between its parts is allowed, too."""
        self._current.make("wrap")

    def take_file(self) -> None:
        """Make a mesh (OBJ) or a field (npz) the limit of the joint."""
        self._window.asking.choose_of(READ, self._current.take_file)

    def write(self) -> None:
        """Write the limit as a mesh (OBJ) for a modeller, or as a field (npz)."""
        limit = self._current.limit
        if limit is not None:
            kind = MESH if len(limit.dofs) in (2, 3) else FIELD
            self._window.asking.place_of(kind, slug(limit.name), self._current.write)

    def toggle(self) -> None:
        """Let the limit hold, or the lower and upper limits of its hinges in its place."""
        self._current.do("set_limit_on", on=not self.is_on())

    def turn_on_body(self) -> None:
        """Show on the body where the bone can point."""
        self._current.show_on_body(not self.on_body())

    def turn_on_sphere(self) -> None:
        """Show in the panel where the bone may point, as a map of the sphere, or the angles."""
        self._current.pointing.show(not self.on_sphere())

    def mirror(self) -> None:
        """Give the joint on the other side the mirror image of the limit."""
        owner, limit = self._current.owner, self._current.limit
        if owner is not None and limit is not None:
            name = mirrored_name(owner.figure, limit)
            self._current.do("mirror_limit", id=new_id("limit"), name=name)

    def remove_strokes(self) -> None:
        """Take all strokes of brushes off the limit."""
        self._current.do("remove_strokes")

    def remove(self) -> None:
        """Forget the limit; its hinges have their own lower and upper ones again."""
        self._current.do("remove_limit")

    def take_none(self) -> None:
        """Let a drag over the limit turn the view."""
        self._current.set_brush(kind=None)

    def take_pull(self) -> None:
        """Let a drag over the limit pull its boundary outwards."""
        self._current.set_brush(kind="pull")

    def take_push(self) -> None:
        """Let a drag over the limit push its boundary inwards."""
        self._current.set_brush(kind="push")

    def take_smooth(self) -> None:
        """Let a drag over the limit smooth its boundary."""
        self._current.set_brush(kind="smooth")

    def has_figure(self) -> bool:
        """True if there is a figure, and the engine is ready."""
        return self._current.owner is not None and self._session.engine_state.ready

    def has_joint(self) -> bool:
        """True if a joint with hinges is selected, and the engine is ready."""
        return self._current.joint is not None and self._session.engine_state.ready

    def is_ball(self) -> bool:
        """True if a joint of three hinges is selected, and the engine is ready."""
        return self.has_joint() and self._current.is_ball

    def has_limit(self) -> bool:
        """True if the joint has a limit."""
        return self._current.limit is not None

    def can_wrap(self) -> bool:
        """True if the joint has a limit over two or three angles, and the engine is ready."""
        return self._current.can_wrap and self._session.engine_state.ready

    def has_strokes(self) -> bool:
        """True if the limit was brushed."""
        limit = self._current.limit
        return limit is not None and bool(limit.strokes)

    def is_on(self) -> bool:
        """True if the limit holds."""
        limit = self._current.limit
        return limit is not None and limit.on

    def on_body(self) -> bool:
        """True if the limit is shown on the body."""
        return self._current.on_body

    def fits_sphere(self) -> bool:
        """True if the limit is over three hinges of one joint."""
        return self._current.pointing.fits

    def on_sphere(self) -> bool:
        """True if the limit is shown on the sphere."""
        return self._current.pointing.on

    def turns(self) -> bool:
        """True if no brush is chosen: a drag turns the picture."""
        return self._current.brush.kind is None

    def pulls(self) -> bool:
        """True if the brush pulls."""
        return self._current.brush.kind == "pull"

    def pushes(self) -> bool:
        """True if the brush pushes."""
        return self._current.brush.kind == "push"

    def smooths(self) -> bool:
        """True if the brush smooths."""
        return self._current.brush.kind == "smooth"


Do = LimitsCommands

ACTIONS: tuple[Action, ...] = (
    _Limit(
        id="limit.show", label="Show joint limits", call=Do.show, icon="axis-3d", keys=("Ctrl+Alt+J",), contexts=PART,
        begins_group=True,
    ),
    _Limit(
        id="limit.build", label="Build from clips…", call=Do.build, icon="film", when=Do.has_figure, begins_group=True,
        contexts=PART,
    ),
    _Limit(id="limit.box", label="From box", call=Do.make_box, icon="box", when=Do.has_joint),
    _Limit(id="limit.cone", label="From cone", call=Do.make_cone, icon="triangle", when=Do.is_ball),
    _Limit(id="limit.polygon", label="From polygon", call=Do.make_polygon, icon="pentagon", when=Do.is_ball),
    _Limit(id="limit.wrap", label="Shrink-wrap", call=Do.wrap, icon="magnet", when=Do.can_wrap),
    _Limit(
        id="limit.import", label="Import mesh or field…", call=Do.take_file, icon="folder-open", when=Do.has_joint,
        begins_group=True,
    ),
    _Limit(id="limit.export", label="Export mesh or field…", call=Do.write, icon="save", when=Do.has_limit),
    _Limit(
        id="limit.toggle", label="Enable limit", call=Do.toggle, icon="lock", when=Do.has_limit, checked=Do.is_on,
        begins_group=True,
    ),
    _Limit(
        id="limit.on_body", label="Show on the body", call=Do.turn_on_body, icon="person-standing", checked=Do.on_body,
    ),
    _Limit(
        id="limit.sphere", label="Show on the sphere", call=Do.turn_on_sphere, icon="globe", when=Do.fits_sphere,
        checked=Do.on_sphere,
    ),
    _Limit(
        id="limit.mirror", label="Mirror to the other side", call=Do.mirror, icon="flip-horizontal-2",
        when=Do.has_limit,
    ),
    _Limit(id="limit.no_strokes", label="Remove strokes", call=Do.remove_strokes, icon="eraser", when=Do.has_strokes),
    _Limit(id="limit.remove", label="Remove", call=Do.remove, icon="trash-2", when=Do.has_limit),
    _Limit(
        id="limit.turn", label="Turn the view", call=Do.take_none, icon="rotate-3d", checked=Do.turns,
        begins_group=True,
    ),
    _Limit(id="limit.pull", label="Pull", call=Do.take_pull, icon="plus", checked=Do.pulls),
    _Limit(id="limit.push", label="Push", call=Do.take_push, icon="minus", checked=Do.pushes),
    _Limit(id="limit.smooth", label="Smooth", call=Do.take_smooth, icon="waves", checked=Do.smooths),
)  # fmt: skip
