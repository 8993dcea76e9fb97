"""What ``choose`` understands, and what it refuses."""

from __future__ import annotations

import pytest

from evalsmith.fit.candidates import PENALTIES, read_choices
from evalsmith.fit.settings import TuneSettings
from evalsmith.run import InputError


def test_candidates_are_read_in_the_order_in_which_they_are_chosen() -> None:
    found = read_choices(["penalty=10, 100", "quiet", "target", "skip-opening=0,8"])
    assert list(found.items()) == [
        ("target", ()),
        ("quiet", (True, False)),
        ("skip_opening", (0, 8)),
        ("penalty", (10.0, 100.0)),
    ]


def test_an_automatic_penalty_is_chosen_among_the_default_ones() -> None:
    assert TuneSettings(penalty="auto").choices == {"penalty": PENALTIES}
    assert TuneSettings(penalty="auto", choose=("penalty=1,2",)).choices == {"penalty": (1.0, 2.0)}
    assert TuneSettings().choices == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("tempo",), "choose cannot take 'tempo'; settings that can be chosen are target, "),
        (("target", "target=score,mix"), "choose has target more than once"),
        (("min_rating",), "choose needs the candidates of min_rating, as in 'min_rating=A,B'"),
        (("penalty=10",), "choose needs two candidates of penalty at least"),
        (("penalty=10,10",), "choose has penalty=10 more than once"),
        (("penalty=10,many",), "the candidates of penalty must be numbers, not 'many'"),
        (("quiet=yes,maybe",), "the candidates of quiet must be yes or no, not 'maybe'"),
        (("target=score,wishes",), "target must be auto, label, result, score, mix or alternatives, not 'wishes'"),
        (("penalty=-1,1",), "penalty must be .*not -1"),
    ],
)
def test_what_cannot_be_chosen_is_refused(given: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TuneSettings(choose=given)


def test_a_setting_is_given_or_chosen() -> None:
    with pytest.raises(InputError, match="quiet is given and is to be chosen; remove one of the two"):
        TuneSettings(quiet=False, choose=("quiet",))
    with pytest.raises(InputError, match="penalty is given and is to be chosen"):
        TuneSettings(regularization=0.1, choose=("penalty",))
