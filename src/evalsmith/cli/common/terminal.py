"""The table in the terminal at which a person and an engine play: it asks, draws, and takes commands."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from pathlib import Path
from typing import Any

from evalsmith.cli.common.output import open_console
from evalsmith.games import CHANCE, Position
from evalsmith.games.scores import with_unit
from evalsmith.games.termination import BY_LENGTH, BY_RULE
from evalsmith.players.saved_game import load, save
from evalsmith.players.session import PERSON, Session, Step
from evalsmith.run import EvalsmithError, Interrupted, MoveError, OutputError

COMMANDS = {
    "help": "this list",
    "moves": "the legal moves",
    "hint": "what the engine would play, with its score and line",
    "score": "the evaluation of the position without search (also: eval)",
    "undo": "take back to your last choice",
    "redo": "play again what undo took back",
    "board": "draw the board again",
    "position": "the position as text",
    "history": "the moves so far",
    "switch": "change sides with the engine",
    "go": "let the engine think again after Ctrl-C",
    "resign": "give up",
    "declare": "declare a win, as an entered king may in shogi (also: win)",
    "save": "save FILE writes the game; without FILE where it was saved last",
    "load": "load FILE continues a saved game (also: resume)",
    "quit": "end; so does Ctrl-D",
}
ALIASES = {"?": "help", "eval": "score", "resume": "load", "exit": "quit", "q": "quit", "win": "declare"}
HINT_MOVES = 12


class Terminal:
    """The terminal before a game: draws it, asks, obeys."""

    def __init__(self, session: Session, file: Path | None) -> None:
        self.session, self.file = session, file
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (input() then edits lines and remembers them)
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        plain: dict[str, Any] = {} if self.interactive else {"color_system": None}
        self.console = open_console(highlight=False, emoji=False, **plain)
        self.drawn: Position | None = None
        self.announced = self.stopped = False
        self.written: dict[Path, object] = {}  # files of this game, and what was written there

    # ── Showing ──

    def say(self, text: str) -> None:
        """A plain line."""
        self.console.print(text, markup=False, soft_wrap=True)

    def draw(self) -> None:
        """The board if it has changed, and the result when the game is over."""
        session = self.session
        if self.drawn is not session.position:
            self.drawn = session.position
            self.console.print(f"\n{session.game.text(session.position)}\n", soft_wrap=True)
        if session.outcome is not None and not self.announced:
            self.say(f"{result_sentence(session)}\n")
        self.announced = session.outcome is not None

    def report(self, step: Step) -> None:
        """What was played, unless a person chose it."""
        if step.side is None:
            return
        name = self.session.game.sides[step.side]
        thought = ""
        if step.thought is not None:
            [best, *_] = step.thought.lines
            thought = f" ({with_unit(self.session.game, best.score)}, depth {best.depth})"
        if step.declares:
            self.say(f"{name} declares a win")
            return
        self.say(f"{name} has no move and passes" if step.forced else f"{name} plays {step.text}{thought}")

    # ── Files ──

    def autosave(self, *, first: bool = False) -> None:
        """Save the game where --save wants it; only the first failure ends the command."""
        if self.file is None:
            return
        try:
            self.write(self.file)
        except OutputError as error:
            if first:
                raise
            self.say(str(error))

    def write(self, path: Path) -> None:
        """Save the game."""
        save(self.session, path)
        self.written[path] = self.state()

    def state(self) -> object:
        """What a saved game would hold."""
        session = self.session
        return [step.text for step in session.steps], session.resigned, session.declared, session.setup

    def saved_where(self) -> str:
        """Where the game is saved, if it is."""
        for path, state in self.written.items():
            if state == self.state():
                return f"the game is saved in {path}"
        return "the game is not saved"

    # ── The game ──

    def run(self) -> None:
        """Play until the person leaves."""
        try:
            while True:
                if not self.stopped:
                    self.go_on()
                self.draw()
                line = self.ask()
                if line is None or self.obey(line):
                    break
        except KeyboardInterrupt:
            self.say("")
            raise Interrupted(self.saved_where()) from None
        if self.file is not None or (self.session.steps and self.session.outcome is None):
            self.say(self.saved_where())

    def go_on(self) -> None:
        """Let chance and players act until a person has to choose."""
        while not self.session.waiting and self.session.outcome is None:
            try:
                step = self.session.advance()
            except KeyboardInterrupt:
                if not self.interactive:
                    raise
                self.stopped = True
                self.say("\nstopped before it moved; `go` lets it search again, `undo` takes your move back")
                return
            self.report(step)
            self.autosave()

    def ask(self) -> str | None:
        """The next line, or None at the end of the input."""
        side = self.session.game.sides[self.session.mover]
        prompt = f"{'over' if self.session.outcome else 'stopped' if self.stopped else side}> "
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                self.say("")
                return None
        print(prompt, end="", flush=True)
        line = sys.stdin.readline().replace("\0", "")
        print(line.rstrip("\r\n"))
        return line or None

    def obey(self, line: str) -> bool:
        """Do what a line says; whether it ends the session."""
        word, rest = [*line.split(maxsplit=1), "", ""][:2]
        name = ALIASES.get(word.lower(), word.lower())
        if not word or name == "quit":
            return name == "quit" or self.session.outcome is not None
        try:
            if name not in COMMANDS:
                self.move(line.strip())
            elif rest and name not in ("save", "load"):
                self.say(f"{name} takes no argument, not {rest.strip()!r}")
            else:
                self.command(name, rest.strip())
        except EvalsmithError as error:
            self.say(str(error))
        except KeyboardInterrupt:
            if not self.interactive:
                raise
            self.say("\nstopped")
        return False

    def move(self, text: str) -> None:
        """A person's move, or a line on why it is none."""
        session = self.session
        try:
            session.play(text)
            self.autosave()
        except MoveError as error:
            if text.replace(" ", "").isalpha():
                self.say(f"{text[:40]!r} is neither a legal move nor a command; `help` lists the commands")
                return
            # The position is on the screen already, and a long list of moves would push it away.
            reason = str(error).replace(f" in {session.game.format(session.position)}", "").rstrip(" ,:;")
            self.say(reason if len(reason) <= 160 else f"{reason[:130]} …; `moves` lists all")

    def command(self, name: str, rest: str) -> None:
        """One of COMMANDS; a change of the game is saved, and the game continues."""
        session = self.session
        game, legal = session.game, session.legal()
        match name:
            case "help":
                if legal:
                    self.say(f"Write a move like {' '.join(legal[:3])}. Commands:")
                self.say("\n".join(f"  {word:9} {meaning}" for word, meaning in COMMANDS.items()))
            case "moves":
                self.say(f"{count(len(legal), 'move')}: {' '.join(legal)}" if legal else "none, the game is over")
            case "hint" if session.waiting and session.board.wins_by_declaration:
                self.say("hint: declare, which wins at once")
            case "hint":
                hint = session.hint()
                line = " ".join(hint.line[:HINT_MOVES]) + (" …" if len(hint.line) > HINT_MOVES else "")
                self.say(f"hint: {hint.line[0]} ({with_unit(game, hint.score)}, depth {hint.depth}), line {line}")
            case "score":
                self.say(f"{with_unit(game, session.evaluation())} for {game.sides[session.mover]}, without search")
            case "board":
                self.drawn = None
            case "position":
                self.say(game.format(session.position))
            case "history":
                self.say(" ".join(step.text for step in session.moves) or "no moves yet")
            case "save":
                self.save(rest)
            case "load":
                self.load(rest)
            case "go":
                if not self.stopped:
                    self.say("nothing was stopped; it is your move")
                self.stopped = False
            case "undo":
                ended = "resignation" if session.resigned is not None else "declaration"
                taken = session.undo()
                self.changed(f"took back {count(taken, 'move')}" if taken else f"took back the {ended}")
            case "redo":
                self.changed(f"played {count(session.redo(), 'move')} again")
            case "switch":
                session.switch()
                self.changed(seating(session))
            case "resign":
                session.resign()
                self.changed("you resign")
            case "declare":
                session.declare()
                self.changed("you declare a win")

    def changed(self, sentence: str) -> None:
        """After a change of the game that is no move."""
        self.stopped = False
        self.say(sentence)
        self.autosave()

    def save(self, name: str) -> None:
        """Write a file; one that this game did not write is not overwritten."""
        path = _path(name) if name else next(reversed(self.written), None)
        if path is None:
            self.say("save where? save FILE")
        elif path not in self.written and exists(path):
            self.say(f"{path} already exists; choose another name")
        else:
            self.write(path)
            self.say(f"{count(len(self.session.moves), 'move')} saved in {path}")

    def load(self, name: str) -> None:
        """Continue a saved game; where every move is saved, it is then saved to that file."""
        if not name:
            self.say("load what? load FILE")
            return
        path = _path(name)
        self.session = load(path, self.session.game)
        self.written = {path: self.state()}
        self.file = path if self.file else None
        self.drawn, self.announced, self.stopped = None, False, False
        self.say(f"{path}, {count(len(self.session.moves), 'move')} played: {seating(self.session)}")

    # ── Watching ──

    def watch(self, delay: float) -> None:
        """Show a game between players: in one place on a terminal, else one board after the other."""
        from rich.live import Live
        from rich.text import Text

        session = self.session
        on_screen = Live(console=self.console, auto_refresh=False, vertical_overflow="visible")
        try:
            with on_screen if self.console.is_terminal else contextlib.nullcontext() as screen:
                while True:
                    settled = session.game.status(session.position) != CHANCE
                    if settled and screen is None:
                        self.draw()
                    elif settled and screen is not None:
                        screen.update(Text.from_markup(session.game.text(session.position)), refresh=True)
                    if session.outcome is not None:
                        break
                    if settled and screen is not None:
                        time.sleep(delay)
                    step = session.advance()
                    self.autosave()
                    if screen is None:
                        self.report(step)
        except KeyboardInterrupt:
            raise Interrupted(self.saved_where()) from None
        if self.console.is_terminal:
            self.say(result_sentence(session))
        if self.file is not None:
            self.say(self.saved_where())


