"""A Ray cluster as a place for work: joined by its address, or started here.

Everything that Ray is asked for is in this module and in `crew`; the rest of the package never imports it.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evalsmith.run import InputError
from evalsmith.scale.cluster_parts import ClusterParts
from evalsmith.scale.crew import Crew, Described, Member
from evalsmith.scale.files import Sent, files_of
from evalsmith.scale.order import Window
from evalsmith.scale.parts import Parts
from evalsmith.scale.threads import cores
from evalsmith.scale.work import How, Job

ADDRESS = "RAY_ADDRESS"
_CLIENT = "ray://"
_SECONDS_TO_ANSWER = 5.0
_SECONDS_TO_SPEAK = 20.0  # a busy server of Ray takes its time
# What opens a connection of HTTP/2: its preface and an empty frame of settings; each side begins with such a frame.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"
_FRAME_HEAD, _FRAME_TYPE, _SETTINGS_FRAME = 9, 3, 4
_CLIENT_TRIES = 3  # the server that Ray starts for each client may fail to start


def import_ray() -> Any:
    """Ray, or a sentence about how to get it."""
    try:
        import ray
    except ImportError:
        raise InputError("work on a cluster needs Ray: pip install 'evalsmith[ray]'") from None
    return ray


class Cluster:
    """A Ray cluster. It is joined, or started here, when it is first needed, and left or ended when it is closed."""

    name = "ray"

    def __init__(self, on: str) -> None:
        self._ray = import_ray()
        self._address = on if on.startswith(_CLIENT) else os.environ.get(ADDRESS)
        self._ours = not self._ray.is_initialized()
        self._blobs: dict[str, Any] = {}
        self._idle: list[Member] = []
        if self._ours and self._address not in (None, "auto", "local"):
            _check_listener(str(self._address))

    @property
    def ray(self) -> Any:
        """Ray, connected."""
        if not self._ray.is_initialized():
            _connect(self._ray, self._address)
        return self._ray

    def run(self, job: Job, items: Iterable[Any], how: How) -> Iterator[tuple[Any, Any]]:
        """Items with their results, in the order of the items."""
        sent = self._send(job)
        described = Described(job, self.ray.put(pickle.dumps(job)), sent, self._blobs)
        crew = Crew(self.ray, described, how, self._idle)
        window = Window(items, how.window_for(self._most(how)), how.going, ordered=how.ordered)
        finished = False
        try:
            while True:
                crew.fresh.extend(number for number, _ in window.new_items())
                if not how.going():
                    window.drop(crew.fresh)
                    crew.fresh.clear()
                if not window.open:
                    break
                crew.work(window)
                yield from window.committed()
            finished = True
        finally:
            crew.end(stop=not finished)

    def slots(self) -> int:
        """One item for each core of the cluster."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def hold(self, make: str, described: Sequence[tuple[Any, ...]], how: How) -> Parts:
        """Parts of data, spread over the machines."""
        return ClusterParts(self.ray, make, described, how)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if not self._ray.is_initialized():
            return
        for member in self._idle:
            self._ray.kill(member.actor)
        self._idle.clear()
        if self._ours:
            self._ray.shutdown()

    def _most(self, how: How) -> int:
        return how.concurrency or self.slots()

    def _send(self, job: Job) -> list[Sent]:
        """Hand over the files that a job names; what the cluster has already is not sent again."""
        sent = []
        for one, path in files_of(job):
            if one.digest not in self._blobs:
                self._blobs[one.digest] = self.ray.put(path.read_bytes())
            sent.append(one)
        return sent


def _connect(ray: Any, address: str | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "namespace": "evalsmith"}
    if address is None:
        print("starting a Ray cluster on this machine", file=sys.stderr, flush=True)
        quiet |= {"num_cpus": cores(), "include_dashboard": False}
    tries = _CLIENT_TRIES if address is not None and address.startswith(_CLIENT) else 1
    for left in range(tries - 1, -1, -1):
        try:
            # An address in the environment would win over none here.
            ray.init(address=address or "local", **quiet)
            return
        except Exception as error:  # Ray raises plain ones too, as where a node did not start in time
            ray.shutdown()
            if not left:
                where = address or "this machine"
                raise InputError(f"the Ray cluster at {where} cannot be used: {_first_line(error)}") from None


def _check_listener(address: str) -> None:
    """Refuse an address nobody listens on, before Ray tries for half a minute."""
    host, _, port = address.removeprefix(_CLIENT).rstrip("/").rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(f"{ADDRESS} must be HOST:PORT or ray://HOST:PORT, not {address!r}")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER) as connection:
            answers = os.environ.get("RAY_USE_TLS", "0") not in ("", "0") or _speaks_http2(connection)
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"nobody listens on {address} ({reason}); start Ray there with `ray start --head`, or give another address"
        ) from None
    if not answers:
        raise InputError(f"what listens on {address} is not Ray; give the address that `ray start --head` prints")


def _speaks_http2(connection: socket.socket) -> bool:
    """Whether a server answers as those of Ray do, all of which speak HTTP/2: its first frame says its settings."""
    connection.settimeout(_SECONDS_TO_SPEAK)
    try:
        connection.sendall(_PREFACE)
        found = b""
        while len(found) < _FRAME_HEAD and (more := connection.recv(_FRAME_HEAD - len(found))):
            found += more
    except OSError:  # silence, or hung up
        return False
    return len(found) == _FRAME_HEAD and found[_FRAME_TYPE] == _SETTINGS_FRAME


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines)[:400] if lines else type(error).__name__
