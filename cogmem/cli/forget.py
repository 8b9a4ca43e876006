"""The command that forgets for good."""

from __future__ import annotations

import click

from cogmem.cli import show
from cogmem.cli.call import Call, Command, call
from cogmem.cli.complete import MEMORY
from cogmem.cli.file import NOT_YET
from cogmem.cli.remember import now_option, reason_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[UID…]", type=MEMORY)
@click.option(
    "--word", "words", multiple=True, help="A distinctive word that must disappear everywhere."
)
@click.option("--most", type=int, help="What words may remove at most. Default: a tenth of all.")
@click.option("--everything", is_flag=True, help="All that belongs to the user named with --user.")
@click.option("--yes", is_flag=True, help="Do it; without this, only show what would go.")
@click.option(
    "--confirm", metavar="NUMBER", help="Do it, if it still matches the preview with this number."
)
@reason_option
@now_option
@call
def forget(it: Call, /, names: Sequence[str], yes: bool, confirm: str | None, **given: Any) -> None:
    """Remove memories (UID) and messages (msg_N) for good, with all traces.

    With --word, at most a tenth of what you can see is forgotten, and nothing of other users. It
    cannot be undone. JSON: uids, messages, removed, left, files, copies, places, number, is_scrubbed.
    """
    yes = yes or confirm is not None
    with it.open() as mem:
        receipt = mem.forget(*names, confirm=confirm, dry_run=not yes, **given)
    rows = sum(receipt.removed.values())
    counts = (
        show.counted(len(receipt.uids), "memory", "memories"),
        show.counted(len(receipt.messages), "message", "messages"),
    )
    what = f"{' and '.join(counts)} ({show.counted(rows, 'row', 'rows')} in all)"
    would = f"would forget {what}; `--confirm {receipt.number}` does it, and nothing brings it back"
    said = [f"forgot {what}" if yes else would]
    for why, names in (
        ("stays, since it says more or is another's", receipt.left),
        ("not touched, and may still hold it", receipt.files),
        ("holds it until the next night, or `cogmem file scrub`", receipt.copies),
        ("holds it until `cogmem sync` has met it", receipt.elsewhere),
    ):
        said += [f"  {why}: {name}" for name in names]
    for table, count in sorted(receipt.removed.items()):
        said.append(f"  {table}: {show.counted(count, 'row', 'rows')}")
    for place, count in receipt.places.items():
        said.append(f"  still there, {show.counted(count, 'time', 'times')}: {place}")
    if yes and not receipt.is_scrubbed:
        said.append(f"  free pages are not overwritten yet, {NOT_YET}: `cogmem file scrub`")
    it.say(receipt.as_dict(), "\n".join(said))


COMMANDS = {"forget": forget}
