"""How much of the prompt a text costs: token counters, and cutting text to a budget.

`O200k` is exact, but its table takes half a second to load; for a few short texts `excerpt` takes less. `Upper`
needs no tokenizer and is never below it. `Simple`, `Typed` and `Cjk` are the estimates of the systems that cogmem
unites. Under o200k a line that starts with "- " or "## " and whose only newline ends it costs the same alone as
among others, so the cost of a block is a sum of stored numbers. Hooks import this module every turn: tiktoken,
hashlib and json are loaded when they are used.
"""

from __future__ import annotations

import os
import unicodedata
from _thread import allocate_lock
from itertools import pairwise

from cogmem.errors import CogmemError, UnknownName
from cogmem.tokens.bounds import Upper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    import tiktoken

    from cogmem.tokens.excerpt import Excerpts

    Message = Mapping[str, Any]

    class TokenCounter(Protocol):
        """Anything with a name that can say how many tokens a text has."""

        @property
        def name(self) -> str: ...

        def count(self, text: str) -> int: ...


class TokenizerUnavailable(CogmemError):
    """The table of a tokenizer is not on this machine, and cogmem never downloads one."""


def counter_named(name: str) -> TokenCounter:
    """Return the counter that a setting names: o200k, upper, simple, typed, cjk or tiktoken:ENCODING,
    tiktoken:MODEL."""
    if name in _NAMED:
        return _NAMED[name]
    kind, _, what = name.partition(":")
    if kind == "tiktoken" and what:
        return Tiktoken(what) if what in _TABLES or what in _SAME_AS else Tiktoken.for_model(what)
    raise UnknownName(f"no token counter is called {name!r}; use one of {', '.join(_NAMED)}")


_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")


# --- estimates ----------------------------------------------------------------------------------


class Simple:
    """Four characters to a token, rounded up."""

    name = "simple"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


class Cjk:
    """Four ASCII characters to a token, three other characters to two."""

    name = "cjk"

    def count(self, text: str) -> int:
        narrow = len(text.encode("ascii", "ignore"))
        return narrow // 4 + ((len(text) - narrow) * 2 + 2) // 3


class Typed:
    """An estimate by what the text looks like: JSON, code, prose full of names, or prose."""

    name = "typed"

    def count(self, text: str) -> int:
        stripped = text.strip()
        if (stripped[:1], stripped[-1:]) in (("{", "}"), ("[", "]")):
            return int(len(text) / 3.0)
        lines = [line for line in map(str.strip, text.splitlines()) if line]
        if sum(map(_looks_like_code, lines)) > 0.3 * len(lines):
            return int(len(text) / 3.2)
        words = text.split()
        if sum(map(_looks_like_a_name, words)) > 0.2 * len(words):
            return int((len(words) * 1.3 + len(text) / 3.5) / 2)
        return (3 * int(len(words) * 1.3) + len(text) // 4) // 4


# fmt: off
_CODE_STARTS = (
    "def ", "class ", "func ", "fn ", "function ", "import ", "from ", "return ", "const ", "let ",
    "var ", "public ", "private ", "struct ", "package ", "type ", "interface ", "for ", "while ",
    "if ", "elif ", "else", "switch ", "case ", "#include", "//", "@", "try:", "except", "raise ",
    "async ", "await ", "print(", "use ", "pub ", "impl ",
)
# fmt: on


def _looks_like_code(line: str) -> bool:
    if line.endswith(("{", "}", ";", "):", "(", "=>", "->")):
        return True
    if any(sign in line for sign in (" = ", ":=", "==", "();")):
        return True
    # "for", "if" and "from" start sentences as well, but a sentence ends like one.
    return line.startswith(_CODE_STARTS) and not line.endswith((".", "!", "?", ","))


def _looks_like_a_name(word: str) -> bool:
    return "_" in word or any(a.islower() and b.isupper() for a, b in pairwise(word))


# --- exact counters -----------------------------------------------------------------------------

# Encoding: the name of its table in tiktoken's cache folder, and the SHA-256 tiktoken checks.
_TABLES = {
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}
# These differ from their base in special tokens only, which counting takes as plain text.
_SAME_AS = {"o200k_harmony": "o200k_base"}

_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K_PIECES = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SHORT}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SHORT}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_O200K_SPECIAL = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}

_LONGEST = 200_000

_encodings: dict[str, tiktoken.Encoding] = {}
_excerpts: list[Excerpts] = []
_loading = allocate_lock()


class O200k:
    """Exact for o200k_base, from the table that ships with cogmem; loaded at the first count."""

    name = "o200k"

    def count(self, text: str) -> int:
        if not text:
            return 0
        return _exact_count(
            _encodings.get("o200k_base") or _excerpt(text) or _load("o200k_base"), text
        )


