"""Fields as stops of a linear step: what the box of the limits is to single columns, over several angles.

A step e that would leave a field, whose value is phi and whose gradient is n where e ends, is held on

    phi + n.(d - e) = 0,

the plane that the field's boundary looks like from there: of a region that is convex it cuts nothing off, and at an
edge it leans on both sides. With the mobilities K, d = z + K J^T y becomes

    d = z + K J^T y - K n s,   s = (phi + n.(z - e) + v.y) / (n.K n),   v = J K n,

so that the matrix J K J^T of the system for y loses v v^T / (n.K n). A column that one field holds is left to it: no
other field that it belongs to is a stop at the same time. Where a step leaves its field all the same (an edge, a bite),
the angles of that are pinned to where P would move them, and the system is solved for the others: what P does then
costs the goals nothing.
"""

from __future__ import annotations

from engine.ik.columns import add_column
from engine.ik.layout import (
    ACTIVE,
    COLUMNS,
    CONSTANT,
    FIELDS,
    FIELDS_AT,
    FIELDS_END,
    MAIN_ROWS,
    MEASURE,
    MOVED,
    NORMAL,
    ROWS,
    SEEN,
    STOPS,
    Regions,
)
from engine.ik.layout import JACOBIAN as JACOBIAN_AT
from engine.ik.region_kernels import AT_BOUNDARY, dot, within
from engine.limits.interpolation import HEADER, MOST_ANGLES, RECORD, Point, slope_of, value_of
from engine.limits.query import along, gather_angles
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel, lazy_kernel

Fields = tuple[IntArray, Array, int]  # the number as wide as a literal, so that all share the code
"""Fields that are packed together, and the number of the first of them."""
_LEAST = 1e-12  # of n.K n: below it, nothing of a field moves
_ROUGH = 5e-3  # [rad] beyond a field, from where it is pinned; what is less is left to P
_SLOPES, _CLOSE = 4, 1e-7  # steps down the slope of one that is pinned; how far inside the boundary they end [rad]


@borrowing
@kernel
def stop_at(ints: IntArray, field: int) -> int:
    """Return where in `work` a field's knowledge begins."""
    return int(ints[STOPS] + field * (SEEN + ints[ROWS]))


@borrowing
@kernel
def clear_stops(ints: IntArray, work: Array) -> None:
    """Mark every field as no stop."""
    for field in range(ints[FIELDS_END]):
        work[stop_at(ints, field) + ACTIVE] = 0.0
    taken = work[stop_at(ints, ints[FIELDS_END]) + ints[COLUMNS] :]
    for column in range(ints[COLUMNS]):
        taken[column] = 0.0


@borrowing
@lazy_kernel
def write_shifts(ints: IntArray, work: Array, y: Array) -> None:
    """K n s of every column: what stops take from its step."""
    shifts = work[stop_at(ints, ints[FIELDS_END]) :]
    for column in range(ints[COLUMNS]):
        shifts[column] = 0.0
    for field in range(ints[FIELDS_END]):
        stop = stop_at(ints, field)
        if work[stop + ACTIVE] != 0.0:
            share = work[stop + CONSTANT]
            for row in range(ints[MAIN_ROWS]):
                share += work[stop + SEEN + row] * y[row]
            share /= work[stop + MEASURE]
            for angle in range(MOST_ANGLES):
                column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
                if column >= 0:
                    shifts[column] += work[stop + MOVED + angle] * share


@borrowing
@kernel
def is_taken(ints: IntArray, work: Array, column: int) -> bool:
    """Tell whether a stop holds a column."""
    return holder_of(ints, work, column) >= 0


@borrowing
@kernel
def holder_of(ints: IntArray, work: Array, column: int) -> int:
    """The field that holds a column, -1 where none does."""
    return int(work[stop_at(ints, ints[FIELDS_END]) + ints[COLUMNS] + column]) - 1


@borrowing
@kernel
def take_columns(ints: IntArray, field: int, taken: bool, work: Array) -> None:
    """Note that a field holds its columns, or that it does not."""
    for angle in range(MOST_ANGLES):
        column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
        if column >= 0:
            work[stop_at(ints, ints[FIELDS_END]) + ints[COLUMNS] + column] = field + 1.0 if taken else 0.0


@borrowing
@kernel
def is_free(ints: IntArray, field: int, work: Array) -> bool:
    """Tell whether no stop holds any of a field's columns."""
    for angle in range(MOST_ANGLES):
        column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
        if column >= 0 and is_taken(ints, work, column):
            return False
    return True


