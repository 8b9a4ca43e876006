"""A host itself, run once in a home of its own, with a stand-in for its model: does memory reach the request?

What the files of cogmem say is tried by install.py. Whether the version of a host that is installed here takes them
for what they are, only the host can tell. Its own configuration is not read, and nothing leaves this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

from cogmem.hosts.stand_in import SAID, serving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PROMPT = "Hello."
PATIENCE = 180  # seconds: some fetch what they need when they start for the first time
PASSED_ON = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT", "npm_config_registry")


class Trial(NamedTuple):
    """How a host is run once: its program, its words, and what it needs to talk to the stand-in."""

    program: str
    words: tuple[str, ...]
    environment: dict[str, str]
    files: dict[str, str]  # below its home
    calls: tuple[
        tuple[str, dict[str, str]], ...
    ] = ()  # what the stand-in asks for, where memory comes by a tool


def claude_code(url: str) -> Trial:
    return Trial(
        "claude",
        ("-p", PROMPT),
        {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        },
        {},
    )


def codex(url: str) -> Trial:
    settings = (
        'model = "none"\nmodel_provider = "check"\n\n[model_providers.check]\nname = "check"\n'
        f'base_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "CHECK_KEY"\n'
    )
    # Nobody is there to trust the hooks; `codex` asks for it once.
    words = ("exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", PROMPT)
    return Trial("codex", words, {"CHECK_KEY": "none"}, {".codex/config.toml": settings})


def gemini(url: str) -> Trial:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
    }
    environment = {
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    return Trial(
        "gemini", ("-p", PROMPT), environment, {".gemini/settings.json": json.dumps(settings)}
    )


def opencode(url: str) -> Trial:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {"m": {"limit": {"context": 200_000, "output": 4_000}}},
    }
    settings = {
        "model": "check/m",
        "small_model": "check/m",
        "autoupdate": False,
        "share": "disabled",
        "provider": {"check": provider},
    }
    environment = {
        f"OPENCODE_DISABLE_{what}": "1"
        for what in ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    }
    file = ".config/opencode/opencode.json"
    return Trial("opencode", ("run", PROMPT), environment, {file: json.dumps(settings)})


def pi(url: str) -> Trial:
    provider = {
        "baseUrl": f"{url}/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": "m"}],
    }
    settings = json.dumps({"providers": {"check": provider}})
    words = ("--provider", "check", "--model", "m", "-p", PROMPT)
    return Trial("pi", words, {"PI_OFFLINE": "1"}, {".pi/agent/models.json": settings})


def copilot(url: str) -> Trial:
    environment = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_MODEL": "m",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return Trial("copilot", ("--allow-all-tools", "-p", PROMPT), environment, {})


def qwen(url: str) -> Trial:
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
    }
    environment = {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "m",
    }
    return Trial("qwen", ("-p", PROMPT), environment, {".qwen/settings.json": json.dumps(settings)})


def cline(url: str) -> Trial:
    settings = {
        "provider": "openai-compatible",
        "apiKey": "none",
        "model": "m",
        "baseUrl": f"{url}/v1",
    }
    kept = {"settings": settings, "tokenSource": "manual", "updatedAt": "2026-01-01T00:00:00.000Z"}
    providers = {
        "version": 1,
        "lastUsedProvider": "openai-compatible",
        "modes": {},
        "providers": {"openai-compatible": kept},
    }
    file = ".cline/data/settings/providers.json"
    words = ("-P", "openai-compatible", "-m", "m", f"{PROMPT} {PROMPT}")  # one word is a command
    call = ("cogmem__recall", {"query": "what always holds"})
    return Trial("cline", words, {}, {file: json.dumps(providers)}, (call,))


def droid(url: str) -> Trial:
    model = {
        "model": "m",
        "displayName": "m",
        "baseUrl": f"{url}/v1",
        "apiKey": "none",
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 4_000,
    }
    settings = {"customModels": [model], "enableDroidShield": False}
    # It asks nobody whether the key is one, as long as the model is a person's own.
    words = ("exec", "-m", "custom:m", PROMPT)
    environment = {"FACTORY_API_KEY": "fk-none"}
    return Trial("droid", words, environment, {".factory/settings.json": json.dumps(settings)})


def openclaw(url: str) -> Trial:
    model = {"id": "m", "name": "m", "contextWindow": 200_000, "maxTokens": 4_000}
    provider = {
        "baseUrl": f"{url}/v1",
        "apiKey": "none",
        "api": "openai-completions",
        "models": [model],
    }
    settings = {
        "agents": {"defaults": {"model": {"primary": "check/m"}, "skipBootstrap": True}},
        "models": {"mode": "merge", "providers": {"check": provider}},
    }
    words = ("agent", "--local", "--agent", "main", "-m", PROMPT)
    return Trial("openclaw", words, {}, {".openclaw/openclaw.json": json.dumps(settings)})


# Cursor's program cannot be given another model.
TRIALS: dict[str, Callable[[str], Trial]] = {
    "claude-code": claude_code,
    "codex": codex,
    "gemini": gemini,
    "opencode": opencode,
    "pi": pi,
    "copilot": copilot,
    "qwen": qwen,
    "cline": cline,
    "droid": droid,
    "openclaw": openclaw,
}


def tried(host: str, wanted: str) -> tuple[str, bool | None, str]:
    """Run a host once: its program, whether what is wanted reached the request (None: it could not be tried), and
    what there is to say."""
    if host not in TRIALS:
        return host, None, "not tried: its program cannot be given a stand-in for its model"
    with (
        serving() as model,
        tempfile.TemporaryDirectory(prefix="cogmem-trial-", ignore_cleanup_errors=True) as home,
    ):
        trial = TRIALS[host](model.url)
        model.calls += trial.calls
        program = shutil.which(trial.program)
        if program is None:
            return trial.program, None, "not tried: it is not on the PATH"
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment = {**passed, "HOME": home, "TERM": "dumb", **trial.environment}
        for name, text in trial.files.items():
            file = os.path.join(home, *name.split("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8") as opened:
                opened.write(text)
        project = os.path.join(home, "project")
        os.mkdir(project)
        memory = os.path.join(home, "memory.db")
        own = [sys.executable, "-P", "-m", "cogmem", "--db", memory]
        steps = [
            [*own, "learn", wanted, "--kind", "policy"],
            [*own, "install", host, "--no-resident", "--yes"],
            [program, *trial.words],
        ]
        said = ""
        for words in steps:
            is_done, said = _run(words, {**environment, "PWD": project}, project)
            if not is_done:
                return trial.program, False, said
        if any(wanted in json.dumps(one, ensure_ascii=False) for one in model.asked):
            return trial.program, True, "memory reached the request of a session"
        told = "it asked the model without what is in memory" if model.asked else said
        return trial.program, False, told or "it asked the model nothing"


def _run(words: list[str], environment: dict[str, str], folder: str) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            words,
            env=environment,
            cwd=folder,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, f"it cannot be run: {error}"
    said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
    return not done.returncode or SAID in said, said[-300:]
