"""Clay: how solid forms are drawn: in their light, as the outline of a selection, in codes for picking, from above.

Light is a warm key, a hemisphere of cool sky over warm ground, a fill and a soft rim (`app.scene.light`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Literal

from app.scene.camera import Array
from app.scene.colour_map import STEPS, colour_rows
from app.scene.gl import Indices, Program, Texture, mode
from app.scene.look import Look, luminance, rgb
from app.scene.visuals.clay_light import LIT, LIT_CORNERS, PAINTED, QUICKLY_SHADED, SHADED, Pair, needed
from app.scene.visuals.eye import Eye
from app.scene.visuals.form import DrawnTriangles, Form
from app.scene.visuals.paints import CardPictures, Paint
from app.scene.visuals.shading import FACES
from app.scene.visuals.table import BodyTable

# [m] by which an outline stands back, so that it does not cut through a body that touches the outlined one.
BEHIND = 0.012
COVER_DETAIL = 0.024  # [m] that is seen in the blurred picture from above
SOLID = 0.95  # opacity from which on something hides what is behind it
HOLLOW = 0.34  # opacity of a surface through which its inside is seen
VEIL, VEIL_RIM = 0.26, 0.55  # opacity of a skin over bones, and by how much that grows towards its edge

_HULL = (
    """
uniform vec2 width;
uniform vec4 eye;
uniform float behind;
void main() {
    find();
    vec3 towards_eye = normalize(eye.xyz - eye.w * at);
    vec4 place = clip_from_world * vec4(at - behind * towards_eye, 1.0);
    vec2 swell = (clip_from_world * vec4(away, 0.0)).xy / width;
    place.xy += normalize(swell + vec2(1e-12)) * width * place.w;
    gl_Position = flags.y > 0.5 ? place : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    "uniform vec3 colour; void main() { gl_FragColor = vec4(colour, 1.0); }",
)

_NOTHING = (
    "void main() { find(); gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0); }",
    "void main() { gl_FragColor = vec4(0.0); }",
)

