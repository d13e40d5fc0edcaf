"""Rows of the dope sheet: actors, the blocks of their layers, locks, attachments and targets, groups, joints, channels.

Only what has keys or a block has a row; the numbers of a lock that have keys stand below it. Rows stand in the order
of a tree that is walked downwards, so that all below a row are those up to its `end`. Folding hides rows; it changes
none. A target of its own is a block that is eased from both ends to its time: as wide as the bell that corrects for it;
one that stands for many is a rule (`rules.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Literal, TypeGuard

from app.session.selection import Item
from engine.document import Actor, Document, Joint, Span, Target
from engine.document.extent import layer_extent, play_extent
from engine.targets.queries.mark_targets import spot_name

RowKind = Literal["actor", "block", "rule", "group", "joint", "channel"]
BlockKind = Literal["layer", "lock", "attachment", "target"]
Path = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TimeBlock:
    """The time in which a layer counts, a lock holds, an attachment hangs or a target is corrected for."""

    kind: BlockKind
    actor: str
    id: str
    label: str
    span: Span | None  # None: always
    covers: tuple[int, int] | None = None  # ticks that it is shown over where there is no span
    mute: bool = False

    @property
    def shown(self) -> Span:
        """The span, or the ticks over which it is shown."""
        start, end = self.covers or (0, 1)
        return self.span or Span(start=start, end=max(end, start + 1))

    @property
    def path(self) -> Path:
        """The path of its row."""
        return self.actor, self.kind, self.id


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the dope sheet."""

    path: Path  # the same for the same thing in any document
    kind: RowKind
    label: str
    depth: int
    end: int = 0  # number of the first row that is not below it
    joint: str | None = None
    lock: str | None = None
    coordinate: str | None = None
    block: TimeBlock | None = None
    rule: Target | None = None  # that stands for many

    @property
    def actor(self) -> str:
        """The id of the actor that it belongs to."""
        return self.path[0]


def rows_of(document: Document) -> tuple[Row, ...]:
    """Return all rows of a document, none folded."""
    rows: list[Row] = []
    for actor in document.actors:
        rows += _ended(_rows_of_actor(document, actor), len(rows))
    return tuple(rows)


def lines(rows: tuple[Row, ...], folded: Set[Path]) -> list[int]:
    """Return numbers of the visible rows, from the top."""
    seen, number = [], 0
    while number < len(rows):
        seen.append(number)
        number = rows[number].end if rows[number].path in folded else number + 1
    return seen


def _rows_of_actor(document: Document, actor: Actor) -> Iterator[Row]:
    below = list(_rows_of_blocks(document, actor))
    keyed = {track.coordinate for layer in actor.layers for track in layer.tracks}
    if not below and not keyed:
        return
    yield Row(path=(actor.id,), kind="actor", label=actor.name, depth=0)
    yield from below
    moving = [joint for joint in actor.figure.joints if keyed.intersection(_coordinates(joint))]
    for group in dict.fromkeys(joint.group for joint in moving):
        above: Path = (actor.id, "group", group) if group else (actor.id,)
        if group:
            yield Row(path=above, kind="group", label=group, depth=1)
        for joint in moving:
            if joint.group == group:
                yield from _rows_of_joint(joint, above, keyed)


def _rows_of_joint(joint: Joint, above: Path, keyed: Set[str]) -> Iterator[Row]:
    path, depth = (*above, "joint", joint.id), 2 if len(above) > 1 else 1
    yield Row(path=path, kind="joint", label=joint.name, depth=depth, joint=joint.id)
    for dof in joint.dofs:
        for name in dof.coordinates:
            if name in keyed:
                label = dof.name if len(dof.coordinates) == 1 else f"{dof.name} {name[-1]}"
                yield Row(
                    path=(*path, name), kind="channel", label=label, depth=depth + 1, joint=joint.id, coordinate=name
                )


