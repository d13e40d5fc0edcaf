"""Actions on blend shapes: key them, loosen the surface, have it reach what is asked for; add faces and surfaces."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.features.shapes.current_surface import CurrentSurface
from app.features.window import FileKind
from app.session import Item
from app.session.actors import free_name, free_place
from engine.command import Gradual
from engine.document.values import new_id
from engine.shapes.commands.make_surface import AddShapeFile, ImportShapes, MakeFace

HEIGHT = 0.065  # [m] above the floor, where the neck of a face stands on it
SURFACES = FileKind(
    name="surface",
    title="Add a surface with shapes",
    endings={".glb": "glTF, binary", ".gltf": "glTF", ".fbx": "FBX", ".obj": "OBJ mesh"},
    together="Meshes with shapes",
)
SHAPE = FileKind(name="shape", title="Add a shape from a mesh", endings={".obj": "OBJ mesh"})
_Shapes = partial(Action, menu="Animate", submenu="Blend shapes")


class ShapesCommands(Topic):
    """Of the selected surface."""

    @property
    def _current(self) -> CurrentSurface:
        return self._session.of(CurrentSurface)

    def show(self) -> None:
        """Show the shapes of the selected surface."""
        self._window.show_panel("shapes")

    def key_all(self) -> None:
        """Key all shapes of the surface at the playhead, as they are there."""
        self._current.key_all()

    def toggle(self) -> None:
        """Let the surface follow its keys as a soft one does, or be exactly as it is keyed."""
        self._current.do("set_shape_motion", on=not self._current.motion.on)

    def suggest_window(self) -> None:
        """Set the window of the surface's secondary motion that forgets less than can be seen of what is played."""
        self._current.suggest_window()

    def bake(self) -> None:
        """Turn what is played of the surface into keys of its shapes, which it then follows exactly."""
        self._current.bake()

    def may_bake_shapes(self) -> bool:
        """True if there is a surface that follows its keys loosely, and the engine is ready."""
        return self.may_work_out() and self._current.motion.on

    def reach_here(self) -> None:
        """Have the surface be exactly as it is keyed at the playhead, however loosely it follows its keys."""
        self._current.reach_here()

    def remove_target(self) -> None:
        """Take the chosen target of the surface away."""
        self._current.remove_target()

    def remove(self) -> None:
        """Take the surface away with all its shapes; its joint stays."""
        self._current.do("remove_blend_shapes")

    def add_shape(self) -> None:
        """Add a shape to the surface from an OBJ file with its vertices, in their order."""
        owner = self._current.owner
        if owner is not None:
            actor = owner.id
            self._window.asking.choose_of(
                SHAPE,
                lambda path: self._session.work_out(AddShapeFile(id=new_id("shape"), actor=actor, path=str(path))),
            )

    def may_change(self) -> bool:
        """True if there is a surface with blend shapes that is not frozen."""
        return self._current.may_change

    def may_work_out(self) -> bool:
        """True if there is one, and the engine is ready."""
        return self._current.may_change and self._session.engine_state.ready

    def is_on(self) -> bool:
        """True if the surface follows its keys loosely."""
        return self._current.motion.on

    def has_target(self) -> bool:
        """True if a target of it is chosen."""
        return self._current.may_change and self._current.target is not None


class AddSurfaceCommands(Topic):
    """Adds surfaces with blend shapes."""

    def add_face(self) -> None:
        """Add a face with eight shapes: smile, frown, jaw open, brows, blinks, puffed cheeks."""
        document = self._session.document
        name, place = free_name(document, "Face"), free_place(document, HEIGHT).position
        self._make(MakeFace(id=new_id("face"), name=name, position=place))

    def add_surface(self) -> None:
        """Add a mesh with its shapes: morph targets of a glTF or FBX file, or an OBJ file to which shapes are added."""
        self._window.asking.choose_of(SURFACES, lambda path: self._import(str(path), path.stem))

    def _import(self, path: str, stem: str) -> None:
        document = self._session.document
        name, place = free_name(document, stem or "Surface"), free_place(document, 0.0).position
        self._make(ImportShapes(id=new_id("surface"), name=name, paths=(path,), position=place))

    def _make(self, command: Gradual) -> None:
        """Work it out, and choose what it made."""
        id: str = command.id  # type: ignore[attr-defined]
        self._session.work_out(command)
        self._session.when_free(lambda: self._choose(id))

    def _choose(self, id: str) -> None:
        if id in self._session.document.actor_index:
            self._session.select([Item(id)])
            self._window.show_panel("shapes")


Do = ShapesCommands
Add = AddSurfaceCommands

ACTIONS: tuple[Action, ...] = (
    _Shapes(
        id="shapes.show", label="Show blend shapes", call=Do.show, icon="sliders-horizontal", contexts=PART,
        begins_group=True,
    ),
    _Shapes(
        id="shapes.key_all", label="Key all shapes", call=Do.key_all, keys=("Ctrl+Alt+B",), icon="key-round",
        when=Do.may_work_out, begins_group=True,
    ),
    _Shapes(
        id="shapes.add_shape", label="Add shape from file\N{HORIZONTAL ELLIPSIS}", call=Do.add_shape,
        when=Do.may_work_out,
    ),
    _Shapes(
        id="shapes.toggle", label="Enable secondary motion", call=Do.toggle, when=Do.may_change, checked=Do.is_on,
        begins_group=True,
    ),
    _Shapes(id="shapes.suggest_window", label="Suggest window", call=Do.suggest_window, when=Do.may_work_out),
    _Shapes(id="shapes.bake", label="Bake to keys", call=Do.bake, when=Do.may_bake_shapes),
    _Shapes(id="shapes.reach_here", label="Reach this here", call=Do.reach_here, when=Do.may_change, begins_group=True),
    _Shapes(id="shapes.remove_target", label="Remove target", call=Do.remove_target, when=Do.has_target),
    _Shapes(
        id="shapes.remove", label="Remove surface and shapes", call=Do.remove, when=Do.may_change, begins_group=True,
    ),
)  # fmt: skip

ADDING: tuple[Action, ...] = (
    Action(id="add.face", label="Face", menu="Add", call=Add.add_face, begins_group=True),
    Action(
        id="add.surface", label="Mesh with blend shapes\N{HORIZONTAL ELLIPSIS}", menu="Add", call=Add.add_surface,
    ),
)  # fmt: skip
