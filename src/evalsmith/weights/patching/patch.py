"""``patch_file``: new numbers in the places of the old ones, with everything else of the source as it was."""

from __future__ import annotations

import difflib
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from evalsmith.run import InputError, write_bytes
from evalsmith.weights.blocks import AnyWeights, Block, blocks_of, one_of
from evalsmith.weights.outside import OutsideWeights
from evalsmith.weights.patching.markers import Place, Section, find_sections

PAIRS, COLUMNS = "pairs", "columns"
_DIGITS = r"(?:\d[\d_']*(?<![_']))?"
_PARTS = re.compile(rf"[+-]?\s*(0[xX][0-9a-fA-F_']+|{_DIGITS}(?:\.{_DIGITS})?(?:[eE][+-]?\d+)?)(.*)", re.DOTALL)
_INTEGER_SUFFIX = re.compile(r"[uUlLzZ]*|_?[iu](?:8|16|32|64|128|size)")


@dataclass(frozen=True)
class Patched:
    """A source before and after: how many numbers it has, how many changed, and which weights have no place in it."""

    path: Path
    before: str
    after: str
    numbers: int
    changed: int
    sections: tuple[str, ...]
    without_place: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the source has these weights already."""
        return self.before == self.after

    def diff(self) -> str:
        """The difference as a patch."""
        before, after = (text.splitlines(keepends=True) for text in (self.before, self.after))
        return "".join(difflib.unified_diff(before, after, str(self.path), str(self.path)))


def patch_file(path: Path, weights: AnyWeights, *, partial: bool = False, write: bool = True) -> Patched:
    """Write weights into the marked sections of a source, all or none; ``partial`` allows weights without a section."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no source file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    # Whatever the bytes are, those between the numbers go back as they came.
    patched = patch_text(content.decode("utf-8", "surrogateescape"), path, weights, partial=partial)
    if write and not patched.same:
        mode = path.stat().st_mode
        write_bytes(path, patched.after.encode("utf-8", "surrogateescape"))
        path.chmod(stat.S_IMODE(mode))  # a script stays one that can be run
    return patched


def patch_text(source: str, path: Path, weights: AnyWeights, *, partial: bool = False) -> Patched:
    """The same for a text; ``path`` tells the language and is named in errors."""
    sections = find_sections(source, path)
    pieces: list[str] = []
    end = changed = numbers = 0
    covered: set[tuple[str, str]] = set()
    for section in sections:
        block, values = _wanted(section, path, weights)
        columns = block.columns if section.order in ("", PAIRS, COLUMNS) else (_column(section, block, path),)
        covered.update((block.name, column) for column in columns)
        if len(values) != len(section.places):
            raise InputError(
                f"{path}, line {section.line}: {section.name!r} has {len(section.places)} numbers, and the weights "
                f"have {_shape(block, section)}; nothing was written"
            )
        aligned = _aligned(source, section)
        for place, value in zip(section.places, values, strict=True):
            begin, text = _replacement(source, place, value, aligned, path)
            pieces += [source[end:begin], text]
            end = place.end
            numbers += 1
            changed += source[begin:end] != text
    after = "".join(pieces) + source[end:]
    missing = _missing(weights, covered)
    if missing and not partial:
        raise InputError(
            f"{path} has no section for {', '.join(map(repr, missing[:8]))}{' …' if len(missing) > 8 else ''}; mark "
            f"where they stand with `evalsmith: begin {missing[0]}` and `evalsmith: end`, or give "
            "--partial to leave them out"
        )
    names = tuple(section.name for section in sections)
    return Patched(path, source, after, numbers, changed, names, tuple(missing))


def _missing(weights: AnyWeights, covered: set[tuple[str, str]]) -> list[str]:
    """The names whose numbers have no section, as a whole or in one column; what is never fitted needs none."""
    if not isinstance(weights, OutsideWeights):
        return [b.name for b in blocks_of(weights) if not all((b.name, column) in covered for column in b.columns)]
    found: list[str] = []
    for block in blocks_of(weights):
        members = [weights.features[i] for i in weights.members(block.name)]
        if all((block.name, column) in covered for column in block.columns):
            continue
        alone = [
            one.name
            for one in members
            if not one.fixed and not all((one.name, column) in covered for column in block.columns)
        ]
        found += [block.name] if len(alone) == len(members) else alone
    return found


