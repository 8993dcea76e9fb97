"""Weights in the forms that other programs read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from evalsmith.run import InputError, write_text
from evalsmith.weights.file import Weights, save_weights
from evalsmith.weights.slices import GAME_NAME, write_slices


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").upper()


def _slices32(weights: Weights, folder: Path) -> list[Path]:
    return write_slices(weights, folder, 32)


def _slices16(weights: Weights, folder: Path) -> list[Path]:
    return write_slices(weights, folder, 16)


def _json(weights: Weights, path: Path) -> list[Path]:
    save_weights(weights, path)
    return [path]


def _source(weights: Weights, path: Path, head: str, opening: str, closing: str, end: str) -> list[Path]:
    """Source text: one array a feature, [column][index]."""
    layout = weights.layout
    lines = [head]
    for name, size in layout.features:
        block = weights.values[:, layout.slice_of(name)]
        lines.append(opening.format(name=_identifier(name), columns=len(block), size=size))
        brackets = ("{", "}") if path.suffix == ".h" else ("[", "]")
        lines += [f"    {brackets[0]}{', '.join(str(int(w)) for w in row)}{brackets[1]}," for row in block]
        lines.append(closing)
    write_text(path, "\n".join(lines) + end)
    return [path]


def _title(weights: Weights) -> str:
    return f"{weights.game.title} weights in {weights.game.units}, [column][index]"


def _c(weights: Weights, path: Path) -> list[Path]:
    head = f"/* {_title(weights)}. */\n#include <stdint.h>\n"
    return _source(
        weights, path.with_suffix(".h"), head, "static const int32_t {name}[{columns}][{size}] = {{", "};\n", ""
    )


def _rust(weights: Weights, path: Path) -> list[Path]:
    head = f"//! {_title(weights)}.\n"
    return _source(
        weights, path.with_suffix(".rs"), head, "pub static {name}: [[i32; {size}]; {columns}] = [", "];\n", ""
    )


def _python(weights: Weights, path: Path) -> list[Path]:
    head = f'"""{_title(weights)}."""\n'
    return _source(weights, path.with_suffix(".py"), head, "{name} = [", "]\n", "")


FORMATS: dict[str, Callable[[Weights, Path], list[Path]]] = {
    "json": _json,
    "othello-slices": _slices32,
    "othello-slices16": _slices16,
    "c": _c,
    "rust": _rust,
    "python": _python,
}


def export_weights(weights: Weights, path: Path, kind: str) -> list[Path]:
    """Write weights in one of FORMATS, and return the files written."""
    if kind not in FORMATS:
        raise InputError(f"unknown export format {kind!r}; expected one of {', '.join(FORMATS)}")
    if kind.startswith(GAME_NAME) and weights.game.name != GAME_NAME:
        raise InputError(f"{kind} is a format for Othello; these are weights of {weights.game.name}")
    return FORMATS[kind](weights, path)
