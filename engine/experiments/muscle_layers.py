"""Si 2013, figure 3.2: the layers of a body, from bones over muscles and flesh to the skin, with what each is made of.

The source's four layers are (a) 103 bones with 163 articular degrees of freedom, (b) 823 muscles, (c) flesh as a
lattice of cubes that covers the body's volume, of which those at its boundary are filled in part, and (d) a skin that
is embedded in that lattice. Points of the bones' surfaces are embedded in it, too, and tied to it (3.2.2.3).

All four are of the skeleton that ships, with its skin.
"""

from __future__ import annotations

import numpy as np

from engine.document.shipped import load_skin
from engine.experiments.anatomy import anatomy, frames_in, mass_of, posed
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.experiments.shaded import Pixels, ShadedPart, png_link, shaded
from engine.experiments.svg import SvgDrawing
from engine.maths.arrays import Array, IntArray
from engine.model.driven_kernels import follow
from engine.model.inertia import body_of
from engine.model.kinematics import compute_forward_kinematics
from engine.model.meshes import build_mesh
from engine.model.skins import compile_skin
from engine.soft.closed_surfaces import close_surface, within_surface
from engine.soft.embedding import Embedding, embed, surface_facets
from engine.soft.lattice import fill_surface
from engine.soft.mesh import VolumeMesh

BONES, FREEDOMS, MUSCLES = 103, 163, 823  # of the source
ROOT = 6  # rates of the root, which are no articular ones
BONE, MUSCLE, FLESH, SKIN = (0.93, 0.9, 0.82), (0.72, 0.2, 0.17), (0.88, 0.55, 0.45), (0.87, 0.7, 0.6)
APART = {"humerus.abduction": 35.0, "femur.abduction": 8.0}  # limbs closer than a cube grow together
HIGH, HIGH_QUICK = 560, 120  # pixels of a picture
HEIGHT = 310.0  # [px] as it is shown
_EDGE = 0.055
_ASIDE = 0.45  # [rad] from which it is seen
_TURN = np.array(((np.cos(_ASIDE), 0.0, -np.sin(_ASIDE)), (0.0, 1.0, 0.0), (np.sin(_ASIDE), 0.0, np.cos(_ASIDE))))


def run(settings: Settings) -> Result:
    """Make the layers, and measure them."""
    muscled = anatomy()
    figure, q, high = muscled.model.figure, posed(APART), HIGH_QUICK if settings.quick else HIGH
    positions, triangles = _skin(q)
    mesh = fill_surface(positions, triangles, along=18 if settings.quick else 40, mend=True, name="the skin").mesh
    bones, bone_faces = _bones(q)
    embedded, tied = embed(mesh, positions), embed(mesh, bones[:: 7 if settings.quick else 1])
    inside = _bones_inside(q, positions, triangles)
    mass, _, _ = mass_of(figure.joints, frames_in(q))
    volumes = {"lattice": float(mesh.volumes.sum()), "skin": _volume(positions, triangles)}
    counts = {
        "bones": len(figure.joints),
        "articular degrees of freedom": sum(not dof.driven for dof in figure.dofs) - ROOT,
        "muscles": len(muscled.muscles.muscles),
        "points of paths": sum(len(each.points) for each in muscled.muscles.muscles),
        "cubes": len(mesh.cells),
        "points of the lattice": len(mesh.points),
        "vertices of the skin": len(positions),
        "points of bones tied to cubes": len(tied.cells),
        "cubes with bone in them": len(np.unique(tied.cells[tied.outside <= 0.0])),
        "bones whose middle is inside the skin": inside,
    }
    measures = {
        "mass of all segments [kg]": mass,
        "volume of the cubes [l]": 1e3 * volumes["lattice"],
        "volume of the skin [l]": 1e3 * volumes["skin"],
    }
    table = Table(name="layers", columns=("what", "number"), rows=tuple({**counts, **measures}.items()))
    return Result(
        title="The layers of a body (Si 2013, figure 3.2)",
        tables=(table,),
        pictures=(ResultPlot(name="layers", svg=_picture(q, (bones, bone_faces), mesh, (positions, triangles), high)),),
        claims=_claims(counts, volumes, mesh, positions, embedded),
    )


def _skin(q: Array) -> tuple[Array, IntArray]:
    """The skin about the skeleton in a pose: vertices [m], and triangles."""
    model, skin = anatomy().model, load_skin("anatomy")
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, follow(model.driven, q), state)
    return compile_skin(skin, model.figure).surface(state)[0].astype(np.float64), np.asarray(skin.triangles.array)