def _wanted(section: Section, path: Path, weights: AnyWeights) -> tuple[Block, list[float]]:
    """The block that a section names, and its numbers in the order of the section."""
    block = one_of(weights, section.name)
    if block is None:
        known = ", ".join(block.name for block in blocks_of(weights))
        raise InputError(
            f"{path}, line {section.line}: the weights have no {section.name!r}; they have: {known}; nothing "
            f"was written"
        )
    if section.order in ("", PAIRS):
        return block, block.values.T.reshape(-1).tolist()
    if section.order == COLUMNS:
        return block, block.values.reshape(-1).tolist()
    return block, block.values[block.columns.index(_column(section, block, path))].tolist()


def _column(section: Section, block: Block, path: Path) -> str:
    """The column that a section names, by name or by number."""
    if section.order in block.columns:
        return section.order
    # Columns of games have long names; engines write mg and eg.
    short = {"mg": 0, "eg": 1} if len(block.columns) == 2 else {}
    number = short.get(section.order, int(section.order) if section.order.isdecimal() else -1)
    if not 0 <= number < len(block.columns):
        raise InputError(
            f"{path}, line {section.line}: {section.name!r} has no order or column {section.order!r}; expected "
            f"nothing, {PAIRS}, {COLUMNS}, or one of the columns {', '.join(block.columns)}"
        )
    return block.columns[number]


def _shape(block: Block, section: Section) -> str:
    columns, size = block.values.shape
    if section.order not in ("", PAIRS, COLUMNS):
        return f"{size} in the column {section.order}"
    return f"{columns * size} ({columns} columns of {size})" if columns > 1 else str(size)


def _aligned(source: str, section: Section) -> bool:
    """Whether numbers are lined up: two blanks or more before one that does not begin a line."""
    for place in section.places:
        before = _blanks_from(source, place.begin)
        letter = source[before - 1] if before > 0 else "\n"
        if place.begin - before > (letter != "(") and letter != "\n":
            return True
    return False


def _blanks_from(source: str, end: int) -> int:
    """Where the blanks before a place begin."""
    while end > 0 and source[end - 1] == " ":
        end -= 1
    return end


def _replacement(source: str, place: Place, value: float, aligned: bool, path: Path) -> tuple[int, str]:
    """Where the new text begins, and the text; aligned numbers keep their right edge as far as blanks allow."""
    old = source[place.begin : place.end]
    text = _number_text(old, value, place, path)
    if not aligned:
        return place.begin, text
    begin = _blanks_from(source, place.begin)
    room = place.end - begin
    if begin == 0 or source[begin - 1] == "\n":
        return begin, text.rjust(room)
    # Behind a comma one blank stays, so that numbers do not touch.
    least = 1 if source[begin - 1] == "," and place.begin > begin else 0
    return begin, " " * least + text.rjust(room - least)


def _number_text(old: str, value: float, place: Place, path: Path) -> str:
    """A value as the old number was written: with its digits behind the point and its suffix."""
    parts = _PARTS.fullmatch(old)
    assert parts is not None
    digits, suffix = parts[1], parts[2]
    plus = "+" if old.startswith("+") and value >= 0 else ""
    real = "." in digits or ("e" in digits.lower() and not digits.lower().startswith("0x"))
    if real or (suffix and not _INTEGER_SUFFIX.fullmatch(suffix)):
        behind = len(digits.partition(".")[2]) if "." in digits and "e" not in digits.lower() else 0
        text = f"{value:.{behind}f}" if "e" not in digits.lower() else repr(float(value))
        text = text if "." not in digits or "." in text else f"{text}."
        if float(text) != value:
            text = repr(float(value))
        return plus + text + suffix
    if not float(value).is_integer():
        raise InputError(
            f"{path}, line {place.line}: {old} is an integer, and the weight is {value}; round the weights first"
        )
    return f"{plus}{int(value)}{suffix}"
