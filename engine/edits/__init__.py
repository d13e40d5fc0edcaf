"""Edits: every change to a Document, as data.

An `Edit` is the name of one function of this room and its plain arguments; `apply` is a pure function from document to
document. It carries results (a pose), never requests (a goal), and ids come from the caller: replaying the same
records from the same document gives the same digest in any process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from engine.document import Actor, Document, Joint, Part
from engine.document.conformance import check_fields
from engine.document.part_reader import decode
from engine.document.parts import Json, encode
from engine.document.validation import validate_edited
from engine.runtime.errors import InvalidArguments, InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.systems import systems

_TABLE: tuple[tuple[str, str, str], ...] = (
    ("actors", "add_actor", "Add {actor}"),
    ("actors", "remove_actor", "Remove {actor}"),
    ("actors", "rename_actor", "Rename {actor}"),
    ("actors", "place_actor", "Place {actor}"),
    ("actors", "show_actor", "Show or hide {actor}"),
    ("actors", "freeze_actor", "Freeze or thaw {actor}"),
    ("actors", "isolate_actors", "Isolate"),
    ("actors", "show_all_actors", "Show all"),
    ("selection_sets", "add_selection_set", "Add selection set"),
    ("selection_sets", "set_selection_set", "Change selection set"),
    ("selection_sets", "rename_selection_set", "Rename selection set"),
    ("selection_sets", "remove_selection_set", "Remove selection set"),
    ("references", "add_reference", "Add reference"),
    ("references", "set_reference", "Change reference"),
    ("references", "remove_reference", "Remove reference"),
    ("attachments", "attach_actor", "Attach {actor}"),
    ("attachments", "detach_actor", "Detach {actor}"),
    ("attachments", "move_attachment", "Move attachment"),
    ("attachments", "place_attachment", "Place attachment"),
    ("pairs", "do_both", "Two changes"),
    ("poses", "set_value", "Turn {joint}"),
    ("poses", "set_pose", "Set pose"),
    ("poses", "pose_actors", "Pose several"),
    ("poses", "reset_pose", "Reset the pose of {actor}"),
    ("poses", "set_draft", "Pose {actor} without a key"),
    ("poses", "key_draft", "Key the working pose of {actor}"),
    ("poses", "drop_draft", "Drop the working pose of {actor}"),
    ("scene", "set_rate", "Set frame rate"),
    ("scene", "set_play_range", "Set play range"),
    ("scene", "set_scene_range", "Set scene range"),
    ("scene", "snap_keys", "Snap keys to frames"),
    ("sound", "set_sound", "Add sound"),
    ("sound", "change_sound", "Change sound"),
    ("sound", "remove_sound", "Remove sound"),
    ("layers", "add_layer", "Add layer"),
    ("layers", "duplicate_layer", "Duplicate layer"),
    ("layers", "remove_layer", "Remove layer {layer}"),
    ("layers", "choose_layer", "Key into layer {layer}"),
    ("layers", "move_layer", "Move layer"),
    ("layers", "rename_layer", "Rename layer {layer}"),
    ("layers", "set_layer_mode", "Set layer mode"),
    ("layers", "set_layer_weight", "Set layer weight"),
    ("layers", "set_layer_span", "Set layer span"),
    ("layers", "set_layer_mask", "Set layer mask"),
    ("layers", "mute_layer", "Mute layer"),
    ("layers", "solo_layer", "Solo layer"),
    ("layers", "set_quaternions", "Join keys as rotations"),
    ("layers", "set_speed", "Set speed curve"),
    ("layers", "remove_speed", "Remove speed curve"),
    ("layers", "bake_layers", "Bake layers"),
    ("layers", "key_layer", "Make keys of layer {layer}"),
    ("keys", "set_key", "Set key"),
    ("keys", "set_keys", "Set keys"),
    ("keys", "key_pose", "Key pose"),
    ("keys", "insert_keys", "Insert keys"),
    ("keys", "remove_keys", "Remove keys"),
    ("keys", "move_keys", "Move keys"),
    ("keys", "scale_keys", "Scale keys"),
    ("keys", "set_tangent", "Set tangents"),
    ("keys", "set_kochanek_bartels", "Set tension, continuity and bias"),
    ("keys", "set_interpolation", "Set interpolation"),
    ("keys", "set_extrapolation", "Set extrapolation"),
    ("keys", "clear_tracks", "Clear tracks"),
    ("keys", "set_samples", "Set samples"),
    ("keys", "unwrap_angles", "Unwrap angles"),
    ("keys", "copy_keys", "Copy keys"),
    ("several", "move_chosen", "Move keys"),
    ("several", "copy_chosen", "Copy keys"),
    ("several", "scale_chosen", "Scale keys"),
    ("several", "remove_chosen", "Remove keys"),
    ("several", "fill_chosen", "Set interpolation"),
    ("several", "paste_keys", "Paste keys"),
    ("curves", "reshape_chosen", "Reshape curves"),
    ("curves", "insert_chosen", "Insert keys"),
    ("curves", "extend_chosen", "Set extrapolation"),
    ("curves", "mute_chosen", "Mute curves"),
    ("curves", "unwrap_chosen", "Unwrap angles"),
    ("ranges", "cut_range", "Cut range"),
    ("ranges", "paste_range", "Paste range"),
    ("ranges", "insert_time", "Insert time"),
    ("ranges", "delete_time", "Delete time"),
    ("everywhere", "insert_everywhere", "Insert time"),
    ("everywhere", "delete_everywhere", "Remove time"),
    ("ranges", "stretch_range", "Stretch range"),
    ("ranges", "slide_range", "Slide range"),
    ("ranges", "reverse_range", "Reverse range"),
    ("ranges", "loop_range", "Loop range"),
    ("spans", "stretch_ranges", "Stretch range"),
    ("spans", "slide_ranges", "Slide range"),
    ("spans", "reverse_ranges", "Reverse range"),
    ("spans", "mirror_ranges", "Mirror range"),
    ("spans", "loop_ranges", "Loop range"),
    ("spans", "fill_ranges", "Fill range"),
    ("motions", "put_motions", "Put motion"),
    ("figures", "rename_joint", "Rename {joint}"),
    ("figures", "set_limits", "Set limits"),
    ("figures", "set_stiffness", "Set stiffness"),
    ("figures", "set_damping", "Set damping"),
    ("figures", "set_spring", "Set spring"),
    ("figures", "set_driven", "Set driver"),
    ("figures", "follow_joint", "Follow joint"),
    ("figures", "set_body", "Set mass"),
    ("figures", "set_shapes", "Set shapes"),
    ("figures", "set_side", "Set side"),
    ("figures", "set_mirror", "Set mirror partner"),
    ("figures", "guess_sides", "Guess sides of {actor}"),
    ("figures", "set_group", "Set group"),
    ("figures", "add_handle", "Add end-effector"),
    ("figures", "remove_handle", "Remove end-effector"),
    ("figures", "move_handle", "Move end-effector"),
    ("figures", "rename_handle", "Rename end-effector"),
    ("limits", "set_limit", "Set joint limit"),
    ("limits", "put_limits", "Set joint limits"),
    ("limits", "remove_limit", "Remove joint limit {limit}"),
    ("limits", "rename_limit", "Rename joint limit {limit}"),
    ("limits", "set_limit_on", "Turn joint limit {limit} on or off"),
    ("limits", "set_limit_margin", "Set margin of joint limit {limit}"),
    ("limits", "set_limit_resistance", "Set resistance of joint limit {limit}"),
    ("limits", "set_limit_grid", "Set resolution of joint limit {limit}"),
    ("limits", "add_stroke", "Brush joint limit {limit}"),
    ("limits", "remove_strokes", "Remove strokes of joint limit {limit}"),
    ("limits", "mirror_limit", "Mirror joint limit {limit}"),
    ("joints", "add_joint", "Add {joint}"),
    ("joints", "remove_joint", "Remove {joint}"),
    ("joints", "reparent_joint", "Hang {joint} elsewhere"),
    ("joints", "set_joint_frame", "Move joint {joint}"),
    ("joints", "set_dofs", "Set freedoms of {joint}"),
    ("halves", "split_joint", "Split {joint}"),
    ("branches", "mirror_branch", "Mirror {joint}"),
    ("skins", "add_skin", "Add skin"),
    ("skins", "remove_skin", "Remove skin"),
    ("skins", "set_blending", "Set blending of skin"),
    ("skins", "set_weights", "Set weights of skin"),
    ("reroot", "reroot_figure", "Reroot figure"),
)
"""Module of this room, function, and what a person reads in the history, with the places of names. Those of systems
stand in `engine.systems`."""

_ALL = (
    *((f"engine.edits.{module}", name, label) for module, name, label in _TABLE),
    *(row for system in systems() for row in system.edits),
)


class _Edits(Mapping[str, Callable[..., Document]]):
    """The functions by name. A module is loaded with its first edit, so the window is painted before numpy comes."""

    def __init__(self) -> None:
        self._modules = {name: module for module, name, _ in _ALL}
        self._found: dict[str, Callable[..., Document]] = {}

    def __getitem__(self, name: str) -> Callable[..., Document]:
        function = self._found.get(name)
        if function is None:
            function = self._found[name] = getattr(import_module(self._modules[name]), name)
        return function

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


EDITS = _Edits()
EDIT_LABELS: Mapping[str, str] = {name: label for _, name, label in _ALL}

MAY_RUN_KERNELS = frozenset(
    (
        "unwrap_angles",
        "unwrap_chosen",
        "cut_range",
        "paste_range",
        "insert_time",
        "delete_time",
        "insert_everywhere",
        "delete_everywhere",
        "stretch_range",
        "slide_range",
        "reverse_range",
        "loop_range",
        "stretch_ranges",
        "slide_ranges",
        "reverse_ranges",
        "mirror_ranges",
        "loop_ranges",
        "fill_ranges",
        "reroot_figure",
        *(name for system in systems() for name in system.kernel_edits),
    )
)
"""Edits for the engine's thread: they read motion between frames, mirror it or solve for angles."""

