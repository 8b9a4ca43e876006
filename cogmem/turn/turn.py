"""activate(): what the agent is told this turn, in two texts.

`stable` holds layer A. It is frozen at a session's first turn and stays the same to the byte while
the session lasts, whatever is learned, so that the provider's prompt cache keeps working.
`volatile` holds the rest: news since the freeze, pinned text, and layers B, C and D for this prompt.
Together they never cost more than the budget.
"""

from __future__ import annotations

import time

from cogmem.errors import InvalidInput
from cogmem.language.asked_past import IDLE, asked_past
from cogmem.language.cue import read_cue
from cogmem.scope import names_of
from cogmem.search import gate as gates
from cogmem.store.policy import Policy
from cogmem.text.lines import one_line
from cogmem.turn.activation import Activation, Prompt, View, Wanted
from cogmem.turn.always import always
from cogmem.turn.block import Block, Costs, Item, allocate
from cogmem.turn.cited import look_at_items
from cogmem.turn.intended import at_prompt, mark
from cogmem.turn.layers import fitting, numbered
from cogmem.turn.session import Running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cogmem.file.db import Database
    from cogmem.scope import Scope
    from cogmem.search.reranking import SecondReader
    from cogmem.search.vectors import Nearness
    from cogmem.tokens.counting import TokenCounter
    from cogmem.turn.ledger import Ledger

    StableText = Callable[[Callable[[str], int], int, int], tuple[str, int]]  # (count, limit, now)

# A prompt of so many characters may have been asked before, in nearly its words. A shorter one, as a question, has
# the words of its answer; a longer one holds a paste.
ONCE_MORE = range(60, 4_000)


