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
        if (lead := idle_lead(view)) is not None:
            for key, amount in idle(view, lead).items():
                total[key] += sign * amount
            return Counter({key: amount for key, amount in total.items() if amount})
    for sign, view in ((1, mine), (-1, theirs)):
        for key, amount in side(view).items():
            total[key] += sign * amount
    total.update(opposite_bishops(mine))
    total.update(even_ending(mine))
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
            if any(f == square[0] for f, _ in squares(board, "Q") | squares(board, "q")):
                found["pieces", "rook on a queen’s file"] += 1
        if letter in "NB":
            found["steps to own king", kind] += steps(square, king)
            if (square[0], square[1] + 1) in own | enemy:
                found["pieces", "knight or bishop behind a pawn"] += 1
        if letter in "NBR":
            found[f"{kind} by own pawns", f"{len(own)} pawns"] += 1
        if letter == "B":
            alike = sum(sum(pawn) % 2 == sum(square) % 2 for pawn in own)
            found["bishop by own pawns of its colour", f"{alike} pawns"] += 1
    if len(squares(board, "B")) > 1:
        found["pieces", "bishop pair"] += 1
    queen = "" if squares(board, "Q") else " without queen"
    found["attackers on king zone", f"{min(attackers, 7)} pieces"] += 1
    found[f"attack on king zone{queen}", f"{min(units, 63)} units"] += 1
    space = {(f, r) for f, r in CENTRE - own - feared if any(pf == f and pr > r for pf, pr in own)}
    found["space", "a safe square in the centre behind the pawns"] += len(space)
    for pawn in own:
        found += of_pawn(board, pawn, own, enemy, king, enemy_king)
    found += shelter(own, enemy, king)
    return found + threats(board) + possible_threats(board) + king_danger(board, zone)


def opposite_bishops(board: Board) -> Counter[tuple[str, str]]:
    mine, theirs = squares(board, "B"), squares(board, "b")
    if len(mine) != 1 or len(theirs) != 1 or sum(map(sum, mine | theirs)) % 2 == 0:
        return Counter()
    others = "with other pieces" if set(board.pieces.values()) & set("NRQnrq") else "no other pieces"
    lead = len(squares(board, "P")) - len(squares(board, "p"))
    return Counter({("opposite bishops", f"pawns more, {others}"): lead})


def points(board: Board, upper: bool) -> int:
    worth = {"N": 3, "B": 3, "R": 5, "Q": 9}
    return sum(worth.get(letter.upper(), 0) for letter in board.pieces.values() if letter.isupper() == upper)


def idle_lead(board: Board) -> int | None:
    """By how much the upper-case side is ahead, if it has no pawns and this is too little to win."""
    if squares(board, "P"):
        return None
    lead = points(board, True) - points(board, False)
    if lead == 6 and len(squares(board, "N")) == 2:
        return 3 if set(board.pieces.values()) == {"K", "k", "N"} else None
    if lead == 0 and squares(board, "p"):
        return None
    return lead if 0 <= lead <= 3 else None


def idle(board: Board, lead: int) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    (king,), (enemy_king,) = squares(board, "K"), squares(turned(board), "K")
    found["king square", f"on {name(king)}"] += 1
    found["king square", f"on {name(enemy_king)}"] -= 1
    if lead:
        more = "s" if lead > 1 else ""
        pieces = "pieces" if points(board, False) else "no pieces"
        found["ahead without pawns", f"{lead} point{more} ahead, the enemy has {pieces}"] += 1
    if pawns := squares(turned(board), "P"):
        found["pawns against a piece", f"{len(pawns)} pawns"] -= 1
        found["foremost pawn against a piece", f"on rank {max(rank for _, rank in pawns) + 1}"] -= 1
    return found


