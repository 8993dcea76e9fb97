"""A UCI or USI server in this process, whose answers a test can wait for."""

import threading
import time

from evalsmith.games import find_game
from evalsmith.protocols.engine import Engine, EngineOptions
from evalsmith.protocols.uci import UciServer
from evalsmith.run import EvalsmithError

PATIENCE = 120


class Client:
    """Says commands and hears lines."""

    def __init__(self, game, dialect, options=EngineOptions(table_bytes=1 << 20)):  # noqa: B008  (it is frozen)
        self.lines, self.more = [], threading.Condition()
        self.server = UciServer(Engine(find_game(game), options), dialect, self.hear)

    def hear(self, text):
        assert text.endswith("\n") and "\n" not in text[:-1]
        with self.more:
            self.lines.append(text.strip())
            self.more.notify_all()

    def tell(self, *commands):
        self.server.serve(commands)

    def ask(self, *commands, until):
        """Say commands and wait for a line that begins so; all lines since."""
        begun = len(self.lines)
        for command in commands:
            words = command.split()
            try:
                self.server.answer(words)
            except EvalsmithError as error:
                self.server.say(f"info string error: {error}")
        ends = time.monotonic() + PATIENCE
        with self.more:
            while not any(line.startswith(until) for line in self.lines[begun:]):
                assert self.more.wait(max(0.01, ends - time.monotonic())), self.lines[begun:]
        return self.lines[begun:]


def best(lines):
    [line] = [line for line in lines if line.startswith("bestmove")]
    return line.split()[1]
