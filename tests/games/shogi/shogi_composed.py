"""Composed shogi positions, as SFEN: random, but full of what move generators get wrong."""

import random

SET = "PPPPPPPPPPPPPPPPPPLLLLNNNNSSSSGGGGBBRR"
LAST = {"P": 1, "L": 1, "N": 2}


def sfen(board, side, hand):
    rows = []
    for rank in range(1, 10):
        row = "".join(board.get((file, rank), " ") for file in range(9, 0, -1))
        for empty in range(9, 0, -1):
            row = row.replace(" " * empty, str(empty))
        rows.append(row)
    hands = ""
    for letter in "RBGSNLPrbgsnlp":
        count = hand.count(letter)
        hands += (str(count) if count > 1 else "") + letter if count else ""
    return f"{'/'.join(rows)} {side} {hands or '-'} 1"


def fits(board, square, piece):
    """Whether a piece may stand there: not stuck, no second pawn on a file."""
    file, rank = square
    far = rank - 1 if piece.isupper() else 9 - rank
    if square in board or far < LAST.get(piece.upper(), 0):
        return False
    return piece not in "Pp" or all(board.get((file, other)) != piece for other in range(1, 10))


def put(board, choose, square, letter):
    piece = letter if choose.random() < 0.5 else letter.lower()
    if letter in "PLNSBR" and choose.random() < 0.25:
        piece = "+" + piece
    if fits(board, square, piece):
        board[square] = piece
        return True
    return False


def around(choose, centre, spread):
    file, rank = centre[0] + choose.randint(-spread, spread), centre[1] + choose.randint(-spread, spread)
    return min(max(file, 1), 9), min(max(rank, 1), 9)


def composed(choose: random.Random) -> str:
    """One position; it may be impossible (the waiting side in check), which the parser says."""
    box = list(SET)
    choose.shuffle(box)
    board = {}
    kings = []
    for king in "Kk":
        while True:
            square = (choose.randint(1, 9), choose.randint(1, 9))
            if all(max(abs(square[0] - f), abs(square[1] - r)) > 1 for f, r in kings):
                break
        board[square] = king
        kings.append(square)
    for _ in range(choose.choice((3, 8, 15, 25, 36))):
        square = (choose.randint(1, 9), choose.randint(1, 9))
        if choose.random() < 0.6:
            square = around(choose, choose.choice(kings), choose.choice((1, 2, 4)))
        if not put(board, choose, square, box[-1]):
            continue
        box.pop()
    keep = choose.random()
    hand = [letter if choose.random() < 0.5 else letter.lower() for letter in box if choose.random() < keep]
    return sfen(board, choose.choice("bw"), hand)


def smothered(choose: random.Random) -> str:
    """A king in a corner of its own pieces, with pawns in the other's hand: mates by dropped pawns, real and almost."""
    box = list(SET[9:])
    choose.shuffle(box)
    board = {}
    file = choose.choice((1, 1, 2, 5, 8, 9, 9))
    king = (file, choose.choice((1, 1, 1, 2, 3)))
    board[king] = "k"
    board[choose.randint(1, 9), 9] = "K"
    front = (king[0], king[1] + 1)
    for _ in range(choose.randint(3, 14)):
        square = around(choose, king if choose.random() < 0.7 else (5, 5), choose.choice((1, 2, 3)))
        if square == front:
            continue
        letter = box[-1]
        piece = letter if choose.random() < 0.5 else letter.lower()
        if fits(board, square, piece):
            board[square] = piece
            box.pop()
    # A guard of the square before the king.
    guard = choose.choice(((front[0] - 1, front[1] + 1, "S"), (front[0] + 1, front[1] + 1, "G"), (front[0], 8, "R")))
    if 1 <= guard[0] <= 9 and guard[2] in box and fits(board, guard[:2], guard[2]):
        board[guard[:2]] = guard[2]
    text = sfen(board, "b", ["P", "P", "p"])
    return turned(text) if choose.random() < 0.5 else text


def turned(text: str) -> str:
    """The same with colours exchanged."""
    board, side, hands, number = text.split()
    rows = []
    for row in reversed(board.split("/")):
        cells = []
        for letter in row:
            if cells and cells[-1] == "+":
                cells[-1] += letter.swapcase()
            else:
                cells.append(letter.swapcase())
        rows.append("".join(reversed(cells)))
    swapped = hands.swapcase()
    digits, black, white = "", "", ""
    for letter in swapped:
        if letter.isdigit():
            digits += letter
        elif letter != "-":
            black, white = (
                black + (digits + letter if letter.isupper() else ""),
                white + (digits + letter if letter.islower() else ""),
            )
            digits = ""
    return f"{'/'.join(rows)} {'w' if side == 'b' else 'b'} {black + white or '-'} {number}"
