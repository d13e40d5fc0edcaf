"""CurrentSplines: which spline is meant, and splines drawn point by point."""

from __future__ import annotations