_CODES = (
    """
uniform float first;
varying vec3 number;
void main() {
    find();
    float n = floor(code + first + 0.5);
    number = vec3(mod(n, 256.0), mod(floor(n / 256.0), 256.0), floor(n / 65536.0)) / 255.0;
    gl_Position = flags.y > 0.5 && flags.w < 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    "varying vec3 number; void main() { gl_FragColor = vec4(number, 1.0); }",
)

_COVER = (
    """
varying float height;
void main() {
    find();
    height = at.y;
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
uniform vec2 heights;
varying float height;
void main() {
    float above = max(height, 0.0);
    gl_FragColor = vec4(exp(-above * 9.0), exp(-above * 0.7), clamp((height - heights.x) / heights.y, 0.0, 1.0), 1.0);
}
""",
)

_DEPTHS = (
    """
uniform vec4 along;
varying float share;
void main() {
    find();
    share = dot(at, along.xyz) + along.w;
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    "varying float share; void main() { gl_FragColor = vec4(clamp(share, 0.0, 1.0), 0.0, 0.0, 1.0); }",
)


_FAR = (
    """
varying float depth;
void main() {
    find();
    vec4 place = clip_from_world * vec4(at, 1.0);
    depth = 0.5 + 0.5 * place.z;
    gl_Position = flags.y > 0.5 ? place : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
varying float depth;
void main() {
    vec3 digits = fract(clamp(depth, 0.0, 0.99999) * vec3(1.0, 255.0, 65025.0));
    gl_FragColor = vec4(digits.x - digits.y / 255.0, digits.y - digits.z / 255.0, digits.z, 1.0);
}
""",
)


class ClayVisual:
    """Draws forms. The programs of a kind of form are made when its first is drawn."""

    def __init__(self) -> None:
        self._program = cache(lambda head, parts: Program(head + parts[0], parts[1]))
        self._colours: Texture | None = None
        self.pictures = CardPictures()

    def draw(
        self,
        form: Form,
        table: BodyTable,
        eye: Eye,
        look: Look,
        opacity: float = 1.0,
        *,
        part: Indices | None = None,
        coarse: float = 0.0,
    ) -> None:
        """Draw the bodies in their light, all or some triangles: what is hollow is left out then; without details that
        are smaller than `coarse` [m]."""
        if form.paints:
            self._draw_paints(form, table, eye, look, opacity, solid=part is not None)
            return
        mode(depth=True, write_depth=True, blend="over" if opacity < 1 else None, cull=form.cull)
        drawn = form.afar(coarse) if part is None else form
        # A fragment shader runs for all the squares of 4 x 4 pixels that a triangle touches: dear where they are small.
        pair = LIT if drawn is form else LIT_CORNERS
        drawn.draw(self._lit(drawn, table, eye, look, opacity, two_sided=form.cull is None, pair=pair), part)

    def _draw_paints(self, form: Form, table: BodyTable, eye: Eye, look: Look, opacity: float, *, solid: bool) -> None:
        """Draw the parts of a form with their materials; of what is seen through, what is as good as opaque first."""
        for paint in form.paints:
            if solid and paint.hollow:
                continue
            cull, picture = paint.cull(form.cull), self.pictures.of(paint)
            for least, most, through in _passes(paint):
                blend = "over" if opacity < 1 or through else None
                mode(depth=True, write_depth=not through, blend=blend, cull=cull)
                program = self._lit(form, table, eye, look, opacity, two_sided=cull is None, pair=PAINTED)
                assert self._colours is not None, "lit"
                program.use(picture=picture or self._colours, laid=float(picture is not None))
                program.use(bounds=(least, most), through=float(through))
                form.draw(program, paint.part)

    def draw_hollow(self, form: Form, table: BodyTable, eye: Eye, look: Look, part: Indices) -> None:
        """Draw some triangles so that what is inside is seen through them: those behind, those in front, then none, for
        outlines to stand behind."""
        for cull, opacity, rim in (("front", 0.6 * HOLLOW, 0.0), ("back", HOLLOW, 0.6), ("back", 0.0, 0.0)):
            mode(depth=True, write_depth=opacity == 0.0, blend="over", cull=cull)
            form.draw(self._lit(form, table, eye, look, opacity, two_sided=True, rim=rim), part)

    def draw_veil(self, form: Form, table: BodyTable, eye: Eye, look: Look, opacity: float = 1.0) -> None:
        """Draw a surface over all that is inside of it, the nearest of its layers alone: first how far away that is,
        then its colour, once. It casts no shadow on what is inside, and has none."""
        bare = replace(eye, shade=None)
        mode(depth=True, write_depth=True, blend="over", cull=form.cull)
        program = self._program(form.HEAD, _NOTHING)
        program.use(clip_from_world=eye.matrix)
        table.use(program)
        form.draw(program)
        mode(depth=True, blend="over", cull=form.cull)
        form.draw(self._lit(form, table, bare, look, opacity * VEIL, two_sided=form.cull is None, rim=VEIL_RIM))

    def seal(self, form: Form, table: BodyTable, eye: Eye, look: Look) -> None:
        """Let holes of masks and glass hide what is drawn from now on, as outlines that stand behind them."""
        mode(depth=True, write_depth=True, blend="over")
        form.draw(self._lit(form, table, eye, look, 0.0, two_sided=True))

    def _lit(
        self,
        form: DrawnTriangles,
        table: BodyTable,
        eye: Eye,
        look: Look,
        opacity: float,
        *,
        two_sided: bool,
        rim: float = 0.0,
        pair: Pair = LIT,
    ) -> Program:
        """Return the program for a kind of form, in its lights, without what nothing that is drawn asks for."""
        if self._colours is None:
            self._colours = Texture(STEPS, 2, smooth=True)
            self._colours.write(colour_rows())
        light = eye.lit_by
        asked = {"finished": table.is_finished, "shines": table.shines, "mapped": form.is_mapped}
        program = self._program(form.HEAD, needed(_pair(eye, pair), **asked))
        program.use(
            clip_from_world=eye.matrix,
            eye=eye.place,
            key_direction=light.key,
            fill_direction=light.fill,
            rim_direction=light.rim,
            strengths=(light.key_strength, light.fill_strength, light.rim_strength, light.sky_strength),
            skin=_linear(look.skin),
            accent=_linear(look.accent),
            key_light=_linear(look.key_light),
            sky_light=_linear(look.sky_light),
            ground_light=_linear(look.ground_light),
            opacity=opacity,
            # Bright surroundings send more light back.
            ambient=0.32 + 0.3 * luminance(look.view_bottom),
            two_sided=float(two_sided),
            rim=rim,
            colours=self._colours,
        )
        if eye.shade is not None:
            program.use(**eye.shade.of_forms(eye))
        form.aim(program, eye.matrix)
        table.use(program)
        return program

    def draw_outline(self, form: Form, table: BodyTable, part: Indices, eye: Eye, colour: str, width: float) -> None:
        """Draw a hull about some bodies, `width` physical pixels wide, behind what it surrounds."""
        mode(depth=True, write_depth=True, cull="front" if form.cull else None)
        program = self._program(form.HEAD, _HULL)
        program.use(
            clip_from_world=eye.matrix,
            eye=eye.place,
            behind=BEHIND,
            colour=rgb(colour),
            width=(2 * width / eye.size[0], 2 * width / eye.size[1]),
        )
        table.use(program)
        form.draw(program, part)

    def draw_codes(self, form: Form, table: BodyTable, clip_from_world: Array, first: int) -> None:
        """Draw each thing's code plus `first` as a colour."""
        mode(depth=True, write_depth=True, cull=form.cull)
        program = self._program(form.HEAD, _CODES)
        program.use(clip_from_world=clip_from_world, first=float(first))
        table.use(program)
        form.draw_codes(program)

    def draw_depths(self, form: Form, table: BodyTable, eye: Eye) -> None:
        """Draw how far along the view each pixel is, from the near plane, 0, to the far one, 1."""
        mode(depth=True, write_depth=True, cull=form.cull)
        program = self._program(form.HEAD, _DEPTHS)
        program.use(clip_from_world=eye.matrix, along=eye.along)
        table.use(program)
        form.draw(program)

    def draw_faces(self, form: Form, table: BodyTable, eye: Eye) -> None:
        """Draw where each pixel faces, and how far along the view it is; what is seen through is left out."""
        program = self._program(form.HEAD, FACES)
        program.use(clip_from_world=eye.matrix, along=eye.along)
        table.use(program)
        for cull, part in _solid_parts(form):
            mode(depth=True, write_depth=True, cull=cull)
            program.use(two_sided=float(cull is None))
            form.draw(program, part)

    def draw_far(self, form: Form, table: BodyTable, clip_from_world: Array, coarse: float = 0.0) -> None:
        """Draw how far from a light each pixel is, in three digits; what is seen through casts no shadow."""
        drawn = form.afar(coarse)
        program = self._program(drawn.HEAD, _FAR)
        program.use(clip_from_world=clip_from_world)
        drawn.aim(program, clip_from_world)
        table.use(program)
        for cull, part in _solid_parts(drawn):
            mode(depth=True, write_depth=True, cull=cull)
            drawn.draw(program, part or drawn.outlining)

    def draw_cover(self, form: Form, table: BodyTable, clip_from_world: Array, heights: tuple[float, float]) -> None:
        """Draw how near to the floor each pixel is covered, and how high, from `heights[0]` by `heights[1]`; the
        greater of two values stays."""
        drawn = form.afar(COVER_DETAIL)
        mode(blend="most", cull=drawn.cull)
        program = self._program(drawn.HEAD, _COVER)
        program.use(clip_from_world=clip_from_world, heights=heights)
        drawn.aim(program, clip_from_world)
        table.use(program)
        drawn.draw(program, drawn.casting)


def _pair(eye: Eye, pair: Pair) -> Pair:
    """Return the shaders for a view: with shadows, where there are any."""
    if eye.shade is None:
        return pair
    return QUICKLY_SHADED[pair] if eye.shade.quick else SHADED[pair]


def _solid_parts(form: DrawnTriangles) -> list[tuple[Literal["back"] | None, Indices | None]]:
    """List the parts through which nothing is seen, each with the faces that are left out; None: all of the form."""
    if not any(each.has_gaps for each in form.paints):
        return [(form.cull, None)]
    return [(each.cull(form.cull), each.part) for each in form.paints if not each.blends]


def _passes(paint: Paint) -> tuple[tuple[float, float, bool], ...]:
    """From which opacity up to which a paint is drawn, and whether what is behind is seen through it."""
    if paint.material is None or paint.material.alpha == "opaque":
        return ((-1.0, 2.0, False),)
    if paint.material.alpha == "mask":
        return ((paint.material.cutoff, 2.0, False),)
    return (SOLID, 2.0, False), (1e-3, SOLID, True)


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return red * red, green * green, blue * blue
