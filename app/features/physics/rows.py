"""TorqueRows: torque curves as a bar of the timeline; the keys of each stand below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from app.style.units import FORCE, TORQUE
from app.timeline.bars import times_of
from app.timeline.rows import Row, RowSource, TimeBlock
from engine.document import Actor, Document, Span
from engine.document.extent import play_extent
from engine.edits import Edit, edit
from engine.physics.parts import TorqueCurves


class TorqueRows(RowSource):
    """Torque curves."""

    place = 25
    looks: ClassVar = {"torques": ("axis_x", "torques drive it")}
    adds = False

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        curves = actor.part(TorqueCurves) if actor.parts else None
        if curves is None:
            return
        block = TimeBlock(
            kind="torques", actor=actor.id, id=curves.id, label=curves.name, span=curves.span,
            covers=play_extent(document), mute=curves.mute,
        )  # fmt: skip
        yield replace(self.bar(block), holder=curves.id)
        owners = {dof.id: (dof, joint) for joint in actor.figure.joints for dof in joint.dofs}
        for track in curves.tracks:
            if track.coordinate in owners:
                dof, joint = owners[track.coordinate]
                label = f"{joint.name}, {dof.name}"
                yield Row(
                    path=(*block.path, track.coordinate), kind="channel", label=label, depth=2, joint=joint.id,
                    holder=curves.id, coordinate=track.coordinate, source=self, content=dof.kind,
                    muted=curves.mute or track.mute,
                )  # fmt: skip

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        return edit("span_torque_curves", actor=block.actor, **times_of(span))

    def removal(self, row: Row) -> Edit | None:
        return None if row.block is None else edit("remove_torque_curves", actor=row.actor)

    def worded(self, row: Row, name: str, value: float) -> str:
        return f"{row.label}: {(FORCE if row.content == 'slide' else TORQUE).text(value)}"