def even_ending(board: Board) -> Counter[tuple[str, str]]:
    """A lead in pawns where both have the same few pieces."""
    kinds = {
        "": "no pieces",
        "m": "a knight or bishop each",
        "R": "a rook each",
        "Q": "a queen each",
        "Rm": "a rook and a knight or bishop each",
        "RR": "two rooks each",
    }
    pieces = {"N": "m", "B": "m", "R": "R", "Q": "Q"}
    mine, theirs = (
        "".join(
            sorted(pieces[x.upper()] for x in board.pieces.values() if x.upper() in pieces and x.isupper() == upper)
        )
        for upper in (True, False)
    )
    if mine != theirs or mine not in kinds:
        return Counter()
    own, enemy = len(squares(board, "P")), len(squares(board, "p"))
    found = Counter({("pawns more in an even ending", kinds[mine]): own - enemy})
    if own + enemy == 1:
        found["only pawn in an even ending", kinds[mine]] = own - enemy
    return found


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
    everything, defended = attacks(board, "PNBRQK"), attacks(board, "pnbrqk")
    way = {(file, r) for r in range(rank + 1, 8)}
    if stop in everything:
        found["passed pawn, held ahead", on_rank] += 1
    if stop in defended:
        found["passed pawn, attacked ahead", on_rank] += 1
    elif not way & (set(board.pieces) | defended):
        found["passed pawn, free way", on_rank] += 1
    for letter, whose in (("R", "own"), ("r", "the enemy’s")):
        if any(f == file and r < rank for f, r in squares(board, letter)):
            found["rook behind passed pawn", whose] += 1
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


def several(board: Board, letters: str) -> set[tuple[int, int]]:
    """Squares that at least two of these pieces attack."""
    seen = Counter(s for letter in letters for piece in squares(board, letter) for s in reach(board, piece))
    return {square for square, times in seen.items() if times > 1}


def possible_threats(board: Board) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    everything, defended = attacks(board, "PNBRQK"), attacks(board, "pnbrqk")
    stepped = set()
    for file, rank in squares(board, "P"):
        for further in (1, 2) if rank == 1 else (1,):
            target = (file, rank + further)
            if target in board.pieces:
                break
            if target not in attacks(board, "p") and (target in everything or target not in defended):
                stepped.add(target)
    for square, letter in board.pieces.items():
        if letter in "nbrq" and any((square[0] + side, square[1] - 1) in stepped for side in (-1, 1)):
            found["threat", "a pawn’s step would attack a piece"] += 1
    queens = sorted(squares(board, "q"), key=lambda square: (square[1], square[0]))
    if queens:
        safe = {(f, r) for f in range(8) for r in range(8)} - defended
        safe -= {square for square, letter in board.pieces.items() if letter.isupper()}
        jumps, diagonals, lines = (looks(board, queens[0], letter) for letter in "NBR")
        found["threat", "knight could attack the queen"] += len(jumps & attacks(board, "N") & safe)
        sliding = (diagonals & attacks(board, "B")) | (lines & attacks(board, "R"))
        found["threat", "bishop or rook could attack the queen"] += len(sliding & safe & several(board, "PNBRQK"))
    both = (defended & everything) - attacks(board, "p")
    both -= several(board, "pnbrqk") - several(board, "PNBRQK")
    found["restricted square", "attacked by both, and not well defended"] += len(both)
    return found


def looks(board: Board, square: tuple[int, int], letter: str) -> set[tuple[int, int]]:
    """What a piece of this kind would attack from a square."""
    return reach(Board({**board.pieces, square: letter}, True, frozenset(), None, 0, 1), square)


def king_danger(board: Board, zone: set[tuple[int, int]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    (king,) = squares(board, "k")
    defended = attacks(board, "pnbrqk")
    taken = defended | {square for square, letter in board.pieces.items() if letter.isupper()}
    for letter, name in (("N", "knight"), ("B", "bishop"), ("R", "rook"), ("Q", "queen")):
        places = (looks(board, king, letter) & attacks(board, letter)) - taken
        if places:
            found["safe check", f"{name}: {'one square' if len(places) == 1 else 'several squares'}"] += 1
    weak = (zone & attacks(board, "PNBRQK")) - several(board, "pnbrqk")
    weak -= defended - attacks(board, "kq")
    found["weak square in king zone", f"{min(len(weak), 9)} squares"] += 1
    return found
