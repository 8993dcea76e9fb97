"""Tags by the scores of the moves."""

from __future__ import annotations

import pytest

from evalsmith.suite.tags import Thresholds, tags_of

DEFAULT = Thresholds()


@pytest.mark.parametrize(
    ("scores", "tags"),
    [
        ([30, 20, 10, 0, -10, -400], ("quiet",)),
        ([301, 20, 10, 0, -10, -400], ("tactic",)),
        ([300, 20, 10, 0, -10, -400], ("quiet",)),  # more than 300, not 300
        ([0, 290, 291, 292, 293, 294], ("quiet",)),  # the fourth counts, not the last
        ([0, 500, 3], ("tactic", "few")),  # with fewer than four the last counts
        ([-500, -510, -520, -530, -540, -550], ("losing",)),
        ([-499, -510, -520, -530, -540, -550], ("quiet",)),
        ([5, 4, 3, 2, 1], ("few",)),
        ([9998], ("few",)),
        ([-600, -9999], ("tactic", "losing", "few")),
        ([], ()),
    ],
)
def test_tags(scores, tags):
    assert tags_of(scores, DEFAULT) == tags


def test_thresholds_are_settings():
    scores = [150, 20, 10, 0, -10, -400]
    assert tags_of(scores, Thresholds(tactic=100, few=6)) == ("tactic", "few")
    assert tags_of([-100, -200, -200, -200, -200, -200], Thresholds(losing=100)) == ("losing",)
