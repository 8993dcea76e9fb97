"""Suites as OBF, both ways: Othello positions with the scores of their moves in discs, as the FFO test has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evalsmith.games import find_game
from evalsmith.games.bulk.rows import ask_each
from evalsmith.games.contract import PHASE
from evalsmith.records.othello.obf import Obf, format_obf
from evalsmith.records.record import Faults, Record
from evalsmith.run import InputError
from evalsmith.suite.store import Suite, SuitePosition
from evalsmith.suite.tags import Thresholds, tags_of

GAME = "othello"


def read_obf_suite(path: Path) -> Suite:
    """The suite of an OBF file; a line that cannot be read is a position that has failed, with its reason."""
    if not path.exists():
        raise InputError(f"there is no suite {path}")
    faults = Faults(limit=1_000_000)
    found = [(record.number, _position(record)) for record in Obf().read(path, faults)]
    found += [
        (fault.game or 1 << 60, SuitePosition("", f"{path.name}:{fault.game}", source=path.name, failed=str(fault)))
        for fault in faults.examples
    ]
    if not found:
        raise InputError(f"{path} has no positions")
    positions = [one for _, one in sorted(found, key=lambda pair: pair[0])]
    return Suite(find_game(GAME), positions, path.stem, {"by": path.name}, path)


def _position(record: Record) -> SuitePosition:
    game, source = find_game(GAME), Path(record.source).name
    text = record.start or game.format(game.start())
    name = f"{source}:{record.number}"
    values = record.annotations
    if not values:
        return SuitePosition(text, name, source=source, failed=f"line {record.offset}: no move has a score")
    moves = tuple(sorted(values, key=lambda move: -values[move]))
    scores = tuple(values[move] for move in moves)
    phase = int(ask_each(game, PHASE, game.parse(text).reshape(1, -1))[0])
    return SuitePosition(
        text,
        name,
        moves,
        scores,
        best=tuple(move for move in moves if values[move] == scores[0]),
        tags=tags_of(scores, Thresholds()),
        phase=phase,
        source=source,
    )


def obf_lines(suite: Suite) -> Iterator[str]:
    """The suite as lines of OBF; positions without scores are left out."""
    if suite.game.name != GAME:
        raise InputError(f"OBF holds positions of {GAME}, not of {suite.game.name}")
    for one in suite.positions:
        if one.scores:
            values = dict(zip(one.moves, one.scores, strict=True))
            yield format_obf(Record(GAME, (), start=one.text, annotations=values))
