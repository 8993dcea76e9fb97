"""Results in the order of their items, whoever finishes first, with a bounded number of items under way.

Everything that is logged is logged in this order, so a log does not depend on how many workers there were, nor on how
fast they were. Where each result has a place of its own, it need not wait. The bound keeps memory flat: where one item
takes very long, the others wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


class Window:
    """Numbers items as they are given out, and gives results back in that order.

    An item None says that none can begin now: it is asked again after the next result was committed. Where the order
    does not matter (``ordered``), no result waits for another.
    """

    def __init__(self, items: Iterable[Any], size: int, going: Callable[[], bool], *, ordered: bool = True) -> None:
        self.size, self._ordered = size, ordered
        self._items: Iterator[Any] = iter(items)
        self._going = going
        self._given: dict[int, Any] = {}
        self._results: dict[int, Any] = {}
        self._issued = self._committed = 0
        self._exhausted = False

    @property
    def open(self) -> int:
        """Items that were given out and are not yet committed."""
        return self._issued - self._committed

    def new_items(self) -> Iterator[tuple[int, Any]]:
        """The items that may begin now, with their numbers."""
        while not self._exhausted and self.open < self.size and self._going():
            try:
                item = next(self._items)
            except StopIteration:
                self._exhausted = True
                return
            if item is None:
                return
            number = self._issued
            self._given[number] = item
            self._issued += 1
            yield number, item

    def item(self, number: int) -> Any:
        """An item that was given out."""
        return self._given[number]

    def drop(self, numbers: Iterable[int]) -> None:
        """Take back items that nobody has begun: the last ones that were given out."""
        for number in sorted(numbers, reverse=True):
            assert number == self._issued - 1
            del self._given[number]
            self._issued -= 1

    def put(self, number: int, result: Any) -> None:
        """Take a result."""
        self._results[number] = result

    def committed(self) -> Iterator[tuple[Any, Any]]:
        """Items with their results whose turn it is."""
        while self._results and (not self._ordered or self._committed in self._results):
            number = self._committed if self._ordered else next(iter(self._results))
            self._committed += 1
            yield self._given.pop(number), self._results.pop(number)
