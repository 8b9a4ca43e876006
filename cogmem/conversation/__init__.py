"""Conversations: the record of what was said, its summaries, and the window that fits a prompt."""

from __future__ import annotations

from cogmem.conversation.background import Background
from cogmem.conversation.policy import STRATEGIES, Strategy, SummaryPolicy
from cogmem.conversation.record import Conversation, Message, conversations, current

__all__ = [
    "STRATEGIES",
    "Background",
    "Conversation",
    "Message",
    "Strategy",
    "SummaryPolicy",
    "conversations",
    "current",
]
