"""DrawnBodies: the bodies of a snapshot as one display draws them: their table, meshes, outlines and shadow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, Bounds, Camera
from app.scene.displays import Display, fills, form_of
from app.scene.extent import Part, bounds_of
from app.scene.gl import Indices, RenderTarget, clear, clear_depth, draw_into, flush
from app.scene.look import Look, rgb
from app.scene.visuals.bones import Bones
from app.scene.visuals.clay import ClayVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.form import Form
from app.scene.visuals.lines import Lines, LinesVisual
from app.scene.visuals.meshes import Meshes
from app.scene.visuals.shadow import Overhang, ShadowVisual
from app.scene.visuals.skins import Skins
from app.scene.visuals.spindles import SpindlesForm, muscle_finishes
from app.scene.visuals.table import BodyTable, Finish
from engine.model import Bodies, SkinSurface, Spindles

CLOSELY = 0.06  # [m] by which a box about bodies grows or moves from a picture to the next while they walk
_HOVER_SHARE = 0.55  # of the accent in a hovered body's outline, the rest is the backdrop


class DrawnBodies:
    """The bodies drawn in the views of one display. The canvas's context must be current."""

    def __init__(self, display: Display, clay: ClayVisual, strokes: LinesVisual) -> None:
        self.display = display
        self._clay, self._strokes = clay, strokes
        self._shadow: ShadowVisual | None = None  # made when it is first cast; translucent bodies have none
        self._shadow_is_old, self._is_late = True, False
        self._cast: Bounds | None = None  # the box about what cast it last
        self._signature: tuple[object, ...] = ()
        self._filled: dict[tuple[str, str], bool] = {}  # by mesh and skin, whether one fills the other
        self._items: Sequence[Bodies] = ()
        self._surfaces: Sequence[SkinSurface] = ()
        self._spindles: Sequence[Spindles] = ()
        self._bounds: tuple[Bounds | None] | None = None  # once they are worked out for a pose
        self._table: BodyTable | None = None
        self._kinds: list[Display] = []
        self._meshes: Meshes | None = None
        self._bones: Bones | None = None
        self._skins: Skins | None = None
        self._lines: Lines | None = None
        self._muscles: SpindlesForm | None = None
        self._selected: frozenset[Part] = frozenset()
        self._hovered: Part | None = None
        self._outlines: list[tuple[Form, Indices]] = []
        self.finishes: Mapping[str, Finish] = {}  # by owner, for what is shown next
        self.pose = 0  # how often it was another one
        self._hover_outlines: list[tuple[Form, Indices]] = []

    def show(self, items: Sequence[Bodies], skins: Sequence[SkinSurface], spindles: Sequence[Spindles] = ()) -> None:
        """Take over the items of a snapshot; buffers are made anew only when meshes, bones or skins are others."""
        skinned = frozenset(each.owner for each in skins)
        veiled = self.display == "translucent"
        filled = self._filled_in(items, skins) if veiled else frozenset()
        self._kinds = [form_of(self.display, item, skinned, filled) for item in items]
        shown = {item.owner for item, kind in zip(items, self._kinds, strict=True) if veiled or kind == "skin"}
        self._spindles = spindles
        self._items, self._surfaces = items, [each for each in skins if each.owner in shown]
        signature = (
            *self._kinds,
            *((len(item.parts), item.mesh.digest, item.skeleton.digest) for item in items),
            *((each.topology, each.hollow, each.colouring and each.colouring.digest) for each in self._surfaces),
            *((each.topology, len(each.muscles)) for each in spindles),
        )
        again = self._table is None or signature != self._signature
        if again:
            self._signature, self._cast = signature, None
            self._build(self._kinds)
        assert self._table is not None, "built"
        self._table.pose(items, self.finishes, [(each, muscle_finishes(each.activation)) for each in spindles])
        if again:
            self._outline(selection_too=True)
        self._table.highlight(self._selected, self._hovered)
        if self._skins is not None:
            self._skins.pose(self._surfaces)
        if self._muscles is not None:
            self._muscles.pose(spindles)
        self._shadow_is_old = True
        self._bounds = None
        self.pose += 1

    def highlight(self, selected: frozenset[Part], hovered: Part | None) -> None:
        """Outline the selected bodies, and faintly the hovered one."""
        if (selected, hovered) == (self._selected, self._hovered):
            return
        again = selected != self._selected
        self._selected, self._hovered = selected, hovered
        if self._table is not None:
            self._table.highlight(selected, hovered)
        self._outline(selection_too=again)

    def cast_shadow(self, *, late: bool = False) -> None:
        """Draw the soft shadow anew if the pose has changed; of poses that follow each other closely every second time,
        where it may be one picture `late`, which nobody sees."""
        if not self._shadow_is_old or self._table is None:
            return
        bounds = self.bounds()
        if late and self._shadow is not None and self._cast is not None and bounds is not None and not self._is_late:
            moved = np.subtract((bounds.lower, bounds.upper), (self._cast.lower, self._cast.upper))
            if np.abs(moved).max() < CLOSELY:
                self._is_late = True
                return
        self._shadow_is_old = self._is_late = False
        self._shadow, self._cast = self._shadow or ShadowVisual(), bounds
        self._shadow.cast(self._clay, self._forms, self._table, bounds)

    @property
    def overhang(self) -> Overhang | None:
        """Give what is above others, once the shadow is cast."""
        return None if self._shadow is None else self._shadow.overhang

    def bounds(self) -> Bounds | None:
        """Return the box about all bodies."""
        if self._bounds is None:
            self._bounds = (bounds_of(self._items, skins=self._surfaces),)
        return self._bounds[0]

    def draw_shadow(self, eye: Eye, look: Look) -> None:
        """Lay the shadow on the floor."""
        if self._shadow is not None:
            self._shadow.draw(eye, look)

    def draw(self, eye: Eye, look: Look, opacity: float = 1.0) -> None:
        """Draw all bodies, and the outlines of the selected and hovered ones."""
        if self._table is None:
            return
        hollow = None
        if self._skins is not None:
            self._skins.colour_by(look.field)
            hollow = self._skins.hollow if look.see_inside and opacity == 1.0 else None
        bounds = self.bounds() if eye.coarse > 0.0 else None
        coarse = 0.0 if bounds is None else eye.coarse * eye.pixel_at(bounds)
        for form in self._inner:
            if hollow is None or form is not self._skins:
                self._clay.draw(form, self._table, eye, look, opacity, coarse=coarse)
                if coarse > 0.0:  # its pixels are filled by other threads while this one works out the next triangles
                    flush()
            elif self._skins.solid is not None:
                self._clay.draw(form, self._table, eye, look, part=self._skins.solid)
        if hollow is not None and self._skins is not None:
            self._clay.draw_hollow(self._skins, self._table, eye, look, hollow)
        for form in self._inner if self._outlines or self._hover_outlines else ():
            if any(each.has_gaps for each in form.paints):
                self._clay.seal(form, self._table, eye, look)
        faint = _faint(look)
        if self._lines is not None:
            self._strokes.draw(self._lines, self._table, eye, look, faint, opacity)
        width = look.outline_width * eye.pixel_ratio
        if self._hovered not in self._selected:
            for form, part in self._hover_outlines:
                self._clay.draw_outline(form, self._table, part, eye, faint, width)
        for form, part in self._outlines:
            self._clay.draw_outline(form, self._table, part, eye, look.accent, width)
        if self._veil is not None:
            self._clay.draw_veil(self._veil, self._table, eye, look, opacity)

    @property
    def has_forms(self) -> bool:
        """True if something is drawn that is solid."""
        return bool(self._forms)

    @property
    def is_within_bounds(self) -> bool:
        """True if what is drawn ends where its bodies do: balls at joints and strokes are wider."""
        wider = self._bones is not None or self._lines is not None or self._muscles is not None
        return not wider and not (self._outlines or self._hover_outlines)

    def draw_far(self, clip_from_world: Array, coarse: float = 0.0) -> None:
        """Draw how far from a light all solid bodies are, without details that are smaller than so much [m]."""
        if self._table is not None:
            for form in self._inner:
                self._clay.draw_far(form, self._table, clip_from_world, coarse)

    def draw_faces(self, eye: Eye) -> None:
        """Draw where all that is solid faces, and how far along the view it is."""
        if self._table is not None:
            for form in self._inner:
                self._clay.draw_faces(form, self._table, eye)

    def draw_depths(self, eye: Eye) -> None:
        """Draw how far along the view all solid bodies are."""
        if self._table is not None:
            for form in self._forms:
                self._clay.draw_depths(form, self._table, eye)

    def codes(self, target: RenderTarget, clip_from_world: Array, camera: Camera) -> NDArray[np.int64]:
        """Draw all in codes (the first is 1) into a small picture and read it, row 0 the highest."""
        draw_into(target.handle, 0, 0, target.width, target.height)
        clear((0.0, 0.0, 0.0, 0.0))
        if self._table is not None:
            if self._veil is not None:  # what is seen through it is picked before it
                self._clay.draw_codes(self._veil, self._table, clip_from_world, 1 + self._table.count)
                clear_depth()
            for form in self._inner:
                first = 1 + (self._table.count if form is self._skins else 0)
                self._clay.draw_codes(form, self._table, clip_from_world, first)
            if self._lines is not None:
                size = (target.width, target.height)
                self._strokes.draw_codes(self._lines, self._table, clip_from_world, camera, size)
        codes: NDArray[np.int64] = target.read()[..., :3].astype(np.int64) @ np.array([1, 256, 65536])
        return codes

    def hit(self, code: int, origin: Array, direction: Array) -> tuple[Part, float]:
        """Return the body that a code stands for, and how far along a ray it is met [m]."""
        assert self._table is not None, "something was drawn"
        number = code - 1
        source: Form | Lines | None = self._skins
        if number >= self._table.count:
            number -= self._table.count
        else:
            source = self._drawn_as(number)
        assert source is not None, "it drew the code"
        body, along = source.hit(self._table, number, origin, direction)
        return self._table.name(body), along

    def _build(self, kinds: list[Display]) -> None:
        self._table = table = BodyTable([*self._items, *self._spindles])
        fleshy = list(zip(self._spindles, table.first[len(self._items) :], strict=False))
        self._muscles = SpindlesForm(fleshy) if fleshy else None
        numbered = list(zip(self._items, table.first, kinds, strict=False))
        meshes = [(item.mesh, first) for item, first, kind in numbered if kind == "mannequin"]
        bones = [(item, first) for item, first, kind in numbered if kind == "bones"]
        lines = [(item, first) for item, first, kind in numbered if kind == "lines"]
        begin = {item.owner: first for item, first, _ in numbered}
        self._meshes = Meshes(meshes) if meshes else None
        self._bones = Bones(bones) if bones else None
        self._skins = Skins([(each, begin[each.owner]) for each in self._surfaces]) if self._surfaces else None
        self._lines = Lines(lines) if lines else None

    def _filled_in(self, items: Sequence[Bodies], skins: Sequence[SkinSurface]) -> frozenset[str]:
        """Return the owners whose shapes fill their skins."""
        skin_of, found = {each.owner: each for each in skins}, set[str]()
        for item in items:
            skin = skin_of.get(item.owner)
            if skin is not None and len(item.mesh.triangles):
                pair = (item.mesh.digest, skin.topology)
                if pair not in self._filled:
                    self._filled[pair] = fills(item, skin)
                if self._filled[pair]:
                    found.add(item.owner)
        return frozenset(found)

    @property
    def _forms(self) -> list[Form]:
        every: tuple[Form | None, ...] = (self._muscles, self._meshes, self._bones, self._skins)
        return [form for form in every if form is not None]

    @property
    def _veil(self) -> Skins | None:
        """The skins, where what is below them is seen through them."""
        return self._skins if self.display == "translucent" else None

    @property
    def _inner(self) -> list[Form]:
        """All that is solid and hides what is behind it."""
        return [form for form in self._forms if form is not self._veil]

    def _drawn_as(self, number: int) -> Form | Lines | None:
        """Return the form that draws a body of the table; None for a skin."""
        assert self._table is not None, "something was drawn"
        place = int(np.searchsorted(self._table.first, number, side="right")) - 1
        if place >= len(self._kinds):
            return self._muscles
        kind = self._kinds[place]
        return {"mannequin": self._meshes, "bones": self._bones, "lines": self._lines}.get(kind)

    def _outline(self, *, selection_too: bool) -> None:
        self._hover_outlines = self._parts(frozenset([self._hovered] if self._hovered else []))
        if selection_too:
            self._outlines = self._parts(self._selected)

    def _parts(self, parts: frozenset[Part]) -> list[tuple[Form, Indices]]:
        numbers = self._table.numbers(parts) if self._table is not None else []
        found = ((form, form.indices_of(numbers)) for form in self._inner) if numbers else ()
        return [(form, indices) for form, indices in found if indices is not None]


def _faint(look: Look) -> str:
    mixed = [
        _HOVER_SHARE * a + (1 - _HOVER_SHARE) * b for a, b in zip(rgb(look.accent), rgb(look.view_top), strict=True)
    ]
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in mixed)