def _path(name: str) -> Path:
    """A file as a user names it."""
    try:
        return Path(name).expanduser()
    except RuntimeError:  # the home of nobody
        return Path(name)


def exists(path: Path) -> bool:
    """Whether something is there; a name that cannot be is refused when it is written or read."""
    try:
        return path.exists()
    except OSError:
        return False


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def seating(session: Session) -> str:
    """Who plays what."""
    setup = session.setup
    seats = zip(session.game.sides, setup.seats, strict=True)
    who = ", ".join(f"{side} is {'you' if seat == PERSON else seat}" for side, seat in seats)
    return f"{who}; {setup.limit} per move; `help` lists the commands" if PERSON in setup.seats else who


def result_sentence(session: Session) -> str:
    """Who has won and how, and what that means for the person; empty while the game goes on."""
    game, outcome, seats = session.game, session.outcome, session.setup.seats
    if outcome is None:
        return ""
    how = "" if outcome.termination == BY_RULE else f" by {outcome.termination}"
    if outcome.termination == BY_LENGTH:
        how = f" after {count(len(session.moves), 'move')}"
    if outcome.value == 0:
        return f"a draw{how}"
    if game.players == 1:
        who = "you" if seats[0] == PERSON else seats[0]
        verb = "win" if outcome.value > 0 else "lose"
        return f"{who} {verb}{'' if who == 'you' else 's'}{how}"
    winner = 0 if outcome.value > 0 else 1
    if game.win == 0 and outcome.termination == BY_RULE:
        margin = abs(outcome.value) / 100
        how = f" by {margin:g} {game.whole_unit.removesuffix('s') if margin == 1 else game.whole_unit}"
    people = [side for side, seat in enumerate(seats) if seat == PERSON]
    yours = f": you {'win' if winner in people else 'lose'}" if len(people) == 1 else ""
    return f"{game.sides[winner]} wins{how}{yours}"
