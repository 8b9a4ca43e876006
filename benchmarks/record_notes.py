"""Records what a model answers when it is asked for notes of real sessions, once, so that they can be replayed.

    python benchmarks/record_notes.py --data DIR --model host:claude --out answers.jsonl [--set NAME …] [--most 50]

DIR is that of work.py. Each session is recorded as a host would have it and read by the model as `cogmem model notes`
does; answers and faults go to the file, requests by their hash alone. A session that the file holds is not asked
again, so it may be stopped. It costs a call for each session, of your own login or key.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from work import in_time, sets

import cogmem
from cogmem.errors import NotRecorded
from cogmem.models.configured import configured
from cogmem.models.recorded import Recorded, Recording


class Known:
    """A recording that asks the model for what it does not hold."""

    def __init__(self, model: Recording, path: Path) -> None:
        self.name = model.name
        self._model = model
        self._held = Recorded(path) if path.exists() else None

    def complete(self, prompt: str, **options: object) -> str:
        """The recorded answer, or a new one."""
        if self._held is not None:
            try:
                return self._held.complete(prompt, **options)
            except NotRecorded:
                pass
        return self._model.complete(prompt, **options)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", required=True, help="provider:model, as COGMEM_MODEL has it")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", dest="sets", nargs="+", default=None)
    parser.add_argument("--most", type=int, default=0, help="sessions at most; 0: all")
    options = parser.parse_args()
    os.environ["COGMEM_MODEL"] = options.model
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        found = configured(f"{folder}/none.db")
        if found is None:
            parser.error("no model is named")
        model = Known(Recording(found, options.out), options.out)
        for name, data in sets(options.data, options.sets):
            with cogmem.open(f"{folder}/{name}.db", project=name) as mem:
                for cap in ("calls_per_day", "calls_per_run", "tokens_per_day"):
                    mem.store.set_setting(f"model_{cap}", str(10**9), now=0)
                last = {}
                for message in in_time(data):
                    talk = mem.conversation(message.session)
                    talk.append(message.role, message.text, at=message.at)
                    last[message.session] = message.at
                for session, at in last.items():
                    if options.most and asked >= options.most:
                        break
                    asked += 1
                    done = mem.notes.read(session, model=model, now=at)
                    print(session, len(done.notes), done.fault)


if __name__ == "__main__":
    main()
