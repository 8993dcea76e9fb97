"""Where work runs: threads of this process."""

from evalsmith.scale.threads import cores, interruptible, on_threads

__all__ = ["cores", "interruptible", "on_threads"]
