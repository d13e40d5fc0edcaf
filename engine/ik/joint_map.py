"""The joints of one figure that answer to those of another: given by hand, or guessed.

The guess gives each joint a role. Trunk and limbs are known by the words in the ids and by the sides that these speak
of (`engine.motion.sides`), always in the order in which the joints hang on each other, so that `Shoulder` is a collar
bone before an `Arm` and an upper arm where there is none. A limb without such words is known by its bones: the arm is
the chain of its side that reaches furthest out, the leg the one that reaches lowest, and its two longest bones that
follow each other are the upper and the lower one. What nearly all ids begin with (`mixamorig:`, `Bip01`) says nothing.

A spine of many joints answers to one of few by shares: where one figure has at least twice as many joints between hips
and shoulders, or between shoulders and head, as the other, each joint's place along them is the range of the hinges up
to it beside that of all, and what it takes lies between what the two of the other figure turn that stand next to that
place. So each vertebra takes of a bend what it has of the range, and none meets its limit first. A shoulder blade that
the other figure has not goes with its arm (`engine.ik.rhythm`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from engine.document import Figure, Joint
from engine.ik.rhythm import Rhythm, blade_of, rhythms
from engine.ik.soles import Sole, Toes, heel_of, soles, toes_of
from engine.maths.arrays import Array
from engine.motion.mirror_frames import zero_rotations
from engine.motion.sides import pair_sides
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass

LEG = ("thigh", "knee", "ankle", "toes")
ARM = ("collar", "upper arm", "elbow", "wrist")
_WORDS = {
    "thigh": ("upleg", "upperleg", "thigh", "thighbend", "femur", "hip"),
    "knee": ("leg", "lowerleg", "shin", "calf", "tibia", "knee"),
    "ankle": ("foot", "ankle", "talus"),
    "toes": ("toebase", "toes", "toe", "ball"),
    "collar": ("collar", "clavicle", "collarbone", "shoulder"),
    "upper arm": ("arm", "upperarm", "humerus", "shldr", "shldrbend", "shoulder"),
    "elbow": ("forearm", "forearmbend", "lowerarm", "radius", "ulna", "elbow"),
    "wrist": ("hand", "wrist"),
    "pelvis": ("hips", "pelvis", "root", "hip", "sacrum"),
    "neck": ("neck", "neckbase", "cervical"),
    "head": ("head", "skull"),
}
_KNOWN = frozenset(word for words in _WORDS.values() for word in words)
_BEGINNING = re.compile(r"[A-Za-z]+[0-9]*[ _.-]+")
_SIDES = ("left", "right", "l", "r")
_PREFIXES, _SHARED = 3, 0.7  # beginnings that are taken off, and the share of ids that have one
_SAME = 1e-9  # of the length of a spine
_NO_BONE = 0.01  # of the figure's longest bone: a joint this near to the one above it starts no bone


@dataclass(frozen=True, kw_only=True)
class Between:
    """A joint of the target that turns as something between two joints of the source."""

    joint: str
    lower: str
    upper: str
    share: float  # of the way from the lower one's turn to the upper one's


@dataclass(frozen=True, kw_only=True)
class JointMap:
    """Pairs of joints, source before target; a source joint may serve several."""

    pairs: tuple[tuple[str, str], ...]
    roles: tuple[tuple[str, str, str], ...] = ()  # role, source, target, where a role is known
    unmatched: tuple[str, ...] = ()  # target joints that keep their rest pose
    between: tuple[Between, ...] = ()  # targets of pairs that do not turn as their source alone
    rhythms: tuple[Rhythm, ...] = ()  # targets of pairs that go with an arm
    soles: tuple[Sole, ...] = ()  # targets of pairs that lie as the source's soles do
    toes: tuple[Toes, ...] = ()  # and that bend by as much

    def check(self, source: Figure, target: Figure) -> None:
        """Refuse a map that names what is not there, or a target twice."""
        for joint, figure in [(a, source) for a, _ in self.pairs] + [(b, target) for _, b in self.pairs]:
            if joint not in figure.joint_index:
                raise UnknownPart(kind="joint", id=joint, known=tuple(figure.joint_index))
        targets = [b for _, b in self.pairs]
        if not targets or len(set(targets)) != len(targets):
            raise InvalidArguments(what="the pairs of a joint map", value=targets, allowed="each target once")

    @property
    def text(self) -> str:
        """Pairs of joints that match, a line each, for a person."""
        return "\n".join([f"{a} -> {b}" for a, b in self.pairs] + [f"(rest) -> {b}" for b in self.unmatched])


def guess_map(source: Figure, target: Figure) -> JointMap:
    """The map by roles; refused where the figures have no limb in common."""
    ours, theirs = find_roles(source), find_roles(target)
    roles = [(role, ours[role], joint) for role, joint in theirs.items() if role in ours]
    if not any(role.startswith(("thigh", "upper arm")) for role, *_ in roles):
        raise InvalidArguments(
            what=f"what {source.name} and {target.name} have in common",
            value="no limb whose name is known",
            allowed="figures that share a limb, or a map of their joints (in the window: Keys > Retarget)",
        )
    pairs = {joint: mine for _, mine, joint in roles}
    spines = spine_of(source, ours), spine_of(target, theirs)
    for place, spine in enumerate(spines[1]):
        if spines[0]:
            pairs[spine] = spines[0][max(round((place + 1) / len(spines[1]) * len(spines[0])), 1) - 1]
    for joint in target.joints:
        # A hinge between two joints of a limb, such as a forearm's twist, follows what stands above the second one.
        end = next((each.id for each in target.joints if each.parent == joint.id and each.id in pairs), None)
        if joint.id not in pairs and joint.parent in pairs and len(joint.dofs) == 1 and end is not None:
            pairs[joint.id] = source.joint(pairs[end]).parent or pairs[joint.parent]
    for side in _SIDES[:2]:
        # A heel that is a hinge of its own turns with the ankle above it, or as another such heel.
        ankle, heels = theirs.get(f"ankle {side}"), (heel_of(source, ours, side), heel_of(target, theirs, side))
        if ankle in pairs and heels[1] is not None:
            pairs[heels[1]] = heels[0] or pairs[ankle]
        blades = blade_of(source, ours, side), blade_of(target, theirs, side)
        if blades[0] is not None and blades[1] is not None:
            pairs[blades[1]] = blades[0]
    between = tuple(_between(source, target, ours, theirs))
    pairs |= {each.joint: each.lower if each.share < 0.5 else each.upper for each in between}
    going, laid = tuple(rhythms(source, target, ours, theirs)), tuple(soles(source, target, ours, theirs))
    pairs |= {each.joint: each.arm for each in going} | {each.ankle: each.foot for each in laid}
    ordered = tuple((pairs[joint.id], joint.id) for joint in target.joints if joint.id in pairs)
    unmatched = tuple(joint.id for joint in target.joints if joint.id not in pairs and joint.dofs)
    return JointMap(
        pairs=ordered,
        roles=tuple(roles),
        unmatched=unmatched,
        between=between,
        rhythms=going,
        soles=laid,
        toes=tuple(toes_of(source, target, ours, theirs)),
    )


def _between(source: Figure, target: Figure, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[Between]:
    """The joints of a spine and a neck that answer by shares to fewer, or to more."""
    if not {"neck", "head"} <= ours.keys() & theirs.keys():
        return
    trunks = spine_of(source, ours), spine_of(target, theirs)
    necks = _neck_of(source, ours), _neck_of(target, theirs)
    shoulders = trunks[0][-1] if trunks[0] else ours["pelvis"]
    for base, (mine, yours) in ((ours["pelvis"], trunks), (shoulders, necks)):
        if not mine or not yours or max(len(mine), len(yours)) < 2 * min(len(mine), len(yours)):
            continue
        chain, places = (base, *mine), (0.0, *_places(source, mine))
        for joint, place in zip(yours, _places(target, yours), strict=True):
            upper = next(each for each, far in enumerate(places) if far >= place - _SAME)
            share = 1.0 if upper == 0 else (place - places[upper - 1]) / max(places[upper] - places[upper - 1], _SAME)
            yield Between(joint=joint, lower=chain[max(upper - 1, 0)], upper=chain[upper], share=min(share, 1.0))


def _neck_of(figure: Figure, roles: Mapping[str, str]) -> list[str]:
    """Joints from that of the neck to that of the head."""
    found = [roles["head"]]
    while found[-1] != roles["neck"] and (parent := figure.joint(found[-1]).parent) is not None:
        found.append(parent)
    return found[::-1] if found[-1] == roles["neck"] else []


def _places(figure: Figure, joints: Sequence[str]) -> list[float]:
    """How far along some joints each stands, from above 0 to 1, by the ranges of their hinges."""
    ranges = []
    for id in joints:
        ends = [(dof.lower, dof.upper) for dof in figure.joint(id).dofs if dof.kind == "hinge"]
        ranges.append(sum(upper - lower for lower, upper in ends if lower is not None and upper is not None))
    ranges = ranges if all(ranges) else [1.0] * len(joints)
    return [float(each) for each in np.cumsum(ranges) / sum(ranges)]


def map_of(source: Figure, target: Figure, pairs: Sequence[tuple[str, str]]) -> JointMap:
    """The map of given pairs, source before target; each pair has the role that its target's joint has, and those that
    a guess would make turn by shares, or go with an arm, do so."""
    known = {b: a for a, b in pairs}
    roles = tuple((role, known[joint], joint) for role, joint in find_roles(target).items() if joint in known)
    unmatched = tuple(joint.id for joint in target.joints if joint.id not in known and joint.dofs)
    try:
        guess = guess_map(source, target)
    except InvalidArguments:
        guess = JointMap(pairs=())
    kept = set(guess.pairs) & set(pairs)
    between = tuple(each for each in guess.between if any(b == each.joint for _, b in kept))
    same = {b for _, b in kept}
    found = JointMap(
        pairs=tuple(pairs),
        roles=roles,
        unmatched=unmatched,
        between=between,
        rhythms=tuple(each for each in guess.rhythms if each.joint in same),
        soles=tuple(each for each in guess.soles if {each.ankle, each.heel} <= {*same, None}),
        toes=tuple(each for each in guess.toes if each.joint in same),
    )
    found.check(source, target)
    return found


def find_roles(figure: Figure) -> dict[str, str]:
    """Joint of each role: `pelvis`, `neck`, `head`, and those of LEG and ARM followed by their side."""
    figure = pair_sides(figure)
    words = _words(figure)
    paths = _paths(figure)
    found: dict[str, str] = {}
    for limb in (LEG, ARM):
        for side in ("left", "right"):
            sided = [[joint for joint in path if joint.side == side] for path in paths]
            sided = [path for path in sided if path]
            best = max((_match(path, limb, words) for path in sided), key=len, default={})
            named = best if len(best) >= 3 else _by_bones(figure, sided, limb)
            found.update({f"{role} {side}": joint for role, joint in named.items()})
    middle = [joint for joint in figure.joints if joint.side == "middle"]
    for role in ("pelvis", "neck", "head"):
        named_so = [joint.id for word in _WORDS[role] for joint in middle if words[joint.id] == word]
        if named_so:
            found[role] = named_so[0]
    found.setdefault("pelvis", figure.joints[0].id)
    return found


def spine_of(figure: Figure, roles: Mapping[str, str]) -> list[str]:
    """Joints between the pelvis and the neck (the head, the arms)."""
    end = next((roles[role] for role in ("neck", "head", "collar left", "upper arm left") if role in roles), None)
    above: list[str] = []
    joint = None if end is None else figure.joint(end).parent
    while joint is not None and joint != roles["pelvis"]:
        above.append(joint)
        joint = figure.joint(joint).parent
    taken = set(roles.values())
    return [each for each in reversed(above) if each not in taken]


def rest_places(figure: Figure) -> dict[str, Array]:
    """Compute the positions of the joints with every coordinate at zero [m]."""
    rotations, places = zero_rotations(figure), dict[str, Array]()
    for joint in figure.joints:
        above = np.zeros(3) if joint.parent is None else places[joint.parent]
        turn = np.eye(3) if joint.parent is None else rotations[joint.parent]
        places[joint.id] = above + turn @ np.array(joint.offset)
    return places


def _words(figure: Figure) -> dict[str, str]:
    """The word that each id comes down to, without sides, numbers and what nearly all of them begin with."""
    names = {joint.id: joint.id.rsplit(":", 1)[-1] for joint in figure.joints}
    for _ in range(_PREFIXES):
        begun = Counter(found.group() for name in names.values() if (found := _BEGINNING.match(name)))
        first, count = max(begun.items(), key=lambda pair: pair[1], default=("", 0))
        if (
            count < _SHARED * len(names)
            or count < 4
            or re.sub(r"[^a-z]", "", first.lower()) in ("left", "right", "l", "r")
        ):
            break
        names = {id: name.removeprefix(first) for id, name in names.items()}
    return {id: _word(name) for id, name in names.items()}


def _word(name: str) -> str:
    text = re.sub(r"left|right", "", name, flags=re.IGNORECASE)
    text = re.sub(r"^[LR](?=[A-Z])|(?<![a-zA-Z])[lrcLRC](?![a-zA-Z])", "", text)
    word = re.sub(r"[^a-z]", "", text.lower())
    # Acclaim skeletons write the side as a small letter before the word: lhumerus.
    return word[1:] if word[:1] in ("l", "r") and word not in _KNOWN and word[1:] in _KNOWN else word


def _paths(figure: Figure) -> list[list[Joint]]:
    """List the paths from the root to each leaf."""
    parents = {joint.parent for joint in figure.joints}
    found = []
    for leaf in figure.joints:
        if leaf.id not in parents:
            path = [leaf]
            while path[-1].parent is not None:
                path.append(figure.joint(path[-1].parent))
            found.append(path[::-1])
    return found


def _match(path: Sequence[Joint], limb: Sequence[str], words: Mapping[str, str]) -> dict[str, str]:
    """The most roles that the words allow in this order; of equal ones, those that leave out the collar bone."""
    best: list[dict[str, str]] = [{} for _ in range(len(limb) + 1)]  # by how many roles are spent
    for joint in path:
        word = words[joint.id]
        for spent in range(len(limb), 0, -1):
            role = limb[spent - 1]
            if word in _WORDS[role]:
                before = max(reversed(best[:spent]), key=len)
                if len(before) + 1 > len(best[spent]):
                    best[spent] = {**before, role: joint.id}
    return max(reversed(best), key=len)


def _by_bones(figure: Figure, paths: Sequence[Sequence[Joint]], limb: Sequence[str]) -> dict[str, str]:
    places = rest_places(figure)
    if not paths:
        return {}
    if limb is LEG:
        path = min(paths, key=lambda each: places[each[-1].id][1])
    else:
        path = max(paths, key=lambda each: abs(places[each[-1].id][0]))
    ends = [joint.id for joint in path]
    bones = [float(np.linalg.norm(places[b] - places[a])) for a, b in pairwise(ends)]
    kept = [0] + [place + 1 for place, bone in enumerate(bones) if bone > _NO_BONE * max(bones)]
    ends = [ends[place] for place in kept]
    bones = [float(np.linalg.norm(places[b] - places[a])) for a, b in pairwise(ends)]
    if len(bones) < 2:
        return {}
    first = max(range(len(bones) - 1), key=lambda place: bones[place] + bones[place + 1])
    start = 0 if limb is LEG else 1
    roles = dict(zip(limb[start:], ends[first : first + len(limb) - start], strict=False))
    return roles if limb is LEG or first == 0 else {**roles, limb[0]: ends[first - 1]}
