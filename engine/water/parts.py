"""A tank of water of an actor, as a part of a document.

An actor with a `WaterTank` is a prop without shapes: its joint says where the middle of the tank's floor stands. The
tank is not turned with it. Lengths are metres; heights are above the tank's floor.
"""

from __future__ import annotations

import math
from typing import Any

from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.document.values import Vector3, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

FEWEST_CELLS = 3  # along each side
BYTES_PER_CELL = 420  # of fields, work memory and particles, measured over tanks a third full
MOST_BYTES = 6 * 2**30
LEAST_SIDE, MOST_SIDE = 0.05, 100.0  # [m]
AXES = ("wide", "high", "deep")
HEIGHT_FIELD = "height_field"  # the surface that is a height above each column of the floor


@dataclass(frozen=True, kw_only=True)
class WaterTank(Part):
    """A box with water in it: its grid, the water's first shape, what moves it, how it is computed and what is seen."""

    size: Vector3 = (1.6, 1.2, 1.2)  # [m] along x, y and z
    planar: bool = option(
        False,
        label="Planar",
        note="One cell deep: all flows along x and y, as in a plane, and bodies that cross the plane are prisms to it. "
        "Its depth is that with which it is drawn, and for which it is measured.",
    )
    resolution: float = option(
        20.0,
        label="Resolution",
        unit="cells/m",
        least=1.0,
        most=400.0,
        note="Cells of the grid in a metre. Twice as many take eight times the memory and sixteen times as long.",
    )
    begins: str = option(
        "still",
        label="Begins as",
        choices=("still", "dam", "drop", "wave"),
        labels=("Still water", "A dam that breaks", "A drop that falls", "A standing wave"),
        note="The water's shape at the start.",
    )
    level: float = option(
        0.5, label="Level", unit="m", least=0.0, most=MOST_SIDE, note="Height of still water above the tank's floor."
    )
    block_length: float = option(
        0.5, label="Length of the dam", unit="m", least=0.0, most=MOST_SIDE, note="From the left wall, along x."
    )
    block_height: float = option(
        0.8, label="Height of the dam", unit="m", least=0.0, most=MOST_SIDE, note="From the tank's floor."
    )
    drop_radius: float = option(0.15, label="Radius of the drop", unit="m", least=0.0, most=MOST_SIDE)
    drop_height: float = option(
        0.8, label="Height of the drop", unit="m", least=0.0, most=MOST_SIDE, note="Of its middle, above the floor."
    )
    wave_height: float = option(
        0.1, label="Height of the wave", unit="m", least=0.0, most=MOST_SIDE, note="From trough to crest."
    )
    wave_length: float = option(
        1.6, label="Length of the wave", unit="m", least=0.05, most=MOST_SIDE, note="From crest to crest, along x."
    )
    stroke: float = option(
        0.0,
        label="Stroke of the wave maker",
        unit="m",
        least=0.0,
        most=5.0,
        note="How far a paddle near the left wall swings to and fro: x = s/2 (1 - cos(2 pi t / T)). 0: there is none.",
    )
    period: float = option(1.2, label="Period of the wave maker", unit="s", least=0.1, most=60.0)
    current: float = option(
        0.0,
        label="Current",
        unit="m/s",
        least=-10.0,
        most=10.0,
        note="Flow along x with which the water begins, and which comes and goes where the ends are open.",
    )
    ends: str = option(
        "closed",
        label="Ends",
        choices=("closed", "open"),
        labels=("Closed by walls", "Open along x"),
        note="Open ends let the current in at one and out at the other. There the water is led back to the current and "
        "to its level, and waves that arrive die down.",
    )
    density: float = option(1000.0, label="Density", unit="kg/m3", least=1.0, most=20_000.0, note="Sea water is 1025.")
    viscosity: float = option(
        0.001,
        label="Viscosity",
        unit="Pa s",
        least=0.0,
        most=1000.0,
        note="Water 0.001, oil 0.1, honey 10; solved implicitly, so that any is stable.",
    )
    advection: str = option(
        "maccormack",
        label="Advection",
        choices=("maccormack", "semi-lagrangian"),
        labels=("MacCormack", "Semi-Lagrangian"),
        note="How the flow carries itself along. MacCormack keeps whirls; semi-Lagrangian smooths them away.",
    )
    surface: str = option(
        "particle_level_set",
        label="Surface",
        choices=("particle_level_set", "level_set", "flip", "apic", HEIGHT_FIELD),
        labels=(
            "Particle level set",
            "Level set alone",
            "FLIP particles",
            "APIC particles",
            "Height field, for ponds",
        ),
        note="What follows the surface. Particles on both sides mend what a level set alone would lose (Enright 2002). "
        "FLIP and APIC carry the velocity by particles, too, and splash more. A height field is for ponds: fast, of "
        "waves longer than some ten depths, du/dt = -g d(eta)/dx.",
    )
    spray: bool = option(True, label="Spray", note="Particles that are lost in the air go on as drops.")
    keep_volume: bool = option(
        True, label="Keep the volume", note="Puts back what the surface has lost; what it would lose is shown without."
    )
    touches: bool = option(
        True, label="Bodies in it", note="Whether actors with shapes and soft bodies push the water."
    )
    coupling: str = option(
        "strong",
        label="Coupling",
        choices=("strong", "interleaved", "interleaved_velocities"),
        labels=("Strong (Batty 2007)", "Interleaved, by pressure", "Interleaved, by velocities (Si 2013)"),
        note="How bodies and water push each other. Strong: bodies give way while the pressure is solved for, which "
        "floats any. Interleaved pressure flies apart for bodies lighter than the water that goes along with them.",
    )
    step: float = option(
        1.0 / 24.0,
        label="Time step",
        unit="s",
        least=5e-4,
        most=0.05,
        note="The longest step; a frame is divided into equal steps, and these further where the flow is fast.",
    )
    start: int = 0  # [ticks] from when on it moves
    slice: str = option(
        "none",
        label="Slice",
        choices=("none", "speed", "pressure"),
        labels=("None", "Speed", "Pressure"),
        note="A plane across the tank that shows a quantity.",
    )
    slice_place: float = option(
        0.5, label="Place of the slice", unit="share", least=0.0, most=1.0, note="From the back wall to the front one."
    )
    arrows: bool = option(
        False, label="Arrows of velocity", note="In the plane of the slice: a metre a second is 10 cm."
    )
    shown: str = option(
        "pseudo",
        label="Shown",
        choices=("pseudo", "raw", "both"),
        labels=("Closed about bodies", "Cut out by bodies", "Cut out, with a net"),
        note="Closed about bodies is the pseudo surface (Si 2013, figures 3.4 and 3.5), which goes on through them; "
        "cut out is the water that the grid has, without what bodies fill, for those that are seen through.",
    )

    def __post_init__(self) -> None:
        check_options(self)
        ticks("the start of water", self.start)
        object.__setattr__(self, "size", vector3("the size of a tank", self.size))
        self._check_grid()
        self._check_water()

    def _check_grid(self) -> None:
        """Refuse what is too small, too thin or beyond memory."""
        for axis, length, count, least in zip(AXES, self.size, self.cells, self._fewest, strict=True):
            if not LEAST_SIDE <= length <= MOST_SIDE:
                allowed = f"{LEAST_SIDE:g} to {MOST_SIDE:g} m"
                raise InvalidDocument(what=f"how {axis} a tank is", value=f"{length:g} m", allowed=allowed)
            if count < least:
                allowed = f"{FEWEST_CELLS} or more: a finer resolution, or a larger tank"
                raise InvalidDocument(what=f"how many cells {axis} a tank is", value=count, allowed=allowed)
        if self.bytes > MOST_BYTES:
            wide, high, deep = self.cells
            value = f"{wide} x {high} x {deep} cells, which take {self.bytes / 2**30:.1f} GB"
            allowed = f"at most {MOST_BYTES / 2**30:.0f} GB: a coarser resolution, or a smaller tank"
            raise InvalidDocument(what="the grid of a tank", value=value, allowed=allowed)

    def _check_water(self) -> None:
        """Refuse what has no water, no air, or a shape or bounds that it cannot be computed with."""
        if not self.level > 0.0 and (self.begins in ("still", "wave") or self.ends == "open"):
            allowed = "above 0: a tank without water has nothing to move"
            if self.begins not in ("still", "wave"):
                allowed = "above 0: by open ends water comes in"
            raise InvalidDocument(what="the level of water", value=self.level, allowed=allowed)
        if self.highest >= self.size[1]:
            allowed = f"below the tank's top, {self.size[1]:g} m: water needs air above it"
            raise InvalidDocument(what="the height of water", value=f"{self.highest:g} m", allowed=allowed)
        if self.begins == "dam" and not min(self.block_length, self.block_height) > 0.0:
            found = (self.block_length, self.block_height)
            raise InvalidDocument(what="length and height of a dam", value=found, allowed="above 0")
        if self.begins == "drop" and not self.drop_radius > 0.0:
            raise InvalidDocument(what="the radius of a drop", value=self.drop_radius, allowed="above 0")
        if self.begins == "drop" and self.is_height_field:
            allowed = "still water, a dam or a wave: a height field has one height above each place"
            raise InvalidDocument(what="how the water of a height field begins", value="a drop", allowed=allowed)
        if self.ends == "open" and self.surface in ("flip", "apic"):
            allowed = "a level set or a height field: particles alone do not come in"
            raise InvalidDocument(what="the surface of water with open ends", value=self.surface, allowed=allowed)
        if self.ends == "open" and self.stroke > 0.0:
            allowed = "0 where the ends are open: it would stand in the current's way"
            raise InvalidDocument(what="the stroke of the wave maker", value=self.stroke, allowed=allowed)

    def reads(self, document: Any) -> tuple[str, ...]:
        """Name all actors of the scene: any of them may be in the water."""
        return tuple(actor.id for actor in document.actors)

    @property
    def cells(self) -> tuple[int, int, int]:
        """How many cells the grid has along x, y and z; a height field has columns."""
        wide, high, deep = (math.floor(length * self.resolution + 0.5) for length in self.size)
        return wide, 1 if self.is_height_field else high, 1 if self.planar else deep

    @property
    def is_height_field(self) -> bool:
        """True if its water is a height above each column."""
        return self.surface == HEIGHT_FIELD

    @property
    def box(self) -> Vector3:
        """The lengths of what is seen as the tank [m]: whole cells along the axes that have some."""
        found = [count / self.resolution for count in self.cells]
        if self.is_height_field:
            found[1] = self.size[1]
        if self.planar:
            found[2] = self.size[2]
        return found[0], found[1], found[2]

    def fitting(self, begins: str) -> dict[str, float]:
        """Give the lengths with which water of another first shape fits into the tank, where its own do not."""
        room = self.size[1] - 1.0 / self.resolution
        found = {"level": self.level, "block_height": self.block_height, "drop_height": self.drop_height}
        if begins == "dam":
            found["block_height"] = min(self.block_height, 0.8 * room)
        elif begins == "drop":
            found["drop_radius"] = min(self.drop_radius, 0.25 * room)
            found["drop_height"] = min(self.drop_height, room - found["drop_radius"])
        elif begins == "wave":
            found["wave_height"] = min(self.wave_height, max(2.0 * (room - self.level), 0.0))
        if begins in ("still", "wave") and not self.level > 0.0:
            found["level"] = 0.4 * room
        return {name: value for name, value in found.items() if value != getattr(self, name)}

    @property
    def least_size(self) -> Vector3:
        """The least lengths that it may have with this grid and this water [m]."""
        wide, high, deep = (max(LEAST_SIDE, count / self.resolution) for count in self._fewest)
        air = 0.01 if self.is_height_field else 1.0 / self.resolution
        return wide, max(high, self.highest + air), deep

    @property
    def _fewest(self) -> tuple[int, int, int]:
        """How many cells it has at least along each axis; none where there is but one."""
        return FEWEST_CELLS, 0 if self.is_height_field else FEWEST_CELLS, 0 if self.planar else FEWEST_CELLS

    @property
    def bytes(self) -> int:
        """How much memory it takes while it is computed."""
        return math.prod(self.cells) * BYTES_PER_CELL

    @property
    def highest(self) -> float:
        """The height of the water's top at the start [m]."""
        if self.begins == "dam":
            return max(self.level, self.block_height)
        if self.begins == "drop":
            return max(self.level, self.drop_height + self.drop_radius)
        return self.level + (0.5 * self.wave_height if self.begins == "wave" else 0.0)
