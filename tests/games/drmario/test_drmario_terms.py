"""Dr. Mario's terms against a count by hand, and their value under exchanged colours and in the mirror."""

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from drmario_twins import bottle_text, twin

from evalsmith.games.contract import BLEND, SCALE, WEIGHTS, WIDTH, call_sum_terms, call_terms
from evalsmith.games.drmario import GAME
from evalsmith.games.drmario.notation import exchange, mirror
from evalsmith.games.drmario.setup import start_from
from evalsmith.games.game import CHANCE, OVER
from naive import drmario as naive


def context(weights):
    made, evaluation = GAME.context(evaluation=True), GAME.evaluation
    made.attach(WEIGHTS, np.ascontiguousarray(weights, dtype=np.int32).reshape(-1))
    made.attach(BLEND, np.array(evaluation.blend, dtype=np.int32).reshape(-1))
    made.row[SCALE], made.row[WIDTH] = evaluation.scale, evaluation.size
    return made


def names():
    """Feature and description of every weight, in order."""
    return [(feature.name, feature.describe(i)) for feature in GAME.evaluation.features for i in range(feature.size)]


NAMES = names()


def emitted(position):
    """The terms as a count by name."""
    index, value = np.zeros(GAME.max_terms, dtype=np.int32), np.zeros(GAME.max_terms, dtype=np.int16)
    count = call_terms(context(GAME.evaluation.starting()).row, position, index, value)
    found = Counter()
    for i, amount in zip(index[:count], value[:count], strict=True):
        found[NAMES[i]] += int(amount)
    return +found


def missing(colour, cell, step):
    """What a cell lacks to the fullest of the four windows of four in one direction that no other colour blocks."""
    own, most = colour[cell], 0
    for back in range(4):
        window = [(cell[0] + (i - back) * step[0], cell[1] + (i - back) * step[1]) for i in range(4)]
        if all(0 <= x < 8 and 0 <= y < 16 and colour.get((x, y), own) == own for x, y in window):
            most = max(most, sum(place in colour for place in window))
    return f"{4 - most} missing" if most else "blocked"


def counted(position):
    """The same, cell by cell."""
    game = twin(position)
    colour = {cell: naive.COLOUR[piece] for cell, piece in game.bottle.items()}
    virus = {cell for cell, piece in game.bottle.items() if naive.SHAPE[piece] == "virus"}
    found = Counter()
    ranked = sorted((sum(colour[cell] == c for cell in virus) for c in "RYB"), reverse=True)
    for rank, count in zip(("the most frequent", "the second", "the rarest"), ranked, strict=True):
        found[f"viruses of {rank} colour", str(count)] += 1
    heights = [max((y + 1 for column, y in colour if column == x), default=0) for x in range(8)]
    for x, height in enumerate(heights):
        place = ("an outer", "a second", "a third", "a middle")[min(x, 7 - x)]
        found[f"height of {place} column", str(height)] += 1
    for x, y in virus:
        above = [colour[x, higher] for higher in range(y + 1, 16) if (x, higher) in colour]
        found["viruses by cells above them", str(len(above))] += 1
        found["viruses by mismatches above them", str(sum(c != colour[x, y] for c in above))] += 1
        lacks = [missing(colour, (x, y), (1, 0)), missing(colour, (x, y), (0, 1))]
        found["viruses by cells missing to a line", f"row {lacks[0]}, column {lacks[1]}"] += 1
    for way, (dx, dy) in (("lying", (1, 0)), ("standing", (0, 1))):
        for x, y in colour:
            if colour.get((x - dx, y - dy)) == colour[x, y]:
                continue
            run = [(x, y)]
            while colour.get((run[-1][0] + dx, run[-1][1] + dy)) == colour[x, y]:
                run.append((run[-1][0] + dx, run[-1][1] + dy))
            if len(run) in (2, 3):
                ends = [(run[-1][0] + dx, run[-1][1] + dy)] + ([(x - 1, y)] if way == "lying" else [])
                is_open = any(0 <= a < 8 and b < 16 and (a, b) not in colour for a, b in ends)
                kind = "with a virus" if virus & set(run) else "pills only"
                found["runs", f"{way}, {len(run)} cells, {kind}, {'open' if is_open else 'shut'}"] += 1
    found["free rows below the entry", str(16 - max(heights[3], heights[4]))] += 1
    tops = [colour[x, heights[x] - 1] for x in range(8) if heights[x]]
    for name, pill in (("pill", game.pill), ("preview", game.preview)):
        if pill is not None:
            found[f"column tops that match the {name}", str(tops.count(pill[0]) + tops.count(pill[1]))] += 1
    found["pills left before a stall", str(min(20, game.stall - game.since))] += 1
    found["cells of pills", "each"] = len(colour) - len(virus)
    found["covered empty cells", "each"] = sum(heights) - len(colour)
    return +found


