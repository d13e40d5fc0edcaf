"""Writing FBX from figures, surfaces and motion: binary, version 7.4, centimetres, y up.

Each joint is a limb node at its offset, its rest orientation as pre-rotation; skins are clusters of a mesh that stands
where the scene does; motion is one take with linear keys in every frame, turns as x, y, z angles after the rest
orientation (R = Rz Ry Rx). Checked in the tests by two other programs' readers, ufbx and Assimp.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.document import Figure
from engine.formats.binary import write_bytes
from engine.formats.fbx_binary import CREATED, FILE_ID, VERSION, FbxNode, Long, Value, file_of
from engine.formats.fbx_written import FbxPaint, add_elements
from engine.formats.format import Contents, FileMesh, Options
from engine.formats.frames import frames_of
from engine.formats.gltf_write import omits as gltf_omits
from engine.formats.losses import colourings_of
from engine.formats.skins import dressed
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import euler_angles, rotation_matrix
from engine.runtime.errors import UnwritableFile

UNIT = 0.01  # [m] of the file

_SECOND = 46_186_158_000  # ticks of FBX
_MODES = {120: 1, 100: 2, 60: 3, 50: 4, 48: 5, 30: 6, 25: 10, 24: 11}
_CUSTOM, _LINEAR = 14, 4
_MOST_BYTES = 2**31


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write everything."""
    figure = contents.figure
    if (figure is None or not figure.joints) and not contents.surfaces:
        raise UnwritableFile(path=path, found="nothing to write", remedy="Choose a figure or a mesh.")
    scene = _Scene()
    if figure is not None:
        scene.add_figure(figure)
        if contents.layers:
            scene.add_motion(path, contents, options)
    for surface in dressed(contents):
        if len(surface.triangles):
            scene.add_surface(surface)
    data = file_of(scene.nodes())
    if len(data) > _MOST_BYTES:
        remedy = "Write a part of the motion, or at a lower rate."
        raise UnwritableFile(path=path, found=f"{len(data):,} bytes", remedy=remedy)
    write_bytes(path, data)


def omits(contents: Contents) -> tuple[str, ...]:
    """List what an FBX file cannot say of these contents."""
    moving = ["surfaces that bend or flow"] if any(each.frames is not None for each in contents.surfaces) else []
    return (*gltf_omits(contents), *moving, *_colour_losses(contents))


def _colour_losses(contents: Contents) -> list[str]:
    materials = [each for colouring in colourings_of(contents) for each in colouring.materials]
    lost = []
    if any(each.alpha == "mask" for each in materials):
        lost.append("masks of materials, written as opacity")
    if any(each.texture is not None and each.colour[:3] != (1.0, 1.0, 1.0) for each in materials):
        lost.append("colours that textures are multiplied by")
    if any(not each.two_sided for each in materials):
        lost.append("which side of a surface is seen")
    return lost


