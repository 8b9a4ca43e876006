"""A client in a process of its own: learns, appends and takes turns, and writes down what was acknowledged.

client.py ADDRESS NUMBER SECONDS LEAST: it goes on until both the time and the least number of writes are reached.
"""

from __future__ import annotations

import json
import sys
import time

import cogmem
from cogmem.tokens import counting

T = 1_800_000_000_000


def main(address: str, number: int, seconds: float, least: int) -> None:
    until, acknowledged, longest = time.monotonic() + seconds, 0, 0.0
    errors: dict[str, int] = {}
    mem = cogmem.open(address, user=f"user{number}", counter=counting.Simple())
    talk = mem.conversation(f"talk{number}")
    i = 0
    while time.monotonic() < until or acknowledged < least:
        i += 1
        tag = f"m{number}x{i}"
        for what in ("learn", "append", "turn"):
            begun = time.monotonic()
            try:
                if what == "learn":
                    named = mem.learn(
                        f"Heron {tag} waits at lake {i * 7919 + number}.", now=T + i
                    ).uid
                elif what == "append":
                    talk.append("user", f"said {tag}", at=T + i)
                    named = f"said {tag}"
                else:
                    named = mem.activate(f"Where waits {tag}?", turn=f"turn_{tag}", now=T + i).turn
                    longest = max(longest, time.monotonic() - begun)
                print(json.dumps([what, tag, named]), flush=True)
                acknowledged += what != "turn"
            except cogmem.CogmemError as error:
                said = f"{what}: {type(error).__name__}: {str(error)[:150]}"
                errors[said] = errors.get(said, 0) + 1
    mem.db.send_turns()  # type: ignore[attr-defined]
    mem.close()
    print(json.dumps(["end", round(longest, 3), errors]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
