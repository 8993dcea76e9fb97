"""Our engine as a process that a test talks to line by line."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading

PATIENCE = 120  # seconds after which an engine counts as hung; nothing is measured


class Program:
    """``evalsmith engine …`` with pipes; a thread of its own reads what it says."""

    def __init__(self, *words: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evalsmith", "engine", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )
        self.said: queue.Queue[str | None] = queue.Queue()
        self.errors: list[str] = []
        self.readers = [threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)]
        for reader in self.readers:
            reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # what was not yet written has no reader any more

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line.decode("utf-8").rstrip("\r\n"))
        self.said.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8"))

    def tell(self, *lines: str | bytes) -> None:
        """Write lines."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        """The next line."""
        line = self.said.get(timeout=PATIENCE)
        assert line is not None, f"the engine has ended: {''.join(self.errors)}"
        return line

    def until(self, start: str) -> list[str]:
        """All lines up to one that begins so."""
        lines = [self.hear()]
        while not lines[-1].startswith(start):
            lines.append(self.hear())
        return lines

    def end(self, *lines: str) -> int:
        """Say last lines and wait for the end; the exit code."""
        self.tell(*lines)
        code = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        return code

    @property
    def complaints(self) -> str:
        """What stood on standard error."""
        return "".join(self.errors)