class _Scene:
    """Objects and what they hang on."""

    def __init__(self) -> None:
        self.objects, self.links = FbxNode("Objects"), FbxNode("Connections")
        self._figure: Figure | None = None
        self._models: dict[str, int] = {}  # of joints
        self._number = 1_000_000
        self._rate, self._span = 30.0, (0, 0)
        self._paint = FbxPaint(self._added, self._link)

    def nodes(self) -> list[FbxNode]:
        """The records of the file."""
        head = FbxNode("FBXHeaderExtension")
        head.add("FBXHeaderVersion", 1003)
        head.add("FBXVersion", VERSION)
        head.add("Creator", "Sinew")
        counts: dict[str, int] = {}
        for each in self.objects.children:
            counts[each.name] = counts.get(each.name, 0) + 1
        definitions = FbxNode("Definitions")
        definitions.add("Version", 100)
        definitions.add("Count", 1 + sum(counts.values()))
        for name, count in {"GlobalSettings": 1, **counts}.items():
            definitions.add("ObjectType", name).add("Count", count)
        documents = FbxNode("Documents")
        documents.add("Count", 1)
        documents.add("Document", Long(1), "Scene", "Scene").add("RootNode", Long(0))
        fixed = [FbxNode("FileId", (FILE_ID,)), FbxNode("CreationTime", (CREATED,)), FbxNode("Creator", ("Sinew",))]
        return [head, *fixed, self._settings(), documents, FbxNode("References"), definitions, self.objects,
                self.links, FbxNode("Takes")]  # fmt: skip

    def add_figure(self, figure: Figure) -> None:
        """Limb nodes, parents before children."""
        self._figure = figure
        for joint in figure.joints:
            attribute = self._add("NodeAttribute", "", "NodeAttribute", "LimbNode")
            attribute.add("TypeFlags", "Skeleton")
            model = self._add("Model", joint.name, "Model", "LimbNode")
            self._models[joint.id] = self._number
            model.add("Version", 232)
            properties = model.add("Properties70")
            _property(properties, "RotationActive", "bool", "", 1)
            _property(properties, "InheritType", "enum", "", 1)
            x, y, z = _angles(rotation_matrix(joint.rest)[None])[0].tolist()
            _property(properties, "PreRotation", "Vector3D", "Vector", x, y, z)
            x, y, z = (each / UNIT for each in joint.offset)
            _property(properties, "Lcl Translation", "Lcl Translation", "", x, y, z, flags="A")
            self._link(self._number - 1, self._number)
            self._link(self._number, 0 if joint.parent is None else self._models[joint.parent])

    def add_motion(self, path: Path, contents: Contents, options: Options) -> None:
        """One take with a key in every frame."""
        figure = self._figure
        assert figure is not None, "added before"
        frames = frames_of(path, figure, contents, options)
        self._rate = frames.rate[0] / frames.rate[1]
        first = round(max(frames.start, 0) / 705_600_000 * self._rate)
        times = np.rint((np.arange(len(frames.q)) + first) * (_SECOND / self._rate)).astype("<i8")
        self._span = (int(times[0]), int(times[-1]))
        name = next((layer.name for layer in contents.layers if not layer.mute), "") or "motion"
        stack = self._add("AnimationStack", name, "AnimStack", "")
        properties = stack.add("Properties70")
        for end, at in zip(("LocalStart", "LocalStop", "ReferenceStart", "ReferenceStop"), self._span * 2, strict=True):
            _property(properties, end, "KTime", "Time", Long(at))
        layer = self._number + 1
        self._add("AnimationLayer", "Base", "AnimLayer", "")
        self._link(layer, layer - 1)
        for joint in figure.joints:
            if not joint.dofs:
                continue
            columns = [figure.coordinate_index[coordinate] for dof in joint.dofs for coordinate in dof.coordinates]
            way, rotation = motion_of(joint, frames.q[:, columns], rest=True)
            model = self._models[joint.id]
            if any(dof.kind == "slide" for dof in joint.dofs):
                self._add_curves(layer, model, "T", "Lcl Translation", (way + np.array(joint.offset)) / UNIT, times)
            if any(dof.kind != "slide" for dof in joint.dofs):
                turned = _angles(rotation_matrix(joint.rest).T @ rotation)
                self._add_curves(layer, model, "R", "Lcl Rotation", turned, times)

    def add_surface(self, surface: FileMesh) -> None:
        """A mesh, with its skin if it hangs on joints."""
        geometry = self._add("Geometry", surface.name, "Geometry", "Mesh")
        number = self._number
        geometry.add("GeometryVersion", 124)
        geometry.add("Vertices", np.asarray(surface.positions / UNIT, "<f8").ravel())
        corners = surface.triangles.astype("<i4").copy()
        corners[:, 2] = -1 - corners[:, 2]
        geometry.add("PolygonVertexIndex", corners.ravel())
        kinds: list[str] = []
        if surface.normals is not None:
            element = geometry.add("LayerElementNormal", 0)
            element.add("Version", 101)
            element.add("Name", "")
            element.add("MappingInformationType", "ByPolygonVertex")
            element.add("ReferenceInformationType", "Direct")
            element.add("Normals", np.asarray(surface.normals[surface.triangles], "<f8").ravel())
            kinds.append("LayerElementNormal")
        if surface.colouring is not None:
            kinds += add_elements(geometry, surface.colouring)
        if kinds:
            layer = geometry.add("Layer", 0)
            layer.add("Version", 100)
            for kind in kinds:
                entry = layer.add("LayerElement")
                entry.add("Type", kind)
                entry.add("TypedIndex", 0)
        model = self._add("Model", surface.name, "Model", "Mesh")
        model.add("Version", 232)
        self._link(number, self._number)
        self._link(self._number, 0)
        if surface.colouring is not None:
            self._paint.hang(surface.colouring, self._number)
        if surface.weights is not None and surface.bind is not None and self._figure is not None:
            self._hang(surface, number)

    def _hang(self, surface: FileMesh, geometry: int) -> None:
        assert surface.weights is not None
        assert surface.bind is not None
        skin = self._add("Deformer", surface.name, "Deformer", "Skin")
        skin.add("Version", 101)
        number = self._number
        self._link(number, geometry)
        for place, joint in enumerate(surface.joints):
            shares = surface.weights[:, place]
            used = np.flatnonzero(shares > 0.0)
            if not len(used):
                continue
            cluster = self._add("Deformer", joint, "SubDeformer", "Cluster")
            cluster.add("Version", 100)
            cluster.add("Indexes", used.astype("<i4"))
            cluster.add("Weights", np.asarray(shares[used], "<f8"))
            bind = np.vstack((surface.bind[place], (0.0, 0.0, 0.0, 1.0)))
            bind[:3, 3] /= UNIT
            for name, matrix in (("Transform", bind), ("TransformLink", np.linalg.inv(bind))):
                cluster.add(name, np.asarray(matrix.T, "<f8").ravel())
            self._link(self._number, number)
            self._link(self._models[joint], self._number)

    def _add_curves(self, layer: int, model: int, letter: str, name: str, values: Array, times: Array) -> None:
        node = self._add("AnimationCurveNode", letter, "AnimCurveNode", "")
        number, properties = self._number, node.add("Properties70")
        for axis, value in zip("XYZ", values[0].tolist(), strict=True):
            _property(properties, f"d|{axis}", "Number", "", value, flags="A")
        self._link(number, layer)
        self._link(number, model, name)
        for place, axis in enumerate("XYZ"):
            curve = self._add("AnimationCurve", "", "AnimCurve", "")
            curve.add("Default", float(values[0, place]))
            curve.add("KeyVer", 4008)
            curve.add("KeyTime", times)
            curve.add("KeyValueFloat", values[:, place].astype("<f4"))
            curve.add("KeyAttrFlags", np.array([_LINEAR], "<i4"))
            curve.add("KeyAttrDataFloat", np.zeros(4, "<f4"))
            curve.add("KeyAttrRefCount", np.array([len(times)], "<i4"))
            self._link(self._number, number, f"d|{axis}")

    def _settings(self) -> FbxNode:
        settings = FbxNode("GlobalSettings")
        settings.add("Version", 1000)
        properties = settings.add("Properties70")
        for name, value in (("UpAxis", 1), ("UpAxisSign", 1), ("FrontAxis", 2), ("FrontAxisSign", 1), ("CoordAxis", 0),
                            ("CoordAxisSign", 1)):  # fmt: skip
            _property(properties, name, "int", "Integer", value)
        _property(properties, "UnitScaleFactor", "double", "Number", 100.0 * UNIT)
        mode = _MODES.get(round(self._rate), _CUSTOM) if abs(self._rate - round(self._rate)) < 1e-6 else _CUSTOM
        _property(properties, "TimeMode", "enum", "", mode)
        _property(properties, "CustomFrameRate", "double", "Number", self._rate)
        for name, at in zip(("TimeSpanStart", "TimeSpanStop"), self._span, strict=True):
            _property(properties, name, "KTime", "Time", Long(at))
        return settings

    def _add(self, kind: str, name: str, family: str, sort: str) -> FbxNode:
        self._number += 1
        return self.objects.add(kind, Long(self._number), f"{name}\x00\x01{family}", sort)

    def _added(self, kind: str, name: str, family: str, sort: str) -> tuple[FbxNode, int]:
        return self._add(kind, name, family, sort), self._number

    def _link(self, what: int, to: int, name: str = "") -> None:
        kind: tuple[Value, ...] = ("OP", Long(what), Long(to), name) if name else ("OO", Long(what), Long(to))
        self.links.add("C", *kind)


def _property(owner: FbxNode, name: str, kind: str, label: str, *values: Value, flags: str = "") -> None:
    owner.add("P", name, kind, label, flags, *values)


def _angles(rotations: Array) -> Array:
    """Angles about x, y, z [degree], the turn about x first, without leaps from frame to frame."""
    angles = euler_angles(rotations, (2, 1, 0))[:, ::-1]
    return np.degrees(np.unwrap(angles, axis=0))
