"""A worker on a cluster: loads what a job needs once, then does one item after another until it is ended.

Every answer is a value: errors too, so that the driver can tell those of the work from those of the machine.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pickle
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from evalsmith.processes.tree import adopt_orphans
from evalsmith.run import EvalsmithError, OutputError
from evalsmith.scale.files import Sent, receive
from evalsmith.scale.identity import Identity, identity, work_elsewhere
from evalsmith.scale.roster import load, name_of
from evalsmith.scale.work import Job, Worker

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class Servant:
    """One worker; ``serve`` calls come one at a time, the others from another thread meanwhile."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._job: Job | None = None
        self._core: IO[bytes] | None = None
        self._doing: Any = None
        self._units = 0
        self._gate = threading.Lock()
        self.identity = identity()
        work_elsewhere()

    def begin(
        self, description: bytes, sent: list[Sent], fetch: Callable[[str], bytes], driver: Identity, pin: bool
    ) -> tuple[str, Any]:
        """Load the job; ("ready", who this is), or ("refused", why)."""
        self._units = 0
        try:
            difference = driver.difference(self.identity)
            if difference:
                return "refused", difference
            receive(sent, fetch)
            self._job = pickle.loads(description)  # noqa: S301  (the driver's)
            if self._job.programs and pin:
                self._core = claim_core()
            adopt_orphans()
            self._job.prepare_process()
            self._worker = self._job.worker()
        except (EvalsmithError, OSError, MemoryError, ImportError, AttributeError) as error:
            return "refused", describe(error)
        return "ready", self.identity

    def serve(self, items: list[tuple[int, bytes]]) -> list[tuple[str, int, Any]]:
        """The results of some items; ("result", number, value), or ("error" or "sick", number, why).

        Items and results are pickled by us: Ray would hand out arrays that cannot be written to.
        """
        assert self._worker is not None
        answers: list[tuple[str, int, Any]] = []
        for number, pickled in items:
            try:
                self._doing = item = pickle.loads(pickled)  # noqa: S301  (the driver's)
                answers.append(("result", number, pickle.dumps(self._worker.do(item, self._report))))
            except KeyboardInterrupt:
                break
            except MemoryError as error:
                answers.append(("sick", number, describe(error)))
                break
            except OSError as error:
                answers.append(("sick" if error.errno in _FULL else "error", number, EvalsmithError(describe(error))))
                break
            except OutputError as error:  # a disk of this machine
                answers.append(("sick", number, describe(error)))
                break
            except EvalsmithError as error:
                answers.append(("error", number, error))
                break
            except Exception as error:
                traceback.print_exc()
                answers.append(("error", number, EvalsmithError(describe(error))))
                break
            finally:
                self._doing = None
        return answers

    def look(self) -> dict[str, Any]:
        """What this worker does now, and how many units it has done since the last look."""
        with self._gate:
            units, self._units = self._units, 0
        return {"doing": name_of(self._doing), "units": units, "load": load()}

    def stop(self) -> None:
        """Drop the item under way."""
        if self._worker is not None:
            self._worker.stop()

    def end(self) -> None:
        """End all that was started."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _report(self, count: int) -> None:
        with self._gate:
            self._units += count


def describe(error: BaseException) -> str:
    """An error in one line."""
    text = str(error) or "no memory is left" if isinstance(error, MemoryError) else str(error)
    return text if isinstance(error, EvalsmithError | OSError) else f"{type(error).__name__}: {text}"


def claim_core() -> IO[bytes] | None:
    """Stay on a core of this machine that no other worker has, as long as the file that is returned is open.

    Workers of one machine may know nothing of each other, so each core has a lock file. Where all are taken, the
    system decides.
    """
    if not hasattr(os, "sched_setaffinity"):
        return None
    folder = Path(tempfile.gettempdir()) / f"evalsmith-cores-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    for core in sorted(os.sched_getaffinity(0)):
        file = open(folder / str(core), "wb")  # noqa: SIM115  (held as long as the worker lives)
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.sched_setaffinity(0, {core})
            return file
        file.close()
    return None
