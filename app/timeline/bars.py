"""Bars of layers and attachments in the dope sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import ClassVar

from app.timeline.rows import Row, RowSource, TimeBlock
from engine.document import Actor, Document, Span
from engine.document.extent import layer_extent, play_extent
from engine.edits import Edit, edit


class LayerRows(RowSource):
    """Layers, the uppermost first."""

    place = 10
    looks: ClassVar = {"layer": ("accent", "a layer counts")}

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        for layer in reversed(actor.layers):
            covers = layer_extent(layer)
            if layer.span is not None or covers is not None:
                yield self.bar(
                    TimeBlock(
                        kind="layer", actor=actor.id, id=layer.id, label=layer.name, span=layer.span, covers=covers,
                        mute=layer.mute,
                    )
                )  # fmt: skip

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        return edit("set_layer_span", actor=block.actor, layer=block.id, **times_of(span))


class AttachmentRows(RowSource):
    """Attachments of an actor to others."""

    place = 30
    looks: ClassVar = {"attachment": ("axis_z", "something is held")}

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        always = play_extent(document)
        for each in actor.attachments:
            holder = document.actor(each.target).figure.joint(each.target_joint)
            label = f"{holder.name} holds {actor.name}"
            yield self.bar(
                TimeBlock(kind="attachment", actor=actor.id, id=each.id, label=label, span=each.span, covers=always)
            )

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        return edit("move_attachment", actor=block.actor, attachment=block.id, **times_of(span))


def times_of(span: Span | None) -> dict[str, int]:
    """Return a span as edits take it."""
    return {} if span is None else asdict(span)