KEEP_REGIONS = frozenset(
    (
        "set_value",
        "set_pose",
        "pose_actors",
        "reset_pose",
        "set_draft",
        "key_pose",
        "key_draft",
        "set_key",
        "set_keys",
        "move_keys",
        "scale_keys",
        "paste_keys",
        "reshape_chosen",
        "insert_chosen",
    )
)
"""Edits that are for the engine's thread, too, where a figure has limits over several angles that it keeps them to."""

READ_ARRAYS = frozenset(("mirror_limit", "mirror_branch", "set_limit_margin", "set_dofs"))
"""Edits that are for it where a figure has limits, whose arrays they read from the store."""

LINE_WIDTH = 200


@dataclass(frozen=True)
class Edit:
    """The record of one change."""

    name: str
    arguments: tuple[tuple[str, object], ...]

    def apply(self, document: Document) -> Document:
        """The changed document; the identical object where nothing changes. Refused where what is given, or what comes
        of it, is nothing that can be saved, drawn and read back."""
        function = EDITS.get(self.name)
        if function is None:
            raise UnknownPart(kind="edit", id=self.name, known=tuple(EDITS))
        given = dict(self.arguments)
        known, needed = _arguments_of(self.name)
        if given.keys() != known and not needed <= given.keys() <= known:
            allowed = ", ".join(known) or "none"
            raise InvalidArguments(what=f"the arguments of {self.name}", value=tuple(given), allowed=allowed)
        check_fields(function, given.items(), of=self.name)
        changed = function(document, **given)
        if changed is not document:
            validate_edited(changed, document)
        return changed

    def label(self, document: Document) -> str:
        """Compose the line of the history for a person, with the names of the document that it is applied to."""
        if self.parts:
            return self.parts[0].label(document)
        arguments = dict(self.arguments)
        actor = _actor_of(document, arguments.get("actor"))
        names = {
            "actor": actor.name if actor else "actor",
            "joint": "joint",
            "layer": "",
            "lock": "",
            "limit": "",
            "preset": "",
        }
        if actor is not None:
            given = arguments.get("lock")
            held: Any = actor.holder(given) if isinstance(given, str) else given
            names["lock"] = held.name if held else ""
            joint = _joint_of(actor, held.joint if held else arguments.get("joint"), arguments.get("coordinate"))
            names["joint"] = joint.name if joint else "joint"
            names["preset"] = str(arguments.get("preset", ""))
            limit = arguments.get("limit")
            names["limit"] = next((each.name for each in actor.figure.limits if each.id == limit), "")
            names["layer"] = next((each.name for each in actor.layers if each.id == arguments.get("layer")), "")
        return EDIT_LABELS[self.name].format_map(names).strip()

    @property
    def may_run_kernels(self) -> bool:
        """True if it is to be applied on the engine's thread."""
        return self.name in MAY_RUN_KERNELS

    def may_run_kernels_on(self, document: Document) -> bool:
        """Tell whether it is to be applied to this document on the engine's thread."""
        if self.may_run_kernels or any(each.may_run_kernels_on(document) for each in self.parts):
            return True
        figures = [actor.figure for actor in document.actors]
        if self.name in KEEP_REGIONS:
            return any(figure.limits_on for figure in figures)
        return self.name in READ_ARRAYS and any(figure.limits for figure in figures)

    @property
    def parts(self) -> tuple[Edit, ...]:
        """The edits that it is made of, where it is two in one."""
        if self.name != "do_both":
            return ()
        given: dict[str, Any] = dict(self.arguments)
        return tuple(edit(given[name][0], **dict(given[name][1])) for name in ("first", "then"))

    @property
    def line(self) -> str:
        """The Python line that does the same, long arguments shortened to their digests."""
        arguments = ", ".join(f"{name}={_readable(value)}" for name, value in self.arguments)
        return f"document = {self.name}(document, {arguments})"

    def record(self) -> dict[str, Json]:
        """Plain data for a file or a log, complete."""
        return {"edit": self.name, "arguments": {name: encode(value) for name, value in self.arguments}}


