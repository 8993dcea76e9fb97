"""Where work runs: threads and processes here."""

from evalsmith.scale.place import current_place, run
from evalsmith.scale.threads import cores, interruptible, on_threads
from evalsmith.scale.work import How, Job, Report, Worker

__all__ = [
    "How",
    "Job",
    "Report",
    "Worker",
    "cores",
    "current_place",
    "interruptible",
    "on_threads",
    "run",
]