class Tiktoken:
    """Exact for any encoding of tiktoken whose table is already on this machine."""

    def __init__(self, encoding: str) -> None:
        self.name = f"tiktoken:{encoding}"
        self._encoding = _load(_SAME_AS.get(encoding, encoding))

    @classmethod
    def for_model(cls, model: str) -> Tiktoken:
        """Return the encoding that tiktoken lists for the model, or cl100k_base for an unknown model."""
        _import_tiktoken()
        from tiktoken.model import encoding_name_for_model

        try:
            encoding = encoding_name_for_model(model)
        except KeyError:
            encoding = "cl100k_base"
        return cls(encoding)

    def count(self, text: str) -> int:
        return _exact_count(self._encoding, text)


def _exact_count(encoding: tiktoken.Encoding, text: str) -> int:
    """Count a long text in parts, as tiktoken panics at a million blanks in a row. Before a space between a sign or
    letter and a word every encoding begins a new piece; only a run without such a place then counts a little
    more."""
    total = start = 0
    while len(text) - start > _LONGEST:
        end = start + _LONGEST
        for at in range(end, end - 10_000, -1):
            if text[at] == " " and text[at + 1].isalpha() and not text[at - 1].isspace():
                end = at
                break
        total += len(encoding.encode_ordinary(text[start:end]))
        start = end
    return total + len(encoding.encode_ordinary(text[start:]))


def _import_tiktoken() -> None:
    try:
        import tiktoken  # noqa: F401
    except ImportError as error:
        raise TokenizerUnavailable(
            "tiktoken cannot be imported; install it, or count with 'upper'"
        ) from error


def _load(name: str) -> tiktoken.Encoding:
    with _loading:
        if name not in _encodings:
            _encodings[name] = _build(name)
        return _encodings[name]


def _excerpt(text: str) -> tiktoken.Encoding | None:
    """Return what counts this text, for as long as a process counts little."""
    if len(text) > _LONGEST:
        return None
    with _loading:
        if not _excerpts:
            _import_tiktoken()
            from tiktoken.registry import ENCODINGS

            if "o200k_base" in ENCODINGS:
                return None
            from cogmem.tokens.excerpt import Excerpts

            table = _cached_table("o200k_base") or _shipped_table()
            _excerpts.append(Excerpts(table, _O200K_PIECES))
        return _excerpts[0].encoding(text)


def let_go() -> None:
    """Give back the table that a few texts were counted with; whoever counts next reads it again."""
    with _loading:
        _excerpts.clear()


def _build(name: str) -> tiktoken.Encoding:
    _import_tiktoken()
    import tiktoken
    from tiktoken.registry import ENCODINGS

    if name in ENCODINGS:  # the host has loaded it
        return ENCODINGS[name]
    if name not in _TABLES:
        raise UnknownName(
            f"no encoding {name!r} can be loaded offline; use one of "
            f"{', '.join([*_TABLES, *_SAME_AS])}"
        )
    if name == "o200k_base" and _excerpts:
        table: bytes | None = _excerpts.pop().table
    else:
        table = _cached_table(name)
    if name != "o200k_base":
        if table is None:
            raise TokenizerUnavailable(
                f"the table of {name} is not in tiktoken's cache, and cogmem never downloads; set "
                f"TIKTOKEN_CACHE_DIR to a folder and call tiktoken.get_encoding({name!r}) once "
                "where there is a network, or count with 'o200k'"
            )
        return tiktoken.get_encoding(name)  # finds the copy just verified
    return tiktoken.Encoding(
        name,
        pat_str=_O200K_PIECES,
        mergeable_ranks=_ranks(table or _shipped_table()),
        special_tokens=_O200K_SPECIAL,
    )


def _cached_table(name: str) -> bytes | None:
    """Return the table from the folder where tiktoken would look, if it is there and sound."""
    import tempfile

    default = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))
    if not folder:
        return None
    try:
        with open(os.path.join(folder, _TABLES[name][0]), "rb") as file:
            table = file.read()
    except OSError:
        return None
    return table if _is_sound(table, name) else None


def _shipped_table() -> bytes:
    path = os.path.join(_DATA, "o200k_base.tiktoken.xz")
    try:
        import lzma
    except ImportError as error:
        raise TokenizerUnavailable(
            "this Python was built without lzma; set TIKTOKEN_CACHE_DIR to a folder that holds the "
            "table of o200k_base, or count with 'upper'"
        ) from error
    try:
        with lzma.open(path) as file:
            table = file.read()
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise TokenizerUnavailable(
            f"cannot read {path} ({error}); install cogmem again, or count with 'upper'"
        ) from error
    if not _is_sound(table, "o200k_base"):
        raise TokenizerUnavailable(
            f"{path} is damaged; install cogmem again, or count with 'upper'"
        )
    return table


def _is_sound(table: bytes, name: str) -> bool:
    import hashlib

    return hashlib.sha256(table).hexdigest() == _TABLES[name][1]


