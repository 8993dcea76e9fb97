"""How a net is trained (PyTorch): steps, their rate, what is saved on the way.

A net ``x.safetensors`` has a run folder ``x.run`` beside it: the configuration, events with the losses, a checkpoint to
resume from. Every batch is drawn by the seed and the number of its step, so a killed training comes to the same net.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import Game
from evalsmith.games.planes import planes_of
from evalsmith.net.checkpoint import file_digest, load_net, read_checkpoint, save_net, write_checkpoint
from evalsmith.net.examples import Batch, Batches, Examples, load_examples
from evalsmith.net.loss import Losses, Targets, losses
from evalsmith.net.model import Net, Shared, torch
from evalsmith.net.rates import rate_at
from evalsmith.net.results import TrainResult
from evalsmith.net.settings import TrainSettings
from evalsmith.net.shape import NetShape
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.writing import fingerprint
from evalsmith.run import Interrupted, Progress, RunFolder, Unbroken, derive
from evalsmith.run.watching import Watch
from evalsmith.scale import cores

KIND = "net-train"
RESUME = "resume.safetensors"
_SAVE_STEPS, _TELL_STEPS = 100, 20
_CHECK_ROWS = 1024


def run_training(
    game: Game,
    datasets: Sequence[Path],
    output: Path,
    settings: TrainSettings,
    start: Path | None,
    progress: Watch,
    concurrency: int | None = None,
) -> TrainResult:
    """`evalsmith.net.training.train_net` with everything resolved."""
    first = None if start is None else load_net(start, game)
    shape = first.shape if first is not None else NetShape.of(game, **asdict(settings.net))
    config = {
        "kind": KIND,
        "game": game.name,
        "rules_version": game.rules_version,
        "datasets": [str(each) for each in datasets],
        "contents": [fingerprint(load_dataset(each, game)) for each in datasets],
        "start": "none" if start is None else file_digest(start),
        **settings.to_table(),
    }
    with RunFolder(output.with_suffix(".run"), config) as run:
        if (done := run.events("trained")) and output.exists():
            return TrainResult(output, run.path, **done[-1]["result"])
        training, held = load_examples(game, datasets, settings.scores).split(settings.validation, settings.seed)
        net = first or Net(shape, derive(settings.seed, "net") % 2**31)
        steps = max(1, math.ceil(settings.passes * len(training) / settings.batch))
        trainer = Trainer(net, settings, steps, planes_of(game).slot_planes, threads=concurrency or cores())
        trainer.resume(run.path / RESUME)
        with progress(f"training {shape.parameters:,} parameters", steps, "steps") as shown:
            _run(trainer, Batches(training, settings.augment, settings.alternatives), run, shown)
        trainer.shared.fold_into(net)
        net.bfloat16 = False
        check = evaluate_loss(net, held or training)
        save_net(output, net, {"steps": steps, "positions": len(training), "check": check, "seed": settings.seed})
        result: dict[str, Any] = {
            "steps": steps,
            "positions": len(training),
            "losses": check,
            "held_out": held is not None,
        }
        run.event("trained", result=result)
        (run.path / RESUME).unlink(missing_ok=True)
    return TrainResult(output, run.path, **result)


def _run(trainer: Trainer, batches: Batches, run: RunFolder, progress: Progress) -> None:
    """All steps that are missing; the next batch is made while the net learns from the last."""
    progress.advance(trainer.step)
    sums: dict[str, float] = {}
    told = trainer.step
    try:
        for batch in _prefetched(batches, trainer):
            with Unbroken():
                found = trainer.learn(batch)
            for name, value in found.numbers().items():
                sums[name] = sums.get(name, 0.0) + value
            progress.advance(1)
            if trainer.step % _TELL_STEPS == 0 or trainer.step == trainer.steps:
                means = {name: round(value / (trainer.step - told), 5) for name, value in sums.items()}
                run.event("step", step=trainer.step, rate=round(trainer.rate, 8), **means)
                sums, told = {}, trainer.step
            if trainer.step % _SAVE_STEPS == 0:
                trainer.save(run.path / RESUME)
    except KeyboardInterrupt:
        if trainer.step:
            trainer.save(run.path / RESUME)
        raise Interrupted(
            f"saved {trainer.step} of {trainer.steps} steps in {run.path}; run the same command to resume"
        ) from None


def _prefetched(batches: Batches, trainer: Trainer) -> Iterator[Batch]:
    size, seed = trainer.settings.batch, trainer.settings.seed
    with ThreadPoolExecutor(1) as pool:

        def ask(step: int) -> Any:
            return pool.submit(batches.draw, size, derive(seed, "batch", step))

        coming = ask(trainer.step)
        while trainer.step < trainer.steps:
            batch = coming.result()
            coming = ask(trainer.step + 1)
            yield batch


@dataclass
class Trainer:
    """A net that learns; ``step`` counts the batches that it has learned from."""

    net: Net
    settings: TrainSettings
    steps: int
    slot_planes: int = 0
    step: int = 0
    threads: int = 0

    def __post_init__(self) -> None:
        torch.set_num_threads(self.threads or cores())
        self.net.train().to(memory_format=torch.channels_last)
        self.net.bfloat16 = self.settings.bfloat16
        self.shared = Shared(self.net.shape, self.slot_planes)
        self._parameters = [*self.net.parameters(), *self.shared.parameters()]
        self._optimizer = torch.optim.Adam(self._parameters, lr=self.settings.rate)

    @property
    def rate(self) -> float:
        """The learning rate of this step."""
        return rate_at(self.step, self.steps, self.settings.rate, self.settings.schedule)

    def learn(self, batch: Batch) -> Losses:
        """One step; the losses before it."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.rate
        planes, targets = tensors(batch)
        self._optimizer.zero_grad(set_to_none=True)
        found = losses(self.net, self.net(planes, self.shared), targets, self.settings.duration_floor)
        found.weighted(self.settings.duration_weight).backward()
        self._optimizer.step()
        self.step += 1
        return found

    def save(self, path: Path) -> None:
        """Write all that a later process needs to go on from here."""
        arrays = {f"net.{name}": tensor.detach().numpy() for name, tensor in self.net.state_dict().items()}
        arrays |= {f"shared.{name}": tensor.detach().numpy() for name, tensor in self.shared.state_dict().items()}
        for number, each in enumerate(self._parameters):
            state = self._optimizer.state[each]
            arrays |= {f"adam.{number}.{name}": state[name].numpy() for name in ("exp_avg", "exp_avg_sq", "step")}
        write_checkpoint(path, self.net.shape, arrays, {"step": self.step})

    def resume(self, path: Path) -> None:
        """Go on from where a killed training was saved."""
        if not path.exists():
            return
        _, arrays, facts = read_checkpoint(path)
        found = {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        self.net.load_state_dict({name[4:]: tensor for name, tensor in found.items() if name.startswith("net.")})
        self.shared.load_state_dict({name[7:]: each for name, each in found.items() if name.startswith("shared.")})
        for number, each in enumerate(self._parameters):
            names = ("exp_avg", "exp_avg_sq", "step")
            self._optimizer.state[each] = {name: found[f"adam.{number}.{name}"] for name in names}
        self.step = int(facts["step"])


def tensors(batch: Batch) -> tuple[Any, Targets]:
    """A batch for PyTorch."""
    planes = torch.from_numpy(batch.planes).float().contiguous(memory_format=torch.channels_last)
    return planes, Targets(*(torch.from_numpy(part) for part in batch[1:]))


def evaluate_loss(net: Net, examples: Examples) -> dict[str, float]:
    """The mean losses on examples as they are, by a net that learns nothing from them."""
    batches, sums = Batches(examples, augment=False), dict.fromkeys(Losses._fields, 0.0)
    net.eval()
    with torch.inference_mode():
        for begin in range(0, len(examples), _CHECK_ROWS):
            rows = np.arange(begin, min(begin + _CHECK_ROWS, len(examples)))
            planes, targets = tensors(batches.make(rows))
            for name, value in losses(net, net(planes), targets).numbers().items():
                sums[name] += value * len(rows)
    return {name: round(value / len(examples), 5) for name, value in sums.items()}
