"""The TOML file of a fit: typed, complete, and refused by name where something is wrong."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsmith.fit.request import check_terms, read_request, resolve_request
from evalsmith.fit.settings import TuneSettings
from evalsmith.games import find_game
from evalsmith.run import to_toml
from evalsmith.run.errors import InputError


def written(path: Path, text: str) -> Path:
    (path / "fit.toml").write_text(text)
    return path / "fit.toml"


def test_every_setting(tmp_path: Path) -> None:
    request = read_request(
        written(
            tmp_path,
            """
            sources = ["a", "b/c"]
            output = "out/w.json"
            loss = "squared"
            method = "cg"
            penalty = 7
            window = "auto"
            towards = "zero"
            dense = "sqrt"
            terms = ["edge+2x", "mobility"]
            validation = 0.2
            tolerance = 1e-4
            seed = 9
            concurrency = 2
            """,
        )
    )
    assert request.sources == (tmp_path / "a", tmp_path / "b" / "c")
    assert request.output == tmp_path / "out" / "w.json"
    assert request.concurrency == 2
    assert request.settings == TuneSettings(
        loss="squared", method="cg",
        penalty=7.0, window="auto", towards="zero", validation=0.2, tolerance=1e-4, seed=9, dense="sqrt",
        terms=("edge+2x", "mobility"),
    )  # fmt: skip
    assert isinstance(request.settings.penalty, float)


def test_an_empty_file_is_the_defaults(tmp_path: Path) -> None:
    request = read_request(written(tmp_path, ""))
    assert (request.sources, request.output, request.settings) == ((), None, TuneSettings())


def test_keys_may_have_the_names_of_the_flags(tmp_path: Path) -> None:
    """What the command line calls ``--validation-split`` and ``--only`` is understood in a file too."""
    text = (
        'dataset = "games.kif"\nthreads = 2\nvalidation_split = 0.2\nconvergence_threshold = 0.1\nonly = ["material"]'
    )
    found = read_request(written(tmp_path, text))
    assert (found.sources, found.concurrency) == ((tmp_path / "games.kif",), 2)
    settings = found.settings
    assert (settings.validation, settings.tolerance, settings.terms) == (0.2, 0.1, ("material",))
    with pytest.raises(InputError, match=r"validation_split in .* is the same setting as validation; give one of them"):
        read_request(written(tmp_path, "validation_split = 0.2\nvalidation = 0.1"))


def test_one_source_may_stand_alone(tmp_path: Path) -> None:
    assert read_request(written(tmp_path, 'sources = "d"')).sources == (tmp_path / "d",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("penalti = 3", "no setting 'penalti' in "),
        ("[penalty]\nx = 1", "penalty must be a number of at least 0, or auto, not {'x': 1}"),
        ("penalty = true", "penalty must be a number"),
        ("window = 1.5", "window must be a whole number of at least 0, or auto, not 1.5"),
        ('window = "wide"', "window must be a whole number of at least 0, or auto, not 'wide'"),
        ('penalty = "much"', "penalty must be a number of at least 0, or auto, not 'much'"),
        ("penalty = nan", "penalty must be a number of at least 0, or auto, not nan"),
        ('seed = "1"', "seed must be a whole number from"),
        ("terms = []", "terms is empty"),
        ("terms = [1]", "terms must be a text, not 1"),
        ('terms = ["a", "a"]', "terms has a more than once"),
        ('terms = "a"', "terms must be a list of texts, not 'a'"),
        ('loss = "cubic"', "loss must be auto, logistic, cross-entropy or squared, not 'cubic'"),
        ('method = "sgd"', "method must be auto, newton, lbfgs, adam, gradient_descent, genetic or cg, not 'sgd'"),
        ('loss = "logistic"\nmethod = "cg"', "method cg is for squared errors"),
        ("penalty = 3\nregularization = 0.1", "a penalty or a regularization, not both"),
        ("validation = 0.5\ntest_split = 0.5", "leave no games to fit"),
        ("min_rating = 3000\nmax_rating = 2000", "min_rating is 3000, above max_rating, which is 2000"),
        ('dense = "cubic"', "dense must be none, linear, sqrt, monotone or auto, not 'cubic'"),
        ('dense = "linear"\npenalty = 0', "dense needs a penalty above 0"),
        ("concurrency = 0", "concurrency must be a whole number of at least 1, not 0"),
        ("penalty =", "is not a TOML file"),
        ("a = " + "[" * 3000, "is not a TOML file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        read_request(written(tmp_path, text))
    assert reason in str(refused.value) and "fit.toml" in str(refused.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        read_request(tmp_path / "gone.toml")
    (tmp_path / "latin.toml").write_bytes(b'towards = "\xe9"')
    with pytest.raises(InputError, match="is not a TOML file"):
        read_request(tmp_path / "latin.toml")


def test_an_output_that_names_no_format_is_refused_before_anything_is_fitted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not say its format; expected a name that ends in \.json"):
        resolve_request(tmp_path / "games.pgn", tmp_path / "weights.txt", settings={})
    assert list(tmp_path.iterdir()) == []


@given(
    penalty=st.one_of(st.just("auto"), st.floats(1e-6, 1e9)),
    window=st.one_of(st.just("auto"), st.integers(0, 64)),
    dense=st.sampled_from(["none", "linear", "sqrt", "monotone", "auto"]),
    terms=st.lists(st.text(st.characters(codec="utf-8"), min_size=1), unique=True, max_size=4),
    seed=st.integers(-(2**62), 2**62),
)
def test_a_resolved_configuration_reads_back(
    penalty: float | str, window: int | str, dense: str, terms: list[str], seed: int
) -> None:
    config = TuneSettings(penalty=penalty, window=window, dense=dense, terms=tuple(terms), seed=seed)
    table = tomllib.loads(to_toml(asdict(config)))
    assert set(table) == {each.name for each in fields(TuneSettings) if getattr(config, each.name) is not None}
    assert TuneSettings.from_table(table) == config


def test_unknown_features_are_refused_with_the_known_ones() -> None:
    othello = find_game("othello")
    check_terms(othello, TuneSettings(terms=("mobility", "edge+2x")))
    with pytest.raises(InputError, match=r"othello has no feature 'edges'; its features are: .*corner3x3.*parity"):
        check_terms(othello, TuneSettings(terms=("edges", "mobility", "x")))


@pytest.mark.parametrize(("name", "kind"), [("conf.yaml", "YAML"), ("conf.yml", "YAML"), ("conf.json", "JSON")])
def test_settings_in_another_language_are_refused_as_what_they_are(tmp_path, name, kind):
    path = tmp_path / name
    path.write_text("penalty: 3\n")
    for source in ({"data": path}, {"data": [], "config": path}):
        with pytest.raises(InputError, match=rf"{name} is {kind}, and settings are TOML: write lines like"):
            resolve_request(**source, settings={})