def _bones(q: Array) -> tuple[Array, IntArray]:
    """Vertices of all bones [m], and their triangles."""
    figure = anatomy().model.figure
    mesh, frames = build_mesh([joint.shapes for joint in figure.joints]), frames_in(q)
    own = frames[mesh.body]
    turned = np.einsum("vab,vb->va", own[:, :9].reshape(-1, 3, 3), mesh.positions.astype(np.float64))
    return turned + own[:, 9:], mesh.triangles.astype(np.int32)


def _bones_inside(q: Array, positions: Array, triangles: IntArray) -> int:
    """How many bodies have their centre within the skin."""
    figure = anatomy().model.figure
    frames = frames_in(q)
    centres = np.array([body_of(joint).centre for joint in figure.joints])
    at = np.einsum("jab,jb->ja", frames[:, :9].reshape(-1, 3, 3), centres) + frames[:, 9:]
    return int(within_surface(close_surface(positions, triangles, mend=True, name="the skin"), at).sum())


def _volume(positions: Array, triangles: IntArray) -> float:
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    return float(np.einsum("ta,ta->", a, np.cross(b, c))) / 6.0


def _picture(q: Array, bones: tuple[Array, IntArray], mesh: VolumeMesh, skin: tuple[Array, IntArray], high: int) -> str:
    """The four layers beside each other."""
    muscled, (positions, triangles) = anatomy(), skin
    spindles = muscled.spindles(q)[0].astype(np.float64)[muscled.triangles]
    bare, seen = ShadedPart(bones[0][bones[1]] @ _TURN.T, BONE), positions @ _TURN.T
    facets, _ = surface_facets(mesh)
    facets[1::2] = facets[1::2][:, [1, 2, 0]]  # so that the diagonal of a square is its second side in both halves
    layers = {
        "(a) skeleton": [bare],
        "(b) muscles": [bare, ShadedPart(spindles @ _TURN.T, MUSCLE)],
        "(c) flesh, as cubes": [ShadedPart(mesh.points[facets] @ _TURN.T, FLESH, edges=_EDGE)],
        "(d) skin embedded in it": [ShadedPart(seen[triangles], SKIN)],
    }
    low, upper = seen.min(axis=0), seen.max(axis=0)
    low, upper = low - 0.04, upper + 0.04
    pictures: dict[str, Pixels] = {name: shaded(parts, low[:2], upper[:2], high) for name, parts in layers.items()}
    wide = HEIGHT * next(iter(pictures.values())).shape[1] / high
    drawing = SvgDrawing(20.0 + len(pictures) * wide, HEIGHT + 70.0, "Layers of a body")
    drawing.text((16.0, 22.0), "Layers of a body, after Si 2013, figure 3.2", bold=True)
    for place, (name, pixels) in enumerate(pictures.items()):
        left = 10.0 + place * wide
        drawing.image((left, 34.0), (wide, HEIGHT), png_link(pixels))
        drawing.text((left + 0.5 * wide, HEIGHT + 54.0), name, anchor="middle")
    return drawing.finish()


def _claims(
    counts: dict[str, int], volumes: dict[str, float], mesh: VolumeMesh, positions: Array, embedded: Embedding
) -> tuple[Claim, ...]:
    bent = np.array([[1.0, 0.2, 0.0], [-0.1, 1.1, 0.05], [0.0, 0.1, 0.9]])
    carried = embedded.weights.carried(mesh.points @ bent.T)
    off = float(np.abs(carried - positions @ bent.T).max())
    inside = counts["bones whose middle is inside the skin"]
    more = volumes["lattice"] / volumes["skin"] - 1.0
    return (
        Claim(
            source="(a) 103 rigid bones with 163 articular degrees of freedom",
            ours=f"{counts['bones']} and {counts['articular degrees of freedom']}, besides the root's {ROOT}",
            agrees=counts["bones"] == BONES and counts["articular degrees of freedom"] == FREEDOMS,
        ),
        Claim(
            source="(b) 823 muscles as piecewise lines",
            ours=f"{counts['muscles']}, of {counts['points of paths'] / counts['muscles']:.1f} points on average",
            agrees=counts["muscles"] == MUSCLES,
        ),
        Claim(
            source="(c) a lattice approximates the flesh by cubes, those at its boundary filled in part",
            ours=f"{counts['cubes']:,} cubes have {100.0 * more:.0f}% more volume than the skin encloses",
            agrees=more > 0.0,
        ),
        Claim(
            source="(d) the skin is embedded in the lattice",
            ours=f"{counts['vertices of the skin']:,} vertices, all in cubes; a lattice that is bent evenly carries "
            f"them to {off:.0e} m",
            agrees=bool((embedded.outside <= 0.0).all()) and off < 1e-9,
        ),
        Claim(
            source="these are layers of one body, bones within its skin",
            ours=f"{inside} of {counts['bones']} bones have their middle inside",
            agrees=inside == counts["bones"],
        ),
    )
