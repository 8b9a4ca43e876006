"""What a draft must pass before it may become a memory: normalise, guard, echo, dates, tags.

The guard decides by the draft's source what is refused, redacted or told. What cogmem itself put
into a prompt comes back often (hosts record whole prompts); it is recognised by its hash and never
learned again. The day that a relative date means is added to it: in a month nobody knows which
Friday "next Friday" was.
"""

from __future__ import annotations

import json

from cogmem.errors import CapacityReached, DatabaseProblem, GuardRefused, InvalidInput
from cogmem.guard import guard
from cogmem.language.contradiction import polarity
from cogmem.named import NamedTuple
from cogmem.records import CONTENT_LIMIT, one_of, priority_number
from cogmem.store.kinds import checked_priority
from cogmem.text import lines
from cogmem.text.tags import auto_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.file.db import Step
    from cogmem.records import Draft, Remembered
    from cogmem.store.kinds import Kind
    from cogmem.store.store import Store

SOURCES = ("user_explicit", "observed", "inferred", "tool", "web", "import", "system")
SEPARATOR = 3  # entries of a capped collection are counted with the line that separates them
_NOW = object()
_LAYER_COLUMNS: dict[str, dict[str, Any]] = {
    "semantic": {
        "topic": "", "valid_from": None, "valid_to": None, "recorded_at": _NOW, "confidence": 0.8,
    },
    "episodic": {
        "outcome": "", "happened_at": _NOW, "session_name": "", "turns": 0, "form": "event",
    },
    "procedural": {
        "context": "", "steps": "[]", "success_count": 0, "failure_count": 0, "used_at": None,
    },
}  # fmt: skip


class Profile(NamedTuple):
    """What differs between the entry points; everything else is the same path."""

    similarity: str  # merge: join what says the same; reinforce: strengthen the twin only; off
    twin: str  # the same text again: reinforce it, or leave it as it is (known)
    key_is_hint: bool  # a new key for words that are held already adds nothing
    anchors: bool  # said here and now: dates get their day, and a branch what is said on it
    vocabulary: str  # whose word `kind` is, where systems differ
    screening: str = ""  # what the guard does with a finding; '': as the source has it


PROFILES = {
    "tool": Profile("merge", "reinforce", False, True, ""),  # learn(), the default
    "capture": Profile("merge", "reinforce", False, True, ""),  # rules over messages
    "line": Profile("reinforce", "reinforce", False, True, ""),  # what a conversation leaves
    "import": Profile("off", "known", False, False, ""),  # what another system held
    "repository": Profile("off", "known", False, False, "", "repository"),  # commits, why
    "gokin": Profile("reinforce", "reinforce", False, False, "gokin"),  # memory add, memorize
    "odek": Profile("merge", "known", False, False, "odek"),  # of the person, of the machine
    "zara": Profile("reinforce", "reinforce", True, True, "zara"),  # memory_learn
    "ok": Profile("off", "reinforce", False, False, "ok"),  # remember
}


def profile_named(name: str) -> Profile:
    """Return the profile of an entry point."""
    one_of("profile", name, PROFILES)
    return PROFILES[name]


class Admitted(NamedTuple):
    """A draft that passed: the columns of its row, those of its layer, and what was noticed."""

    kind: Kind
    row: dict[str, Any]
    detail: dict[str, Any]
    policy: guard.Screening
    standing: str  # what the guard grants this source; the row's state may be less
    notes: list[str]


def is_of_old_talk(draft: Draft) -> bool:
    """Tell whether a backfill found it: that only proposes, confirms nothing, and ends nothing."""
    return str((draft.data or {}).get("batch", "")).startswith("fill_")


