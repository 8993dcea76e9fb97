"""What verbs use besides the public names, each imported at its first use.

A verb is imported for its help too, and help takes none of this: with it, help would wait for numpy and all that
fits, plays and stores.
"""

# ruff: noqa: F401  (to give them out is what this module is for)

from __future__ import annotations

from typing import TYPE_CHECKING

from evalsmith.lazy import importer

if TYPE_CHECKING:
    from evalsmith.arena.events.plan import make_plan
    from evalsmith.arena.events.resolving import make_limit, read_event_file, resolve
    from evalsmith.arena.play.lockstep import lockstep, positions_of
    from evalsmith.arena.results.entry import GameEntry
    from evalsmith.arena.results.judging import judge_meeting
    from evalsmith.arena.results.log import GAMES, sorted_entries
    from evalsmith.arena.results.reading import read_event, read_tournament
    from evalsmith.arena.results.saving import format_of_games, save_games, time_control_of
    from evalsmith.arena.results.standings import Standings
    from evalsmith.arena.results.tournament_result import standings_table
    from evalsmith.arena.spsa.event_file import read_spsa_file
    from evalsmith.arena.spsa.result import read_spsa
    from evalsmith.arena.statistics.crosstable import read_crosstable
    from evalsmith.arena.statistics.ratings import LARGEST_ANCHOR, Rating, bradley_terry
    from evalsmith.cli.common.terminal import Terminal, count, exists, seating
    from evalsmith.compile import COMPILED, KERNELS, cache_root, listen
    from evalsmith.compile import load as load_kernels
    from evalsmith.engine.bench import run_bench
    from evalsmith.engine.limit import Limit
    from evalsmith.fit.ablation import ablate
    from evalsmith.fit.accuracy import check_weights
    from evalsmith.fit.request import resolve_request
    from evalsmith.fit.tuning import run_request
    from evalsmith.games.game import OVER, Position
    from evalsmith.games.perft import MAX_DEPTH, perft
    from evalsmith.games.scores import with_unit
    from evalsmith.games.starts import one_start
    from evalsmith.net.searching import search_with_net
    from evalsmith.players.checkup.examine import default_game, examine
    from evalsmith.players.player_file import load_players
    from evalsmith.players.saved_game import load as load_saved
    from evalsmith.players.session import PERSON, Session, Setup
    from evalsmith.players.spec import Player, parse_player
    from evalsmith.positions.store.exporting import export_dataset
    from evalsmith.positions.store.info import dataset_info, info_table
    from evalsmith.positions.transform.mixture import open_mixture
    from evalsmith.processes.failure import Failure
    from evalsmith.protocols import run_engine
    from evalsmith.protocols.engine import EngineOptions
    from evalsmith.protocols.listening import leave
    from evalsmith.records.choosing import format_for, is_record
    from evalsmith.records.convert import convert_records
    from evalsmith.records.reader import FORMATS
    from evalsmith.report.accuracy import write_accuracy
    from evalsmith.report.datasets import write_dataset_report
    from evalsmith.report.replay import write_replay
    from evalsmith.suite.files import export_suite
    from evalsmith.weights.export import export_weights, format_of
    from evalsmith.weights.listing import count_seen, write_listing
    from evalsmith.weights.named import FITTED, NAMES, check_weights_text, load_any_weights
    from evalsmith.weights.outside import OutsideWeights
    from evalsmith.weights.patching import patch_file
else:
    __getattr__ = importer(
        __name__,
        {
            "COMPILED": "compile",
            "EngineOptions": "protocols.engine",
            "FITTED": "weights.named",
            "FORMATS": "records.reader",
            "Failure": "processes.failure",
            "GAMES": "arena.results.log",
            "GameEntry": "arena.results.entry",
            "KERNELS": "compile",
            "LARGEST_ANCHOR": "arena.statistics.ratings",
            "Limit": "engine.limit",
            "MAX_DEPTH": "games.perft",
            "NAMES": "weights.named",
            "OutsideWeights": "weights.outside",
            "OVER": "games.game",
            "PERSON": "players.session",
            "Player": "players.spec",
            "Position": "games.game",
            "Rating": "arena.statistics.ratings",
            "Session": "players.session",
            "Setup": "players.session",
            "Standings": "arena.results.standings",
            "Terminal": "cli.common.terminal",
            "ablate": "fit.ablation",
            "bradley_terry": "arena.statistics.ratings",
            "cache_root": "compile",
            "check_weights": "fit.accuracy",
            "check_weights_text": "weights.named",
            "convert_records": "records.convert",
            "count": "cli.common.terminal",
            "count_seen": "weights.listing",
            "dataset_info": "positions.store.info",
            "default_game": "players.checkup.examine",
            "examine": "players.checkup.examine",
            "exists": "cli.common.terminal",
            "export_dataset": "positions.store.exporting",
            "export_suite": "suite.files",
            "export_weights": "weights.export",
            "format_for": "records.choosing",
            "format_of": "weights.export",
            "format_of_games": "arena.results.saving",
            "info_table": "positions.store.info",
            "is_record": "records.choosing",
            "judge_meeting": "arena.results.judging",
            "leave": "protocols.listening",
            "listen": "compile",
            "load_any_weights": "weights.named",
            "load_kernels": "compile:load",
            "load_players": "players.player_file",
            "load_saved": "players.saved_game:load",
            "lockstep": "arena.play.lockstep",
            "make_limit": "arena.events.resolving",
            "make_plan": "arena.events.plan",
            "one_start": "games.starts",
            "open_mixture": "positions.transform.mixture",
            "parse_player": "players.spec",
            "patch_file": "weights.patching",
            "perft": "games.perft",
            "positions_of": "arena.play.lockstep",
            "read_crosstable": "arena.statistics.crosstable",
            "read_event": "arena.results.reading",
            "read_event_file": "arena.events.resolving",
            "read_spsa": "arena.spsa.result",
            "read_spsa_file": "arena.spsa.event_file",
            "read_tournament": "arena.results.reading",
            "resolve": "arena.events.resolving",
            "resolve_request": "fit.request",
            "run_bench": "engine.bench",
            "run_engine": "protocols",
            "run_request": "fit.tuning",
            "save_games": "arena.results.saving",
            "search_with_net": "net.searching",
            "seating": "cli.common.terminal",
            "sorted_entries": "arena.results.log",
            "standings_table": "arena.results.tournament_result",
            "time_control_of": "arena.results.saving",
            "with_unit": "games.scores",
            "write_accuracy": "report.accuracy",
            "write_dataset_report": "report.datasets",
            "write_listing": "weights.listing",
            "write_replay": "report.replay",
        },
    )