def _rows_of_blocks(document: Document, actor: Actor) -> Iterator[Row]:
    for layer in reversed(actor.layers):
        covers = layer_extent(layer)
        if layer.span is not None or covers is not None:
            yield _row(
                TimeBlock(
                    kind="layer", actor=actor.id, id=layer.id, label=layer.name, span=layer.span, covers=covers,
                    mute=layer.mute,
                )
            )  # fmt: skip
    always = play_extent(document)
    for lock in actor.locks:
        block = TimeBlock(
            kind="lock", actor=actor.id, id=lock.id, label=lock.name, span=lock.span, covers=always, mute=lock.mute
        )
        yield replace(_row(block), joint=lock.joint, lock=lock.id)
        for track in lock.tracks:
            yield Row(
                path=(*block.path, track.coordinate), kind="channel", label=label_of(track.coordinate), depth=2,
                joint=lock.joint, lock=lock.id, coordinate=track.coordinate,
            )  # fmt: skip
    for each in actor.attachments:
        holder = document.actor(each.target)
        label = f"{holder.figure.joint(each.target_joint).name} holds {actor.name}"
        yield _row(TimeBlock(kind="attachment", actor=actor.id, id=each.id, label=label, span=each.span, covers=always))
    for target in () if actor.secondary is None else actor.secondary.targets:
        if target.source == "own":
            label, span = target_label(actor, target), target_span(target)
            yield _row(
                TimeBlock(kind="target", actor=actor.id, id=target.id, label=label, span=span, mute=not target.on)
            )
        else:
            path = (actor.id, "rule", target.id)
            yield Row(path=path, kind="rule", label=rule_label(target), depth=1, rule=target)


def rule_label(target: Target) -> str:
    """Return the label of a target that stands for many: the times that it stands for."""
    frames = "frame" if target.frames == 1 else f"{target.frames} frames"
    which = {"keys": "every key", "marked": "marked keys", "every": f"one each {frames}"}
    return f"Reach {which[target.source]}"


def target_label(actor: Actor, target: Target) -> str:
    """Return the label of a target."""
    if target.kind == "wish":
        return "Null-space edit"
    turns, joint = target.kind == "turn", target.joint
    known = joint is not None and joint in actor.figure.joint_index
    name = "the pose" if joint is None else spot_name(actor, joint) if known else joint
    if not target.place:
        return f"{'Angular velocity' if turns else 'Velocity'} of {name}"
    return f"{'Turn' if turns else 'Reach'} {name}{' at a velocity' if target.velocity else ''}"


def target_span(target: Target) -> Span:
    """Return the span of a target's correction; both its eases end at the target's time."""
    bell = target.bell_at(target.time)
    return Span(start=bell.start, end=bell.end, ease_in=bell.before, ease_out=bell.after)


def item_of(row: Row) -> Item | None:
    """Return the item of the scene that a row shows."""
    if row.kind == "actor" or row.joint is not None:
        return Item(row.actor, row.joint, row.lock)
    return None


def is_target_row(path: Path | None) -> TypeGuard[Path]:
    """Return True if a row is that of a target, or of one that stands for many."""
    return path is not None and path[1:2] in (("target",), ("rule",))


def target_row(rows: tuple[Row, ...], target: str | None) -> Path | None:
    """Return the row of a target, if it has one."""
    return next((each.path for each in rows if is_target_row(each.path) and each.path[-1] == target), None)


def label_of(number: str) -> str:
    """Return the label of a number of a lock."""
    return number.replace("_", " ").capitalize()


def _row(block: TimeBlock) -> Row:
    return Row(path=block.path, kind="block", label=block.label, depth=1, block=block)


def _coordinates(joint: Joint) -> Iterator[str]:
    return (name for dof in joint.dofs for name in dof.coordinates)


def _ended(rows: Iterable[Row], first: int) -> list[Row]:
    """Return the rows of one actor, numbered from `first` on, with where each ends."""
    given = list(rows)
    ends = [first + len(given)] * len(given)
    above: list[int] = []
    for place, row in enumerate(given):
        while above and given[above[-1]].depth >= row.depth:
            ends[above.pop()] = first + place
        above.append(place)
    return [replace(row, end=end) for row, end in zip(given, ends, strict=True)]
