"""What an engine offers for tuning: the constants of our search, or the options that a program declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalsmith.arena.spsa.course import Parameter
from evalsmith.arena.spsa.settings import ParameterSettings
from evalsmith.engine import Limit
from evalsmith.engine.alphabeta import techniques
from evalsmith.engine.constants import CONSTANTS, technique_of
from evalsmith.players import Failure, Player, take_seat
from evalsmith.players.uci_seat import UciSeat
from evalsmith.run import InputError
from evalsmith.run.declarations import unknown

SPIN, CHECK, STRING = "spin", "check", "string"


@dataclass(frozen=True)
class Offer:
    """An option of an engine: its kind, its value if nobody changes it, and its range, as far as they are known."""

    name: str
    kind: str
    default: float | None = None
    low: float | None = None
    high: float | None = None


def offers_of(player: Player) -> dict[str, Offer]:
    """What can be tuned in an engine, by names in small letters; a program is started to find out."""
    if player.random:
        raise InputError("random moves have no parameters")
    if player.outside is None:
        if player.method != "alphabeta":
            raise InputError(f"our {player.method} has no constants that can be tuned; use method=alphabeta")
        given = player.constants.to_table()
        return {
            name: Offer(name, SPIN, float(given[name]), _float(entry.declared.low), _float(entry.declared.high))
            for name, entry in CONSTANTS.items()
        }
    if player.outside.protocol not in ("uci", "usi"):
        raise InputError(f"{player.outside.protocol} has no options, so {player.name} has nothing that can be tuned")
    seat = take_seat(player, Limit(nodes=1))
    assert isinstance(seat, UciSeat)
    try:
        seat.begin(player.game.start(), 0)
        chosen = {name.lower(): value for name, value in player.outside.options}
        return {
            key: Offer(one.name, one.kind, _number(chosen.get(key, one.default)), *map(_number, _range(one)))
            for key, one in seat.options.items()
        }
    except Failure as failure:
        raise InputError(f"player {player.name!r} does not start: {failure}") from None
    finally:
        seat.close()


def _float(number: float | None) -> float | None:
    return None if number is None else float(number)


def _range(option: Any) -> tuple[str, str]:
    return ("0", "1") if option.kind == CHECK else (option.low, option.high)


def _number(text: str) -> float | None:
    try:
        return float({"true": "1", "false": "0"}.get(text, text))
    except ValueError:
        return None


def make_parameters(player: Player, given: Mapping[str, Mapping[str, Any]]) -> tuple[Parameter, ...]:
    """The parameters that a user has named, with all that the engine knows of them."""
    if not given:
        raise InputError("there is no parameter to tune; name one as [parameters.NAME]")
    offers = offers_of(player)
    parameters = []
    for name, table in given.items():
        if not isinstance(table, Mapping):
            raise InputError(f"parameter {name}: expected a table with start, min, max, c_end and r_end, not {table!r}")
        settings = ParameterSettings.from_table(table, f"parameter {name}")
        offer = offers.get(name.lower())
        if offer is None:
            hint = unknown(name, {one.name: one for one in offers.values()}).partition("; ")[2]
            hint = hint.replace("the settings are", "it has")[:600]
            raise InputError(f"parameter {name}: the engine {player.name} has no option of that name; {hint}")
        _check_used(player, offer)
        try:
            parameters.append(_parameter(offer, settings))
        except InputError as error:
            raise InputError(f"parameter {name}: {error}") from None
    return tuple(parameters)


def _check_used(player: Player, offer: Offer) -> None:
    """Refuse a constant that changes nothing in the game: its values would be chance."""
    if player.outside is None and technique_of(offer.name) not in techniques.chosen(player.game):
        technique = technique_of(offer.name)
        raise InputError(
            f"parameter {offer.name}: it belongs to {technique}, which is not used in {player.game.name}, "
            "so it would change nothing"
        )


def _parameter(offer: Offer, given: ParameterSettings) -> Parameter:
    if offer.kind not in (SPIN, CHECK, STRING):
        raise InputError(f"the option is a {offer.kind}, and only {SPIN}, {CHECK} and {STRING} have numbers")
    low = offer.low if given.min is None else given.min
    high = offer.high if given.max is None else given.max
    start = offer.default if given.start is None else given.start
    if low is None or high is None or start is None:
        missing = [name for name, value in (("start", start), ("min", low), ("max", high)) if value is None]
        raise InputError(
            f"give {' and '.join(missing)}: the engine does not declare {'it' if len(missing) == 1 else 'them'}"
        )
    for what, value in (("min", low), ("max", high)):
        if (offer.low is not None and value < offer.low) or (offer.high is not None and value > offer.high):
            raise InputError(f"{what} is {value:g}, but the engine takes {offer.low:g} to {offer.high:g}")
    if not low < high:
        raise InputError(f"min must be below max, not {low:g} and {high:g}")
    if not low <= start <= high:
        raise InputError(f"start is {start:g}, which is not from {low:g} to {high:g}")
    integer = offer.kind != STRING if given.type is None else given.type == "integer"
    if not integer and offer.kind != STRING:
        raise InputError(f"the option is a {offer.kind}, which takes whole numbers only")
    if integer and not (low.is_integer() and high.is_integer()):
        raise InputError(f"min and max of whole numbers must be whole, not {low:g} and {high:g}")
    c_end = given.c_end or max((high - low) / 20, 0.5 if integer else 0.0)
    if integer and c_end < 0.5:
        raise InputError(
            f"c_end is {c_end:g}, but whole numbers need 0.5: below it both sides often play the same value"
        )
    if c_end > (high - low) / 2:
        raise InputError(f"c_end is {c_end:g}, more than half of the range from {low:g} to {high:g}")
    return Parameter(offer.name, start, low, high, c_end, given.r_end, integer, offer.kind == CHECK)
