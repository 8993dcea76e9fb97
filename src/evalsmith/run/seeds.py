"""Seeds: one number determines a run, and every part of it draws from its own stream."""

from __future__ import annotations

import hashlib

DEFAULT_SEED = 1


def derive(seed: int, *names: str | int) -> int:
    """A 63-bit seed for the part of a run that ``names`` says, independent of the others.

    The same names give the same seed on every machine, so work can be split, repeated and
    resumed in any order.
    """
    text = "/".join(str(name).replace("\\", "\\\\").replace("/", "\\/") for name in (seed, *names))
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
