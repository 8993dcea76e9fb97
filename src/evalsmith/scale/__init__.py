"""Where work runs: threads and processes here, or a Ray cluster."""

from evalsmith.scale.identity import is_elsewhere
from evalsmith.scale.place import current_place, is_local, run, run_on
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
    "is_elsewhere",
    "is_local",
    "on_threads",
    "run",
    "run_on",
]
