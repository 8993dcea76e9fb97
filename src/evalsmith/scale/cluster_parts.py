"""Parts of data on a Ray cluster: each held by an actor, and made again on another machine when that is lost."""

from __future__ import annotations

import os
import pickle
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evalsmith.run import EvalsmithError
from evalsmith.scale.parts import Call
from evalsmith.scale.roster import EVENT_EVERY
from evalsmith.scale.work import How, counted

TRIES = 5  # workers that an answer of a part may cost before we say that something is wrong


@dataclass(eq=False)
class Keeper:
    """The worker that holds a part: its actor, who it is once it has said so, and how often it has answered."""

    actor: Any
    host: str
    hello: Any
    pid: int = 0
    done: int = 0


class ClusterParts:
    """Parts on the machines of a cluster, in turn. They take no core: whoever asks waits for all of them."""

    def __init__(self, ray: Any, make: str, described: Sequence[tuple[Any, ...]], how: How) -> None:
        self._ray, self._make, self._how = ray, make, how
        self._kind = _actor_class(ray)
        self._described = [ray.put(pickle.dumps(one)) for one in described]
        self._keepers = [self._hire(number) for number in range(len(described))]
        self._told = time.monotonic()

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        """The answer of every part to its own call, in their order; the call of a lost part is made again."""
        refs = [self._call(number, call) for number, call in enumerate(calls)]
        answers = [self._answer(number, ref, calls[number]) for number, ref in enumerate(refs)]
        if time.monotonic() - self._told >= EVENT_EVERY:
            self._told = time.monotonic()
            self._how.event("workers", workers=[
                {"host": one.host, "pid": one.pid, "done": one.done, "doing": self._part(number)}
                for number, one in enumerate(self._keepers)
            ])  # fmt: skip
        return answers

    def crew(self) -> str:
        """Who holds the parts, in a few words."""
        hosts = len({one.host for one in self._keepers})
        return f"{counted(len(self._keepers), 'worker')} on {counted(hosts, 'machine')}"

    def close(self) -> None:
        """Let go of all parts."""
        if self._ray.is_initialized():
            for keeper in self._keepers:
                self._ray.kill(keeper.actor)
        self._keepers = []

    def _call(self, number: int, call: Call | None) -> Any:
        return None if call is None else self._keepers[number].actor.answer.remote(pickle.dumps(call))

    def _answer(self, number: int, ref: Any, call: Call | None) -> Any:
        tries = 1
        while ref is not None:
            try:
                answer = pickle.loads(self._ray.get(ref))  # noqa: S301  (our own worker's)
                self._welcome(number)
                return answer
            except self._ray.exceptions.RayTaskError as error:
                raise EvalsmithError(f"{self._part(number)}: {_last_line(error)}") from None
            except self._ray.exceptions.RayError as error:
                why = type(error).__name__
                if tries == TRIES:
                    raise EvalsmithError(
                        f"the workers that held {self._part(number)} were lost {TRIES} times, the last by {why}"
                    ) from None
                self._tell(number, "lost", reason=why)
            tries += 1
            self._ray.kill(self._keepers[number].actor)
            self._keepers[number] = self._hire(number)
            ref = self._call(number, call)
        return None

    def _hire(self, number: int) -> Keeper:
        nodes = {
            node["NodeID"]: node["NodeManagerHostname"]
            for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
        }  # fmt: skip
        options: dict[str, Any] = {}
        host = "some machine"
        if nodes:
            node = sorted(nodes)[number % len(nodes)]
            host = nodes[node]
            strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
            options["scheduling_strategy"] = strategy(node, soft=True)
        actor = self._kind.options(**options).remote(self._make, self._described[number])
        return Keeper(actor, host, actor.who.remote())

    def _welcome(self, number: int) -> None:
        """Count an answer; whoever gave the first one says who it is."""
        keeper = self._keepers[number]
        if keeper.done == 0:
            keeper.host, keeper.pid = self._ray.get(keeper.hello)
            self._tell(number, "joined")
        keeper.done += 1

    def _tell(self, number: int, what: str, **more: Any) -> None:
        keeper = self._keepers[number]
        self._how.event(
            "worker", what=what, host=keeper.host, pid=keeper.pid, done=keeper.done, doing=self._part(number), **more
        )

    def _part(self, number: int) -> str:
        return f"part {number} of the data"


def _actor_class(ray: Any) -> Any:
    import ray.util.scheduling_strategies

    class Actor:
        """Holds one part."""

        def __init__(self, make: str, described: bytes) -> None:
            from evalsmith.scale.parts import Holder

            self.holder = Holder(make, described)

        def who(self) -> tuple[str, int]:
            return socket.gethostname(), os.getpid()

        def answer(self, call: bytes) -> bytes:
            return self.holder.answer(call)

    return ray.remote(num_cpus=0, max_restarts=0)(Actor)


def _last_line(error: BaseException) -> str:
    return [line.strip() for line in str(error).splitlines() if line.strip()][-1]
