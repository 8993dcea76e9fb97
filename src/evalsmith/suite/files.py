"""Where suites are: a folder that `build_suite` wrote, its Parquet file, EPD, OBF or other text; and writing them."""

from __future__ import annotations

from pathlib import Path

from evalsmith.games import Game
from evalsmith.records.epd.format import Epd
from evalsmith.records.opening import bare_suffix
from evalsmith.records.othello.obf import Obf
from evalsmith.run import InputError, MismatchError, OutputError, write_text
from evalsmith.suite.best_squares import has_best_squares, read_best_squares
from evalsmith.suite.epd import epd_lines, read_epd_suite
from evalsmith.suite.obf import obf_lines, read_obf_suite
from evalsmith.suite.store import SUITE_FILE, Suite, read_suite_file, write_suite

PARQUET = ".parquet"
_HEAD = 4096


def load_suite(path: Path | str, game: Game | None = None) -> Suite:
    """The suite at a path: a folder or a Parquet file of `build_suite`, EPD, OBF, or a list of best squares (Othello).

    load_suite("sts.epd").positions[0].best
    """
    suite = _load(Path(path))
    if game is not None and suite.game.name != game.name:
        raise MismatchError(f"{path} is a suite of {suite.game.name}, not of {game.name}")
    return suite


def _load(path: Path) -> Suite:
    if path.is_dir():
        if not (path / SUITE_FILE).exists():
            raise InputError(f"{path} has no {SUITE_FILE}: the build is not finished; give its command again")
        return read_suite_file(path / SUITE_FILE)
    if not path.exists():
        raise InputError(f"there is no suite {path}")
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    suffix = bare_suffix(path)
    if head[:4] == b"PAR1" or suffix == PARQUET:
        return read_suite_file(path)
    if suffix not in (*Obf.suffixes, *Epd.suffixes) and has_best_squares(head):
        return read_best_squares(path)
    if suffix in Obf.suffixes or (suffix not in Epd.suffixes and Obf().sniff(head)):
        return read_obf_suite(path)
    if suffix in Epd.suffixes or Epd().sniff(head):
        return read_epd_suite(path)
    raise InputError(f"{path} is not a suite; expected a folder of `suite build`, .parquet, .epd or .obf")


def export_suite(suite: Suite | Path | str, path: Path | str, *, overwrite: bool = False) -> Path:
    """Write a suite as EPD (chess), OBF (Othello) or Parquet, by the suffix of ``path``."""
    source = suite if isinstance(suite, Suite) else load_suite(suite)
    target = Path(path)
    if target.exists() and not overwrite:
        raise OutputError(f"{target} exists; give --overwrite to replace it")
    if target.suffix == PARQUET:
        write_suite(source, target)
    elif target.suffix == ".epd":
        write_text(target, "".join(f"{line}\n" for line in epd_lines(source)))
    elif target.suffix == ".obf":
        write_text(target, "".join(f"{line}\n" for line in obf_lines(source)))
    else:
        raise InputError(f"a suite is written as .parquet, .epd or .obf, not as {target.suffix or target.name!r}")
    return target
