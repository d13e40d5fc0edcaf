"""Document: the frozen value that holds what a person made.

Everything here is a frozen dataclass of tuples and numbers. A `Part` has an `id` where others refer to it and a
`digest` of its content; parts that did not change between two documents are the identical objects, so views and
histories compare with `is`, while caches and files go by digest.
"""

from engine.document.actor import Actor, Attachment, Placement
from engine.document.blobs import Blob
from engine.document.clip import Clip
from engine.document.correction import Bell, Correction, Term
from engine.document.document import Document
from engine.document.figure import Body, Dof, DrivenBy, Figure, Handle, Joint
from engine.document.limit import Limit
from engine.document.lock import Lock
from engine.document.material import Colouring, Material, TextureImage
from engine.document.motion import Draft, Key, Layer, Samples, Span, SpeedRange, Track
from engine.document.part_reader import decode_document
from engine.document.parts import Part, encode_document
from engine.document.props import prop
from engine.document.references import Reference
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.selection_sets import SelectionSet
from engine.document.shapes import Box, Capsule, Ellipsoid, Loft, Section, Shape, TriangleMesh
from engine.document.skin import Skin
from engine.document.target import Target
from engine.document.validation import validate

__all__ = [
    "Actor",
    "Attachment",
    "Bell",
    "Blob",
    "Body",
    "Box",
    "Capsule",
    "Clip",
    "Colouring",
    "Correction",
    "Document",
    "Dof",
    "Draft",
    "DrivenBy",
    "Ellipsoid",
    "Figure",
    "Gains",
    "Handle",
    "Joint",
    "Key",
    "Limit",
    "Lock",
    "Loft",
    "Material",
    "OwnGains",
    "Part",
    "Placement",
    "Layer",
    "Reference",
    "Samples",
    "Secondary",
    "Section",
    "SelectionSet",
    "Shape",
    "Skin",
    "Span",
    "SpeedRange",
    "Target",
    "TextureImage",
    "Term",
    "Track",
    "TriangleMesh",
    "decode_document",
    "encode_document",
    "prop",
    "validate",
]
