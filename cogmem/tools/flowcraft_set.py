"""The tools over a lossless conversation: memory_expand, and memory_compact for operators."""

from __future__ import annotations

from typing import Any

from cogmem.errors import UnknownMemory
from cogmem.tools import forms
from cogmem.tools.default_set import summary
from cogmem.tools.toolset import Answer, Spec


def memory_expand(mem: Any, form: forms.MemoryExpand) -> Answer:
    return summary(mem, form.summary_id, form.max_messages)


def memory_compact(mem: Any, form: forms.MemoryCompact) -> Answer:
    talk = mem.conversation(form.conversation_id)
    if talk.state() is None:
        raise UnknownMemory("no conversation of this name is recorded here")
    compacted = talk.compact().as_dict() if form.compact else None
    archived = talk.archive().as_dict() if form.archive else None
    return {"message": "Done.", "compact_result": compacted, "archive_result": archived}


TOOLS = (
    Spec(
        "memory_expand",
        "Show what a summary in the history was made from: shorter summaries, or the messages themselves.",
        forms.MemoryExpand,
        memory_expand,
    ),
    Spec(
        "memory_compact",
        "For operators: drop the text of summaries that others tell, and archive the oldest messages of"
        " a conversation. Nothing said is lost.",
        forms.MemoryCompact,
        memory_compact,
    ),
)
