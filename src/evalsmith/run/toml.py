"""Reading a file that a user wrote in TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError

_OTHERS = {".yaml": "YAML", ".yml": "YAML", ".json": "JSON", ".ini": "INI", ".cfg": "INI"}


def refuse_other_settings(path: Path) -> None:
    """Refuse a file that by its name holds settings in another language."""
    kind = _OTHERS.get(path.suffix.lower())
    if kind is not None and not path.is_dir():
        raise InputError(f"{path} is {kind}, and settings are TOML: write lines like `games = 100` into a .toml file")


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; one that is missing, cannot be read or is not TOML is refused with its name."""
    refuse_other_settings(path)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a TOML file: {error}") from None
