"""Put fitted parameters of ProbCut into the weights that a game ships: ``python tools/ship_probcut.py W.json``.

``W.json`` is what `evalsmith probcut fit GAME -o W.json --weights fitted` wrote; the weights themselves stay.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from dataclasses import replace
from pathlib import Path

import evalsmith as es
from evalsmith.weights.fitted import MAGIC, NAME, unpack, write_fitted


def quantum_of(content: bytes) -> int:
    """The steps in which shipped weights are stored."""
    (length,) = struct.unpack_from("<I", content, len(MAGIC))
    found: int = json.loads(content[len(MAGIC) + 4 : len(MAGIC) + 4 + length])["quantum"]
    return found


def main() -> int:
    """Check that the weights are those that ship, and write these with the parameters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="weights with fitted parameters")
    parser.add_argument("--made", default="", help="the command that made them, for the card")
    options = parser.parse_args()
    fitted = es.load_weights(options.weights)
    path = Path(es.__file__).parent / "games" / fitted.game.name / NAME
    content = path.read_bytes()
    shipped = unpack(content, fitted.game, str(path))
    if fitted.probcut is None:
        raise es.EvalsmithError(f"{options.weights} has no parameters of ProbCut")
    if replace(fitted, probcut=None).digest != replace(shipped, probcut=None).digest:
        raise es.EvalsmithError(f"{options.weights} has other weights than {path}")
    card = {**shipped.provenance, **({"probcut": options.made} if options.made else {})}
    write_fitted(replace(shipped, probcut=fitted.probcut, provenance=card), path, quantum_of(content))
    print(f"{path}: {len(fitted.probcut.pairs)} pairs of depths in {fitted.probcut.stages} stages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
