"""What a kernel is told apart by."""

from collections.abc import Callable

import numpy as np

from engine.maths.rotations import Array
from engine.runtime.kernel_digest import kernel_digest


def reading(part: slice) -> Callable[[Array], Array]:
    return lambda values: values[part]


def test_slices_tell_kernels_apart() -> None:
    """From Python 3.14 on a slice stands among the constants of code."""
    first, same, other = (kernel_digest(reading(slice(start, None))) for start in (0, 0, 1))
    assert first == same != other
    assert reading(slice(1, None))(np.arange(2.0)).tolist() == [1.0]
