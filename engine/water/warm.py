"""Compiles the kernels of water by taking a step of a small tank with a body in it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Actor, Box, Document, Joint, Figure
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
