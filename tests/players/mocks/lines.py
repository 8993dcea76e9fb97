"""Small NBoard, GTP and CodeCup programs with fixed answers: ``lines.py PROTOCOL MODE TOKEN [ANSWER…]``."""

import sys
import time

PROTOCOL, MODE, ANSWERS = sys.argv[1], sys.argv[2], sys.argv[4:]


def say(text):
    sys.stdout.write(text + ("\r\n" if MODE == "windows" else "\n"))
    sys.stdout.flush()


def answer():
    if MODE == "hang":
        time.sleep(600)
    if MODE == "exit":
        sys.exit(0)
    return ANSWERS.pop(0)


def nboard(line):
    if line.startswith("ping"):
        if MODE == "mute":
            return
        say("pong " + line.split()[1])
    elif line.startswith("set"):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    elif line == "go":
        say("status thinking")
        say("=== " + answer())


def gtp(line):
    number, _, command = line.partition(" ")
    sys.stderr.write(command + "\n")
    sys.stderr.flush()
    if MODE == "unnumbered":
        number = ""
    if MODE == "refuses" and command.startswith("play"):
        say(f"?{number} illegal move\n")
    elif command.startswith("genmove"):
        say(f"={number} {answer()}\n")
    elif command in ("name", "protocol_version"):
        say(f"={number} {'Mock' if command == 'name' else 2}\n")
    elif command.startswith("time_settings"):
        say(f"?{number} unknown command\n")
    else:
        say(f"={number}\n")


def codecup(line):
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
    say(answer())


for text in sys.stdin:
    text = text.strip()
    if text.lower() == "quit":
        sys.stderr.write("left\n")
        break
    {"nboard": nboard, "gtp": gtp, "codecup": codecup}[PROTOCOL](text)
