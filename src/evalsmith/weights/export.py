"""Weights in the forms that other programs read, chosen by name or by the suffix of the file."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from evalsmith.run import InputError, write_text, write_with
from evalsmith.weights.blocks import AnyWeights, Block, blocks_of
from evalsmith.weights.file import Weights, save_weights
from evalsmith.weights.outside import OutsideWeights, write_outside_weights
from evalsmith.weights.slices import GAME_NAME, write_slices


def _slices32(weights: AnyWeights, folder: Path) -> list[Path]:
    return write_slices(_of_game(weights, "othello-slices"), folder, 32)


def _slices16(weights: AnyWeights, folder: Path) -> list[Path]:
    return write_slices(_of_game(weights, "othello-slices16"), folder, 16)


def _of_game(weights: AnyWeights, kind: str) -> Weights:
    """Weights of Othello, for the formats that are its own."""
    whose = weights.game.name if isinstance(weights, Weights) else "an outside engine"
    if not isinstance(weights, Weights) or whose != GAME_NAME:
        raise InputError(f"{kind} is a format for Othello; these are weights of {whose}")
    return weights


def _json(weights: AnyWeights, path: Path) -> list[Path]:
    if isinstance(weights, Weights):
        save_weights(weights, path)
    else:
        path = path if path.suffix.lower() == ".json" else path.with_name(path.name + ".json")
        write_outside_weights(weights, path)
    return [path]


# ── Sources ──


def _identifiers(blocks: tuple[Block, ...]) -> list[str]:
    """A constant's name for each block; two blocks that would have the same are refused."""
    found: dict[str, str] = {}
    for block in blocks:
        name = re.sub(r"\W+", "_", block.name, flags=re.ASCII).strip("_").upper() or "WEIGHTS"
        name = f"W_{name}" if name[0].isdigit() else name
        if name in found:
            raise InputError(
                f"{found[name]!r} and {block.name!r} would both be the constant {name}; rename one of them"
            )
        found[name] = block.name
    return list(found)


def _title(weights: AnyWeights) -> str:
    if isinstance(weights, Weights):
        return f"{weights.game.title} weights in {weights.game.units}, [column][index]"
    return f"Weights of an outside engine, [column][index]; columns: {', '.join(weights.columns)}"


def _source(
    weights: AnyWeights, path: Path, head: str, opening: str, closing: str, types: tuple[str, str], brackets: str
) -> list[Path]:
    """Source text: one array a block, [column][index]."""
    blocks = blocks_of(weights)
    lines = [head]
    for name, block in zip(_identifiers(blocks), blocks, strict=True):
        columns, size = block.values.shape
        lines.append(opening.format(name=name, columns=columns, size=size, type=types[not block.whole]))
        texts = block.rows() if block.whole else [[f"{value!r}" for value in row] for row in block.values.tolist()]
        lines += [f"    {brackets[0]}{', '.join(row)}{brackets[1]}," for row in texts]
        lines.append(closing)
    write_text(path, "\n".join(lines))
    return [path]


def _with_suffix(path: Path, *suffixes: str) -> Path:
    return path if path.suffix.lower() in suffixes else path.with_suffix(suffixes[0])


def _c(weights: AnyWeights, path: Path) -> list[Path]:
    head = f"/* {_title(weights).replace('*/', '')}. */\n#include <stdint.h>\n"
    opening = "static const {type} {name}[{columns}][{size}] = {{"
    path = _with_suffix(path, ".h", ".hpp", ".hh")
    return _source(weights, path, head, opening, "};\n", ("int32_t", "double"), "{}")


def _rust(weights: AnyWeights, path: Path) -> list[Path]:
    head = f"//! {_title(weights)}.\n"
    opening = "pub static {name}: [[{type}; {size}]; {columns}] = ["
    return _source(weights, _with_suffix(path, ".rs"), head, opening, "];\n", ("i32", "f64"), "[]")


def _python(weights: AnyWeights, path: Path) -> list[Path]:
    head = f'"""{_title(weights)}."""\n'
    return _source(weights, _with_suffix(path, ".py"), head, "{name} = [", "]\n", ("", ""), "[]")


def _csv(weights: AnyWeights, path: Path) -> list[Path]:
    """One row a weight: its feature, its number there, what that means, and its value in every column."""
    path = _with_suffix(path, ".csv")
    if isinstance(weights, OutsideWeights):
        write_outside_weights(weights, path)
        return [path]

    def write(temporary: Path) -> None:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["feature", "index", "is", *weights.layout.columns])
            describe = {each.name: each.describe for each in weights.game.evaluation.features}
            for block in blocks_of(weights):
                for index, values in enumerate(block.values.T.tolist()):
                    writer.writerow([block.name, index, describe[block.name](index), *values])

    write_with(path, write)
    return [path]


FORMATS: dict[str, Callable[[AnyWeights, Path], list[Path]]] = {
    "json": _json,
    "othello-slices": _slices32,
    "othello-slices16": _slices16,
    "c": _c,
    "rust": _rust,
    "python": _python,
    "csv": _csv,
}
SUFFIXES = {
    ".json": "json", ".h": "c", ".hpp": "c", ".hh": "c", ".rs": "rust", ".py": "python", ".csv": "csv",
}  # fmt: skip


def export_weights(weights: AnyWeights, path: Path, kind: str) -> list[Path]:
    """Write weights in one of FORMATS, and return the files written."""
    if kind not in FORMATS:
        raise InputError(f"unknown export format {kind!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[kind](weights, path)


def format_of(path: Path) -> str:
    """The format that the suffix of a file names."""
    kind = SUFFIXES.get(path.suffix.lower())
    if kind is None:
        raise InputError(
            f"the name of {path} does not say its format; expected a name that ends in {', '.join(SUFFIXES)}"
        )
    return kind


def write_weights_as(weights: AnyWeights, path: Path) -> Path:
    """Write weights in the format that the suffix of ``path`` names: JSON, C header, Rust, Python or CSV."""
    return export_weights(weights, path, format_of(path))[0]
