"""Dr. Mario positions and moves as text.

The text of a position is the 128 bytes of the bottle, the pill and the preview (``--`` while unknown), and
settings as ``name:value``; what is left out has its default. A game can also be given by what the cartridge
was started with: ``seed:8988 level:10``. With ``moves:1-1-7,0-3-10`` that is the position after these placements, with
``pills:7`` after the first seven of them (or, without a list, the untouched bottle at the eighth pill).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from evalsmith.games.drmario import GAME, dealing, settings, strings
from evalsmith.games.drmario.rules import COLOUR_ORDERS
from evalsmith.games.drmario.settings import MAX_PILLS, MEDIUM, UNIFORM, UNKNOWN
from evalsmith.games.drmario.setup import DEFAULT_STALL, Options, make, start_from
from evalsmith.games.game import CHANCE, PLAYER, Position, Symmetry
from evalsmith.run.errors import MoveError, PositionError

START_LEVEL = 10
SPEEDS = ("low", "medium", "high", "fast")
NO_PILL = "--"

_NUMBER = re.compile(r"-?[0-9]{1,9}")
_SEED = re.compile(r"[0-9a-fA-F]{1,4}")
_MOVE = re.compile(r"([0-3])[-, ]([0-7])[-, ]([0-9]|1[0-5])")
_COMMON = ("speed", "pills", "stall", "stalled", "chance")
_IN_BOTTLE, _FROM_SEED = (*_COMMON, "since", "viruses"), ("seed", "level", *_COMMON, "moves")
# The colours in the order in which pills are numbered.
_LETTERS = "yrb"


def start() -> Position:
    """The power-on seed 8988 at level 10, medium speed."""
    return start_from(dealing.POWER_ON_SEED, START_LEVEL)


# ── Reading and writing ─────────────────────────────────────────────────────────────────────────


def parse(text: str) -> Position:
    """A position from the bottle, the pills and the settings, or from a seed and a level."""
    words = text.split()
    try:
        if not words:
            raise PositionError("it is empty")
        if len(words) == 1 and words[0].lower() in ("start", "startpos"):
            return start()
        if any(word.startswith("seed:") for word in words) or ":" in words[0]:
            return _from_seed(_fields(words, _FROM_SEED))
        if len(words) < 3:
            raise PositionError(f"expected the bottle, the pill and the preview, not {' '.join(words)[:40]!r}")
        return _from_bottle(words[0], words[1], words[2], _fields(words[3:], _IN_BOTTLE))
    except PositionError as error:
        shown = text if len(text) <= 160 else text[:157] + "…"
        raise PositionError(f"not a Dr. Mario position, {error}: {shown!r}") from None


def format(position: Position) -> str:
    """The bottle, the pill, the preview, and every setting."""
    word = position[12]
    preview = int(settings.preview(word))
    return " ".join(
        (
            strings.write_bottle(strings.bottle_of(position)),
            strings.write_pill(int(settings.pill(word))),
            NO_PILL if preview == UNKNOWN else strings.write_pill(preview),
            f"speed:{SPEEDS[int(settings.speed(word))]}",
            f"pills:{int(settings.pills(word))}",
            f"since:{int(settings.since(word))}",
            f"viruses:{int(settings.viruses(word))}",
            f"stall:{int(settings.limit(word))}",
            f"stalled:{'won' if settings.stall_won(word) else 'lost'}",
            f"chance:{DRAWINGS[int(settings.drawing(word))]}",
        )
    )


def _drawing_name(order: Sequence[int]) -> str:
    """``nes``, or with the colours that stand for the cartridge's yellow, red and blue: ``nes-ryb``."""
    letters = "".join(sorted(_LETTERS, key=lambda letter: order[_LETTERS.index(letter)]))
    return "nes" if letters == _LETTERS else f"nes-{letters}"


DRAWINGS = (*(_drawing_name(order) for order in COLOUR_ORDERS), "uniform")


