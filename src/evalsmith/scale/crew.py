"""The workers of one job on a Ray cluster: recruited on every node, given items, replaced when they are lost.

Each worker is an actor that is bound to its node, so that the driver knows who plays where, can leave out a machine
that cannot do the work, and sees machines come and go.
"""

from __future__ import annotations

import heapq
import pickle
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from evalsmith.run import EvalsmithError, InputError
from evalsmith.scale.files import Sent
from evalsmith.scale.identity import Identity, identity
from evalsmith.scale.order import Window
from evalsmith.scale.roster import EVENT_EVERY
from evalsmith.scale.work import How, Job, counted, find

TRIES = 5  # workers that an item may cost before we say that something is wrong
BATCH_SECONDS = 0.05  # short items go together, so that what a message costs does not matter
MAX_BATCH = 64
LONG_SECONDS = 0.5  # of long ones, none waits at a worker while another one has nothing to do
TICK = 0.2
LOOK_EVERY = 1.0  # seconds between looks at the nodes and at what workers do
PATIENCE = 60.0  # seconds without any worker before somebody is told
GRACE = 5.0  # seconds that workers have to end their programs


@dataclass(eq=False)
class Member:
    """One worker: its actor, its node, and the items that it has."""

    actor: Any
    node: str
    host: str
    pid: int = 0
    ready: bool = False
    calls: int = 0
    items: set[int] = field(default_factory=set)
    done: int = 0
    pace: float | None = None  # seconds an item, of late
    doing: str = ""
    load: float = 0.0

    @property
    def long(self) -> bool:
        """Whether its items are long, as far as is known."""
        return self.pace is None or self.pace >= LONG_SECONDS

    @property
    def batch(self) -> int:
        """How many items it gets at once."""
        return 1 if self.pace is None else max(1, min(MAX_BATCH, int(BATCH_SECONDS / max(self.pace, 1e-6))))

    @property
    def name(self) -> str:
        """Its machine and process, for messages."""
        return f"{self.host} (process {self.pid})" if self.pid else self.host


@dataclass(frozen=True)
class Described:
    """A job as workers get it: itself, where the cluster holds its description, its files and their contents."""

    job: Job
    reference: Any
    sent: list[Sent]
    blobs: dict[str, Any]