def admit(store: Store, draft: Draft, profile: Profile, now: int) -> Admitted:
    """Check and complete a draft, or refuse it."""
    kind, owner, notes = placed(store, draft, profile)
    content = clean(draft.content, "content")
    if not content:
        raise InvalidInput("there is nothing to remember: the text is empty")
    checked_length(content)
    policy, standing = _granted(draft, profile, kind)
    if is_of_old_talk(draft):
        standing = "candidate"
    content, echoed = store.without_echo(content)
    if not content:
        raise GuardRefused("cogmem itself put this text into the prompt: it is remembered already")
    if echoed:
        notes.append(f"{echoed} lines that cogmem itself had put into the prompt were left out")
    content = guarded(content, policy, notes)
    if profile.anchors and kind.layer != "procedural":
        from cogmem.language.dates import annotate

        content = annotate(content, now if draft.said_at is None else draft.said_at)
    if draft.expires_at is not None and draft.expires_at <= now:
        notes.append("it expired already: it is kept, and never shown")
    key = guarded(lines.one_line(clean(draft.key, "key")), policy, notes)
    given = [
        guarded(lines.one_line(clean(str(tag), "tag")), policy, notes)
        for tag in lines.several(draft.tags, "tags")
    ]
    detail = _detail(kind.layer, draft, policy, notes, now)
    data = within(draft.data, policy, notes)
    also = [one for one in data.get("also") or () if isinstance(one, str)]
    row = {
        **owner,
        **store.written_form(kind.layer, key, content, detail, also),
        "layer": kind.layer,
        "kind": kind.name,
        "key": key,
        "content": content,
        "tags": as_json([*dict.fromkeys([*filter(None, given), *auto_tags(content)])]),
        "path_glob": guarded(clean(draft.path_glob, "path"), policy, notes),
        "priority": checked_priority(draft.priority, kind),
        "source": draft.source,
        "trust": round(policy.trust if draft.trust is None else draft.trust, 6),
        "polarity": draft.polarity or polarity(content),
        "state": "candidate" if standing == "candidate" else draft.state or standing,
        "reinforcement_count": 1,
        "access_count": 0,
        "data": as_json(data),
        "created_at": now,
        "updated_at": now,
        "reinforced_at": now,
        "accessed_at": None,
        "expires_at": draft.expires_at,
        "archived_at": None,
        "archive_reason": "",
    }
    return Admitted(kind, row, detail, policy, standing, notes)


def placed(store: Store, draft: Draft, profile: Profile) -> tuple[Kind, dict[str, str], list[str]]:
    """Return the kind of a draft, whose it is to be, and what is to be said of that."""
    kind, note = store.kinds.of(draft.kind, draft.vocabulary or profile.vocabulary)
    notes = [note] if note else []
    owner = draft.scope.owner()
    if kind.is_shared and draft.scope.user:
        notes.append(f"every user sees a {kind.name}: give another kind to keep it to yourself")
    if kind.is_shared:  # a global category is never bound to one user or session
        owner["user"] = owner["session"] = ""
    if draft.scope.branch and profile.anchors and _is_staged(owner, kind, draft):
        owner["session"] = draft.scope.branch
        notes.append(f"it is told on {draft.scope.branch} until git says that this was merged")
    return kind, owner, notes


def _granted(draft: Draft, profile: Profile, kind: Kind) -> tuple[guard.Screening, str]:
    """Tell how a text of this source is screened, and the state that it may have; some are refused."""
    one_of("source", draft.source, SOURCES)
    policy = guard.POLICIES[profile.screening or draft.source]
    standing = kind.standing(draft.source)
    if standing == "refused":
        raise GuardRefused(
            f"a {kind.name} cannot be asserted by source {draft.source}: "
            "a person has to say it (source user_explicit)"
        )
    return policy, standing


def _detail(
    layer: str, draft: Draft, policy: guard.Screening, notes: list[str], now: int
) -> dict[str, Any]:
    """Return the columns of the layer's own row, with every text as its policy lets it in."""
    detail = layer_columns(layer, draft.detail, now)
    for name in ("topic", "outcome", "context", "session_name"):
        if detail.get(name):
            detail[name] = guarded(clean(detail[name], name), policy, notes)
    begins, ends = detail.get("valid_from"), detail.get("valid_to")
    if begins is not None and ends is not None and ends < begins:
        raise InvalidInput("valid_to lies before valid_from: it never held; swap or change them")
    if "steps" in detail:
        detail["steps"] = as_json(within(json.loads(detail["steps"]), policy, notes))
    return detail


