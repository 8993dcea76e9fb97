"""The page of a run folder: what was asked, what came out, and what it looks like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evalsmith.arena.results.reading import read_match, read_tournament
from evalsmith.arena.spsa.result import read_spsa
from evalsmith.fit.probcut.result import read_probcut_fit
from evalsmith.games import Game, find_game
from evalsmith.improvement.result import read_improvement
from evalsmith.report.fitting import fit_sections
from evalsmith.report.improvement import improvement_sections
from evalsmith.report.matches import match_sections, match_verdict
from evalsmith.report.nets import loop_sections, training_sections, value_sections
from evalsmith.report.page import Page
from evalsmith.report.probcut import probcut_sections
from evalsmith.report.spsa import spsa_sections
from evalsmith.report.suite_run import static_sections, suite_run_sections
from evalsmith.report.tournaments import tournament_sections
from evalsmith.run import InputError, read_config
from evalsmith.suite.run_result import read_suite_run
from evalsmith.suite.static_result import read_static_run
from evalsmith.weights import Weights, read_weights_file

REPORT = "report.html"
RESULT = "result.json"


def write_report(run: Path) -> Path:
    """Write ``report.html`` into a run folder, from the results so far."""
    config = read_config(run)
    kind = config.get("kind")
    makers = {
        "tune": _tune_page,
        "match": _match_page,
        "tournament": _tournament_page,
        "spsa": _spsa_page,
        "improve": _improve_page,
        "suite run": _suite_page,
        "demo": _demo_page,
        "net-loop": _net_loop_page,
        "net-train": _net_train_page,
        "net-value": _net_value_page,
        "probcut": _probcut_page,
    }
    if kind not in makers:
        raise InputError(f"{run} is a run of kind {kind!r}; reports are made of {', '.join(makers)} runs")
    try:
        page = makers[kind](run, config)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(f"{run} holds a damaged result ({type(error).__name__}: {error})") from None
    path = run / REPORT
    page.write(path)
    return path


def _result(run: Path) -> dict[str, Any]:
    try:
        found = json.loads((run / RESULT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{run} has no result yet: run its command again to finish it") from None
    except ValueError as error:
        raise InputError(f"{run / RESULT} is damaged: {error}") from None
    return found if isinstance(found, dict) else {}


def _weights_beside(run: Path, game: Game) -> Weights | None:
    """The weights that a tuning run wrote: ``x.run`` belongs to ``x.json``."""
    path = run.absolute().with_suffix(".json")
    return read_weights_file(path, game) if path.exists() else None


def _tune_page(run: Path, config: dict[str, Any]) -> Page:
    result = _result(run)
    game = find_game(str(result["game"]))
    page = Page(f"Fitting {game.title}", subtitle=str(run))
    fit_sections(page, game, result, _weights_beside(run, game), run)
    page.configuration(config)
    return page


def _match_page(run: Path, config: dict[str, Any]) -> Page:
    result = read_match(run)
    page = Page(f"Match of {result.game.title}", subtitle=" – ".join(score.name for score in result.players))
    match_verdict(page, result)
    _say_unfinished(page, run)
    match_sections(page, result)
    page.configuration(config)
    return page


def _say_unfinished(page: Page, run: Path) -> None:
    """That games are still to come, where the command has not ended."""
    if not (run / RESULT).exists():
        page.paragraph("Not finished: this counts the games so far. The same command, run again, plays the others.")


def _tournament_page(run: Path, config: dict[str, Any]) -> Page:
    result = read_tournament(run)
    page = Page(f"{result.game.title}: {result.format}", subtitle=f"{len(result.players)} players")
    _say_unfinished(page, run)
    tournament_sections(page, result)
    page.configuration(config)
    return page


def _spsa_page(run: Path, config: dict[str, Any]) -> Page:
    result = read_spsa(run)
    page = Page(f"SPSA in {result.game.title}", subtitle=result.player)
    spsa_sections(page, result)
    if result.proof is not None:
        match_verdict(page, result.proof)
        match_sections(page, result.proof)
    page.configuration(config)
    return page


def _improve_page(run: Path, config: dict[str, Any]) -> Page:
    result = read_improvement(run)
    page = Page(f"Improving {result.game.title}", subtitle=f"from {result.start} weights")
    improvement_sections(page, result)
    page.configuration(config)
    return page


def _net_loop_page(run: Path, config: dict[str, Any]) -> Page:
    page = Page(f"A net for {find_game(str(config['game'])).title}", subtitle=str(run))
    loop_sections(page, run)
    page.configuration(config)
    return page


def _suite_page(run: Path, config: dict[str, Any]) -> Page:
    if config.get("static"):
        static = read_static_run(run)
        page = Page(f"The evaluation of {static.player}", subtitle=f"{static.game.title}, {static.suite}")
        static_sections(page, static)
    else:
        result = read_suite_run(run)
        page = Page(f"{result.player} on {result.suite}", subtitle=f"{result.game.title}, {result.limit}")
        suite_run_sections(page, result)
    page.configuration(config)
    return page


def _net_train_page(run: Path, config: dict[str, Any]) -> Page:
    page = Page(f"Training a net for {find_game(str(config['game'])).title}", subtitle=str(run))
    training_sections(page, run)
    page.configuration(config)
    return page


def _net_value_page(run: Path, config: dict[str, Any]) -> Page:
    page = Page(f"A net over the weights of {find_game(str(config['game'])).title}", subtitle=str(run))
    value_sections(page, run)
    page.configuration(config)
    return page


def _probcut_page(run: Path, config: dict[str, Any]) -> Page:
    result = read_probcut_fit(run)
    page = Page(f"ProbCut in {result.game.title}", subtitle=f"weights: {config['weights']}")
    probcut_sections(page, result)
    page.configuration(config)
    return page


def _demo_page(run: Path, config: dict[str, Any]) -> Page:
    """Self-play, fit and match on one page."""
    game = find_game(str(config["game"]))
    fit, match = run / "weights.run", read_match(run / "match")
    page = Page(f"From self-play to a stronger {game.title}", subtitle="from self-play to proof")
    match_verdict(page, match)
    match_sections(page, match)
    fit_sections(page, game, _result(fit), _weights_beside(fit, game), fit)
    page.configuration(config)
    return page