class Frozen:
    """The text of layer A as this turn brings it."""

    def __init__(self, text: str, tokens: int, beside: int, refs: set[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.beside = beside  # what the documents in front of it cost, beside the budget
        self.refs = refs
        self.considered: list[Item] = []
        self.is_new = False


def take_turn(
    db: Database,
    scope: Scope,
    prompt: Prompt,
    *,
    counter: TokenCounter | None = None,
    ledger: Ledger | None = None,
    documents: StableText | None = None,
    near: Nearness | None = None,
    second: SecondReader | None = None,
) -> Activation:
    """Choose and render; a ledger records it. `documents` gives what stands before layer A when it is
    frozen."""
    started = time.perf_counter_ns()
    policy = Policy.of(db)
    allowed = _allowed(policy, prompt.budget)
    view = View(db, scope, policy, Costs(counter), prompt.now)
    seen = Running(db, scope, prompt.session)
    if seen.last_turn == prompt.turn and seen.stable is not None:
        return _again(seen, prompt, allowed)
    frozen = None
    if seen.stable is None or prompt.refresh:
        frozen = _freeze(view, seen, prompt, allowed, documents)
        if frozen is None:  # another process froze this session meanwhile: its text counts
            seen = Running(db, scope, prompt.session)
    if frozen is None:
        frozen = _kept(seen, prompt)
    # What was frozen cannot be unsaid: the budget in force covers at least that.
    allowed = max(allowed, frozen.tokens)
    if prompt.begins:
        return _begun(view, seen, prompt, frozen, allowed, ledger)

    block = Block(allowed - frozen.tokens, view.costs, prompt.form)
    block.know_text(frozen.text)
    if len(prompt.text) in ONCE_MORE:
        block.know([f"- {one_line(prompt.text)}\n"])
    shown = seen.tell(block, scope, frozen.refs)
    wanted = _wanted(view, prompt, near, second)
    wanted.stable = frozen.refs
    if not frozen.is_new:
        wanted.shown = lambda: seen.lately(int(policy.number("repeat_after_turns")))
    room = block.budget - block.spent
    with db.reading():
        facts, ways, here = fitting(view, wanted, room, prompt.session)
        noted = look_at_items(db, [*facts, *here], view.costs, prompt.now)
        intended = at_prompt(view, scope, prompt.text, wanted.files)
        facts = numbered([*intended, *facts])
    allocate(
        block,
        {"B": facts, "C": ways, "D": here},
        procedures=int(policy.number("procedures_per_turn")),
    )
    block.fit()
    volatile = block.render()
    result = Activation(
        frozen.text,
        volatile,
        frozen.tokens + block.spent,
        allowed,
        [*frozen.considered, *facts, *ways, *here],
        prompt.turn,
        frozen.beside,
        frozen.is_new,
    )
    if ledger is not None:
        elapsed = (time.perf_counter_ns() - started) // 1000
        after = seen.advance(prompt.turn, volatile, result.tokens, shown, prompt.now)
        now_told = mark([item.ref for item in result.chosen if item in intended], prompt.now)
        steps = [*after, *noted, *now_told]
        if wanted.gate.read:
            from cogmem.search.sayings import noting

            steps += noting(db, wanted.gate.read)
        ledger.record(result, scope, prompt, view.costs.name, elapsed, steps)
    return result


def _begun(
    view: View, seen: Running, prompt: Prompt, frozen: Frozen, allowed: int, ledger: Ledger | None
) -> Activation:
    """Return the stable text alone. What is new since it was frozen is left for the first prompt, whose answer stays
    in the conversation; a host may take what a start brings out of its prompt again."""
    result = Activation(
        frozen.text,
        "",
        frozen.tokens,
        allowed,
        frozen.considered,
        prompt.turn,
        frozen.beside,
        frozen.is_new,
    )
    if ledger is not None and frozen.is_new:
        after = seen.advance(prompt.turn, "", frozen.tokens, (seen.shown, []), prompt.now)
        ledger.record(result, view.scope, prompt, view.costs.name, 0, after)
    return result


def _allowed(policy: Policy, budget: int | None) -> int:
    allowed = int(policy.number("budget_tokens")) if budget is None else budget
    if isinstance(allowed, bool) or not isinstance(allowed, int) or allowed < 0:
        raise InvalidInput(f"a budget is a number of tokens of at least 0, not {budget!r}")
    return allowed


def _again(seen: Running, prompt: Prompt, allowed: int) -> Activation:
    """Return the same bytes again to a retry."""
    return Activation(
        seen.stable or "",
        seen.last_text,
        seen.last_tokens,
        allowed,
        (),
        prompt.turn,
        seen.document_tokens,
        is_new=seen.has_frozen(prompt.turn),
    )


def _freeze(
    view: View, seen: Running, prompt: Prompt, allowed: int, documents: StableText | None
) -> Frozen | None:
    """Layer A as it is now, kept for the session; None where another process was faster."""
    head, beside = "", 0
    if documents is not None:
        limit = int(view.policy.number("stable_budget_tokens"))
        head, beside = documents(view.costs.line, limit, prompt.now)
    first = always(view, allowed, prompt.form)
    frozen = Frozen(head + first.text, first.tokens, beside, set(first.refs))
    frozen.considered = first.considered
    frozen.is_new = True
    if prompt.session and not seen.freeze(
        frozen.text, frozen.tokens, beside, first.refs, prompt.refresh, prompt.now, prompt.actor
    ):
        return None
    return frozen


def _kept(seen: Running, prompt: Prompt) -> Frozen:
    """Return what the session froze before."""
    frozen = Frozen(seen.stable or "", seen.stable_tokens, seen.document_tokens, seen.refs())
    # Who froze the text may have been killed before anybody was told: a retry brings it.
    frozen.is_new = prompt.is_named and not seen.is_told()
    return frozen


def _wanted(
    view: View, prompt: Prompt, near: Nearness | None, second: SecondReader | None
) -> Wanted:
    policy = view.policy
    cue = read_cue(prompt.text, prompt.moment, policy.stop_words())
    least = gates.least_chance(policy.silence)
    gate = gates.Gate(prompt.text, cue, policy.weights, least, view.db.stems, prompt.explains)
    past = asked_past(prompt.text, cue.spans, prompt.now)
    if past:
        gate.idle = IDLE
    files = [name for file in prompt.files for name in names_of(file, prompt.folder)]
    return Wanted(cue, prompt.text, gate, files=files, past=past, near=near, second=second)
