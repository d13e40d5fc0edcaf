"""Model: a figure compiled to packed arrays, its forward kinematics, and the Snapshot that is drawn.

Importing this package loads no kernel (and so not numba): the window draws a rest pose before any kernel is ready.
The kernels are in `engine.model.kinematics`.
"""

from engine.document import Colouring, Material, TextureImage
from engine.model.coarsening import coarsened
from engine.model.colourings import BARE, SplitVertices, merged, split, triangles_by_material
from engine.model.compile import Model, compile_model
from engine.model.meshes import Mesh
from engine.model.skeletons import Skeleton
from engine.model.snapshot import (
    ActorFinish,
    Balance,
    Bodies,
    CameraView,
    LiquidSurface,
    LockMark,
    SceneLight,
    SkinSurface,
    SliceSheet,
    Snapshot,
    Spindles,
)
from engine.model.trails import Onion, Tangents, Trail, TrailPicture, join_trails

__all__ = [
    "BARE",
    "Balance",
    "Bodies",
    "ActorFinish",
    "CameraView",
    "Colouring",
    "LiquidSurface",
    "LockMark",
    "Material",
    "Mesh",
    "Model",
    "Onion",
    "TrailPicture",
    "Skeleton",
    "SkinSurface",
    "SliceSheet",
    "SceneLight",
    "Snapshot",
    "Spindles",
    "SplitVertices",
    "Tangents",
    "TextureImage",
    "Trail",
    "coarsened",
    "compile_model",
    "join_trails",
    "merged",
    "split",
    "triangles_by_material",
]
