"""A small UCI or USI engine that misbehaves on request: ``engine.py MODE [NUMBER] [TOKEN]``.

It answers its searches with fixed moves. TOKEN only marks its processes, so that a test can find them.
"""

import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
NUMBER = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
MOVES = ["e2e4", "g1f3", "b1c3"]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def raw(data):
    while data:
        data = data[os.write(1, data) :]


def hang():
    while True:
        time.sleep(60)


def misbehave(step):
    """What the mode does at a step of the protocol."""
    if f"hang-{step}" == MODE:
        hang()
    if f"exit-{step}" == MODE:
        os._exit(int(NUMBER))
    if f"signal-{step}" == MODE:
        os.kill(os.getpid(), int(NUMBER))
    if f"flood-{step}" == MODE:
        line = b"info depth 1 score cp 5 nodes 7 pv e2e4 e7e5\n" * 200
        while True:
            raw(line)
    if f"noline-{step}" == MODE:
        while True:
            raw(b"x" * 65536)
    if f"traceback-{step}" == MODE:
        raise RuntimeError("the engine is broken")


def search(number):
    misbehave("go")
    move = MOVES[number % len(MOVES)]
    if MODE == "illegal":
        move = "e2e5"
    elif MODE == "drop":
        move = "P@9h"
    elif MODE == "nomove":
        return say("bestmove")
    elif MODE in ("resign", "win"):
        move = MODE
    elif MODE == "late" and number == 0:
        time.sleep(NUMBER)
        move = "a2a3"
    elif MODE == "split":
        say("info depth 3 score mate 2 time 12 nodes 99 pv e2e4")
        for part in ("bestmove", " ", move):
            sys.stdout.write(part)
            sys.stdout.flush()
            time.sleep(0.02)
        return say("")
    elif MODE == "stderr":
        block = b"e" * (1 << 20)
        for _ in range(int(NUMBER)):
            os.write(2, block)
    elif MODE == "memory":
        kept = bytearray(int(NUMBER))
        kept[::4096] = b"x" * len(kept[::4096])
        hang()
    elif MODE == "spike":
        kept = bytearray(int(NUMBER))
        kept[::4096] = b"x" * len(kept[::4096])
        del kept
    elif MODE == "child-memory":
        code = f"b = bytearray(b'x' * {int(NUMBER)}); import time; time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", code, *sys.argv[3:]])
        hang()
    elif MODE == "child-spike":
        subprocess.run([sys.executable, "-c", f"b = bytearray(b'x' * {int(NUMBER)})", *sys.argv[3:]])
    elif MODE == "shared":
        kept = bytearray(int(NUMBER))
        kept[::4096] = b"x" * len(kept[::4096])
        if os.fork() == 0:
            hang()
    elif MODE == "garbage":
        raw(b"\xff\xfe\x00info depth x score cp\ninfo score\ninfo score cp zz pv\n\x00\x01\n")
    elif MODE == "crlf":
        return raw(b"info depth 2 score cp -7 pv e2e4\r\nbestmove " + move.encode() + b"\r\n")
    elif MODE == "closed":
        os.close(1)
        hang()
    say("info depth 9 seldepth 12 multipv 1 score cp 31 nodes 1234 nps 100 time 45 pv " + move + " e7e5")
    say("info depth 9 multipv 2 score cp -99 nodes 1300 time 46 pv a2a3")
    say("info string score cp 5000")
    say("bestmove " + move + " ponder e7e5")
    return None


def start():
    if MODE in ("deaf", "stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if MODE == "fork" and os.fork() == 0:
        hang()
    if MODE == "daemon":
        between = os.fork()
        if between == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                hang()
            os._exit(0)
        os.waitpid(between, 0)  # from here on there are exactly two
    if MODE == "deaf":
        hang()


def main():
    start()
    searches = 0
    readies = 0
    misbehave("start")
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] in ("uci", "usi"):
            misbehave("hello")
            say("id name Mock 1")
            say("option name Hash type spin default 16 min 1 max 99")
            say("option name Threads type spin default 4 min 1 max 8")
            say("option name Clear Hash type button")
            say(words[0] + "ok")
        elif words[0] == "isready":
            readies += 1
            misbehave("ready" if readies == 1 else "newgame")
            say("readyok")
        elif words[0] == "go":
            search(searches)
            searches += 1
        elif words[0] == "setoption" and MODE in ("echo", "stderr"):
            sys.stderr.write(line)
            sys.stderr.flush()
        elif words[0] == "quit":
            misbehave("quit")
            if MODE == "stubborn":
                continue
            return


main()
