"""Reading a file that a user wrote in TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; one that is missing, cannot be read or is not TOML is refused with its name."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a TOML file: {error}") from None