def _ranks(table: bytes) -> dict[bytes, int]:
    from binascii import a2b_base64

    fields = table.split()
    return dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))


# --- messages: {"role", "parts": [{"type": "text" | "tool_call" | "tool_result", ...}]} ----------


def message_tokens(message: Message, counter: TokenCounter) -> int:
    """Return all that a provider is sent, for a counter that is exact: 4 + role + the parts' content."""
    total = 4 + counter.count(message["role"])
    for part in _parts(message):
        if part["type"] == "text":
            total += counter.count(part["text"])
        elif part["type"] == "tool_call":
            total += counter.count(part["name"]) + counter.count(_as_text(part.get("arguments")))
        elif part["type"] == "tool_result":
            total += counter.count(_as_text(part.get("content")))
    return total


def text_message_tokens(message: Message, counter: TokenCounter) -> int:
    """4 + the text parts alone, as the `cjk` estimate counts messages."""
    texts = (part["text"] for part in _parts(message) if part["type"] == "text")
    return 4 + sum(map(counter.count, texts))


def estimate_message(message: Message, counter: TokenCounter) -> int:
    """Return what the `typed` estimate gives: 4 + text; of a call or result 10 + its name, keys and strings, 10 for
    other values."""
    total = 4
    for part in _parts(message):
        if part["type"] == "text":
            total += counter.count(part["text"])
            continue
        total += 10 + counter.count(part.get("name") or "")
        payload = part.get("arguments") if part["type"] == "tool_call" else part.get("content")
        if isinstance(payload, str):
            total += counter.count(payload)
        elif isinstance(payload, dict):
            for key, value in payload.items():
                total += counter.count(key)
                total += counter.count(value) if isinstance(value, str) else 10
        elif payload is not None:
            total += 10
    return total


def _parts(message: Message) -> Sequence[Mapping[str, Any]]:
    parts: Sequence[Mapping[str, Any]] = message.get("parts") or ()
    return parts


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


class TokenUsage:
    """How full a context is. A maximum of zero or less means that the limit is unknown.

    percent_used is a share: 0.8 is 80 %. Both limits count as reached when they are met exactly.
    """

    def __init__(
        self,
        input_tokens: int,
        max_tokens: int,
        warning_threshold: float = 0.8,
        is_estimate: bool = False,
    ) -> None:
        known = max_tokens > 0
        self.input_tokens = input_tokens
        self.max_tokens = max_tokens
        self.percent_used = input_tokens / max_tokens if known else 0.0
        self.near_limit = known and self.percent_used >= warning_threshold
        self.exceeds_limit = known and input_tokens >= max_tokens
        self.is_estimate = is_estimate


# --- cuts ----------------------------------------------------------------------------------------


ELLIPSIS = "…"


def cut_words(text: str, max_tokens: int, counter: TokenCounter) -> str:
    """Return the text if it fits, else the longest run of its first words that fits with an ellipsis.

    Between Chinese and Japanese characters, which write no spaces, a cut is allowed anywhere. What
    a reader sees as one character is never split. Nothing fits: the empty string.
    """
    if counter.count(text) <= max_tokens:
        return text
    cuts = [at for at in range(1, len(text)) if _may_cut(text[at - 1], text[at])]
    fits, beyond = 0, len(cuts) + 1  # the first `fits` cuts are good
    while beyond - fits > 1:
        middle = (fits + beyond) // 2
        if counter.count(text[: cuts[middle - 1]] + ELLIPSIS) <= max_tokens:
            fits = middle
        else:
            beyond = middle
    return text[: cuts[fits - 1]] + ELLIPSIS if fits else ""


# Letters that Unicode joins to the character after them although they are not format characters.
_JOINS_NEXT = "\u0d4e\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a\U00011d46\U00011f02"


def _may_cut(before: str, after: str) -> bool:
    if before.isspace() or before in _JOINS_NEXT or unicodedata.category(before) == "Cf":
        return False
    if after.isspace():
        return True
    if not (_is_unspaced(before) or _is_unspaced(after)):
        return False
    # Marks, joiners, variation selectors and skin tones belong to the character before them.
    return unicodedata.category(after) not in ("Mn", "Mc", "Me", "Cf", "Sk") and (
        after not in "\uff9e\uff9f"
    )


def _is_unspaced(char: str) -> bool:
    """Tell whether it is of a script written without spaces: Han, kana, bopomofo, and their signs."""
    return (
        "\u3001" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\ufe30" <= char <= "\ufe4f"
        or "\uff01" <= char <= "\uffef"
        or "\U00020000" <= char <= "\U0003ffff"
    )


_NAMED: dict[str, TokenCounter] = {
    counter.name: counter for counter in (O200k(), Upper(), Simple(), Typed(), Cjk())
}
