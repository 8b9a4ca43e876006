"""A conversation with all its verbs: record, summarise, read as a window, archive, expand, search.

What is said stands in the record (`Talk`); each other verb is a module beside this one, loaded when
it is asked for, which knows the record and nothing of this class.
"""

from __future__ import annotations

from contextvars import ContextVar

from cogmem.conversation.record import Talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from cogmem.conversation.archive import Archived
    from cogmem.conversation.dag import Compacted, Expanded, Ingested
    from cogmem.conversation.save import Saved
    from cogmem.conversation.search import Found
    from cogmem.conversation.window import Window
    from cogmem.space import Instant

# Which conversation the tools of this turn are about; a host sets it, threads and tasks inherit it.
current: ContextVar[str | None] = ContextVar("cogmem_conversation", default=None)


class Conversation(Talk):
    """One conversation of one scope."""

    def save(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        at: Instant = None,
        counted: bool = True,
    ) -> Saved:
        """Record the whole list that a host holds ({"role", "content" or "parts"} each).

        What is there already is known by its hash. A longer list appends its tail. A list that lost
        its beginning (the host slid its window on) appends what is new; the record keeps the rest.
        Otherwise messages that differ become new versions, and those that are missing at the end
        are taken back. Summaries follow in the background, where there is one.

        messages: role, and content or parts, of each
        at: when they were said; default: now
        counted: whether tokens are counted at once

        >>> talk = mem.conversation("talk")
        >>> talk.save([{"role": "user", "content": "What is for lunch?"}]).unchanged
        1
        """
        from cogmem.conversation.save import save

        saved = save(self, messages, self.instant(at), counted)
        if saved.appended and self.background is not None:
            self.background.start("\0".join(self.place.values()), self.keep_up)
        return saved

    def ingest(self, *, everything: bool = False) -> Ingested:
        """Summarise what was said since the last time, and condense what has become much.

        everything: whether even the latest messages are summarised

        >>> talk = mem.conversation("talk")
        >>> talk.ingest().leaves
        0
        """
        from cogmem.conversation.dag import ingest

        return ingest(self, everything=everything).closed()

    def keep_up(self) -> None:
        """Do all that waits: ingest, condense, archive. What a background thread does after save().

        >>> talk = mem.conversation("talk")
        >>> talk.keep_up()
        """
        from cogmem.conversation.archive import archive

        self.ingest()
        while archive(self).messages:
            pass

    def compact(self) -> Compacted:
        """Drop the text of leaves that a parent covers, and nodes marked as deleted.

        >>> talk = mem.conversation("talk")
        >>> talk.compact().total_remaining
        0
        """
        from cogmem.conversation.dag import compact

        return compact(self)

    def window(self, budget: int = 0) -> Window:
        """Return what fits: the newest messages word for word, before them the summaries; 0: the policy's.

        budget: tokens it may cost; 0: as the policy has it

        >>> talk = mem.conversation("talk")
        >>> [said["role"] for said in talk.window(2000).messages]
        ['user', 'assistant']
        """
        from cogmem.conversation.window import assemble

        return assemble(self, budget).closed()

    def archive(self) -> Archived:
        """Move the oldest messages into a compressed segment, if there are many.

        >>> talk = mem.conversation("talk")
        >>> talk.archive().messages
        0
        """
        from cogmem.conversation.archive import archive

        return archive(self)

    def recover(self) -> Archived:
        """Finish an archiving that was broken off; after a clean one there is nothing to do.

        >>> talk = mem.conversation("talk")
        >>> talk.recover().messages
        0
        """
        from cogmem.conversation.archive import recover

        return recover(self)

    def expand(self, uid: str, *, limit: int = 20) -> Expanded:
        """Return what a summary was made from: the summaries below it, or the messages themselves.

        uid: the name of the summary, sum_…
        limit: how many messages at most
        """
        from cogmem.conversation.dag import expand

        return expand(self, uid, limit).closed()

    def index(self, characters: int = 1500) -> str:
        """Return the summaries that no other one covers, one line each, with the uid to expand.

        characters: how long it may be

        >>> talk = mem.conversation("talk")
        >>> talk.index()
        ''
        """
        from cogmem.conversation.dag import index

        return index(self, characters)

    def search(self, pattern: str, *, limit: int = 20) -> Found:
        """Return where a regular expression occurs in what was said, or in the names of tools.

        pattern: a regular expression

        >>> talk = mem.conversation("talk")
        >>> talk.search("lunch").matches[0].seq
        0
        """
        from cogmem.conversation.search import search

        return search(self, pattern, limit=limit)
