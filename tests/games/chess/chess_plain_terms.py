"""The evaluation terms of chess in plain Python, square by square, by name: what terms.py must emit.

Squares are (file, rank) seen by the side whose terms they are, so both sides move up.
"""

from __future__ import annotations

from collections import Counter

from naive.chess import Board, reach

CENTRE = {(file, rank) for file in range(2, 6) for rank in (1, 2, 3)}


def turned(board: Board) -> Board:
    """The same board with colours exchanged and ranks in the other order."""
    pieces = {(file, 7 - rank): letter.swapcase() for (file, rank), letter in board.pieces.items()}
    return Board(pieces, not board.white, frozenset(), None, board.clock, board.number)


def all_terms(board: Board) -> Counter[tuple[str, str]]:
    """Term by (feature, description), for the mover."""
    mine = board if board.white else turned(board)
    theirs = turned(mine)
    total: Counter[tuple[str, str]] = Counter({("tempo", "to move"): 1})
    for sign, view in ((1, mine), (-1, theirs)):
        for key, amount in side(view).items():
            total[key] += sign * amount
    return Counter({key: amount for key, amount in total.items() if amount})


def squares(board: Board, letter: str) -> set[tuple[int, int]]:
    return {square for square, found in board.pieces.items() if found == letter}


def attacks(board: Board, letters: str) -> set[tuple[int, int]]:
    return set().union(*(reach(board, s) for letter in letters for s in squares(board, letter)), set())


def name(square: tuple[int, int]) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def steps(first: tuple[int, int], second: tuple[int, int]) -> int:
    return max(abs(first[0] - second[0]), abs(first[1] - second[1]))


def side(board: Board) -> Counter[tuple[str, str]]:
    """The terms of the upper-case side, which moves up."""
    found: Counter[tuple[str, str]] = Counter()
    names = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
    own, enemy = squares(board, "P"), squares(board, "p")
    (king,), (enemy_king,) = squares(board, "K"), squares(board, "k")
    feared = attacks(board, "p")
    usable = {(f, r) for f in range(8) for r in range(8)} - own - {king} - feared
    zone = {(f, r) for f, r in usable | own | {king} | feared if near(enemy_king, (f, r))}
    attackers = units = 0
    for square, letter in board.pieces.items():
        if not letter.isupper():
            continue
        kind = names[letter]
        found[f"{kind} square", f"on {name(square)}"] += 1
        if letter != "K":
            found["material", kind] += 1
        if letter in "NBRQ":
            seen = reach(board, square)
            found[f"{kind} mobility", f"{len(seen & usable)} squares"] += 1
            attackers += bool(seen & zone)
            units += {"N": 2, "B": 2, "R": 3, "Q": 5}[letter] * len(seen & zone)
        if letter in "NB" and square[1] in (3, 4, 5) and square in attacks(board, "P"):
            chased = any(abs(f - square[0]) == 1 and r > square[1] for f, r in enemy)
            if not chased:
                found["pieces", f"{kind} outpost"] += 1
        if letter == "R":
            if not any(f == square[0] for f, _ in own):
                open_file = not any(f == square[0] for f, _ in enemy)
                found["pieces", f"rook on {'an open' if open_file else 'a half-open'} file"] += 1
            if square[1] == 6:
                found["pieces", "rook on the seventh rank"] += 1
    if len(squares(board, "B")) > 1:
        found["pieces", "bishop pair"] += 1
    found["attackers on king zone", f"{min(attackers, 7)} pieces"] += 1
    found["attack on king zone", f"{min(units, 63)} units"] += 1
    space = {(f, r) for f, r in CENTRE - own - feared if any(pf == f and pr > r for pf, pr in own)}
    found["space", "a safe square in the centre behind the pawns"] += len(space)
    for pawn in own:
        found += of_pawn(board, pawn, own, enemy, king, enemy_king)
    found += shelter(own, enemy, king)
    return found + threats(board)


def near(king: tuple[int, int], square: tuple[int, int]) -> bool:
    """The enemy's king, the squares beside it, and those one further down."""
    return any(steps(king, (square[0], square[1] + up)) <= 1 and square[1] + up < 8 for up in (0, 1))


def of_pawn(board, pawn, own, enemy, king, enemy_king) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    file, rank = pawn
    on_rank = f"on rank {rank + 1}"
    doubled = any(f == file and r > rank for f, r in own)
    blocked_file = any(f == file and r > rank for f, r in enemy)
    where = "an enemy pawn ahead" if blocked_file else "no enemy pawn ahead"
    neighbours = [(f, r) for f, r in own if abs(f - file) == 1]
    guards = [(f, r) for f, r in enemy if abs(f - file) == 1 and r > rank]
    if doubled:
        found["pawn structure", "doubled"] += 1
    if not neighbours:
        found["pawn structure", f"isolated, {where}"] += 1
    elif all(r > rank for _, r in neighbours) and any(r == rank + 2 for _, r in guards):
        found["pawn structure", f"backward, {where}"] += 1
    if any(r in (rank, rank - 1) for _, r in neighbours):
        found["connected pawn", on_rank] += 1
    if doubled or blocked_file:
        return found
    if guards:
        helpers = sum(r <= rank for _, r in neighbours)
        if helpers >= len(guards):
            found["candidate passed pawn", on_rank] += 1
        return found
    found["passed pawn", on_rank] += 1
    stop = (file, rank + 1)
    if board.pieces.get(stop, "-").islower():
        found["blocked passed pawn", on_rank] += 1
    if rank >= 3:
        found["own king from passed pawn", f"{steps(king, stop)} steps"] += 1
        found["enemy king from passed pawn", f"{steps(enemy_king, stop)} steps"] += 1
    return found


def shelter(own, enemy, king) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    middle = min(max(king[0], 1), 6)
    for file in (middle - 1, middle, middle + 1):
        mine = min((r for f, r in own if f == file and r >= king[1]), default=None)
        theirs = min((r for f, r in enemy if f == file and r >= king[1]), default=None)
        where = "the king’s file" if file == king[0] else "a file beside"
        found["king shelter", f"{where}: " + ("no pawn" if mine is None else f"own pawn on rank {mine + 1}")] += 1
        if theirs is None:
            found["pawn storm", "no enemy pawn"] += 1
        else:
            blocked = mine is not None and mine + 1 == theirs
            found["pawn storm", f"enemy pawn on rank {theirs + 1}, {'blocked by a pawn' if blocked else 'free'}"] += 1
    return found


def threats(board: Board) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    by_pawn, by_minor, by_rook = (attacks(board, letters) for letters in ("P", "NB", "R"))
    everything, defended = attacks(board, "PNBRQK"), attacks(board, "pnbrqk")
    names = {"n": "knight", "b": "bishop", "r": "rook", "q": "queen"}
    for square, letter in board.pieces.items():
        if letter not in "pnbrq":
            continue
        if letter in names and square in by_pawn:
            found["threat", f"pawn attacks {names[letter]}"] += 1
        if letter in "nbrq" and square in by_minor:
            victim = "the other" if letter in "nb" else names[letter]
            found["threat", f"knight or bishop attacks {victim}"] += 1
        if letter == "q" and square in by_rook:
            found["threat", "rook attacks queen"] += 1
        if square in everything and square not in defended:
            found["threat", f"attacks an undefended {'pawn' if letter == 'p' else 'piece'}"] += 1
    return found
