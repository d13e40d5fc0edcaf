"""Captured markers as a system: which of them were not seen when; what fits and scales figures to them."""

from engine.systems import Kernels, System

_EDITS = "engine.markers.edits"

SYSTEM = System(
    name="markers",
    uses="engine.markers.uses:uses_markers",
    parts=("engine.document.capture:MarkerGaps", "engine.document.capture:MarkerGap"),
    edits=((_EDITS, "scale_figure", "Scale {actor}"),),
    kernel_edits=frozenset(("scale_figure",)),
    follows="engine.markers.follows:MarkersFollows",
    kernels=Kernels(
        name="markers",
        purpose="fitting to markers",
        functions=("engine.markers.warm:warm",),
        seconds={"fit_frames": 2.4},
        on_request=True,
    ),
)
