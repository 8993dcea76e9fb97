"""Evalsmith: from played games to a stronger evaluation, with proof.

At a prompt:

    >>> import evalsmith as es
    >>> board = es.Board("chess")
    >>> board.push("e4")
    'e4'

The names in ``__all__`` are the public interface; each is imported when it is first used. The rooms behind them, in the
order in which they may import each other:

    run        settings, run folders, events, atomic files, resume, progress, seeds, errors
    compile    the only package that imports numba: kernels, their cache, contexts
    processes  outside programs: pipes, process groups, memory limits
    scale      where work runs: threads and processes here, or a Ray cluster
    games      what a game is, the Board, the conformance kit, and one folder per game
    weights    layout, the weights file, exports, the evaluation taken apart
    records    files of played games, one folder per format
    engine     alpha-beta, Monte Carlo tree search, complete games inside one kernel
    protocols  the grammars that engines speak, for both sides of the pipe
    players    anything that picks a move
    positions  import, generate, label, transform and store positions
    arena      matches, tournaments and their statistics
    fit        design matrix, solvers, validation
    suite      evaluation suites: build, run, compare
    net        the neural evaluation (PyTorch, an optional extra)
    report     pages and pictures of any run
    cli        one file per verb; no logic
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalsmith.lazy import importer
from evalsmith.version import __version__ as __version__

if TYPE_CHECKING:
    from evalsmith.arena.events.competitions import match, tournament
    from evalsmith.arena.events.placement_analysis import placements
    from evalsmith.arena.results.match_result import MatchResult
    from evalsmith.arena.results.tournament_result import TournamentResult
    from evalsmith.arena.spsa.result import SpsaResult
    from evalsmith.arena.spsa.tuning import spsa
    from evalsmith.engine.analysis import Analysis, search
    from evalsmith.engine.solving import solve
    from evalsmith.fit.probcut.fitting import fit_probcut
    from evalsmith.fit.results import FitResult
    from evalsmith.fit.tuning import tune
    from evalsmith.games.board import Board, Outcome
    from evalsmith.games.game import Game
    from evalsmith.games.registry import find_game, game_names
    from evalsmith.improvement.improving import improve
    from evalsmith.improvement.result import ImproveResult
    from evalsmith.net.comparing import evaluate_nets
    from evalsmith.net.export import export_net
    from evalsmith.net.loop import net_loop
    from evalsmith.net.selfplay import self_play
    from evalsmith.net.training import train_net
    from evalsmith.net.value import train_value
    from evalsmith.positions.importing.games import import_games
    from evalsmith.positions.labelling.labels import label
    from evalsmith.positions.selfplay.generation import generate
    from evalsmith.positions.store.dataset import Dataset, load_dataset
    from evalsmith.positions.transform.merging import merge
    from evalsmith.positions.transform.sampling import sample
    from evalsmith.positions.transform.splitting import split
    from evalsmith.records.reader import read_games
    from evalsmith.report.runs import write_report
    from evalsmith.run.errors import EvalsmithError
    from evalsmith.run.watching import bars
    from evalsmith.scale.place import run_on
    from evalsmith.suite.building import build_suite
    from evalsmith.suite.comparing import SuiteComparison, compare_suites
    from evalsmith.suite.files import load_suite
    from evalsmith.suite.run_result import SuiteRun
    from evalsmith.suite.running import run_suite
    from evalsmith.suite.store import Suite
    from evalsmith.weights.comparison import compare_weights
    from evalsmith.weights.explanation import explain
    from evalsmith.weights.export import export_weights
    from evalsmith.weights.file import Weights
    from evalsmith.weights.listing import list_weights
    from evalsmith.weights.named import load_weights

__all__ = [
    "Analysis",
    "Board",
    "Dataset",
    "EvalsmithError",
    "FitResult",
    "Game",
    "ImproveResult",
    "MatchResult",
    "Outcome",
    "SpsaResult",
    "Suite",
    "SuiteComparison",
    "SuiteRun",
    "TournamentResult",
    "Weights",
    "bars",
    "build_suite",
    "compare_suites",
    "compare_weights",
    "evaluate_nets",
    "explain",
    "export_net",
    "export_weights",
    "find_game",
    "fit_probcut",
    "game_names",
    "generate",
    "import_games",
    "improve",
    "label",
    "list_weights",
    "load_dataset",
    "load_suite",
    "load_weights",
    "match",
    "merge",
    "net_loop",
    "placements",
    "read_games",
    "run_on",
    "run_suite",
    "sample",
    "search",
    "self_play",
    "solve",
    "split",
    "spsa",
    "tournament",
    "train_net",
    "train_value",
    "tune",
    "write_report",
]

_HOMES = {
    "Analysis": "engine.analysis",
    "Board": "games.board",
    "Dataset": "positions.store.dataset",
    "EvalsmithError": "run.errors",
    "FitResult": "fit.results",
    "Game": "games.game",
    "ImproveResult": "improvement.result",
    "MatchResult": "arena.results.match_result",
    "Outcome": "games.board",
    "SpsaResult": "arena.spsa.result",
    "Suite": "suite.store",
    "SuiteComparison": "suite.comparing",
    "SuiteRun": "suite.run_result",
    "TournamentResult": "arena.results.tournament_result",
    "Weights": "weights.file",
    "bars": "run.watching",
    "build_suite": "suite.building",
    "compare_suites": "suite.comparing",
    "compare_weights": "weights.comparison",
    "evaluate_nets": "net.comparing",
    "explain": "weights.explanation",
    "export_net": "net.export",
    "export_weights": "weights.export",
    "find_game": "games.registry",
    "fit_probcut": "fit.probcut.fitting",
    "game_names": "games.registry",
    "generate": "positions.selfplay.generation",
    "import_games": "positions.importing.games",
    "improve": "improvement.improving",
    "label": "positions.labelling.labels",
    "list_weights": "weights.listing",
    "load_dataset": "positions.store.dataset",
    "load_suite": "suite.files",
    "load_weights": "weights.named",
    "match": "arena.events.competitions",
    "merge": "positions.transform.merging",
    "net_loop": "net.loop",
    "placements": "arena.events.placement_analysis",
    "read_games": "records.reader",
    "run_on": "scale.place",
    "run_suite": "suite.running",
    "sample": "positions.transform.sampling",
    "search": "engine.analysis",
    "self_play": "net.selfplay",
    "solve": "engine.solving",
    "split": "positions.transform.splitting",
    "spsa": "arena.spsa.tuning",
    "tournament": "arena.events.competitions",
    "train_net": "net.training",
    "train_value": "net.value",
    "tune": "fit.tuning",
    "write_report": "report.runs",
}


if not TYPE_CHECKING:
    __getattr__ = importer(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
