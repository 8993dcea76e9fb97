"""A small UCI engine whose scores depend on position and move alone, and that misbehaves where it is told to.

``scoring_engine.py [FAULT TEXT]…``: FAULT is what happens in positions whose text begins with TEXT: die, hang, refuse
(it answers ``bestmove (none)``), illegal, mute (no score), once (it dies the first time; TEXT;FILE remembers that).
``single`` as the last word: the engine has no option MultiPV.
"""

import hashlib
import os
import sys
import time
from pathlib import Path

from evalsmith.games import find_game

CHESS = find_game("chess")
WORDS = sys.argv[1:]
SINGLE = WORDS[-1:] == ["single"]
FAULTS = dict(zip(WORDS[1::2], WORDS[::2], strict=False))


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fault_in(text):
    for words, fault in FAULTS.items():
        begin, _, memory = words.partition(";")
        if text.startswith(begin) and not (memory and Path(memory).exists()):
            if memory:
                Path(memory).touch()
            return fault
    return ""


def score(text, move, depth):
    return (
        int.from_bytes(hashlib.blake2b(f"{text} {move} {min(depth, 3)}".encode(), digest_size=2).digest(), "big") % 800
        - 400
    )


def search(position, limit, lines):
    text = CHESS.format(position)
    fault = fault_in(text)
    if fault in ("die", "once"):
        os._exit(3)
    if fault == "hang":
        time.sleep(600)
    if fault == "refuse":
        return say("bestmove (none)")
    if fault == "illegal":
        return say("bestmove a1a1")
    moves = [CHESS.format_move(position, move) for move in CHESS.moves(position)]
    ranked = moves
    for depth in range(1, limit + 1):
        ranked = sorted(moves, key=lambda move: (-score(text, move, depth), move))
        for place, move in enumerate(ranked[:lines], 1):
            if fault != "mute":
                rank = "" if SINGLE else f" multipv {place}"
                say(f"info depth {depth}{rank} score cp {score(text, move, depth)} nodes {depth * 10} time 1 pv {move}")
    return say(f"bestmove {ranked[0]}")


def main():
    position, lines = CHESS.start(), 1
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            say("id name Mock")
            if not SINGLE:
                say("option name MultiPV type spin default 1 min 1 max 500")
            say("uciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:3] == ["setoption", "name", "MultiPV"]:
            lines = int(words[-1])
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            position = CHESS.start() if words[1] == "startpos" else CHESS.parse(" ".join(words[2:8]))
            for move in moves:
                position = CHESS.play(position, CHESS.parse_move(position, move))
        elif words[:1] == ["go"]:
            search(position, int(words[words.index("depth") + 1]) if "depth" in words else 3, lines)
        elif words[:1] == ["quit"]:
            return


main()
