"""Which model answers: what the environment names, else what `cogmem model use` kept for this file.

    COGMEM_MODEL=ollama:llama3.2          provider:model, or off
    COGMEM_MODEL=host:claude              an agent that is installed here, asked as a program
    COGMEM_MODEL_URL, COGMEM_MODEL_KEY_ENV, COGMEM_MODEL_TIMEOUT    where they differ from the usual
    COGMEM_MODEL_RECORD=answers.jsonl     keep the answers; COGMEM_MODEL=recorded:answers.jsonl replays them

The choice belongs to a person and a machine, so it is kept beside them and never in the memory: a file
that came from elsewhere could otherwise send what is asked, and a key, wherever it likes. For the
same reason it is kept per file: no other memory spends anything. A key itself is kept nowhere; the
name of the environment variable that holds it is.
"""

from __future__ import annotations

import json
import os

from cogmem.errors import CogmemError, InvalidInput
from cogmem.file.places import settings_folder
from cogmem.file.private import write_private
from cogmem.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cogmem.ports import Model

PROVIDERS = ("host", "ollama", "openai", "anthropic", "recorded")
LONGEST_WAIT = 240  # seconds; a task of two calls is lent to a worker for ten minutes
_USUAL = {  # provider → address, variable of the key
    "host": ("", ""),
    "ollama": ("http://localhost:11434/v1", ""),
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com", "ANTHROPIC_API_KEY"),
    "recorded": ("", ""),
}


class Choice(Record):
    """One model, and how it is reached."""

    provider: str
    model: str
    url: str
    key_env: str
    timeout: float | None

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        url: str = "",
        key_env: str | None = None,
        timeout: float | None = None,
    ) -> None:
        if provider not in PROVIDERS:
            raise InvalidInput(
                f"provider {provider!r} is not known: use {', '.join(PROVIDERS)}; whatever speaks "
                "OpenAI's protocol is `openai` with an address of its own"
            )
        if not isinstance(model, str) or not model.strip():
            raise InvalidInput(f"{provider} needs the name of a model")
        if timeout is not None and not 1 <= timeout <= LONGEST_WAIT:
            raise InvalidInput(f"a call may take 1 to {LONGEST_WAIT} seconds, not {timeout:g}")
        usual_url, usual_key = _USUAL[provider]
        # An address of one's own gets no key unless one is named: the usual one is not its owner's.
        key = (usual_key if not url else "") if key_env is None else key_env
        if not key.replace("_", "").isalnum() and key:
            raise InvalidInput(
                "name the environment variable that holds the key, such as OPENAI_API_KEY; "
                "the key itself is stored nowhere"
            )
        super().__init__(provider, model.strip(), url or usual_url, key, timeout)

    def made(self) -> Model:
        """Return the model itself. Nothing is asked yet."""
        if self.provider == "recorded":
            from cogmem.models.recorded import Recorded

            return Recorded(self.model)
        if self.provider == "host":
            from cogmem.models.program import ProgramModel

            return ProgramModel(self.model, timeout=self.timeout)
        from cogmem.models import anthropic, openai

        kind = anthropic.AnthropicModel if self.provider == "anthropic" else openai.OpenAIModel
        return kind(self.model, url=self.url, key_env=self.key_env, timeout=self.timeout)


def configured(path: str | os.PathLike[str]) -> Model | None:
    """Return the model of a memory file, or None: cogmem.open(path, model=configured(path))."""
    choice, _ = chosen(path)
    if choice is None:
        return None
    record = os.environ.get("COGMEM_MODEL_RECORD", "")
    if not record:
        return choice.made()
    from cogmem.models.recorded import Recording

    return Recording(choice.made(), record)


def usable(path: str | os.PathLike[str] | None) -> tuple[Model | None, str]:
    """Return the model for a program that must go on without, and what is wrong with the choice; what this
    process's environment says is an error."""
    from cogmem.file.places import default_path

    try:
        return configured(path or default_path()), ""
    except CogmemError as error:
        if os.environ.get("COGMEM_MODEL", "").strip():
            raise
        return None, f"no model is asked: {error}"


def chosen(path: str | os.PathLike[str]) -> tuple[Choice | None, str]:
    """Return the choice for a memory file, and where it stands: environment, the file of choices, or ''."""
    named = os.environ.get("COGMEM_MODEL", "").strip()
    if named:
        return (None if named == "off" else _from_environment(named)), "environment"
    entry = _kept().get(_key(path))
    if entry is None:
        return None, ""
    try:
        url, key_env = (str(entry.get(name, "")) for name in ("url", "key_env"))
        choice = Choice(
            entry["provider"],
            entry["model"],
            url=url,
            key_env=key_env,
            timeout=entry.get("timeout"),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise _broken() from error
    return choice, choices_path()


def _from_environment(named: str) -> Choice:
    provider, colon, model = named.partition(":")
    if not colon:
        raise InvalidInput(
            "COGMEM_MODEL names a provider and a model, such as ollama:llama3.2; or it is off"
        )
    given = os.environ.get("COGMEM_MODEL_TIMEOUT", "")
    try:
        timeout = float(given) if given else None
    except ValueError:
        raise InvalidInput("COGMEM_MODEL_TIMEOUT is a number of seconds") from None
    url, key_env = os.environ.get("COGMEM_MODEL_URL", ""), os.environ.get("COGMEM_MODEL_KEY_ENV")
    return Choice(provider, model, url=url, key_env=key_env, timeout=timeout)


def choices_path() -> str:
    """Return where choices are kept: COGMEM_CONFIG, else the platform's folder for settings."""
    return os.path.join(os.environ.get("COGMEM_CONFIG") or settings_folder(), "models.json")


def keep(path: str | os.PathLike[str], choice: Choice | None) -> bool:
    """Keep the choice for a memory file, or let it go (None). Says whether there was one before."""
    kept = _kept()
    before = kept.pop(_key(path), None)
    if choice is not None:
        kept[_key(path)] = {name: value for name, value in choice.as_dict().items() if value}
    if choice is not None or before is not None:
        text = json.dumps({"files": kept}, indent=2, sort_keys=True)
        write_private(choices_path(), f"{text}\n")
    return before is not None


def _key(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    return name if "://" in name or name == ":memory:" else os.path.realpath(name)


def _kept() -> dict[str, Any]:
    """Return the choices that are kept, by file."""
    try:
        with open(choices_path(), encoding="utf-8") as file:
            return {**json.load(file)["files"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _broken() from error


def _broken() -> InvalidInput:
    return InvalidInput(f"{choices_path()} cannot be understood: repair it or remove it")
