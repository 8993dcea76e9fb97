"""Shogi the slow way: a dictionary of pieces, every move tried, no tables. Shares no code with the package.

Squares are (file, rank) from 1 to 9; pieces are SFEN's letters, upper case for black.
"""

from dataclasses import dataclass, field

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

# Steps (files, ranks) as black makes them; a file to the left is +1, forwards is rank -1.
GOLD = [(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]
SILVER = [(1, -1), (0, -1), (-1, -1), (1, 1), (-1, 1)]
STRAIGHT = [(0, -1), (0, 1), (1, 0), (-1, 0)]
DIAGONAL = [(1, -1), (-1, -1), (1, 1), (-1, 1)]
STEPS = {
    "P": [(0, -1)], "N": [(1, -2), (-1, -2)], "S": SILVER, "G": GOLD, "K": STRAIGHT + DIAGONAL,
    "+P": GOLD, "+L": GOLD, "+N": GOLD, "+S": GOLD, "+B": STRAIGHT, "+R": DIAGONAL,
}  # fmt: skip
SLIDES = {"L": [(0, -1)], "B": DIAGONAL, "+B": DIAGONAL, "R": STRAIGHT, "+R": STRAIGHT}


@dataclass
class Shogi:
    """A position that anybody can read."""

    board: dict = field(default_factory=dict)  # (file, rank) → "P", "+p", …
    hands: dict = field(default_factory=dict)  # "P" or "p" → count
    side: str = "b"
    number: int = 1

    @classmethod
    def parse(cls, sfen):
        board_text, side, hand_text, number = sfen.split()
        new = cls(side=side, number=int(number))
        for rank, row in enumerate(board_text.split("/"), 1):
            file, plus = 9, ""
            for letter in row:
                if letter.isdigit():
                    file -= int(letter)
                elif letter == "+":
                    plus = "+"
                else:
                    new.board[file, rank] = plus + letter
                    file, plus = file - 1, ""
        digits = ""
        for letter in hand_text.replace("-", ""):
            if letter.isdigit():
                digits += letter
            else:
                new.hands[letter], digits = int(digits or 1), ""
        return new

    def format(self):
        rows = []
        for rank in range(1, 10):
            row, empty = "", 0
            for file in range(9, 0, -1):
                piece = self.board.get((file, rank))
                if piece is None:
                    empty += 1
                    continue
                row += (str(empty) if empty else "") + piece
                empty = 0
            rows.append(row + (str(empty) if empty else ""))
        hands = ""
        for letter in "RBGSNLPrbgsnlp":
            count = self.hands.get(letter, 0)
            hands += (str(count) if count > 1 else "") + letter if count else ""
        return f"{'/'.join(rows)} {self.side} {hands or '-'} {self.number}"

    def same(self):
        """What counts for repetition: all but the number of the move."""
        return self.format().rsplit(" ", 1)[0]

    def owner(self, piece):
        return "b" if piece[-1].isupper() else "w"

    def targets(self, square):
        """Where the piece on a square can go, kings in check or not."""
        piece = self.board[square]
        mine = self.owner(piece)
        turn = 1 if mine == "b" else -1
        kind = piece.upper()
        found = []
        for ways, far in ((STEPS.get(kind, []), 1), (SLIDES.get(kind, []), 8)):
            for files, ranks in ways:
                file, rank = square
                for _ in range(far):
                    file, rank = file + turn * files, rank + turn * ranks
                    if not (1 <= file <= 9 and 1 <= rank <= 9):
                        break
                    there = self.board.get((file, rank))
                    if there is None or self.owner(there) != mine:
                        found.append((file, rank))
                    if there is not None:
                        break
        return found

    def in_check(self, side):
        king = next(square for square, piece in self.board.items() if piece == ("K" if side == "b" else "k"))
        enemies = [square for square, piece in self.board.items() if self.owner(piece) != side]
        return any(king in self.targets(square) for square in enemies)

    def depth(self, rank):
        """How many ranks lie between a rank and the far end for the mover."""
        return rank - 1 if self.side == "b" else 9 - rank

    def stuck(self, kind, rank):
        """Whether a piece there could never move again."""
        return self.depth(rank) < {"P": 1, "L": 1, "N": 2}.get(kind, 0)

    def pseudo(self):
        """All moves that obey everything but checks and the dropped pawn's mate."""
        for square, piece in self.board.items():
            if self.owner(piece) == self.side:
                kind = piece.upper()
                for target in self.targets(square):
                    name = usi(square) + usi(target)
                    if kind in "PLNSBR" and min(self.depth(square[1]), self.depth(target[1])) < 3:
                        yield name + "+"
                    if not self.stuck(kind, target[1]):
                        yield name
        for letter, count in self.hands.items():
            if count and self.owner(letter) == self.side:
                kind = letter.upper()
                for file in range(1, 10):
                    pawn = "P" if self.side == "b" else "p"
                    if kind == "P" and any(self.board.get((file, rank)) == pawn for rank in range(1, 10)):
                        continue
                    for rank in range(1, 10):
                        if (file, rank) not in self.board and not self.stuck(kind, rank):
                            yield f"{kind}*{usi((file, rank))}"

    def play(self, name):
        new = Shogi(dict(self.board), dict(self.hands), "w" if self.side == "b" else "b", self.number + 1)
        target = (int(name[2]), "abcdefghi".index(name[3]) + 1)
        if name[1] == "*":
            letter = name[0] if self.side == "b" else name[0].lower()
            new.hands[letter] -= 1
            new.board[target] = letter
            return new
        piece = new.board.pop((int(name[0]), "abcdefghi".index(name[1]) + 1))
        if target in new.board:
            taken = new.board[target][-1].swapcase()
            new.hands[taken] = new.hands.get(taken, 0) + 1
        new.board[target] = "+" + piece if name.endswith("+") else piece
        return new

    def moves(self):
        """The legal moves in USI, sorted."""
        found = []
        for name in self.pseudo():
            after = self.play(name)
            if after.in_check(self.side):
                continue
            if name.startswith("P*") and after.in_check(after.side) and not after.moves():
                continue
            found.append(name)
        return sorted(found)


def usi(square):
    return f"{square[0]}{'abcdefghi'[square[1] - 1]}"


def repetition(history):
    """What the last of a list of positions is for its mover: "", "draw", "win", "loss"."""
    now = history[-1]
    same = [place for place, position in enumerate(history) if position.same() == now.same()]
    if len(same) < 4:
        return ""
    since = history[same[-4] + 1 :]
    mover = all(position.in_check(now.side) for position in since if position.side == now.side)
    other = "w" if now.side == "b" else "b"
    enemy = all(position.in_check(other) for position in since if position.side == other)
    if mover == enemy:
        return "draw"
    return "win" if mover else "loss"


def declared(position, rule):
    """What becomes of the mover who declares: "win", "draw", "loss"."""
    if position.in_check(position.side):
        return "loss"
    mine = {square: piece for square, piece in position.board.items() if position.owner(piece) == position.side}
    there = [piece.upper() for square, piece in mine.items() if position.depth(square[1]) < 3]
    if "K" not in there or len(there) < 11:
        return "loss"
    points = 0
    for piece in there:
        points += {"K": 0, "R": 5, "B": 5, "+R": 5, "+B": 5}.get(piece, 1)
    for letter, count in position.hands.items():
        if position.owner(letter) == position.side:
            points += count * (5 if letter in "RBrb" else 1)
    if rule == 27:
        return "win" if points >= (28 if position.side == "b" else 27) else "loss"
    return "win" if points >= 31 else "draw" if points >= 24 else "loss"
