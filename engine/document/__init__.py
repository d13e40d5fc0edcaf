"""Document: the frozen value that holds what a person made.

Everything here is a frozen dataclass of tuples and numbers. A `Part` has an `id` where others refer to it and a
`digest` of its content; parts that did not change between two documents are the identical objects, so views and
histories compare with `is`, while caches and files go by digest.
"""

from engine.document.actor import Actor, Placement, PoseLayer, Prop
from engine.document.document import Document
from engine.document.figure import Dof, Figure, Joint
from engine.document.parts import Part, decode_document, encode_document
from engine.document.shapes import Box, Capsule, Ellipsoid, Loft, Section, Shape
from engine.document.validation import validate

__all__ = [
    "Actor",
    "Box",
    "Capsule",
    "Document",
    "Dof",
    "Ellipsoid",
    "Figure",
    "Joint",
    "Loft",
    "Part",
    "Placement",
    "PoseLayer",
    "Prop",
    "Section",
    "Shape",
    "decode_document",
    "encode_document",
    "validate",
]
