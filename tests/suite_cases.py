"""What the tests of suites share: a few games, a player that is a mock, and small suites."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from evalsmith.games import find_game
from evalsmith.suite.store import Suite, SuitePosition

MOCK = Path(__file__).parent / "suite" / "mocks" / "scoring_engine.py"
CHESS = find_game("chess")
START = CHESS.format(CHESS.start())

PGN = """[White "Ada"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0

[White "Bob"]
[Black "Eve"]
[Result "*"]

1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nf3 Nxe4 5. d4 d5 *
"""
# Mates and a quiet position, as test suites have them.
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
EPD = """1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "STS 1"; c0 "f5=10, Be5+=2, Bf2=3, Bg4=2";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "WAC 1";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am h3; id "avoid 1";
"""


def mock(*words: str, options: str = "") -> str:
    """The text of a player that is the mock."""
    command = shlex.join([sys.executable, str(MOCK), *words]).replace(";", "\\;")
    return f"uci:{command};name=mock{options}"


def scored_suite(name: str = "small") -> Suite:
    """A suite with scores: a mate, an opening, and a position that has failed."""
    positions = []
    for number, text in enumerate((MATE_IN_ONE, START)):
        position = CHESS.parse(text)
        moves = [CHESS.format_move(position, move) for move in CHESS.moves(position)]
        first = ["a1a8"] if number == 0 else ["e2e4"]
        ranked = [*first, *(move for move in moves if move not in first)]
        top = 9999 if number == 0 else 40
        scores = (top, *(200 - 5 * place for place in range(1, len(ranked))))
        if number:
            scores = tuple(40 - 10 * place for place in range(len(ranked)))
        positions.append(
            SuitePosition(
                text,
                f"p{number}",
                tuple(ranked),
                scores,
                best=tuple(first),
                tags=("tactic",) if not number else ("quiet",),
                phase=20 * number,
            )
        )
    positions.append(SuitePosition("8/8 nonsense", "p2", failed="line 3: not a position"))
    return Suite(CHESS, positions, name)
