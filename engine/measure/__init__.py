"""Measure: any quantity of a motion against time, for plots and tables.

`engine.measure.quantities` names what can be measured; `moving` finds how the joints of an actor move, `masses` what
their bodies amount to, `efforts` what forces that takes, `measuring` puts all together as `series`. Importing this
package loads neither numpy nor a kernel.
"""

from engine.measure.quantities import GRAVITY, KINDS, Kind, Quantity, caution_of, has_rate, label_of, parts_of, unit_of
from engine.measure.ticks import ticks_between

__all__ = [
    "GRAVITY",
    "KINDS",
    "Kind",
    "Quantity",
    "caution_of",
    "has_rate",
    "label_of",
    "parts_of",
    "ticks_between",
    "unit_of",
]
