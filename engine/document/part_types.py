"""The table of parts: every class that may stand in a file, an explicit list, since files must never name code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.document.actor import Actor, Attachment, Placement
from engine.document.clip import Clip
from engine.document.correction import Bell, Correction, Term
from engine.document.document import Document
from engine.document.figure import Body, Dof, DrivenBy, Figure, Handle, Joint
from engine.document.limit import (
    BoxRange,
    ConeRange,
    Grid,
    GridRange,
    Limit,
    MeshRange,
    PolygonRange,
    SampledRange,
    Stroke,
)
from engine.document.lock import Lock
from engine.document.material import Colouring, Material, TextureImage
from engine.document.motion import Draft, Key, Layer, Samples, Span, SpeedRange, Track
from engine.document.parts import allow, system_parts
from engine.document.references import FixedCamera, Reference, Video
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.selection_sets import SelectionSet
from engine.document.shapes import Box, Capsule, Ellipsoid, Loft, Section, TriangleMesh
from engine.document.skin import Skin
from engine.document.sound import Sound
from engine.document.target import Target

_LISTED: tuple[type, ...] = (
    Document,
    Actor, Placement, Attachment,
    Lock,
    Clip,
    Bell, Correction, Term,
    Draft, Key, Layer, Samples, Span, SpeedRange, Track,
    Figure, Joint, Dof, DrivenBy, Body, Handle,
    BoxRange, ConeRange, Grid, GridRange, Limit, MeshRange,
    PolygonRange, SampledRange, Stroke,
    Colouring, Material, TextureImage,
    FixedCamera, Reference, Video,
    Gains, OwnGains, Secondary,
    SelectionSet,
    Box, Capsule, Ellipsoid, Loft, Section, TriangleMesh,
    Skin,
    Sound,
    Target,
)  # fmt: skip

allow(_LISTED)


class _Types(Mapping[str, type]):
    """Those classes by the names that files have; those of systems are loaded when none of the others is meant."""

    def __init__(self, listed: Iterable[type]) -> None:
        self._listed = {each.__name__: each for each in listed}

    def __getitem__(self, name: str) -> type:
        found = self._listed.get(name)
        return system_parts()[name] if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter((*self._listed, *system_parts()))

    def __len__(self) -> int:
        return len(self._listed) + len(system_parts())


PART_TYPES: Mapping[str, type] = _Types(_LISTED)
