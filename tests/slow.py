"""Measures which tests are slow: `make slow-tests` runs all of them and writes tests/slow.txt anew.

A test is slow if its cases take more than eight hundredths of a second of processor time on average, with the
processes that they start: waiting for a busy machine does not count. `make check` leaves these out; a test
that is not listed is quick until it is measured.
"""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

LIST = Path(__file__).with_name("slow.txt")
SECONDS = 0.08


def name_of(node: str) -> str:
    """A test without its parameters."""
    return node.partition("[")[0]


def listed() -> frozenset[str]:
    """The tests that were slow when they were measured."""
    return frozenset(LIST.read_text(encoding="utf-8").split())


def _processor() -> float:
    both = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    before = _processor()
    yield
    with open(os.environ["COGMEM_TIMES"], "a", encoding="utf-8") as times:
        times.write(f"{_processor() - before:.4f}\t{item.nodeid}\n")


def main() -> None:
    """Write the list from what a run has measured."""
    taken: dict[str, list[float]] = defaultdict(list)
    for line in Path(os.environ["COGMEM_TIMES"]).read_text(encoding="utf-8").splitlines():
        seconds, _, node = line.partition("\t")
        taken[name_of(node)].append(float(seconds))
    slow = sorted(name for name, all_of in taken.items() if sum(all_of) > SECONDS * len(all_of))
    LIST.write_text("".join(f"{name}\n" for name in slow), encoding="utf-8")
    quick = sum(sum(all_of) for name, all_of in taken.items() if name not in slow)
    print(f"{len(slow)} tests are slow; the quick ones take {quick:.0f} s of a processor")


if __name__ == "__main__":
    main()