@borrowing
@kernel
def aimed_point(ints: IntArray, field: int, point: Point, step: Array) -> Point:
    """The angles of a field after a step."""
    c = ints[FIELDS_AT] + field * MOST_ANGLES
    return (
        point[0] + (step[ints[c]] if ints[c] >= 0 else 0.0),
        point[1] + (step[ints[c + 1]] if ints[c + 1] >= 0 else 0.0),
        point[2] + (step[ints[c + 2]] if ints[c + 2] >= 0 else 0.0),
        point[3] + (step[ints[c + 3]] if ints[c + 3] >= 0 else 0.0),
        point[4] + (step[ints[c + 4]] if ints[c + 4] >= 0 else 0.0),
    )


@borrowing
@kernel
def write_stop(ints: IntArray, field: int, n: Point, mobility: Array, work: Array) -> bool:
    """n, K n, J K n and n.K n of a field over the columns that move; whether any does."""
    stop, jacobian = stop_at(ints, field), work[ints[JACOBIAN_AT] :]
    v = work[stop + SEEN :]
    for row in range(ints[ROWS]):
        v[row] = 0.0
    measure = 0.0
    for angle in range(MOST_ANGLES):
        column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
        moved = n[angle] * mobility[column] if column >= 0 else 0.0
        work[stop + NORMAL + angle], work[stop + MOVED + angle] = n[angle] if column >= 0 else 0.0, moved
        measure += n[angle] * moved
        if moved != 0.0:
            add_column(ints, jacobian, column, moved, v)
    work[stop + MEASURE] = measure
    return bool(measure > _LEAST)


@borrowing
@kernel
def downdate(size: int, v: Array, factor: float, out_a: Array) -> None:
    """A -= factor v v^T, the lower triangle."""
    for row in range(size):
        scaled = factor * v[row]
        for other in range(row + 1):
            out_a[row * size + other] -= scaled * v[other]


@borrowing
@lazy_kernel
def use_stop(ints: IntArray, field: int, used: bool, work: Array, out_a: Array, out_left: Array) -> None:
    """Put A and what is left of the rows right for a field that becomes a stop, or is none any more."""
    stop, height = stop_at(ints, field), ints[MAIN_ROWS]
    v, part = work[stop + SEEN :], (1.0 if used else -1.0) / work[stop + MEASURE]
    downdate(height, v, part, out_a)
    for row in range(height):
        out_left[row] += v[row] * work[stop + CONSTANT] * part
    work[stop + ACTIVE] = 1.0 if used else 0.0
    take_columns(ints, field, used, work)


@borrowing
@kernel
def free_columns(ints: IntArray, field: int, work: Array, out_a: Array, out_left: Array) -> None:
    """Free a field's columns from stops."""
    for angle in range(MOST_ANGLES):
        column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
        if column >= 0 and is_taken(ints, work, column):
            use_stop(ints, holder_of(ints, work, column), False, work, out_a, out_left)


@borrowing
@lazy_kernel
def add_stops(
    ints: IntArray,
    regions: Regions,
    q: Array,
    mobility: Array,
    task: Array,
    step: Array,
    pins: bool,
    work: Array,
    out_a: Array,
    out_left: Array,
) -> bool:
    """Make stops of the fields that a step would leave, or pin them. A and what is left of the rows are put right;
    whether any was. `mobility` is 0 for a column whose part of the step stays, and turned negative for one that is
    pinned."""
    first = _add_stops(ints, (regions[0], regions[1], 0), q, mobility, task, step, pins, work, out_a, out_left)
    second = _add_stops(
        ints, (regions[2], regions[3], 0 + ints[FIELDS]), q, mobility, task, step, pins, work, out_a, out_left
    )
    return bool(first or second)


@borrowing
@kernel
def _add_stops(
    ints: IntArray,
    fields: Fields,
    q: Array,
    mobility: Array,
    task: Array,
    step: Array,
    pins: bool,
    work: Array,
    out_a: Array,
    out_left: Array,
) -> bool:
    (pack, numbers, start), added = fields, False
    for each in range(pack[0]):
        field, record = start + each, HEADER + each * RECORD
        stop, point = stop_at(ints, field), gather_angles(pack, record, q)
        aim = aimed_point(ints, field, point, step)
        value = value_of(pack, numbers, record, aim)
        if value <= (_ROUGH if pins else 0.0):
            continue
        if pins:
            free_columns(ints, field, work, out_a, out_left)
        elif not is_free(ints, field, work):
            continue
        _, n = slope_of(pack, numbers, record, aim)
        if not pins and write_stop(ints, field, n, mobility, work):
            for angle in range(MOST_ANGLES):
                column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
                if column >= 0 and mobility[column] > 0.0:
                    value += n[angle] * (task[column] - step[column])
            work[stop + CONSTANT] = value
            use_stop(ints, field, True, work, out_a, out_left)
            added = True
        else:
            added = pin_field(ints, pack, numbers, field, record, point, aim, mobility, step, work, out_left) or added
    return added


