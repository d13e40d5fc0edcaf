"""Actions of figure editing: joints, handles, skins."""

from __future__ import annotations

from app.features.action import PART, Action, Topic
from app.session import Item
from app.session.building import new_child, new_handle, other_branch, split_bone
from engine.document import Actor
from engine.document.freedoms import breathing_of, followers_of
from engine.document.values import new_id
from engine.edits import Edit, edit


class FigureCommands(Topic):
    """The commands of figure editing."""

    def toggle_editing(self) -> None:
        """Show the figure at rest and edit its joints, or show it as it is posed."""
        owner = self._chosen or next(iter(self._session.document.actors), None)
        self._session.edit_figure(None if self.is_editing() or owner is None else owner.id)
        if self._session.editing is not None:
            self._window.show_panel("figure")

    def can_edit(self) -> bool:
        """True if there is a figure."""
        return bool(self._session.document.actors)

    def is_editing(self) -> bool:
        """True if a figure is edited."""
        return self._session.editing is not None

    def add_bone(self) -> None:
        """Hang a new bone on the joint that was selected last."""
        owner, joint = self._joint()
        self._make(owner, *new_child(owner.id, owner.figure, joint))

    def split(self) -> None:
        """Cut the bone that was selected last in the middle."""
        owner, joint = self._joint()
        self._make(owner, *split_bone(owner.id, owner.figure, joint))

    def add_end(self) -> None:
        """Put an end-effector at the end of the bone that was selected last."""
        owner, joint = self._joint()
        self._session.do(new_handle(owner.id, owner.figure, joint))

    def mirror(self) -> None:
        """Make the other side of the joint that was selected last and of all below it."""
        owner, joint = self._joint()
        self._make(owner, *other_branch(owner.id, owner.figure, joint))

    def reparent(self) -> None:
        """Hang the selected joints on the one that was selected last."""
        owner, parent = self._joint()
        for joint in self._others:
            self._session.do(edit("reparent_joint", actor=owner.id, joint=joint, parent=parent))

    def follow(self) -> None:
        """Let the selected joints move as the one that was selected last does."""
        owner, leader = self._joint()
        self._session.do(edit("follow_joint", actor=owner.id, joints=tuple(self._others), leader=leader))

    def can_follow(self) -> bool:
        """True if some selected joint has a degree of freedom such as one of the joint that was selected last."""
        if self._active is None:
            return False
        owner, leader = self._active
        return any(followers_of(owner.figure, each, leader) for each in self._others)

    def breathe(self) -> None:
        """Let all ribs of a skeleton go with its breastbone, each by its own share: one value breathes."""
        owner = self._chosen
        found = None if owner is None else breathing_of(owner.figure)
        if owner is not None and found is not None:
            leader, ribs = found
            self._session.do(edit("follow_joint", actor=owner.id, joints=ribs, leader=leader))
            self._session.select([Item(owner.id, leader)])

    def can_breathe(self) -> bool:
        """True if the figure has a breastbone and ribs that do not follow it yet."""
        return self._chosen is not None and breathing_of(self._chosen.figure) is not None

    def make_root(self) -> None:
        """Make the joint that was selected last the root; nothing moves."""
        owner, joint = self._joint()
        self._session.do(edit("reroot_figure", actor=owner.id, joint=joint, layer=new_id("layer")))

    def guess_sides(self) -> None:
        """Tell left from right by the joints' names."""
        if self._chosen is not None:
            self._session.do(edit("guess_sides", actor=self._chosen.id))

    def remove_joint(self) -> None:
        """Take the selected joints away; what hangs on them hangs on their parents."""
        self._remove(branch=False)

    def remove_branch(self) -> None:
        """Take the selected joints away with all that hangs on them."""
        self._remove(branch=True)

    def _remove(self, *, branch: bool) -> None:
        owner, joint = self._joint()
        above = owner.figure.joint(joint).parent
        for each in (*self._others, joint):
            if each in self._session.document.actor(owner.id).figure.joint_index:
                self._session.do(edit("remove_joint", actor=owner.id, joint=each, branch=branch))
        if above is not None:
            self._session.select([Item(owner.id, above)])

    def has_figure(self) -> bool:
        """True if something of a figure is selected."""
        return self._chosen is not None

    def has_joint(self) -> bool:
        """True if a joint is selected, or something of one joint."""
        return self._active is not None

    def can_mirror(self) -> bool:
        """True if the joint that was selected last has no other side yet."""
        if self._active is None:
            return False
        owner, joint = self._active
        chosen = owner.figure.joint(joint)
        return chosen.parent is not None and chosen.mirror is None

    def can_reparent(self) -> bool:
        """True if two joints or more of one figure are selected."""
        return self._active is not None and bool(self._others)

    def can_make_root(self) -> bool:
        """True if the joint that was selected last is not the root."""
        return self._active is not None and self._active[0].figure.joint(self._active[1]).parent is not None

    def can_remove(self) -> bool:
        """True if a joint is selected that is not all of its figure."""
        return self._active is not None and not self._active[0].figure.is_prop

    def _make(self, owner: Actor, change: Edit, joint: str) -> None:
        self._session.do(change, choose=Item(owner.id, joint))

    def _joint(self) -> tuple[Actor, str]:
        assert self._active is not None, "enabled only for a joint"
        return self._active

    @property
    def _chosen(self) -> Actor | None:
        """The actor of which something was selected last."""
        active = self._session.selection.active
        return None if active is None else self._session.document.actor(active.actor)

    @property
    def _active(self) -> tuple[Actor, str] | None:
        """The joint that was selected last; of a figure of one joint, that one."""
        active, owner = self._session.selection.active, self._chosen
        if active is None or owner is None:
            return None
        joint = active.part or (owner.figure.joints[0].id if owner.figure.is_prop else None)
        return None if joint is None else (owner, joint)

    @property
    def _others(self) -> list[str]:
        """The other selected joints of the same figure."""
        if self._active is None:
            return []
        owner, joint = self._active
        items = self._session.selection.items
        return [item.part for item in items if item.actor == owner.id and item.part not in (None, joint)]

    def bind_skin(self) -> None:
        """Choose a mesh that becomes a skin of the figure that is selected."""
        self._window.asking.choose_skin(self._figures()[0].id)

    def can_bind_skin(self) -> bool:
        """True if one figure is selected and the engine is ready to bind a mesh to it."""
        free = self._session.engine_state.ready and not self._session.binding.running
        return free and len(self._figures()) == 1

    def remove_skins(self) -> None:
        """Take the skins off the figures that are selected."""
        for actor in self._figures():
            for skin in actor.figure.skins:
                self._session.do(edit("remove_skin", actor=actor.id, skin=skin.id))

    def keep_volume(self) -> None:
        """Blend skins as dual quaternions, which keeps the volume of a twisted limb, or linearly, as games do."""
        blending = "linear" if self.keeps_volume() else "dual"
        for actor in self._figures():
            for skin in actor.figure.skins:
                self._session.do(edit("set_blending", actor=actor.id, skin=skin.id, blending=blending))

    def keeps_volume(self) -> bool:
        """True if the skins of the figures that are selected are blended as dual quaternions."""
        skins = [skin for actor in self._figures() for skin in actor.figure.skins]
        return bool(skins) and all(skin.blending == "dual" for skin in skins)

    def has_skins(self) -> bool:
        """True if a selected figure has a skin."""
        return any(actor.figure.skins for actor in self._figures())

    def _figures(self) -> list[Actor]:
        """Figures of which something is selected; props are none."""
        chosen = {item.actor for item in self._session.selection.items}
        actors = (actor for actor in self._session.document.actors if actor.id in chosen)
        return [actor for actor in actors if not actor.figure.is_prop]


