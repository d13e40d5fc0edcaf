"""OpenGL's objects are vispy's gloo's: made at once, given back by themselves, each in the context that it is of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.gl import (
    Indices,
    Program,
    RenderTarget,
    Texture,
    Unusable,
    Vertices,
    check,
    clear,
    draw_into,
    gl,
    mode,
    quad,
)
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from tests.app.scene.mannequins import crowd, snowman

pytestmark = pytest.mark.gui

VERTEX = "attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }"
PLAIN = "uniform vec3 colour; void main() { gl_FragColor = vec4(colour, 1.0); }"
SAMPLED = "uniform sampler2D picture; void main() { gl_FragColor = texture2D(picture, vec2(0.5)); }"
MOST = 4000  # handles are counted up from 1


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


def alive() -> dict[str, int]:
    """How many objects of each kind OpenGL holds."""
    kinds = ("Buffer", "Texture", "Program", "Framebuffer", "Renderbuffer")
    return {kind: sum(bool(getattr(gl, f"glIs{kind}")(each)) for each in range(1, MOST)) for kind in kinds}


def drawn(program: Program, target: RenderTarget) -> list[int]:
    """The colour that a program gives a whole target."""
    draw_into(target.handle, 0, 0, target.width, target.height)
    clear((0.0, 0.0, 0.0, 0.0))
    mode()
    program.draw(quad(), mode="triangle_strip")
    check()
    found = target.read()
    assert (found == found[0, 0]).all(), "one colour"
    return [int(channel) for channel in found[0, 0, :3]]


def test_a_shader_that_does_not_compile_is_told_at_once_and_blames_nothing_else(surface: OffscreenSurface) -> None:
    with surface.current():
        with pytest.raises(Unusable, match=r"(?s)a shader program cannot be made.*nonsense"):
            Program(VERTEX, "void main() { nonsense; }")
        program = Program(VERTEX, PLAIN)
        program.use(colour=(1.0, 0.0, 0.0))
        assert drawn(program, RenderTarget(4, 4)) == [255, 0, 0]


def test_a_target_that_is_too_large_is_told_at_once_and_blames_nothing_else(surface: OffscreenSurface) -> None:
    with surface.current():
        with pytest.raises(Unusable, match="1000000 x 4 pixels"):
            RenderTarget(1_000_000, 4)
        program = Program(VERTEX, PLAIN)
        program.use(colour=(1.0, 0.0, 0.0))
        assert drawn(program, RenderTarget(4, 4)) == [255, 0, 0]


def test_a_uniform_stays_until_it_is_another(surface: OffscreenSurface) -> None:
    with surface.current():
        target, program = RenderTarget(4, 4), Program(VERTEX, PLAIN)
        colour = np.array([1.0, 0.0, 0.0])
        program.use(colour=colour)
        assert drawn(program, target) == drawn(program, target) == [255, 0, 0]
        colour[:] = (0.0, 1.0, 0.0)  # the same array with other numbers
        program.use(colour=colour)
        assert drawn(program, target) == [0, 255, 0]
        program.use(colour=(0.0, 0.0, 1.0))
        assert drawn(program, target) == [0, 0, 255]


def test_a_texture_holds_what_was_written_whatever_becomes_of_the_array(surface: OffscreenSurface) -> None:
    with surface.current():
        target, program, texture = RenderTarget(4, 4), Program(VERTEX, SAMPLED), Texture(1, 1)
        data = np.full((1, 1, 4), 200, dtype=np.uint8)
        texture.write(data)
        data[:] = 0
        program.use(picture=texture)
        assert drawn(program, target) == [200, 200, 200]
        texture.write(data)
        assert drawn(program, target) == [0, 0, 0]


def test_rows_that_are_no_whole_records_are_refused(surface: OffscreenSurface) -> None:
    with surface.current(), pytest.raises(ValueError, match=r"reshape|size"):
        Vertices(np.zeros((3, 4), dtype=np.float32), (("corner", 2),))


def test_what_nobody_holds_is_given_back(surface: OffscreenSurface) -> None:
    with surface.current():
        before = alive()
        kept = [
            *(Program(VERTEX, PLAIN), quad(), Indices(np.arange(3, dtype=np.uint32))),
            *(Texture(2, 2), RenderTarget(2, 2)),
        ]
        held = alive()
        assert {kind: held[kind] - before[kind] for kind in held} == {
            "Buffer": 2, "Texture": 2, "Program": 1, "Framebuffer": 1, "Renderbuffer": 1,
        }  # fmt: skip
        kept.clear()
    with surface.current():
        assert alive() == before


def test_pictures_of_ever_other_bodies_hold_no_more_objects_than_the_first(surface: OffscreenSurface) -> None:
    shot = Shot(64, 64, {0: Pane(0, 0, 64, 64)}, (Camera(),), ("mannequin",), 1.0)
    others = (Shot(64, 64, {0: Pane(0, 0, 64, 64)}, (Camera(),), (display,), 1.0) for display in ("bones", "lines") * 4)

    def draw(count: int, seen: Shot) -> dict[str, int]:
        picture.set_items([crowd(count, 4), snowman()], [])
        picture.highlight(frozenset([("snowman", "low")]), ("snowman", "high"))
        picture.draw(target.handle, seen, Look())
        check()
        return alive()

    with surface.current():
        picture, target = Picture(), RenderTarget(64, 64)
        for seen in (*others, shot):  # all programs are made
            draw(3, seen)
        first = draw(4, shot)
        for count in range(5, 15):
            assert draw(count, shot) == first


def test_what_was_made_in_a_lost_context_troubles_no_other(qapp: object) -> None:
    lost, other = QtSurface(), QtSurface()
    with lost.current():
        left = [Program(VERTEX, PLAIN), quad(), RenderTarget(2, 2)]
    lost.close()
    with other.current():
        program, target = Program(VERTEX, PLAIN), RenderTarget(4, 4)
        program.use(colour=(0.0, 1.0, 0.0))
        drawn(program, target)
        before = alive()
        left.clear()
        del lost
        assert drawn(program, target) == [0, 255, 0]
        assert alive() == before
    other.close()


def test_two_contexts_take_turns(qapp: object) -> None:
    surfaces = QtSurface(), QtSurface()
    made = []
    for surface, colour in zip(surfaces, ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), strict=True):
        with surface.current():
            program = Program(VERTEX, PLAIN)
            program.use(colour=colour)
            made.append((program, RenderTarget(4, 4)))
    for _ in range(2):
        for surface, things, wanted in zip(surfaces, made, ([255, 0, 0], [0, 0, 255]), strict=True):
            with surface.current():
                assert drawn(*things) == wanted
    for surface in surfaces:
        surface.close()


def test_a_target_that_was_just_made_is_not_bound(surface: OffscreenSurface) -> None:
    """Another one may get its number once it is gone, and gloo would take that to be bound already."""
    with surface.current():
        made = RenderTarget(8, 8)
        assert gl.glGetParameter(gl.GL_FRAMEBUFFER_BINDING) != made.handle