def edit(name: str, /, **arguments: Any) -> Edit:
    """An Edit by keyword, refused when there is no such function."""
    if name not in EDITS:
        raise UnknownPart(kind="edit", id=name, known=tuple(EDITS))
    return Edit(name, tuple(arguments.items()))


def both(first: Edit, then: Edit) -> Edit:
    """Both as one."""
    return edit("do_both", first=(first.name, first.arguments), then=(then.name, then.arguments))


def joined(edits: Sequence[Edit]) -> Edit:
    """One or more as one, in their order; in halves, so that many are not deep."""
    if len(edits) == 1:
        return edits[0]
    half = len(edits) // 2
    return both(joined(edits[:half]), joined(edits[half:]))


def from_record(record: Mapping[str, Json]) -> Edit:
    """The Edit that `record` wrote."""
    name, arguments = record.get("edit"), record.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise InvalidDocument(what="the record of an edit", value=record, allowed="a name and its arguments")
    return edit(name, **{key: decode(value) for key, value in arguments.items()})


@cache
def _arguments_of(name: str) -> tuple[KeysView[str], frozenset[str]]:
    """The names of an edit's arguments, and of those the ones that have to be given."""
    arguments = list(signature(EDITS[name]).parameters.values())[1:]
    needed = frozenset(each.name for each in arguments if each.default is Parameter.empty)
    return dict.fromkeys(each.name for each in arguments).keys(), needed


def _actor_of(document: Document, actor: object) -> Actor | None:
    if isinstance(actor, Actor):
        return actor
    return next((each for each in document.actors if each.id == actor), None)


def _joint_of(actor: Actor, joint: object, coordinate: object) -> Joint | None:
    """The joint itself, or that of the id, or the one that has the coordinate."""
    if isinstance(joint, Joint):
        return joint
    for each in actor.figure.joints:
        if each.id == joint or any(coordinate in dof.coordinates for dof in each.dofs):
            return each
    return None


def _readable(value: object) -> str:
    if isinstance(value, Part):
        return f"part({value.digest[:12]!r})"
    text = repr(value)
    return text if len(text) <= LINE_WIDTH else f"{text[: LINE_WIDTH - 3]}..."
