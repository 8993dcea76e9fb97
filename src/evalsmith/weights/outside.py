"""Weights of an outside engine: named numbers in groups, and the file that holds them.

A CSV file has one row a feature, in the order of the indices that the engine's trace uses:

    name,group,mg,eg,kind
    pawn,material,82,94,
    knight,material,337,281,
    tempo,tempo,12,12,single

``mg`` and ``eg`` are the middle game and the endgame; an engine without phases has one column ``value`` in their place.
``kind`` may be left out, or say ``single`` (one number whatever the phase, added after the division), ``fixed``
(known to the evaluation, never fitted) or both. The features of a group stand one after another. A JSON file has the
same as a list of objects, or that list under ``features``. What a fit writes is such a file again, so it can be the
start of the next one.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.run import InputError, write_text
from evalsmith.weights.layout import Layout

FORMAT = "evalsmith-outside-weights"
NO_GAME = "an outside engine"
TAPERED = ("mg", "eg")
PLAIN = ("value",)
KINDS = ("single", "fixed")
FIELDS = ("name", "group", "mg", "eg", "kind")
MOST_FEATURES = 1 << 24  # more is a slip, and would fill the memory


@dataclass(frozen=True)
class OutsideFeature:
    """One number (or pair) of an outside engine's evaluation."""

    name: str
    group: str
    single: bool = False
    fixed: bool = False

    @property
    def kind(self) -> str:
        """The words of the ``kind`` field."""
        return " ".join(word for word, said in zip(KINDS, (self.single, self.fixed), strict=True) if said)


@dataclass(frozen=True, eq=False, repr=False)
class OutsideWeights:
    """The features of an outside engine with their values, ``values[column][feature]`` in its own unit."""

    features: tuple[OutsideFeature, ...]
    columns: tuple[str, ...]
    values: npt.NDArray[np.float64]
    name: str = "weights"

    def __post_init__(self) -> None:
        expected = (len(self.columns), len(self.features))
        if self.values.shape != expected:
            raise ValueError(f"{self.values.shape} values for {expected[0]} columns of {expected[1]} features")

    def __repr__(self) -> str:
        return f"<weights {self.name!r} of an outside engine: {len(self.columns)} × {self.size:,}>"

    @property
    def size(self) -> int:
        """How many features a column has."""
        return len(self.features)

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups in the order of their first features."""
        return tuple(dict.fromkeys(feature.group for feature in self.features))

    def members(self, group: str) -> npt.NDArray[np.int64]:
        """The indices of a group's features."""
        return np.array([i for i, feature in enumerate(self.features) if feature.group == group], dtype=np.int64)

    @property
    def layout(self) -> Layout:
        """The groups as a layout names features: each group is one, and its features stand side by side."""
        sizes = Counter(feature.group for feature in self.features)
        blend = ((0, 1, 1),) if len(self.columns) == 2 else ((0, 0, 0),)
        return Layout(NO_GAME, 0, tuple((group, sizes[group]) for group in self.groups), self.columns, blend, 2)

    def describe(self, group: str, index: int) -> str:
        """The name of a feature by its place in its group."""
        first: int = self.layout.slice_of(group).start
        return self.features[first + index].name

    def unknown_name(self, unknown: int) -> str:
        """What an unknown of a fit is called: ``knight (eg)``."""
        column, index = divmod(unknown, self.size)
        feature = self.features[index]
        plain = feature.single or len(self.columns) == 1
        return feature.name if plain else f"{feature.name} ({self.columns[column]})"

    def with_values(self, values: npt.NDArray[Any], name: str | None = None) -> OutsideWeights:
        """The same features with other values; flat ones are taken column after column."""
        shaped = np.asarray(values, dtype=np.float64).reshape(self.values.shape)
        return OutsideWeights(self.features, self.columns, shaped, name or self.name)


def number_text(value: float) -> str:
    """A weight as text: whole numbers without a point, others with as many digits as tell them apart."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


# ── Reading ──


def read_outside_weights(path: Path) -> OutsideWeights:
    """Read a file of features and values, CSV or JSON by its name; every fault is named with its line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file of features {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start:,}); save it as UTF-8") from None
    rows = _json_rows(path, text) if path.suffix.lower() == ".json" else _csv_rows(path, text)
    return make_outside_weights(rows, path.stem)