def clean(text: str, what: str) -> str:
    """Text that can be stored; anything but text is refused."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} must be text, not {type(text).__name__}")
    return guard.normalise(text)


def checked_length(content: str) -> None:
    """Refuse what is not a memory but a document."""
    if len(content) > CONTENT_LIMIT:
        raise InvalidInput(
            f"the text has {len(content):,} characters, and a memory holds at most {CONTENT_LIMIT:,}: "
            "shorten it, or record it as a conversation or document"
        )


def guarded(text: str, policy: guard.Screening, notes: list[str]) -> str:
    """Return the text as its policy lets it in; a refusal names the class of the finding, never the text."""
    if not text:
        return text
    result = guard.apply(text, policy)
    if result.verdict == "reject":
        raise GuardRefused(guard.explain(result.findings))
    if result.findings and result.verdict != "allow":
        note = guard.explain(result.findings)
        if note not in notes:
            notes.append(note)
    return result.text


def within(value: Any, policy: guard.Screening, notes: list[str]) -> Any:
    """Return a JSON value with every text inside it as its policy lets it in."""
    if isinstance(value, str):
        return guarded(guard.normalise(value), policy, notes)
    if isinstance(value, dict):
        return {
            name if name in _OWN_NAMES else guarded(str(name), policy, notes): within(
                one, policy, notes
            )
            for name, one in value.items()
        }
    if isinstance(value, (list, tuple)):
        if len(value) > 1 and all(isinstance(one, str) for one in value):
            texts = [guard.normalise(one) for one in value]
            if not guard.apply("\n".join(texts), policy).findings:  # one look for a list of files
                return texts
        return [within(one, policy, notes) for one in value]
    return value


# What the package itself calls things in `data`.
_OWN_NAMES = frozenset(
    "also author batch commit cites error file is_general line paths rule weight".split()
)


as_json = json.JSONEncoder(ensure_ascii=False).encode  # as it is stored: readable in any script


def _is_staged(owner: dict[str, Any], kind: Kind, draft: Draft) -> bool:
    """Tell whether what is learned on a branch waits for its merge: what is said of the code, and not of a person."""
    return bool(
        owner["project"]
        and not owner["session"]
        and kind.layer != "episodic"
        and kind.name not in ("preference", "feedback")
        and draft.source != "import"
    )


def layer_columns(layer: str, given: dict[str, Any], now: int) -> dict[str, Any]:
    """Return the columns of a layer's own row, with its defaults."""
    known = _LAYER_COLUMNS.get(layer)
    if known is None:
        raise DatabaseProblem(
            "a kind names a layer that does not exist: `cogmem doctor` names what is damaged, a backup brings it back"
        )
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InvalidInput(
            f"{layer} memories have no {', '.join(unknown)}: they have {', '.join(known)}"
        )
    row = {name: now if value is _NOW else value for name, value in known.items()}
    for name, value in given.items():
        if isinstance(value, (list, tuple)):
            row[name] = as_json([str(item) for item in value])
        elif value is not None:
            row[name] = round(value, 6) if isinstance(value, float) else value
    return row


def kept_against(draft: Draft, row: Remembered) -> list[str]:
    """Return what a memory that was held already kept, though the draft that met it said otherwise."""
    said = {
        "priority": None if draft.priority is None else priority_number(draft.priority),
        "expires_at": draft.expires_at,
        **draft.detail,
    }
    held = {"priority": row.priority, "expires_at": row.raw("expires_at"), **row.detail}
    kept = [name for name, value in said.items() if value is not None and value != held[name]]
    if any(" ".join(str(tag).split()) not in row.tags for tag in draft.tags):
        kept.insert(kept[:1] == ["priority"], "tags")
    return kept


def room(
    store: Store,
    kind: Kind,
    row: dict[str, Any],
    uid: str,
    now: int,
    *,
    replacing: str | None = None,
) -> list[Step]:
    """Return steps that keep a kind within its caps, or a refusal with the figures.

    `replacing` is the text that gives way; None: a memory is added.
    """
    if kind.max_rows is None and kind.max_characters is None:
        return []
    bucket = {name: row[name] for name in ("kind", "runtime", "user", "project")}
    caps = {"most_rows": kind.max_rows, "most_characters": kind.max_characters}
    count, characters = store.db.read("store.usage", bucket)[0]
    adding = replacing is None
    if kind.capacity_policy == "refuse":
        used = characters + SEPARATOR * max(count - 1, 0)
        joint = SEPARATOR if adding and count else 0
        size = used - len(replacing or "") + len(row["content"]) + joint
        if kind.max_characters is not None and size > kind.max_characters:
            raise CapacityReached(
                f"the entry has {len(row['content'])} characters and {kind.name} already holds "
                f"{used} of {kind.max_characters}: remove or shorten an entry first"
            )
        if adding and kind.max_rows is not None and count >= kind.max_rows:
            raise CapacityReached(
                f"{kind.name} already holds {count} of {kind.max_rows} memories: remove one first"
            )
        # Another process may add at the same time: the write itself checks once more.
        return [("learn.still_room", {**bucket, **caps, "separator": SEPARATOR})]
    if kind.max_rows is None or not adding or count < kind.max_rows:
        return []
    keep = {**bucket, "keep": kind.max_rows, "now": now}
    if kind.capacity_policy == "archive_weakest":
        return [("store.make_room_by_strength", {**keep, "newest": uid})]
    return [("store.make_room_by_age", keep)]
