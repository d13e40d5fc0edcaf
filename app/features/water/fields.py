"""The fields of a tank, in groups, as its part tells them of itself; some only where they have an effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QComboBox

from app.features.form import EditForm
from app.session import Session
from engine.edits import Edit
from engine.runtime.options import described
from engine.water.parts import FEWEST_CELLS, WaterTank

FEWEST = 6  # letters of a choice that are seen in any case
OF_SECTION: dict[str, tuple[str, ...]] = {
    "domain": ("planar", "resolution", "touches"),
    "water": (
        "begins", "level", "block_length", "block_height", "drop_radius", "drop_height", "wave_height", "wave_length",
        "density", "viscosity",
    ),
    "waves": ("stroke", "period", "current", "ends"),
    "method": ("coupling", "surface", "spray", "keep_volume", "advection", "step"),
    "look": ("shown", "slice", "slice_place", "arrows"),
}  # fmt: skip
_OF_SHAPE: dict[str, tuple[str, ...]] = {
    "still": (),
    "dam": ("block_length", "block_height"),
    "drop": ("drop_radius", "drop_height"),
    "wave": ("wave_height", "wave_length"),
}
MakeEdit = Callable[[str, Any], Edit | None]


class WaterFields(EditForm):
    """Some fields of a tank, of which water plays on while they are dragged."""

    def __init__(self, session: Session, names: tuple[str, ...], make_edit: MakeEdit) -> None:
        every = described(WaterTank())
        super().__init__(session, {name: every[name] for name in names}, make_edit, plays_on=True)
        for box in self.findChildren(QComboBox):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(FEWEST)

    def show_tank(self, tank: WaterTank) -> None:
        """Show a tank; what stands in it is no higher or longer than it may be."""
        room = tank.size[1] - 1.0 / tank.resolution
        most = {
            "level": room - (0.5 * tank.wave_height if tank.begins == "wave" else 0.0),
            "block_height": room,
            "block_length": tank.size[0],
            "drop_height": room - tank.drop_radius,
            "drop_radius": max(room - tank.drop_height, 0.0),
            "wave_height": max(2.0 * (room - tank.level), 0.0),
            "stroke": 0.5 * tank.size[0],
        }
        for name in self.fields.keys() & most.keys():
            least = 0.01 if name == "level" and tank.begins in ("still", "wave") else 0.0
            self.fields[name].set_limits(least, max(most[name], getattr(tank, name)))
        if "resolution" in self.fields:
            thin = min(length for length, cells in zip(tank.size, tank.cells, strict=True) if cells > 1)
            about, _ = described(tank)["resolution"]
            self.fields["resolution"].set_limits(min(FEWEST_CELLS / thin, tank.resolution), about.most)
        self.show_values(tank)


def shape_name(tank: WaterTank) -> str:
    """Give the name of the shape with which the water begins."""
    about, _ = described(WaterTank())["begins"]
    return str(dict(zip(about.choices, about.labels, strict=True))[tank.begins])


def idle_rows(tank: WaterTank) -> set[str]:
    """Name the fields that have no effect on a tank as it is."""
    found = {row for shape, rows in _OF_SHAPE.items() if shape != tank.begins for row in rows}
    if tank.is_height_field:
        found |= {"viscosity", "coupling", "spray", "keep_volume", "advection", "shown"}
    if tank.surface != "particle_level_set":
        found.add("spray")
    if tank.surface in ("flip", "apic"):  # whose particles carry the velocities
        found.add("advection")
    if tank.stroke == 0.0:
        found.add("period")
    if tank.ends == "open":
        found.add("stroke")
    if tank.planar or not (tank.slice != "none" or tank.arrows):
        found.add("slice_place")
    return found