def make_outside_weights(rows: Iterable[tuple[str, Mapping[str, Any]]], name: str) -> OutsideWeights:
    """Features from rows of named fields, each with the place that an error names."""
    features: list[OutsideFeature] = []
    values: list[list[float]] = []
    columns: tuple[str, ...] | None = None
    seen: dict[str, str] = {}
    kinds: dict[str, tuple[str, bool]] = {}
    where = name
    for where, row in rows:
        feature = _feature(where, row)
        here = PLAIN if row.get("value") not in (None, "") else TAPERED
        columns = columns or here
        if here != columns:
            raise InputError(
                f"{where}: expected {' and '.join(columns)} as in the rows before, found {' and '.join(here)}"
            )
        if feature.name in seen:
            raise InputError(f"{where}: the feature {feature.name!r} stands in {seen[feature.name]} already")
        first, single = kinds.setdefault(feature.group, (where, feature.single))
        if single != feature.single:
            raise InputError(
                f"{where}: {feature.name!r} is {'single' if feature.single else 'tapered'}, the group "
                f"{feature.group!r} in {first} is not; give single features groups of their own"
            )
        if first != where and features[-1].group != feature.group:
            raise InputError(
                f"{where}: the group {feature.group!r} begins in {first} and was left; list the features of a group "
                "one after another, or give these another group"
            )
        numbers = [_value(where, column, row.get(column)) for column in columns]
        if feature.single and len(set(numbers)) > 1:
            raise InputError(f"{where}: {feature.name!r} is single, so mg and eg must be the same, not {numbers}")
        seen[feature.name] = where
        features.append(feature)
        values.append(numbers)
        if len(features) > MOST_FEATURES:
            raise InputError(f"{where}: more than {MOST_FEATURES:,} features")
    if columns is None:
        raise InputError(f"{where} names no feature; expected rows such as pawn,material,82,94")
    return OutsideWeights(tuple(features), columns, np.array(values, dtype=np.float64).T.copy(), name)


def _feature(where: str, row: Mapping[str, Any]) -> OutsideFeature:
    name, group = (row.get(key) for key in ("name", "group"))
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"{where}: a feature needs a name")
    words = str(row.get("kind") or "").split()
    for word in words:
        if word not in KINDS:
            raise InputError(f"{where}: unknown kind {word!r}; expected nothing, {' or '.join(KINDS)}")
    single = "single" in words and row.get("value") in (None, "")
    return OutsideFeature(name.strip(), str(group or name).strip(), single, "fixed" in words)


def _value(where: str, column: str, given: Any) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {column} must be a number, not {given!r}") from None
    if isinstance(given, bool) or not math.isfinite(value) or abs(value) >= 2**31:
        raise InputError(f"{where}: {column} must be a number below 2^31, not {given!r}")
    return value


def feature_row(fields: Sequence[str], names: Sequence[str] = FIELDS) -> dict[str, str]:
    """The fields of one line by name; ``mg`` without ``eg`` is the value of an engine without phases."""
    row = {name: field.strip() for name, field in zip(names, fields, strict=False)}
    if not row.get("eg") and "mg" in row:
        row["value"] = row.pop("mg")
    return row


def _csv_rows(path: Path, text: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    names: list[str] | None = None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for fields in reader:
            where = f"{path}, line {reader.line_num}"
            if not any(field.strip() for field in fields) or fields[0].lstrip().startswith("#"):
                continue
            if names is None:
                names = [field.strip().lower() for field in fields]
                missing = [one for one in ("name",) if one not in names]
                if missing or not ({"value", "mg"} & set(names)):
                    raise InputError(
                        f"{where}: expected a line with the names of the columns, such as {','.join(FIELDS)}"
                    )
                continue
            if len(fields) > len(names):
                raise InputError(f"{where}: {len(fields)} fields, and the first line names {len(names)}")
            row = feature_row(fields, names)
            if "eg" in names and "value" in row:
                raise InputError(f"{where}: eg is missing; expected {len(names)} fields ({','.join(names)})")
            yield where, row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None
    if names is None:
        raise InputError(f"{path} is empty; expected the columns {','.join(FIELDS)}")


def _json_rows(path: Path, text: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    rows = document.get("features") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise InputError(f'{path}: expected a list of features, or an object with the list under "features"')
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, feature {number}: expected an object with name, group, mg and eg, not {row!r}")
        yield f"{path}, feature {number}", row


# ── Writing ──


def write_outside_weights(weights: OutsideWeights, path: Path) -> None:
    """Write the file of features and values again, CSV or JSON by its name."""
    if path.suffix.lower() == ".json":
        rows = [
            {"name": feature.name, "group": feature.group, **_numbers(weights, index)}
            | ({"kind": feature.kind} if feature.kind else {})
            for index, feature in enumerate(weights.features)
        ]
        lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
        head = f' "format": "{FORMAT}",\n "name": {json.dumps(weights.name)},\n "features": [\n'
        write_text(path, "{\n" + head + lines + "\n ]\n}\n")
        return
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "group", *weights.columns, "kind"])
    for index, feature in enumerate(weights.features):
        texts = [number_text(value) for value in weights.values[:, index].tolist()]
        writer.writerow([feature.name, feature.group, *texts, feature.kind])
    write_text(path, out.getvalue())


def _numbers(weights: OutsideWeights, index: int) -> dict[str, float | int]:
    values = weights.values[:, index].tolist()
    return {
        column: int(value) if value.is_integer() else value
        for column, value in zip(weights.columns, values, strict=True)
    }


def is_outside_weights(path: Path) -> bool:
    """Whether a file is one of these, by its name, or by its first bytes where it is JSON."""
    if path.suffix.lower() == ".csv":
        return True
    if path.suffix.lower() != ".json":
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(200).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return False
    return head.startswith(b"[") or FORMAT.encode() in head or b'"features"' in head
