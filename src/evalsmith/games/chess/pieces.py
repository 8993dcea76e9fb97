"""The chess pieces as drawings: outlines and inner lines on a square of 100 by 100, the foot at 88."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.games.svg import CELL, element, group

SIDE = 100.0
# How much of a cell the square takes; the drawings leave some room at its edges.
_SCALE = 1.06 * CELL / SIDE
_MIDDLE = (50.0, 49.0)


@dataclass(frozen=True)
class Drawing:
    """What a piece is made of: filled shapes from the back to the front, then lines inside them."""

    shapes: tuple[str, ...]
    lines: tuple[str, ...] = ()
    dots: tuple[tuple[float, float, float], ...] = ()


def _ball(x: float, y: float, radius: float) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 1 1 {2 * radius} 0a{radius} {radius} 0 1 1 {-2 * radius} 0z"


def _foot(width: float) -> str:
    """The plinth that every piece stands on."""
    left, right = 50 - width / 2, 50 + width / 2
    return f"M{left} 88V84C{left} 79 {left + 4} 76 {left + 9} 76H{right - 9}C{right - 4} 76 {right} 79 {right} 84V88z"


def _collar(y: float, width: float, height: float = 6) -> str:
    """A rounded ring around the body."""
    half, left = height / 2, 50 - width / 2 + height / 2
    right = 100 - left
    return f"M{left} {y}H{right}a{half} {half} 0 0 1 0 {height}H{left}a{half} {half} 0 0 1 0 {-height}z"


DRAWINGS: dict[str, Drawing] = {
    "p": Drawing(
        shapes=(
            "M43 52C42 64 36 71 30 77H70C64 71 58 64 57 52z",
            _foot(52),
            _ball(50, 34, 13),
            _collar(47, 34),
        ),
    ),
    "n": Drawing(
        shapes=(
            "M32 77C31 66 43 62 47 51C42 55 37 56 33 61C30 66 23 67 18 62C14 58 16 52 19 48C24 40 27 34 32 28"
            "C32 23 31 17 33 11C38 13 42 16 45 20C48 19 50 18 53 19C72 25 81 48 71 77z",
            _foot(58),
        ),
        lines=("M55 27C66 35 70 51 64 70", "M22 59C25 59 27 58 29 56"),
        dots=((37, 37, 2.9),),
    ),
    "b": Drawing(
        shapes=(
            "M43 66C42 71 38 75 32 77H68C62 75 58 71 57 66z",
            _foot(56),
            _ball(50, 16, 5.5),
            "M50 21C62 29 70 40 68 51C67 57 63 61 59 64H41C37 61 33 57 32 51C30 40 38 29 50 21z",
            _collar(62, 38),
        ),
        lines=("M53 46L62 34",),
    ),
    "r": Drawing(
        shapes=(
            "M33 77L37 43H63L67 77z",
            _foot(60),
            "M28 19H40V27H45V19H55V27H60V19H72V34L65 43H35L28 34z",
        ),
        lines=("M36 43H64", "M35 69H65"),
    ),
    "q": Drawing(
        shapes=(
            "M32 62C35 68 34 73 30 77H70C66 73 65 68 68 62z",
            _foot(60),
            "M30 63L16 34L33 49L33 24L45 46L50 20L55 46L67 24L67 49L84 34L70 63z",
            _ball(16, 31, 5),
            _ball(33, 21, 5),
            _ball(50, 17, 5),
            _ball(67, 21, 5),
            _ball(84, 31, 5),
            _collar(60, 48),
        ),
        lines=("M37 71.5C45 73.5 55 73.5 63 71.5",),
    ),
    "k": Drawing(
        shapes=(
            "M32 62C35 68 34 73 30 77H70C66 73 65 68 68 62z",
            _foot(60),
            "M46 7H54V12H60V19H54V28H46V19H40V12H46z",
            "M50 50C43 41 42 32 50 26C58 32 57 41 50 50z",
            "M31 62L19 45C14 33 26 25 37 31C44 35 49 42 50 50C51 42 56 35 63 31C74 25 86 33 81 45L69 62z",
            _collar(60, 46),
        ),
        lines=("M37 71.5C45 73.5 55 73.5 63 71.5",),
    ),
}


def piece(letter: str, x: float, y: float, paint: str) -> str:
    """The piece of a FEN letter centred on a point, filled with a paint."""
    drawn = DRAWINGS[letter.lower()]
    white = letter.isupper()
    edge, inner = ("#33261b", "#33261b") if white else ("#0d0a08", "#efe3cf")
    marks = [element("path", d=path) for path in drawn.shapes]
    lines = [element("path", d=path, fill="none", stroke=inner, stroke_width=3) for path in drawn.lines]
    dots = [element("circle", cx=cx, cy=cy, r=r, fill=inner, stroke="none") for cx, cy, r in drawn.dots]
    left, top = x - _SCALE * _MIDDLE[0], y - _SCALE * _MIDDLE[1]
    return group(
        *marks,
        *lines,
        *dots,
        transform=f"translate({left:.2f} {top:.2f}) scale({_SCALE:g})",
        fill=paint,
        stroke=edge,
        stroke_width=3,
        stroke_linejoin="round",
        stroke_linecap="round",
        class_=f"piece {letter}",
    )
