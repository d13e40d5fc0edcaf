"""Symbols of what a picture holds: pins, as they are kept at its time."""

from __future__ import annotations

from collections.abc import Iterator

from app.scene.symbols import Shape, Symbol
from engine.model import LockMark, Snapshot

HELD = "locks"  # the feature that takes them


def held_symbols(snapshot: Snapshot) -> Iterator[Symbol]:
    """Yield a symbol for each pin of an actor that is seen, with the distance by which it is missed."""
    shown = {item.owner for item in snapshot.bodies if item.role == "result" and item.visible}
    for each in (*snapshot.muted_locks, *snapshot.locks):
        if each.owner in shown:
            yield _symbol(each)


def _symbol(mark: LockMark) -> Symbol:
    """Make the symbol of a pin: a padlock holds a spot, a turning arrow directions, a quartered ring the centre of
    mass. Short lines point where held axes are to point; one that is muted has none."""
    muted, of_mass = mark.share == 0.0, mark.held in ("centre", "balance")
    shape: Shape = "ring" if of_mass else "arrow" if mark.held == "turn" else "padlock"
    missed = "" if mark.kept else mark.text
    return Symbol(
        of=HELD,
        owner=mark.owner,
        id=mark.lock,
        name=mark.name,
        part=mark.part,
        shape=shape,
        place=mark.at,
        state="faint" if muted else "missed" if missed else "plain",
        missed=missed,
        goal=None if mark.kept else mark.target,
        axes=() if muted else tuple(("xyz"["ijk".index(axis)], way) for axis, way in mark.axes),
        normal=None if muted or mark.held == "line" else mark.normal,
        along=None if muted or mark.held != "line" else mark.normal,
        middle=mark.target,
        plumb=of_mass and not muted,
    )
