"""The laws that the evaluation of a game must keep, one function each, in the manner of the laws of the rules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalsmith.games.conformance.probe import Place, Probe
from evalsmith.games.evaluation import BOTH, DIFFERENCE, EACH, ENEMY, MOVER
from evalsmith.games.game import OVER

Trials = Iterator[str | None]


def layout(probe: Probe) -> Trials:
    """Features, columns, blend table and starting weights fit together."""
    for kernel in ("terms", "phase"):
        has = hasattr(probe.game.terms_module, kernel)
        yield None if has else f"{probe.game.terms_module.__name__} has no {kernel}"
    evaluation = probe.game.evaluation
    names = [feature.name for feature in evaluation.features]
    yield None if len(set(names)) == len(names) else f"two features have one name: {names}"
    empty = [feature.name for feature in evaluation.features if feature.size < 1]
    yield f"features without weights: {empty}" if empty else None
    yield None if evaluation.features and evaluation.columns else "there are no features or no columns"
    yield None if evaluation.scale > 0 else f"scale is {evaluation.scale}, not positive"
    columns = len(evaluation.columns)
    yield None if evaluation.blend else "the blend table is empty"
    for phase, (first, second, share) in enumerate(evaluation.blend):
        fits = 0 <= first < columns and 0 <= second < columns and 0 <= share <= evaluation.scale
        yield None if fits else f"blend[{phase}] is {(first, second, share)}, with {columns} columns"
    weights = evaluation.starting()
    expected = f"int32 of shape {(columns, evaluation.size)}"
    got = f"{weights.dtype} of shape {weights.shape}"
    yield None if got == expected else f"the starting weights are {got}, not {expected}"
    for each in evaluation.features:
        known = each.whose in ("", EACH, DIFFERENCE, MOVER, ENEMY, BOTH)
        yield None if known else f"the feature {each.name} is whose {each.whose!r}, which is none of the five words"
    for term, feature in evaluation.terms or ():
        yield None if feature in names else f"the term {term} looks up {feature}, which is no feature"


def terms_in_layout(probe: Probe, place: Place) -> Trials:
    """Terms are no more than ``max_terms`` and look up weights that exist."""
    if place.status == OVER:
        return
    index, value = probe.terms(place.position)
    count, limit, size = len(index), probe.game.max_terms, probe.game.evaluation.size
    yield None if count <= limit else f"{count} terms, but max_terms is {limit}"
    outside = [int(i) for i in index if not 0 <= i < size]
    yield f"terms outside the {size} weights: {outside}" if outside else None
    again = probe.terms(place.position)
    same = np.array_equal(index, again[0]) and np.array_equal(value, again[1])
    yield None if same else "terms gives two answers for one position"


def terms_as_named(probe: Probe, place: Place) -> Trials:
    """Where the layout names the terms in their order, each looks up its own feature."""
    named = probe.game.evaluation.terms
    if place.status == OVER or named is None:
        return
    index, _ = probe.terms(place.position)
    if len(index) != len(named):
        yield f"{len(index)} terms, but the layout names {len(named)}"
        return
    first, blocks = 0, {}
    for feature in probe.game.evaluation.features:
        blocks[feature.name] = range(first, first + feature.size)
        first += feature.size
    for (term, feature_name), i in zip(named, index, strict=True):
        yield None if int(i) in blocks[feature_name] else f"the term {term} looks up {int(i)}, outside {feature_name}"


def amounts_differ(probe: Probe, place: Place) -> Trials:
    """Where the game tells how much each side has of something, a term's value is the mover's less the enemy's."""
    evaluation = probe.game.evaluation
    if place.status == OVER or evaluation.amounts is None or probe.game.players != 2:
        return
    mover = probe.game.mover(place.position)
    own, enemy = (evaluation.amounts(place.position, side) for side in (mover, 1 - mover))
    values = dict(zip(*(row.tolist() for row in probe.terms(place.position)), strict=True))
    first = 0
    for feature in evaluation.features:
        for i in range(first, first + feature.size) if feature.whose == DIFFERENCE else ():
            lead, value = own.get(i, 0) - enemy.get(i, 0), values.get(i, 0)
            what = f"{feature.name}, {feature.describe(i - first)}"
            yield None if lead == value else f"{what}: the sides differ by {lead}, the term has {value}"
        first += feature.size


def phase_in_blend(probe: Probe, place: Place) -> Trials:
    """The phase is a row of the blend table."""
    if place.status != OVER:
        phase, rows = probe.phase(place.position), len(probe.game.evaluation.blend)
        yield None if 0 <= phase < rows else f"phase is {phase}, but the blend table has {rows} rows"


def fused_evaluate(probe: Probe, place: Place) -> Trials:
    """A fused ``evaluate`` is the sum over the terms, to the integer."""
    if place.status != OVER and probe.has_evaluate:
        for weights, summed, fused in probe.values(place.position):
            yield None if summed == fused else f"evaluate is {fused} with {weights} weights; the terms sum to {summed}"


def symmetry_terms(probe: Probe, place: Place) -> Trials:
    """A turned position has the same value under the starting weights."""
    if place.status == OVER:
        return
    value = probe.value(place.position)
    for symmetry in probe.symmetries:
        turned = probe.value(symmetry.position(place.position.copy()))
        yield None if turned == value else f"{symmetry.name}: the value becomes {turned}, it was {value}"


# A sum over terms that stand outside the layout would read foreign memory, so these two come first.
FOOTING = (terms_in_layout, phase_in_blend)
ON_SAMPLE = (terms_as_named, amounts_differ, fused_evaluate, symmetry_terms)
