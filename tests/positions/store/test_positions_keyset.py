"""The set of keys: it is a set, it grows, and in the end it stays within its bound."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.positions.store.keyset import KeySet

words = st.integers(0, 2**64 - 1)


@settings(deadline=None)
@given(st.lists(st.lists(st.one_of(words, st.integers(0, 5)), max_size=30), max_size=6))
def test_it_agrees_with_a_plain_set(batches: list[list[int]]) -> None:
    keys, plain = KeySet(1 << 16), set()
    for batch in batches:
        fresh = keys.add(np.array(batch, dtype=np.uint64))
        for key, new in zip(batch, fresh.tolist(), strict=True):
            assert new == (key not in plain)
            plain.add(key)
    assert len(keys) == len(plain)


def test_it_forgets_nothing() -> None:
    keys, source = KeySet(), np.random.default_rng(1)
    many = np.unique(source.integers(1, 2**63, 300_000).astype(np.uint64))
    for some in np.array_split(many, 7):
        assert keys.add(some).all()
    assert not keys.add(many).any()
    assert not keys.full


def test_beyond_its_bound_it_forgets_and_says_so() -> None:
    keys = KeySet(most_slots=1 << 10)
    many = np.arange(1, 5001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for some in np.array_split(many, 50):
        assert keys.add(some).all()  # a new key is hardly ever taken for an old one
    assert keys.full
    assert len(keys) <= 1 << 10
    assert not keys.add(many[-1:]).any()
