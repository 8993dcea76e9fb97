"""Parts of data on a Ray cluster: each held by an actor, and made again on another machine when that is lost."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from evalsmith.run import EvalsmithError
from evalsmith.scale.parts import Call

TRIES = 5  # workers that an answer of a part may cost before we say that something is wrong


class ClusterParts:
    """Parts on the machines of a cluster, in turn. They take no core: whoever asks waits for all of them."""

    def __init__(self, ray: Any, make: str, described: Sequence[tuple[Any, ...]]) -> None:
        self._ray, self._make = ray, make
        self._kind = _actor_class(ray)
        self._described = [ray.put(pickle.dumps(one)) for one in described]
        self._actors = [self._hire(number) for number in range(len(described))]

    def ask(self, calls: Sequence[Call | None]) -> list[Any]:
        """The answer of every part to its own call, in their order; the call of a lost part is made again."""
        refs = [self._call(number, call) for number, call in enumerate(calls)]
        return [self._answer(number, ref, calls[number]) for number, ref in enumerate(refs)]

    def close(self) -> None:
        """Let go of all parts."""
        if self._ray.is_initialized():
            for actor in self._actors:
                self._ray.kill(actor)
        self._actors = []

    def _call(self, number: int, call: Call | None) -> Any:
        return None if call is None else self._actors[number].answer.remote(pickle.dumps(call))

    def _answer(self, number: int, ref: Any, call: Call | None) -> Any:
        tries = 1
        while ref is not None:
            try:
                return pickle.loads(self._ray.get(ref))  # noqa: S301  (our own worker's)
            except self._ray.exceptions.RayTaskError as error:
                raise EvalsmithError(f"part {number} of the data: {_last_line(error)}") from None
            except self._ray.exceptions.RayError as error:
                if tries == TRIES:
                    raise EvalsmithError(
                        f"the workers that held part {number} of the data were lost {TRIES} times, "
                        f"the last by {type(error).__name__}"
                    ) from None
            tries += 1
            self._ray.kill(self._actors[number])
            self._actors[number] = self._hire(number)
            ref = self._call(number, call)
        return None

    def _hire(self, number: int) -> Any:
        nodes = [node["NodeID"] for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        options: dict[str, Any] = {}
        if nodes:
            strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
            options["scheduling_strategy"] = strategy(sorted(nodes)[number % len(nodes)], soft=True)
        return self._kind.options(**options).remote(self._make, self._described[number])


def _actor_class(ray: Any) -> Any:
    import ray.util.scheduling_strategies

    class Actor:
        """Holds one part."""

        def __init__(self, make: str, described: bytes) -> None:
            from evalsmith.scale.parts import Holder

            self.holder = Holder(make, described)

        def answer(self, call: bytes) -> bytes:
            return self.holder.answer(call)

    return ray.remote(num_cpus=0, max_restarts=0)(Actor)


def _last_line(error: BaseException) -> str:
    return [line.strip() for line in str(error).splitlines() if line.strip()][-1]
