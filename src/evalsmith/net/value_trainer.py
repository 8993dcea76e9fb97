"""How the small net of alpha-beta is trained (PyTorch).

Weights ``x.json`` have a run folder ``x.run`` beside them: the configuration, events with the losses, a checkpoint to
resume from. Every batch is drawn by the seed and the number of its step, so a killed training comes to the same net.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.engine.mcts.searcher import default_scale
from evalsmith.games import Game
from evalsmith.games.planes import WORD, planes_of
from evalsmith.net.rates import rate_at
from evalsmith.net.results import ValueResult
from evalsmith.net.value_examples import Bits, ValueExamples, load_value_examples, most_bits_of, squashed
from evalsmith.net.value_model import ValueModel, quantised, torch
from evalsmith.net.value_settings import ValueSettings
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.writing import fingerprint
from evalsmith.run import Interrupted, Progress, RunFolder, Unbroken, derive, write_bytes
from evalsmith.run.watching import Watch
from evalsmith.scale import cores
from evalsmith.weights import Weights, save_weights
from evalsmith.weights.evaluating import evaluations

KIND = "net-value"
RESUME = "resume.npz"
_SAVE_STEPS, _TELL_STEPS = 200, 50
_CHECK_ROWS = 1 << 16


def run_value_training(
    game: Game,
    datasets: Sequence[Path],
    output: Path,
    settings: ValueSettings,
    weights: Weights,
    progress: Watch,
    concurrency: int | None,
) -> ValueResult:
    """`evalsmith.net.value.train_value` with everything resolved."""
    config = {
        "kind": KIND,
        "game": game.name,
        "rules_version": game.rules_version,
        "datasets": [str(each) for each in datasets],
        "contents": [fingerprint(load_dataset(each, game)) for each in datasets],
        "linear": weights.digest,
        **settings.to_table(),
    }
    with RunFolder(output.with_suffix(".run"), config) as run:
        if (done := run.events("trained")) and output.exists():
            return ValueResult(output, run.path, **done[-1]["result"])
        examples = load_value_examples(
            game,
            datasets,
            None if settings.alone else weights,
            settings.scores,
            settings.positions,
            settings.seed,
            quiet=settings.quiet,
        )
        training, held = examples.split(settings.validation, settings.seed)
        most = most_bits_of(game, training.words)
        inputs = planes_of(game).words * WORD
        seed = derive(settings.seed, "net") % 2**31
        steps = max(1, math.ceil(settings.passes * len(training) / settings.batch))
        bits = Bits(game, settings.buckets, most, settings.augment)
        model = ValueModel(inputs, settings.units, bits.views, settings.buckets, seed)
        torch.set_num_threads(concurrency or cores())
        trainer = ValueTrainer(model, game, settings, steps, bits)
        trainer.resume(run.path / RESUME)
        with progress(f"training {sum(each.numel() for each in model.parameters()):,} parameters", steps, "steps") as p:
            _run(trainer, training, run, p)
        net = quantised(model, game, default_scale(game), most, settings.alone)
        # ProbCut was measured with the linear evaluation: it still holds where that is only corrected.
        probcut = None if settings.alone else weights.probcut
        about = _provenance(settings, len(training))
        made = replace(weights, net=net, probcut=probcut, name=output.stem, provenance=about)
        losses = _losses(game, weights, made, held or training, trainer)
        save_weights(made, output)
        result = {
            "steps": steps, "positions": len(training), "units": net.units, "views": net.views, "numbers": net.count,
            "losses": losses, "held_out": held is not None,
        }  # fmt: skip
        run.event("trained", result=result)
        (run.path / RESUME).unlink(missing_ok=True)
    return ValueResult(output, run.path, **result)  # type: ignore[arg-type]


def _provenance(settings: ValueSettings, positions: int) -> dict[str, Any]:
    return {"made": "net value", "positions": positions, **asdict(settings)}


def _losses(
    game: Game, linear: Weights, made: Weights, examples: ValueExamples, trainer: ValueTrainer
) -> dict[str, float]:
    """Mean squared errors of the linear weights, of the net as it learned, and of its integers in the search."""
    scale = default_scale(game)
    said = {
        "linear": evaluations(game, linear, examples.words) / scale,
        "net": trainer.say(examples),
        "quantised": evaluations(game, made, examples.words) / scale,
    }
    return {
        name: round(float(np.mean((squashed(game, values) - examples.worth) ** 2)), 6) for name, values in said.items()
    }


def _run(trainer: ValueTrainer, examples: ValueExamples, run: RunFolder, progress: Progress) -> None:
    """All steps that are missing."""
    progress.advance(trainer.step)
    total, told = 0.0, trainer.step
    try:
        while trainer.step < trainer.steps:
            with Unbroken():
                loss = trainer.learn(examples)
            total += loss
            progress.advance(1)
            if trainer.step % _TELL_STEPS == 0 or trainer.step == trainer.steps:
                run.event("step", step=trainer.step, rate=round(trainer.rate, 8), loss=total / (trainer.step - told))
                total, told = 0.0, trainer.step
            if trainer.step % _SAVE_STEPS == 0:
                trainer.save(run.path / RESUME)
    except KeyboardInterrupt:
        if trainer.step:
            trainer.save(run.path / RESUME)
        raise Interrupted(
            f"saved {trainer.step} of {trainer.steps} steps in {run.path}; run the same command to resume"
        ) from None


@dataclass
class ValueTrainer:
    """A net that learns; ``step`` counts the batches that it has learned from."""

    model: Any
    game: Game
    settings: ValueSettings
    steps: int
    bits: Bits
    step: int = 0

    def __post_init__(self) -> None:
        self._parameters = list(self.model.parameters())
        self._optimizer = torch.optim.Adam(self._parameters, lr=self.settings.rate)

    @property
    def rate(self) -> float:
        """The learning rate of this step."""
        return rate_at(self.step, self.steps, self.settings.rate)

    def learn(self, examples: ValueExamples) -> float:
        """One step; the loss before it."""
        source = np.random.default_rng(derive(self.settings.seed, "batch", self.step))
        rows = source.integers(len(examples), size=self.settings.batch)
        for group in self._optimizer.param_groups:
            group["lr"] = self.rate
        self._optimizer.zero_grad(set_to_none=True)
        values = self._values(examples.words[rows], int(source.integers(len(self.bits.images))))
        linear, worth = (torch.from_numpy(part[rows]) for part in (examples.linear, examples.worth))
        loss = ((torch.tanh((values + linear) / 2) - worth) ** 2).mean()
        loss.backward()
        self._optimizer.step()
        self.step += 1
        return float(loss.detach())

    def _values(self, words: Any, image: int) -> Any:
        bits, bucket = self.bits.of(words, image)
        return self.model(torch.from_numpy(bits).float(), torch.from_numpy(bucket))

    def say(self, examples: ValueExamples) -> Any:
        """What the net and the linear weights under it say, in units of the scale."""
        with torch.inference_mode():
            found = [
                self._values(examples.words[begin : begin + _CHECK_ROWS], 0).numpy()
                for begin in range(0, len(examples), _CHECK_ROWS)
            ]
        return np.concatenate(found).astype(np.float64) + examples.linear

    def save(self, path: Path) -> None:
        """Write all that a later process needs to go on from here."""
        arrays = {f"net.{name}": tensor.detach().numpy() for name, tensor in self.model.state_dict().items()}
        for number, each in enumerate(self._parameters):
            state = self._optimizer.state[each]
            arrays |= {f"adam.{number}.{name}": state[name].numpy() for name in ("exp_avg", "exp_avg_sq", "step")}
        file = io.BytesIO()
        np.savez(file, done=np.array(self.step), **arrays)
        write_bytes(path, file.getvalue())

    def resume(self, path: Path) -> None:
        """Go on from where a killed training was saved."""
        if not path.exists():
            return
        with np.load(path, allow_pickle=False) as file:
            found = {name: torch.from_numpy(np.array(file[name])) for name in file.files}
        self.step = int(found.pop("done"))
        self.model.load_state_dict({name[4:]: each for name, each in found.items() if name.startswith("net.")})
        for number, each in enumerate(self._parameters):
            names = ("exp_avg", "exp_avg_sq", "step")
            self._optimizer.state[each] = {name: found[f"adam.{number}.{name}"] for name in names}
