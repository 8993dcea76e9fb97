"""A small USI engine whose games depend on its options: ``tuned.py [CRASH_ABOVE] [TOKEN]``.

It resigns before its first move if Level is below 50, and before its second move otherwise: so the side with the higher
Level wins if 50 is between them, and the second player if it is not. With a Level above CRASH_ABOVE it crashes.
"""

import sys

LIMIT = float(sys.argv[1]) if len(sys.argv) > 1 else 1000.0


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    level, moves = 50, 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["usi"]:
            say("id name Tuned 1")
            say("option name Level type spin default 50 min 0 max 100")
            say("option name Bold type check default false")
            say("option name Rate type string default 0.5")
            say("option name Clear type button")
            say("usiok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["setoption"] and words[2] == "Level":
            level = int(words[4])
        elif words[:1] == ["position"]:
            moves = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words[:1] == ["go"]:
            if level > LIMIT:
                sys.exit(3)
            say("bestmove resign" if moves >= 2 or level < 50 else "bestmove 4")
        elif words[:1] == ["quit"]:
            break


main()