def _fields(words: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Settings by name; unknown and repeated ones are refused."""
    found: dict[str, str] = {}
    for word in words:
        name, colon, value = word.partition(":")
        if not colon or name not in known:
            raise PositionError(f"{word!r} is not one of the settings {', '.join(f'{name}:' for name in known)}")
        if name in found:
            raise PositionError(f"{name}: is given twice, as {found[name]!r} and as {value!r}")
        found[name] = value
    return found


def _number(fields: dict[str, str], name: str) -> int | None:
    if name not in fields:
        return None
    if not _NUMBER.fullmatch(fields[name]):
        raise PositionError(f"{name}:{fields[name]} is not a number")
    return int(fields[name])


def _choice(fields: dict[str, str], name: str, choices: Sequence[str], default: int) -> int:
    if name not in fields:
        return default
    if fields[name] not in choices:
        raise PositionError(f"{name}:{fields[name]} is not one of {', '.join(choices)}")
    return choices.index(fields[name])


def _options(fields: dict[str, str]) -> Options:
    """The settings that both kinds of text have."""
    return Options(
        speed=_choice(fields, "speed", SPEEDS, MEDIUM),
        stall=_number(fields, "stall") or 0 if "stall" in fields else DEFAULT_STALL,
        stall_won=_choice(fields, "stalled", ("lost", "won"), 0) == 1,
        drawing=_choice(fields, "chance", DRAWINGS, 0),
    )


def _from_bottle(board: str, pill: str, preview: str, fields: dict[str, str]) -> Position:
    bottle = strings.read_bottle(board)
    current = strings.read_lying_pill(pill)
    coming = UNKNOWN if preview == NO_PILL else strings.read_lying_pill(preview)
    pills, since, viruses = _number(fields, "pills") or 0, _number(fields, "since") or 0, _number(fields, "viruses")
    return make(bottle, current, coming, _options(fields), pills=pills, since=since, viruses=viruses)


def _from_seed(fields: dict[str, str]) -> Position:
    for name in ("seed", "level"):
        if name not in fields:
            raise PositionError(f"{name}: is missing; a game is given by seed:8988 level:10")
    if not _SEED.fullmatch(fields["seed"]):
        raise PositionError(f"seed:{fields['seed']} is not a hexadecimal number of up to four digits")
    seed, level = int(fields["seed"], 16), _number(fields, "level") or 0
    placed = _number(fields, "pills")
    if placed is not None and not 0 <= placed <= MAX_PILLS:
        raise PositionError(f"pills is the number of pills placed, 0 to {MAX_PILLS}, not {placed}")
    if "moves" not in fields:
        return start_from(seed, level, _options(fields), passed=placed or 0)
    names = [name for name in fields["moves"].split(",") if name]
    if placed is None:
        placed = len(names)
    if placed > len(names):
        raise PositionError(f"pills:{placed} is more than the {len(names)} given moves")
    return after(start_from(seed, level, _options(fields)), dealing.sequence(seed), names[:placed])


def pills_of(text: str) -> tuple[str, ...]:
    """The pills that a position's text knows, by name: all 128 of a seed, else the pill and the preview."""
    position = parse(text)
    seeds = [word.removeprefix("seed:") for word in text.split() if word.startswith("seed:")]
    if seeds:
        return tuple(dealing.PILL_NAMES[index] for index in dealing.sequence(int(seeds[0], 16)))
    known = (int(settings.pill(position[12])), int(settings.preview(position[12])))
    return tuple(dealing.PILL_NAMES[index] for index in known if index != UNKNOWN)


def sequence(text: str) -> tuple[int, ...]:
    """The pills that chance brings from a position on, where a seed fixes them; after the last they begin again."""
    seeds = [word.removeprefix("seed:") for word in text.split() if word.startswith("seed:")]
    if not seeds:
        return ()
    pills = dealing.sequence(int(seeds[0], 16))
    first = (int(settings.pills(parse(text)[12])) + 2) % dealing.PILLS
    return pills[first:] + pills[:first]


def facts(text: str | None) -> dict[str, object]:
    """What ``evalsmith show --json`` adds: the pills that the text knows."""
    return {"pills": list(pills_of("start" if text is None else text))}


def after(position: Position, pills: Sequence[int], names: Sequence[str]) -> Position:
    """The position after placements, with the previews that a list of pills says; its first two are on the board."""
    for number, name in enumerate(names, 1):
        if GAME.status(position) != PLAYER:
            raise PositionError(f"move {number}, {name}, comes when the game is over")
        try:
            move = parse_move(position, name)
        except MoveError as error:
            raise PositionError(f"move {number}: {error}") from None
        position = GAME.play_unchecked(position, move)
        if GAME.status(position) == CHANCE:
            position = GAME.reveal(position, pills[(number + 1) % len(pills)])
    return position


def parse_move(position: Position, text: str) -> int:
    """A legal move from ``rotation-x-y``; a pill of one colour may also be given half a turn further."""
    found = _MOVE.fullmatch(text.strip())
    legal = GAME.moves(position)
    if found:
        rotation, x, y = (int(part) for part in found.groups())
        index = int(settings.pill(position[12]))
        if index // 3 == index % 3:
            rotation %= 2
        move = 128 * rotation + 16 * x + y
        if move in legal:
            return move
    names = " ".join(format_move(position, move) for move in legal)
    if not legal:
        names = "none, the game is over" if GAME.status(position) != CHANCE else "none, the preview is not revealed yet"
    raise MoveError(f"{text[:80]!r} is not a legal move (rotation-x-y) in {format(position)}; legal moves: {names}")


def format_move(position: Position, move: int) -> str:
    """``rotation-x-y``: clockwise turns, and the lower left cell."""
    return f"{move >> 7}-{move >> 4 & 7}-{move & 15}"


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def exchange(position: Position, order: Sequence[int]) -> Position:
    """The position with yellow, red and blue become the colours of these places in yellow, red, blue."""
    changed = position.copy()
    for old, new in enumerate(order):
        source, target = 2 * dealing.PILL_COLOURS[old], 2 * dealing.PILL_COLOURS[new]
        changed[target : target + 2] = position[source : source + 2]
    word = int(position[12])
    pill, preview, drawing = word & 15, word >> settings.PREVIEW_SHIFT & 15, word >> settings.CHANCE_SHIFT & 7
    word ^= pill ^ (3 * order[pill // 3] + order[pill % 3])
    if preview != UNKNOWN:
        word ^= (preview ^ (3 * order[preview // 3] + order[preview % 3])) << settings.PREVIEW_SHIFT
    if drawing != UNIFORM:
        places = [0, 0, 0]
        for old, new in enumerate(order):
            places[new] = COLOUR_ORDERS[drawing][old]
        word ^= (drawing ^ COLOUR_ORDERS.index(tuple(places))) << settings.CHANCE_SHIFT
    changed[12] = word
    return changed


def mirror(position: Position) -> Position:
    """The mirrored bottle with mirrored pills.

    Not among the symmetries: turning kicks to the left only, and the cartridge does not draw mirrored
    pills alike. The evaluation keeps its value under it.
    """
    bottle = strings.bottle_of(position)
    other = {strings.LEFT: strings.RIGHT, strings.RIGHT: strings.LEFT}
    turned = {
        (7 - x, y): strings.Piece(other.get(piece.shape, piece.shape), piece.colour) for (x, y), piece in bottle.items()
    }
    word = int(position[12])
    pill, preview = word & 15, word >> settings.PREVIEW_SHIFT & 15
    word ^= pill ^ (3 * (pill % 3) + pill // 3)
    if preview != UNKNOWN:
        word ^= (preview ^ (3 * (preview % 3) + preview // 3)) << settings.PREVIEW_SHIFT
    return np.array([*strings.planes(turned), word], dtype=np.uint64)


def _symmetry(order: tuple[int, ...]) -> Symmetry:
    names = ("yellow", "red", "blue")
    shown = ", ".join(f"{names[old]} to {names[new]}" for old, new in enumerate(order) if old != new)
    return Symmetry(shown, lambda position: exchange(position, order), lambda position, move: move)


def symmetries() -> tuple[Symmetry, ...]:
    """The five exchanges of colours."""
    return tuple(_symmetry(order) for order in permutations(range(3)) if order != (0, 1, 2))