@borrowing
@kernel
def pin_field(
    ints: IntArray,
    pack: IntArray,
    numbers: Array,
    field: int,
    record: int,
    point: Point,
    aim: Point,
    mobility: Array,
    step: Array,
    work: Array,
    out_left: Array,
) -> bool:
    """Lead the angles of a field down its slope from `aim`, and leave them there; whether that changed anything."""
    columns, jacobian, changed = ints[FIELDS_AT] + field * MOST_ANGLES, work[ints[JACOBIAN_AT] :], False
    for _ in range(_SLOPES):
        value, n = slope_of(pack, numbers, record, aim)
        n = within(ints, columns, n)
        steepness = dot(n, n)
        if value <= 0.0 or not steepness > 0.01:
            break
        aim = along(aim, n, -(value + 0.5 * _CLOSE) / steepness)
    for angle in range(MOST_ANGLES):
        column = ints[columns + angle]
        if column >= 0:
            part = aim[angle] - point[angle]
            changed = changed or mobility[column] > 0.0 or abs(part - step[column]) > _CLOSE
            if mobility[column] > 0.0:
                mobility[column] = -mobility[column]
            elif mobility[column] == 0.0:
                add_column(ints, jacobian, column, step[column] - part, out_left)
            step[column] = part
    return changed


@borrowing
@lazy_kernel
def refresh_stops(ints: IntArray, regions: Regions, q: Array, mobility: Array, work: Array) -> bool:
    """Stops as the fields are at q, without those whose boundary q has left; whether there were any."""
    first = _refresh_stops(ints, (regions[0], regions[1], 0), q, mobility, work)
    second = _refresh_stops(ints, (regions[2], regions[3], 0 + ints[FIELDS]), q, mobility, work)
    return bool(first or second)


@borrowing
@kernel
def _refresh_stops(ints: IntArray, fields: Fields, q: Array, mobility: Array, work: Array) -> bool:
    (pack, numbers, start), found = fields, False
    for each in range(pack[0]):
        field, record = start + each, HEADER + each * RECORD
        stop = stop_at(ints, field)
        if work[stop + ACTIVE] != 0.0:
            value, n = slope_of(pack, numbers, record, gather_angles(pack, record, q))
            kept = value >= -AT_BOUNDARY and write_stop(ints, field, n, mobility, work)
            if not kept:
                work[stop + ACTIVE] = 0.0
                take_columns(ints, field, False, work)
            found = True
    return found


@borrowing
@lazy_kernel
def change_stops(
    ints: IntArray, regions: Regions, q: Array, mobility: Array, step: Array, mu: Array, release: bool, work: Array
) -> bool:
    """Stops where a step leads out of a field at whose boundary q stands, none any more where it is driven inwards;
    whether any changed."""
    first = _change_stops(ints, (regions[0], regions[1], 0), q, mobility, step, mu, release, work)
    second = _change_stops(ints, (regions[2], regions[3], 0 + ints[FIELDS]), q, mobility, step, mu, release, work)
    return bool(first or second)


@borrowing
@kernel
def _change_stops(
    ints: IntArray, fields: Fields, q: Array, mobility: Array, step: Array, mu: Array, release: bool, work: Array
) -> bool:
    (pack, numbers, start), changed = fields, False
    for each in range(pack[0]):
        field, record = start + each, HEADER + each * RECORD
        stop = stop_at(ints, field)
        if work[stop + ACTIVE] != 0.0:
            driven = 0.0
            for row in range(ints[MAIN_ROWS]):
                driven += work[stop + SEEN + row] * mu[row]
            if release and driven < 0.0:
                work[stop + ACTIVE] = 0.0
                take_columns(ints, field, False, work)
                changed = True
            continue
        point = gather_angles(pack, record, q)
        if value_of(pack, numbers, record, point) < -AT_BOUNDARY or not is_free(ints, field, work):
            continue
        _, n = slope_of(pack, numbers, record, point)
        outwards = 0.0
        for angle in range(MOST_ANGLES):
            column = ints[ints[FIELDS_AT] + field * MOST_ANGLES + angle]
            outwards += n[angle] * step[column] if column >= 0 else 0.0
        if outwards > 0.0 and write_stop(ints, field, n, mobility, work):
            work[stop + ACTIVE], work[stop + CONSTANT] = 1.0, 0.0
            take_columns(ints, field, True, work)
            changed = True
    return changed
