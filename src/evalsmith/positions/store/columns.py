"""Columns of Parquet as arrays, checked: whole numbers that fit, lines of a search, distributions over moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalsmith.positions.samples import LINE_DEPTH, LINE_MOVE, LINE_SCORE, Samples, no_lines
from evalsmith.positions.store.bounds import HIGHEST_MOVE, MAX_LINES, MAX_SHARES
from evalsmith.records.position_batch import no_policy
from evalsmith.run import InputError

LINES = {"line_moves": LINE_MOVE, "line_scores": LINE_SCORE, "line_depths": LINE_DEPTH}
POLICY = {"policy_moves": "move", "policy_shares": "share"}
_KINDS = {"line_moves": pa.int32(), "line_scores": pa.int32(), "line_depths": pa.int16(), "policy_moves": pa.int32()}


def column_of(path: Path, table: Any, name: str, kind: Any, null: int | None = None) -> npt.NDArray[Any]:
    """A column as an array; numbers of another width are taken where they fit."""
    column = table[name]
    if not pa.types.is_integer(column.type):
        raise InputError(f"{path}: the column {name} should hold whole numbers, not {column.type}")
    if column.null_count and null is None:
        raise InputError(f"{path}: the column {name} lacks {column.null_count} of its numbers")
    try:
        numbers = column.cast(kind)
    except pa.ArrowException as error:
        raise InputError(f"{path}: a number of the column {name} does not fit {kind}: {error}") from None
    return np.array((numbers if null is None or not column.null_count else numbers.fill_null(null)).to_numpy())


def line_columns(samples: Samples) -> dict[str, pa.Array]:
    """The lines of the samples as columns of lists; none where no row has a line."""
    there = samples.lines[:, :, LINE_MOVE] >= 0
    if not there.any():
        return {}
    lengths = there.sum(axis=1)
    ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    # A null at an offset is a row without a list.
    offsets = pa.array(ends, mask=np.append(lengths == 0, False))
    columns = {}
    for name, place in LINES.items():
        values = samples.lines[:, :, place][there]
        unknown = values < 0 if name == "line_depths" else None
        columns[name] = pa.ListArray.from_arrays(offsets, pa.array(values, mask=unknown).cast(_KINDS[name]))
    return columns


def policy_columns(samples: Samples) -> dict[str, pa.Array]:
    """The distributions over moves as columns of lists; none where no row has one."""
    there = samples.policy["move"] >= 0
    if not there.any():
        return {}
    lengths = there.sum(axis=1)
    offsets = pa.array(np.concatenate(([0], np.cumsum(lengths))).astype(np.int32), mask=np.append(lengths == 0, False))
    values = samples.policy[there]
    return {
        name: pa.ListArray.from_arrays(offsets, pa.array(np.ascontiguousarray(values[part])))
        for name, part in POLICY.items()
    }


def policy_of(path: Path, table: Any, rows: int) -> npt.NDArray[np.void]:
    """The lists of distributions as one array; the two columns must agree in their lengths."""
    if not all(name in table.column_names for name in POLICY):
        return no_policy(rows)
    moves_name, shares_name = POLICY
    lengths, moves = _flattened(path, table[moves_name], moves_name)
    shares = table[shares_name].combine_chunks()
    counts = pc.list_value_length(shares).fill_null(0).to_numpy(zero_copy_only=False)
    flat = pc.list_flatten(shares)
    if not np.array_equal(lengths, counts) or not pa.types.is_float64(flat.type) or flat.null_count:
        raise InputError(f"{path}: {shares_name} should hold one decimal number for each move of {moves_name}")
    longest = int(lengths.max(initial=0))
    if longest > MAX_SHARES or not ((moves >= 0) & (moves <= HIGHEST_MOVE)).all():
        raise InputError(
            f"{path}: {moves_name} holds at most {MAX_SHARES:,} moves from 0 to {HIGHEST_MOVE:,}, but here beyond it"
        )
    policy = no_policy(rows, longest)
    there = np.arange(longest) < lengths[:, None]
    policy["move"][there], policy["share"][there] = moves, flat.to_numpy(zero_copy_only=False)
    return policy


def lines_of(path: Path, table: Any, rows: int) -> npt.NDArray[np.int32]:
    """The lists of lines as one array; the three columns must agree in their lengths."""
    names = [name for name in LINES if name in table.column_names]
    if not names:
        return no_lines(rows)
    if missing := [name for name in LINES if name not in names]:
        raise InputError(f"{path} has the column {names[0]}, but lacks {', '.join(missing)}")
    lengths, flat = zip(*(_flattened(path, table[name], name) for name in LINES), strict=True)
    if not all(np.array_equal(lengths[0], other) for other in lengths[1:]):
        raise InputError(f"{path}: the columns {', '.join(LINES)} have lists of different lengths")
    longest = int(lengths[0].max(initial=0))
    if longest > MAX_LINES:
        raise InputError(f"{path}: a position has {longest:,} lines, more than {MAX_LINES:,}")
    if not ((flat[0] >= 0) & (flat[0] <= HIGHEST_MOVE)).all():
        raise InputError(f"{path}: the moves of line_moves go from 0 to {HIGHEST_MOVE:,}, but here beyond it")
    lines = no_lines(rows, longest)
    there = np.arange(longest) < lengths[0][:, None]
    for (_, place), values in zip(LINES.items(), flat, strict=True):
        lines[:, :, place][there] = values
    return lines


def _flattened(path: Path, column: Any, name: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """The length of each list, and all values one after another."""
    if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
        raise InputError(f"{path}: the column {name} should hold lists, not {column.type}")
    joined = column.combine_chunks()
    lengths = np.array(pc.list_value_length(joined).fill_null(0).to_numpy(zero_copy_only=False), dtype=np.int64)
    values = pa.table({name: pc.list_flatten(joined)})
    return lengths, column_of(path, values, name, _KINDS[name], -1 if name == "line_depths" else None)
