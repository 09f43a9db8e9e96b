"""Map a function over a stream with several processes: in order, a few items ahead, interruptible."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from kg.errors import KgError

Item = TypeVar("Item")
Answer = TypeVar("Answer")

#: Items sent to a process at once: enough to hide the cost of sending, few enough to stop within a second.
CHUNK = 8
#: Chunks under way for each process; papers are drawn from the input this far ahead.
AHEAD = 2

#: The function of this worker process, made once when it starts.
_work: Callable[[Any], Any] | None = None


def map_in_order(
    start: Callable[[Any], Callable[[Item], Answer]],
    items: Iterable[Item],
    *,
    processes: int,
    argument: Any,
) -> Iterator[Answer]:
    """Yield the answers in the items' order; each process makes its function once, with ``start(argument)``.

    Raises:
        KgError: A process died, most likely for want of memory.
    """
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(start, argument))
    try:
        for answers in _ahead(pool, _chunks(items), limit=AHEAD * processes):
            yield from answers
    except BrokenProcessPool as error:
        raise KgError("a reading process died, most likely for want of memory; try fewer --processes") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def _ahead(pool: ProcessPoolExecutor, chunks: Iterable[list[Any]], *, limit: int) -> Iterator[list[Any]]:
    waiting: deque[Future[list[Any]]] = deque()
    for chunk in chunks:
        waiting.append(pool.submit(_answer, chunk))
        if len(waiting) >= limit:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _begin(start: Callable[[Any], Callable[[Any], Any]], argument: Any) -> None:
    """Make this process's function; Ctrl-C is for the parent, which then ends the processes."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = start(argument)


def _answer(chunk: list[Any]) -> list[Any]:
    if _work is None:
        raise RuntimeError("the process was not started by map_in_order")
    return [_work(item) for item in chunk]
