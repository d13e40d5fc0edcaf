"""Sentences about water."""

from __future__ import annotations

from app.style.units import TIME
from engine.document import Actor
from engine.document.ticks import TICKS_PER_SECOND, Rate
from engine.runtime.time_left import in_words
from engine.water.parts import WaterTank
from engine.water.queries.report import TankReport, foreseen

NO_TANK = "Select a tank of water to see what is in it."
NO_TANKS = "There is no water yet. Add > Water tank makes a tank of it."
FROZEN = "{name} is frozen: thaw it in the outliner to change it."
STANDS = "Its water stands still up to {time}, and moves from there."
CALM = "Nothing moves its water: let it begin as a dam, make waves, or put something into it."


def about(owner: Actor | None, tank: WaterTank | None, *, any_tank: bool, alone: bool = False) -> str:
    """Say how the water of a tank moves, what to do where it does not, as no other actor is there, or where there is
    none."""
    if owner is None or tank is None:
        return NO_TANK if any_tank else NO_TANKS
    if owner.frozen:
        return FROZEN.format(name=owner.name)
    if alone and tank.begins == "still" and tank.stroke == 0.0 and (tank.current == 0.0 or tank.ends == "open"):
        return CALM
    return STANDS.format(time=TIME.text(tank.start / TICKS_PER_SECOND))


def grid_text(tank: WaterTank) -> str:
    """Say how large a grid is, and how much memory it takes."""
    wide, high, deep = tank.cells
    memory = f"{size_text(tank.bytes)} of memory"
    if tank.is_height_field:
        return f"{wide} x {deep} = {wide * deep:,} columns, {memory}"
    along = f"{wide} x {high}" if tank.planar else f"{wide} x {high} x {deep}"
    return f"{along} = {wide * high * deep:,} cells, {memory}"


def pace_text(tank: WaterTank, rate: Rate, report: TankReport | None, frames: int) -> str:
    """Say how long a frame takes, measured or foreseen, and how long what is played."""
    takes = None if report is None else report.takes
    found = foreseen(tank, rate) if takes is None else takes
    how = "About" if takes is None else "Now"
    pace = rate[1] / rate[0] / found if found > 0.0 else 0.0
    live = "live" if pace >= 1.0 else f"{100.0 * pace:.2g} % of real time"
    return f"{how} {_milliseconds(found)} a frame, {live}; {in_words(found * frames)[:-5]} for {frames} frames"


def volume_text(report: TankReport | None) -> str:
    """Say how much water there is, how much was put back, and what is left of the divergence."""
    if report is None or report.volume is None or not report.first_volume:
        return ""
    drift = report.volume / report.first_volume - 1.0
    back = report.put_back / report.first_volume
    amount = f"{1e3 * report.volume:.4g} l" if report.volume < 10.0 else f"{report.volume:.4g} m\N{SUPERSCRIPT THREE}"
    text = f"{amount}, {_percent(drift)} of the start; {_percent(back)} were put back"
    if report.divergence > 0.0:
        text += f"; divergence {report.divergence:.1e}"
    return text + (f"; {report.force:.3g} N on bodies." if report.force > 0.0 else ".")


def baked_text(report: TankReport | None, frames: int) -> str:
    """Say how many frames are on the disk."""
    if report is None or not report.baked:
        return "No frame is baked."
    return f"{min(report.baked, frames)} of {frames} frames are baked."


def said_text(report: TankReport | None) -> str:
    """Say what a person should know of it."""
    return "" if report is None else "\n".join(f"{each[:1].upper()}{each[1:].rstrip('.')}." for each in report.said)


def size_text(bytes: int) -> str:
    """Write a number of bytes."""
    return f"{bytes / 2**30:.2g} GB" if bytes >= 2**30 else f"{max(round(bytes / 2**20), 1)} MB"


def _percent(share: float) -> str:
    return f"{100.0 * share:+.2f} %".replace("-", "\N{MINUS SIGN}")


def _milliseconds(seconds: float) -> str:
    found = 1e3 * seconds
    return f"{found / 1e3:.2g} s" if found >= 1000.0 else f"{found:.3g} ms"
