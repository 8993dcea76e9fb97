"""Run folders of suites: their names, and what happens to what is there."""

from __future__ import annotations

import shutil
import tomllib
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evalsmith.run import FileLock, InputError, read_config, to_toml
from evalsmith.run.folder import CONFIG


def default_folder(kind: str, game: str, config: dict[str, Any]) -> Path:
    """A folder named by the configuration."""
    name = blake2b(to_toml(config).encode(), digest_size=4).hexdigest()
    return Path("runs") / f"{kind.replace(' ', '-')}-{game}-{name}"


def clear_old(folder: Path, kind: str, config: dict[str, Any]) -> None:
    """Delete what a command of that kind wrote into a folder with another configuration; anything else is refused."""
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not (folder / CONFIG).exists():
        raise InputError(f"{folder} is not the folder of a {kind}, so it is not overwritten; choose another")
    stored = read_config(folder)
    if stored.get("kind") != kind:
        raise InputError(f"{folder} is the folder of a {stored.get('kind')}, so it is not overwritten; choose another")
    if stored == tomllib.loads(to_toml(config)):
        return
    with FileLock(folder / ".lock", wait=False):
        shutil.rmtree(folder)