def some_positions(count):
    """Positions of games that clear what they can, at many levels."""
    choose = random.Random(5)
    found = []
    while len(found) < count:
        position = start_from(choose.randrange(2, 65536), choose.randrange(21))
        while (status := GAME.status(position)) != OVER:
            found.append(position)
            if status == CHANCE:
                position = GAME.reveal(position, choose.randrange(9))
            else:
                moves = GAME.moves(position)
                best = max(moves, key=lambda move: (GAME.order(position, move), move))
                position = GAME.play(position, best if choose.random() < 0.8 else choose.choice(moves))
    return found[:count]


POSITIONS = some_positions(400)


def test_terms_are_what_one_counts():
    seen = Counter()
    for position in POSITIONS:
        found = emitted(position)
        assert found == counted(position), GAME.format(position)
        seen.update(dict.fromkeys(found, 1))
    assert all(any(feature == name for name, _ in seen) for feature in {name for name, _ in NAMES})


def test_terms_of_a_bottle_by_hand():
    rows = ["g.......", "bb......", "ccc....b", "abbeaa.a"]
    found = emitted(GAME.parse(f"{bottle_text(rows)} BB YR"))
    assert found["viruses of the most frequent colour", "5"] == 1
    assert found["viruses of the second colour", "4"] == 1
    assert found["viruses of the rarest colour", "3"] == 1
    assert found["height of an outer column", "4"] == 1
    assert found["viruses by mismatches above them", "3"] == 1
    assert found["runs", "lying, 3 cells, with a virus, open"] == 2
    assert found["free rows below the entry", "15"] == 1
    assert found["column tops that match the pill", "4"] == 1
    assert ("covered empty cells", "each") not in found


def test_every_weight_has_its_own_name():
    assert len(set(NAMES)) == len(NAMES) == GAME.evaluation.size


def test_random_weights_know_no_colour_and_no_side():
    """Whatever the weights are: the value stays under every exchange of colours, mirrored or not."""
    evaluation = GAME.evaluation
    drawn = np.random.default_rng(3).integers(-500, 501, (len(evaluation.columns), evaluation.size))
    made = context(drawn)
    for position in POSITIONS[::4]:
        value = call_sum_terms(made.row, position)
        for order in permutations(range(3)):
            turned = exchange(position, order)
            assert call_sum_terms(made.row, turned) == value
            assert call_sum_terms(made.row, mirror(turned)) == value


def test_fewer_viruses_are_better():
    made = context(GAME.evaluation.starting())
    values = [
        call_sum_terms(made.row, GAME.parse(f"{bottle_text([row])} RB YY"))
        for row in ("a.b.c.ab", "a.b.c...", "a.......")
    ]
    assert values == sorted(values)
    assert len(set(values)) == 3


@pytest.mark.parametrize(
    ("left", "columns", "share"),
    [(84, (0, 1), 0.0), (52, (0, 1), 0.5), (20, (1, 2), 0.0), (5, (1, 2), 0.75), (0, (1, 2), 1.0)],
)
def test_columns_blend_by_the_viruses_left(left, columns, share):
    first, second, part = GAME.evaluation.blend[left]
    assert (first, second) == columns
    assert part / GAME.evaluation.scale == share


def test_hand_set_columns_lie_on_one_line():
    full, few, empty = GAME.evaluation.starting().astype(float)
    assert few == pytest.approx(empty + (full - empty) * 20 / 84, abs=0.5)
