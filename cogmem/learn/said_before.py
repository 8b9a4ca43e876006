"""Finds what a person said before and what they say now ends, where no memory holds it.

Most that is said is kept as talk alone: "I live in Leiden at the moment" may be in no memory when "We relocated to
Porto" is heard. A statement that tells of a change is therefore held beside the earlier talk that shares a telling
word with it. What it ends becomes a memory of the day on which it was said, so that the newer one takes its place as
that of any other: the turn shows the new one, `cogmem log` both, and undo takes both back.
"""

from __future__ import annotations

from cogmem.language.judge import ALLOWED, akin, judge, matter_words, statements, tells_of_change
from cogmem.records import Draft, json_list
from cogmem.text.lines import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cogmem.store.store import Store

MOST = 12  # messages that are looked at, those with the rarest words first
READ = 600  # characters of a message that are read
WORDS = 6  # by which they are found
KIND = "fact"


def said_before(store: Store, draft: Draft) -> tuple[Draft, int] | None:
    """Return what was said before and is over with this draft of something heard, and the message that said so."""
    text = draft.content
    if not tells_of_change(text) or draft.data.get("rule") == ALLOWED:
        return None
    words = [*(word.said for word in matter_words(text)[:WORDS]), *akin(text)]
    if not words:
        return None
    matches = json_list([f'"{word}"' for word in words])
    about = {**draft.scope.place(), "matches": matches, "before": draft.said_at, "most": MOST}
    for number, talk, at in store.db.read("learn.said_before", about):
        for sentence in statements(talk[:READ]):
            found = judge(sentence, text)
            if found is None or not found.replaces:
                continue
            said = sentence.rstrip(" .!")
            held = {"message": number, "content": said.lstrip(), "content_hash": content_hash(said)}
            if store.db.read("learn.was_held", {**held, "user": draft.scope.user}):
                continue
            earlier = Draft(
                said,
                KIND,
                draft.scope,
                priority=draft.priority,
                source="observed",
                said_at=at,
                state="active",
                detail={"valid_from": at},
                data={"rule": "said once"},
            )
            return earlier, number
    return None
