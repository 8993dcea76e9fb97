"""Shogi's terms square by square, from the naive twin's board: names → how much more the mover has."""

from collections import Counter

from naive.shogi import SLIDES, STEPS, Shogi

NAMES = {
    "P": "pawn", "L": "lance", "N": "knight", "S": "silver", "G": "gold", "B": "bishop", "R": "rook", "K": "king",
    "+P": "tokin", "+L": "promoted lance", "+N": "promoted knight", "+S": "promoted silver", "+B": "horse",
    "+R": "dragon",
}  # fmt: skip
BOARD = [(file, rank) for file in range(1, 10) for rank in range(1, 10)]
HOMES = {
    "Mino castle": ("2h", ["S3h G4i G5h N2i L1i", "S3h G4i G4g N2i L1i", "S2g G3h G4g N2i L1i"]),
    "Anaguma castle": ("1i", ["L1h S2h G3i G3h N2i", "L1h S2h G3i G4i N2i", "L1h S2h S3i G3h N2i"]),
    "Yagura castle": ("2h", ["G3h G4g S3g N2i L1i"]),
}


def reached(game: Shogi, square, piece=None):
    """Squares that a piece there attacks, whoever stands on them."""
    piece = piece or game.board[square]
    turn = 1 if piece[-1].isupper() else -1
    found = set()
    for ways, far in ((STEPS.get(piece.upper(), []), 1), (SLIDES.get(piece.upper(), []), 8)):
        for files, ranks in ways:
            file, rank = square
            for _ in range(far):
                file, rank = file + turn * files, rank + turn * ranks
                if not (1 <= file <= 9 and 1 <= rank <= 9):
                    break
                found.add((file, rank))
                if (file, rank) in game.board:
                    break
    return found


def side_terms(game: Shogi, side):
    """What one side has."""
    other = "w" if side == "b" else "b"
    mine = {square: piece for square, piece in game.board.items() if game.owner(piece) == side}
    theirs = {square: piece for square, piece in game.board.items() if game.owner(piece) == other}
    attacks = {square: reached(game, square) for square in game.board}
    times = Counter(target for square in mine for target in attacks[square])
    enemy = Counter(target for square in theirs for target in attacks[square])
    king = next(square for square, piece in mine.items() if piece in "Kk")
    enemy_king = next(square for square, piece in theirs.items() if piece in "Kk")
    zone, enemy_zone = attacks[king], attacks[enemy_king]
    found = Counter()

    def depth(rank):
        return rank - 1 if side == "b" else 9 - rank

    def named(square):
        file, rank = square if side == "b" else (10 - square[0], 10 - square[1])
        return f"{file}{'abcdefghi'[rank - 1]}"

    for square, piece in mine.items():
        kind = piece.upper()
        name = NAMES[kind]
        found[f"{name} on square: {named(square)}"] += 1
        found[f"square at the enemy's king attacked: {name}"] += len(attacks[square] & enemy_zone)
        free = len(attacks[square] - set(mine))
        if kind in ("L", "N", "S", "G", "B", "R", "+B", "+R"):
            found[f"{name} mobility: {free}"] += 1
        elif kind in ("+P", "+L", "+N", "+S"):
            found[f"promoted piece mobility: {free}"] += 1
        if kind != "K":
            found[f"material: {name}"] += 1
            if times[square]:
                found[f"defended piece: {name}"] += 1
            elif enemy[square]:
                found[f"attacked and undefended piece: {name}"] += 1
            if any(theirs[origin] in "Pp" and square in attacks[origin] for origin in theirs):
                found[f"piece attacked by a pawn: {name}"] += 1
    for square in BOARD:
        region = "enemy camp" if depth(square[1]) < 3 else "middle" if depth(square[1]) < 6 else "own camp"
        found[f"square attacked: {region}"] += times[square] >= 1
        found[f"square attacked twice: {region}"] += times[square] >= 2

    attackers = sum(1 for square in theirs if attacks[square] & zone)
    found[f"attackers near the king: {min(attackers, 12)}"] += 1
    guards = [
        square for square in zone if square in mine and mine[square].upper() not in ("P", "L", "B", "R", "+B", "+R")
    ]
    found[f"guards beside the king: {len(guards)}"] += 1
    found[f"escape squares of the king: {sum(1 for s in zone if s not in mine and not enemy[s])}"] += 1
    others = {target for square in mine if square != king for target in attacks[square]}
    found[f"unguarded squares beside the king: {sum(1 for s in zone if enemy[s] and s not in others)}"] += 1
    for castle, (home, variants) in HOMES.items():
        best = max(grade(mine, named, king, home, guards, flip) for guards in variants for flip in (False, True))
        if best:
            found[f"{castle}: {best}"] += 1

    pawns = {square for square, piece in mine.items() if piece in "Pp"}
    closed = {file for file, _ in pawns}
    found[f"files open for a pawn: {9 - len(closed)}"] += 1
    found[f"pawns side by side: {sum(1 for file, rank in pawns if (file + 1, rank) in pawns)}"] += 1
    found[f"undefended pawns: {sum(1 for square in pawns if not times[square])}"] += 1
    found[f"defended pawns beyond the middle: {sum(1 for s in pawns if times[s] and depth(s[1]) < 4)}"] += 1

    standing = {piece.upper().lstrip("+") for piece in mine.values()}
    holding = {letter for letter in "BR" if game.hands.get(letter if side == "b" else letter.lower(), 0)}
    if holding == {"B", "R"}:
        found["bishop and rook: both in hand"] += 1
    elif "R" in holding and "B" in standing:
        found["bishop and rook: rook in hand"] += 1
    elif "B" in holding and "R" in standing:
        found["bishop and rook: bishop in hand"] += 1
    elif {"B", "R"} <= standing:
        found["bishop and rook: both on the board"] += 1

    enemy_others = {target for square in theirs if square != enemy_king for target in attacks[square]}
    for letter in "PLNSBRG":
        held = game.hands.get(letter if side == "b" else letter.lower(), 0)
        if not held:
            continue
        found[f"{NAMES[letter]} in hand: {held}"] += 1
        for square in BOARD:
            if square in game.board or (letter == "P" and square[0] in closed):
                continue
            if not enemy[square] and depth(square[1]) < 3:
                found[f"hole in the enemy camp for drop: {NAMES[letter]}"] += 1
            checks = enemy_king in reached(game, square, letter if side == "b" else letter.lower())
            if checks and square not in enemy_others and (square not in enemy_zone or times[square]):
                found[f"safe check by drop: {NAMES[letter]}"] += 1
            if letter == "P" and (times[square] or not enemy[square]):
                ahead = (square[0], square[1] + (-1 if side == "b" else 1))
                if ahead in theirs and theirs[ahead].upper() not in ("P", "K"):
                    found[f"pawn drop before: {NAMES[theirs[ahead].upper()]}"] += 1
    return found


def grade(mine, named, king, home, guards, flip):
    """How many guards stand in their places, if the king is at home."""

    def turned(name):
        return f"{10 - int(name[0])}{name[1]}" if flip else name

    if named(king) != turned(home):
        return 0
    standing = {named(square): piece.upper() for square, piece in mine.items()}
    return sum(1 for guard in guards.split() if standing.get(turned(guard[1:])) == guard[0])


def slow_terms(sfen):
    """The difference, with the tempo."""
    game = Shogi.parse(sfen)
    found = side_terms(game, game.side)
    found.subtract(side_terms(game, "w" if game.side == "b" else "b"))
    found["tempo: the move"] = 1
    return {name: number for name, number in found.items() if number}
