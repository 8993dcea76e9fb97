"""What a solve resumes from: the state of its method and the losses so far, saved from time to time."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.run import write_with

State = Mapping[str, npt.NDArray[Any]]
_HISTORY = "history"


@dataclass(frozen=True)
class Checked:
    """The losses at one step: the objective on the fitted games, and the loss on held-out ones."""

    passes: int
    objective: float
    validation: float


@dataclass
class Checkpoint:
    """One solve's file in a run folder. ``seconds`` lie between two savings at least."""

    path: Path
    seconds: float
    history: list[Checked] = field(default_factory=list)
    _saved: float = field(default_factory=time.monotonic)

    def load(self) -> State | None:
        """The state that an earlier run saved; None where there is none, or it is damaged."""
        try:
            with np.load(self.path, allow_pickle=False) as stored:
                state = {name: stored[name] for name in stored.files}
            self.history = [Checked(*row) for row in json.loads(str(state.pop(_HISTORY)))]
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            self.history = []
            return None
        return state

    def due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() - self._saved >= self.seconds

    def save(self, state: State) -> None:
        """Save a state, in one step."""
        rows = [(one.passes, one.objective, one.validation) for one in self.history]
        arrays: dict[str, Any] = {**state, _HISTORY: np.array(json.dumps(rows))}

        def write(path: Path) -> None:
            with open(path, "wb") as file:
                np.savez(file, **arrays)

        write_with(self.path, write)
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Forget the state: the solve is done."""
        self.path.unlink(missing_ok=True)