class Crew:
    """All workers of a job. ``fresh`` are the items that nobody had yet, ``again`` those whose worker was lost."""

    def __init__(self, ray: Any, described: Described, how: How, idle: list[Member]) -> None:
        job = described.job
        self.ray, self.job, self.how, self.idle = ray, job, how, idle
        self.fresh: deque[int] = deque()
        self.again: list[int] = []
        self._begin = (described.reference, described.sent, described.blobs, identity(), how.pin)
        self._check = find(job.check) if job.check else None
        self._kind = _actor_class(ray)
        self._members: list[Member] = []
        self._pending: dict[Any, tuple[Member, str, float]] = {}
        self._refused: dict[str, str] = {}
        self._lost: dict[int, int] = {}
        self._looked = self._told = -1e9
        self._alone_since = time.monotonic()
        self._warned = False

    def work(self, window: Window) -> None:
        """Keep everybody busy, and take the results that come within a tick."""
        now = time.monotonic()
        if now - self._looked >= LOOK_EVERY:
            self._looked = now
            self._recruit()
            self._look()
        self._hand_out(window)
        if not self._pending:
            time.sleep(TICK)
            return
        first, rest = self.ray.wait(list(self._pending), num_returns=1, timeout=TICK)
        if first and rest:
            more, _ = self.ray.wait(rest, num_returns=len(rest), timeout=0)
            first += more
        for ref in first:
            self._take(ref, window)

    def end(self, *, stop: bool) -> None:
        """End the work of all workers; ``stop`` drops their items. Those without programs wait for the next job."""
        ready = [member for member in self._members if member.ready]
        ends: dict[Any, Member] = {}
        done: list[Any] = []
        try:
            if stop:
                for member in ready:
                    member.actor.stop.remote()
            ends = {member.actor.end.remote(): member for member in ready}
            if ends:
                done, _ = self.ray.wait(list(ends), num_returns=len(ends), timeout=GRACE)
        finally:
            free = set() if stop or self.job.programs else {ends[ref] for ref in done}
            for member in self._members:
                self._event(member, "left")
                if member in free and not member.items:
                    self.idle.append(Member(member.actor, member.node, member.host))
                else:
                    self.ray.kill(member.actor)
            self._members.clear()
            self._pending.clear()

    # ── Who there is ──

    def _recruit(self) -> None:
        """Have a worker on every core of every node, up to the number that was asked for."""
        nodes = [node for node in self.ray.nodes() if node["Alive"] and node["NodeID"] not in self._refused]
        rooms = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in nodes}
        hosts = {node["NodeID"]: node["NodeManagerHostname"] for node in nodes}
        for member in self._members:
            if member.node in rooms:
                rooms[member.node] -= 1
        most = self.how.concurrency or sys.maxsize
        while len(self._members) < most and any(room > 0 for room in rooms.values()):
            node = max(rooms, key=lambda one: (rooms[one], one))
            rooms[node] -= 1
            self._hire(node, hosts[node])
        self._complain()

    def _hire(self, node: str, host: str) -> None:
        member = next((one for one in self.idle if one.node == node), None)
        if member is None:
            strategy = self.ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
            member = Member(self._kind.options(scheduling_strategy=strategy).remote(), node, host)
        else:
            self.idle.remove(member)
        self._members.append(member)
        self._pending[member.actor.begin.remote(*self._begin)] = member, "begin", time.monotonic()

    def _complain(self) -> None:
        """Say so when nobody can do the work."""
        if any(member.ready for member in self._members):
            self._alone_since = time.monotonic()
            self._warned = False
        elif not self._members and self._refused:
            raise InputError(f"no machine of the cluster can do this work: {'; '.join(self._refused.values())}")
        elif time.monotonic() - self._alone_since > PATIENCE and not self._warned:
            self._warned = True
            _say("no worker of the cluster is free; waiting for one")

    def _look(self) -> None:
        """Ask everybody what it does, and show it."""
        for member in self._members:
            if member.ready and not any(one is member and what == "look" for one, what, _ in self._pending.values()):
                self._pending[member.actor.look.remote()] = member, "look", time.monotonic()
        ready = [member for member in self._members if member.ready]
        hosts = len({member.node for member in ready})
        self.how.crew(f"{counted(len(ready), 'worker')} on {counted(hosts, 'machine')}")
        if ready and time.monotonic() - self._told > EVENT_EVERY:
            self._told = time.monotonic()
            self.how.event("workers", workers=[
                {"host": one.host, "node": one.node[:8], "pid": one.pid, "done": one.done, "doing": one.doing,
                 "load": one.load} for one in ready
            ])  # fmt: skip

    def _event(self, member: Member, what: str, **more: Any) -> None:
        self.how.event(
            "worker", what=what, host=member.host, node=member.node[:8], pid=member.pid, done=member.done, **more
        )

    # ── Items ──

    def _hand_out(self, window: Window) -> None:
        for member in sorted((one for one in self._members if one.ready), key=lambda one: len(one.items)):
            long = member.pace is None or member.pace >= LONG_SECONDS
            while (self.again or self.fresh) and member.calls < (1 if long else 2):
                batch = (
                    1 if member.pace is None else max(1, min(MAX_BATCH, int(BATCH_SECONDS / max(member.pace, 1e-6))))
                )
                # Of the last items, everybody gets some.
                batch = max(1, min(batch, (len(self.again) + len(self.fresh)) // max(1, len(self._members))))
                numbers = [self._next() for _ in range(min(batch, len(self.again) + len(self.fresh)))]
                given = [(number, pickle.dumps(window.item(number))) for number in numbers]
                member.items.update(numbers)
                member.calls += 1
                self._pending[member.actor.serve.remote(given)] = member, "serve", time.monotonic()

    def _next(self) -> int:
        return heapq.heappop(self.again) if self.again else self.fresh.popleft()

    def _take(self, ref: Any, window: Window) -> None:
        if ref not in self._pending:  # of a worker that was given up meanwhile
            return
        member, what, began = self._pending.pop(ref)
        try:
            answer = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            self._refuse(member, f"Evalsmith cannot be run there: {_last_line(error)}")
            return
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            self._lose(member, type(error).__name__, window)
            return
        if what == "begin":
            self._welcome(member, *answer)
        elif what == "look":
            member.doing, member.load = answer["doing"], answer["load"]
            if answer["units"]:
                self.how.report(answer["units"])
        else:
            self._results(member, answer, time.monotonic() - began, window)

    def _welcome(self, member: Member, kind: str, value: Any) -> None:
        if kind == "refused":
            self._refuse(member, str(value))
            return
        assert isinstance(value, Identity)
        member.host, member.pid, member.ready = value.host, value.pid, True
        self._event(member, "joined")

    def _results(self, member: Member, answers: list[tuple[str, int, Any]], seconds: float, window: Window) -> None:
        member.calls -= 1
        for kind, number, value in answers:
            member.items.discard(number)
            if kind == "error":
                raise _of_host(value, member.host)
            wrong = "" if kind == "result" else str(value)
            value = pickle.loads(value) if kind == "result" else None  # noqa: S301  (our own worker's)
            if kind == "result" and self._check is not None and not self._check(window.item(number), value):
                wrong = f"its result of {window.item(number)} is not what was asked for"
            if wrong:
                self._again([number])
                self._refuse(member, wrong)
                return
            window.put(number, value)
            member.done += 1
        if answers:
            pace = seconds / len(answers) / max(1, member.calls + 1)
            member.pace = pace if member.pace is None else 0.5 * (member.pace + pace)

    def _refuse(self, member: Member, why: str) -> None:
        """Do without a machine that cannot do the work; the others go on."""
        reason = f"{member.host}: {why}"
        if member.node not in self._refused:
            _say(reason)
        self._refused[member.node] = reason
        for one in [one for one in self._members if one.node == member.node]:
            self._dismiss(one, "refused", reason=why)
        self._complain()

    def _lose(self, member: Member, why: str, window: Window) -> None:
        """Have the items of a lost worker done again."""
        if member not in self._members:
            return
        for number in member.items:
            self._lost[number] = self._lost.get(number, 0) + 1
            if self._lost[number] >= TRIES:
                raise EvalsmithError(
                    f"the workers that did {window.item(number)} ended {TRIES} times, the last on {member.name}"
                )
        self._dismiss(member, "lost", reason=why)

    def _dismiss(self, member: Member, what: str, **more: Any) -> None:
        self._members.remove(member)
        self._again(sorted(member.items))
        member.items.clear()
        for ref in [ref for ref, (one, _, _) in self._pending.items() if one is member]:
            del self._pending[ref]
        self._event(member, what, **more)
        self.ray.kill(member.actor)

    def _again(self, numbers: list[int]) -> None:
        for number in numbers:
            heapq.heappush(self.again, number)


def _actor_class(ray: Any) -> Any:
    """The worker as Ray starts it; imported by its name there, so that a machine without Evalsmith says so."""
    import ray.util.scheduling_strategies

    class Actor:
        """Runs a `Servant`; what it is asked while it works comes on another thread."""

        def __init__(self) -> None:
            from evalsmith.scale.cluster_worker import Servant

            self.servant = Servant()

        def begin(self, description: bytes, sent: Any, blobs: Any, driver: Any, pin: bool) -> Any:
            import ray

            return self.servant.begin(description, sent, lambda digest: ray.get(blobs[digest]), driver, pin)

        def serve(self, items: Any) -> Any:
            return self.servant.serve(items)

        def end(self) -> None:
            self.servant.end()

        @ray.method(concurrency_group="control")  # type: ignore[untyped-decorator]
        def look(self) -> Any:
            return self.servant.look()

        @ray.method(concurrency_group="control")  # type: ignore[untyped-decorator]
        def stop(self) -> None:
            self.servant.stop()

    return ray.remote(num_cpus=1, max_restarts=0, concurrency_groups={"control": 1})(Actor)


def _of_host(error: BaseException, host: str) -> EvalsmithError:
    kind = type(error) if isinstance(error, EvalsmithError) else EvalsmithError
    return kind(f"on {host}: {error}")


def _last_line(error: BaseException) -> str:
    return [line.strip() for line in str(error).splitlines() if line.strip()][-1]


def _say(text: str) -> None:
    print(f"evalsmith: {text}", file=sys.stderr, flush=True)
