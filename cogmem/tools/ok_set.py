"""The tool of an assistant whose saved memories are files: remember."""

from __future__ import annotations

from typing import Any

from cogmem.errors import InvalidInput
from cogmem.tools import forms
from cogmem.tools.toolset import Answer, Spec


def remember(mem: Any, form: forms.Remember) -> Answer:
    from cogmem.documents.saved import remember as save

    answer = dict(save(mem.documents, form.model_dump()))
    if not answer.pop("success"):
        raise InvalidInput(str(answer["error"]))
    return answer


TOOLS = (
    Spec(
        "remember",
        "Save one lasting memory for later sessions: who the user is and how they like to work, feedback"
        " on your work with its reason, a decision or constraint of the project, or where to find"
        " something outside it. Not what the repository already records. A known name is replaced.",
        forms.Remember,
        remember,
    ),
)
