"""The run folder: what one long command was asked, what happened, and where to resume.

run/
  config.toml    the resolved configuration, written once
  events.jsonl   one line per thing that happened, appended and flushed
  …              results of the command
  report.html    made from the above at any time
"""

from __future__ import annotations

import json
import re
import time
import tomllib
from numbers import Integral, Real
from pathlib import Path
from types import TracebackType
from typing import Any

from evalsmith.run.atomic import append_json, make_folder, read_json_lines, write_text
from evalsmith.run.errors import InputError, MismatchError
from evalsmith.run.locks import FileLock

CONFIG = "config.toml"
EVENTS = "events.jsonl"

_OF_WORKERS = ("worker", "workers")  # events that say who did something, and not what came of it
_MAX_RENAMED = 3  # settings that one configuration has and the other has not, before it is another version's


class RunFolder:
    """A folder that one command writes; opening it again with the same config resumes.

    Opening it with another configuration is refused: a run is the answer to one question.
    Used as a context, it also keeps a second writer out.
    """

    def __init__(self, path: Path, config: dict[str, Any], *, can_overwrite: bool = False) -> None:
        self.path = make_folder(path)
        self.config = config
        self._remedy = "use --overwrite" if can_overwrite else "delete it"
        self._lock = FileLock(self.path / ".lock", wait=False)
        with FileLock(self.path / ".config.lock"):  # two may begin at once
            self._settle(to_toml(config))

    def _settle(self, text: str) -> None:
        stored = self.path / CONFIG
        if not stored.exists():
            write_text(stored, text)
            return
        old, new = read_config(self.path), tomllib.loads(text)
        if old != new:
            raise MismatchError(
                f"{self.path} was made with other settings ({_changes(old, new)}); "
                f"choose another folder, or {self._remedy}"
            )

    def _has_results(self) -> bool:
        """Whether anything was written here besides the configuration, locks, and what workers did."""
        ours = {CONFIG, EVENTS, ".lock", ".config.lock"}
        if any(event.get("event") not in _OF_WORKERS for event in self.events()):
            return True
        return any(file.is_file() and file.name not in ours for file in self.path.rglob("*"))

    def __enter__(self) -> RunFolder:
        self._lock.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None and not self._has_results():
            # What failed before it gave anything must not stand in the way of the corrected command.
            (self.path / CONFIG).unlink(missing_ok=True)
            (self.path / EVENTS).unlink(missing_ok=True)
        self._lock.release()

    def event(self, kind: str, **fields: Any) -> None:
        """Append what happened; it survives a kill from here on."""
        append_event(self.path, kind, **fields)

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        """What has happened so far, of one kind or all."""
        return read_events(self.path, kind)


def append_event(path: Path, kind: str, **fields: Any) -> None:
    """Append what happened to the events of a folder."""
    append_json(path / EVENTS, {"event": kind, "time": round(time.time(), 3), **fields})


def read_config(path: Path) -> dict[str, Any]:
    """The configuration a run folder was made with."""
    try:
        return tomllib.loads((path / CONFIG).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path} is not a run folder: it has no {CONFIG}") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path / CONFIG} is not readable: {error}") from None


def read_events(path: Path, kind: str | None = None) -> list[dict[str, Any]]:
    """The events of a run folder, of one kind or all."""
    found = read_json_lines(path / EVENTS)
    return [event for event in found if kind is None or event.get("event") == kind]


def to_toml(config: dict[str, Any]) -> str:
    """A configuration of plain values and tables as TOML; None is left out."""
    lines = _toml_lines({key: value for key, value in config.items() if not isinstance(value, dict)})
    for key, value in config.items():
        if isinstance(value, dict):
            lines += ["", f"[{_toml_key(key)}]", *_toml_lines(value)]
    return "\n".join(lines) + "\n"


def _toml_lines(table: dict[str, Any]) -> list[str]:
    return [f"{_toml_key(key)} = {_toml_value(value)}" for key, value in table.items() if value is not None]


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml_text(key)


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Integral):  # numpy's numbers too
        return repr(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_value(item) for item in value if item is not None) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(_toml_lines(value)) + "}"
    return _toml_text(str(value))


def _toml_text(text: str) -> str:
    # JSON's escapes are TOML's, but TOML escapes one character more and has none for half of a surrogate pair.
    text = text.encode(errors="replace").decode()
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _changes(old: dict[str, Any], new: dict[str, Any]) -> str:
    before, after = _flat(old), _flat(new)
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    # An older version stored other keys: that is one difference, and not one for each of them.
    renamed = [key for key in keys if key not in before or key not in after]
    if len(renamed) > _MAX_RENAMED:
        keys = [key for key in keys if key not in renamed]
    texts = [f"{key} was {before.get(key)!r}, is now {after.get(key)!r}" for key in keys]
    if len(renamed) > _MAX_RENAMED:
        texts.append("it was written by another version of Evalsmith, and can be read but not resumed")
    return "; ".join(texts)


def _flat(table: dict[str, Any], place: str = "") -> dict[str, Any]:
    """The values of a table and of those in it, by names such as ``limit.nodes``."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flat(value, f"{place}{key}.") if isinstance(value, dict) else {f"{place}{key}": value}
    return flat