Do = FigureCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="figure.edit", label="Edit figure", menu="Figure", call=Do.toggle_editing, keys=("Shift+E",), icon="bone",
        when=Do.can_edit, checked=Do.is_editing, contexts=("part", "actor"),
    ),
    Action(
        id="figure.add_bone", label="Add bone", menu="Figure", call=Do.add_bone, keys=("Shift+B",), icon="plus",
        when=Do.has_joint, begins_group=True, contexts=PART,
    ),
    Action(
        id="figure.split", label="Split bone", menu="Figure", call=Do.split, icon="slash", when=Do.has_joint,
        contexts=PART,
    ),
    Action(
        id="figure.add_end", label="Add end-effector", menu="Figure", call=Do.add_end, icon="circle-dot",
        when=Do.has_joint, contexts=PART,
    ),
    Action(
        id="figure.mirror", label="Mirror bones", menu="Figure", call=Do.mirror, icon="flip-horizontal-2",
        when=Do.can_mirror, contexts=PART,
    ),
    Action(
        id="figure.reparent", label="Parent to the joint selected last", menu="Figure", call=Do.reparent,
        keys=("Ctrl+P",), when=Do.can_reparent, contexts=PART,
    ),
    Action(
        id="figure.follow", label="Follow the joint selected last", menu="Figure", call=Do.follow,
        when=Do.can_follow, contexts=PART,
    ),
    Action(
        id="figure.breathe", label="Ribs breathe with the breastbone", menu="Figure", call=Do.breathe,
        when=Do.can_breathe,
    ),
    Action(
        id="figure.make_root", label="Make root", menu="Figure", call=Do.make_root, when=Do.can_make_root,
        contexts=PART,
    ),
    Action(
        id="figure.guess_sides", label="Guess sides from names", menu="Figure", call=Do.guess_sides,
        when=Do.has_figure,
    ),
    Action(
        id="figure.remove_joint", label="Delete joint", menu="Figure", call=Do.remove_joint, keys=("Shift+Del",),
        icon="trash-2", when=Do.can_remove, begins_group=True, contexts=PART,
    ),
    Action(
        id="figure.remove_branch", label="Delete joint with all below", menu="Figure", call=Do.remove_branch,
        when=Do.can_remove, contexts=PART,
    ),
    Action(
        id="figure.bind_skin", label="Bind mesh as skin…", menu="Figure", call=Do.bind_skin, icon="person-standing",
        when=Do.can_bind_skin, begins_group=True,
    ),
    Action(
        id="figure.keep_volume", label="Skins preserve volume", menu="Figure", call=Do.keep_volume,
        when=Do.has_skins, checked=Do.keeps_volume,
    ),
    Action(
        id="figure.remove_skins", label="Remove skins", menu="Figure", call=Do.remove_skins, when=Do.has_skins,
    ),
)  # fmt: skip
