"""Models over real HTTP on loopback: both protocols, and everything that a provider can do wrong.

Modules: anthropic, openai, provider.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from asked_models import NOTE, NOTED, SESSION, allow, use_everything
from conftest import DAY, NOW
from hypothesis import given
from hypothesis import strategies as st
from model_server import (
    body,
    by_words,
    cut,
    cut_without_length,
    deep,
    drip,
    flood,
    hang_up,
    provider,
    reset,
    say,
    stall,
    status,
    wait_then,
    without_proxies,
)

from cogmem.errors import InvalidInput, ModelCancelled, ModelFailed, ModelTimeout
from cogmem.models import http as model_http
from cogmem.models import provider as model_provider
from cogmem.models.anthropic import AnthropicModel
from cogmem.models.openai import OpenAIModel
from cogmem.models.provider import Question
from cogmem.ports import Reply

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from model_server import Act, Provider

    import cogmem

KEY = "test-key-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same back-off, in hundredths; and a key to send."""
    monkeypatch.setattr(model_http, "BACK_OFF", 0.01)
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)
    without_proxies(monkeypatch)


@pytest.fixture(params=["openai", "anthropic"])
def made(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A model of either maker at a provider."""

    def model(there: Provider, **options: Any) -> Any:
        if request.param == "openai":
            return OpenAIModel("some-model", url=there.openai, **{"key_env": "", **options})
        return AnthropicModel("some-model", url=there.root, **{"key_env": "", **options})

    return model


# -- what is sent and what comes back ----------------------------------------------------------------


def test_an_answer_is_text_that_knows_its_cost(made: Callable[..., Any]) -> None:
    with provider(say("Grüße 🌍"), key=KEY) as there:
        said = made(there, key_env="TEST_MODEL_KEY").complete("Hello?", system="Be kind.")
    assert (said, said.tokens_in, said.tokens_out) == ("Grüße 🌍", 21, 4)
    assert said.model in ("gpt-there", "claude-there")
    [sent] = there.requests
    assert sent["model"] == "some-model"
    assert sent["messages"][-1] == {"role": "user", "content": "Hello?"}
    assert "Be kind." in (sent.get("system"), sent["messages"][0]["content"])


def test_a_schema_is_asked_for_in_the_way_of_the_protocol(made: Callable[..., Any]) -> None:
    with provider(say('{"word": "ready"}')) as there:
        said = made(there).complete("One word.", schema=SCHEMA)
    assert json.loads(said) == {"word": "ready"}
    [sent] = there.requests
    if "output_config" in sent:
        assert sent["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    else:
        assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
        assert sent["response_format"]["json_schema"]["strict"] is True


def test_short_answers_leave_room_for_models_that_think_first(made: Callable[..., Any]) -> None:
    with provider(say("same")) as there:
        made(there).complete("?", max_tokens=8)
        made(there).complete("?", max_tokens=5000)
    assert [sent["max_tokens"] for sent in there.requests] == [1024, 5000]


def test_what_an_endpoint_refuses_by_name_is_asked_for_in_another_way() -> None:
    refused: list[str] = []

    def picky(it: Any) -> None:
        for name in ("max_tokens", "temperature", "response_format"):
            if name in it.sent:
                refused.append(name)
                words = f"Unsupported parameter: '{name}' is not supported with this model."
                it.answer(400, {"error": {"message": words, "code": "unsupported_parameter"}})
                return
        it.answer(200, it.completion('{"word": "ready"}'))

    with provider(picky) as there:
        model = OpenAIModel("o9", url=there.openai, key_env="")
        for _ in range(2):
            assert (
                model.complete("?", schema=SCHEMA, max_tokens=9, system="S") == '{"word": "ready"}'
            )
    assert refused == ["max_tokens", "temperature", "response_format"]  # and remembered
    last = there.requests[-1]
    assert last["max_completion_tokens"] == 1024
    assert [one["content"] for one in last["messages"]] == ["S", "?"]


def test_an_older_gateway_of_anthropic_is_asked_in_the_older_way() -> None:
    def older(it: Any) -> None:
        if it.headers["anthropic-version"] != "2023-06-01":
            it.answer(400, {"error": {"message": "anthropic-version: unknown", "type": "x"}})
        elif "output_config" in it.sent:
            it.answer(400, {"error": {"message": "output_config: Extra inputs are not permitted"}})
        else:
            it.answer(200, it.completion('{"word": "ready"}'))

    with provider(older) as there:
        model = AnthropicModel("m", url=there.openai, key_env="")  # with or without /v1
        for _ in range(2):
            assert model.complete("?", schema=SCHEMA) == '{"word": "ready"}'
    assert len(there.requests) == 4
    assert "system" not in there.requests[-1]


def test_openai_itself_is_asked_as_its_newest_models_want_it() -> None:
    sent = OpenAIModel("gpt-x", key_env="TEST_MODEL_KEY")._body(
        Question("p", "", None, 9, 30.0, None)
    )
    assert sent == {
        "model": "gpt-x",
        "messages": [{"role": "user", "content": "p"}],
        "max_completion_tokens": 1024,
    }


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("<think>merge? no</think>\nadd", "add"),
        ("  <think>never ends: merge", ""),
        ("a <think> in the middle", "a <think> in the middle"),
    ],
)
def test_thoughts_before_the_answer_are_no_part_of_it(answer: str, said: str) -> None:
    with provider(say(answer)) as there:
        assert OpenAIModel("m", url=there.openai, key_env="").complete("?") == said


def test_an_answer_in_parts_is_one_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "other"}, {"type": "text", "text": "b"}]
    answer = {"choices": [{"message": {"content": parts}}]}
    with provider(body(json.dumps(answer).encode())) as there:
        said = OpenAIModel("m", url=there.openai, key_env="").complete("?")
    assert (said, said.tokens_in) == ("ab", 0)


# -- faults ------------------------------------------------------------------------------------------

FAULTS: dict[str, Act] = {
    "hangs up": hang_up,
    "resets": reset,
    "cuts the answer": cut,
    "cuts it without a length": cut_without_length,
    "no JSON": body(b"<html>502 Bad Gateway</html>"),
    "empty": body(b""),
    "null": body(b"null"),
    "an array": body(b"[]"),
    "no choices": body(b'{"choices": [], "content": null}'),
    "strange types": body(b'{"choices": [7], "content": 7, "usage": []}'),
    "no text": body(b'{"choices": [{"message": {"content": 7}}], "content": {}}'),
    "truncated JSON": body(b'{"choices": [{"message": {"content": "Sure'),
    "not UTF-8": body(b'{"choices": "\xff\xfe"}'),
    "ten megabytes": flood,
    "bottomless": deep,
    "400": status(400),
    "401": status(401),
    "404": status(404),
    "429": status(429),
    "500": status(500),
    "529": status(529),
    "a redirect": status(307, {"location": "http://127.0.0.1:9/elsewhere"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_one_clear_error(made: Callable[..., Any], fault: str) -> None:
    with provider(FAULTS[fault]) as there, pytest.raises(ModelFailed) as caught:
        made(there).complete("the secret words of a memory", timeout=5)
    message = str(caught.value)
    assert "secret words" not in message
    assert len(message) < 200


@pytest.mark.parametrize("fault", [stall, drip, wait_then(0.2, stall)])
def test_a_call_ends_in_time_however_slowly_the_provider_speaks(
    made: Callable[..., Any], fault: Act
) -> None:
    started = time.perf_counter()
    with provider(fault) as there, pytest.raises(ModelTimeout) as caught:
        made(there).complete("?", timeout=0.4)
    assert time.perf_counter() - started < 3  # not the seconds that the provider takes
    assert isinstance(caught.value, TimeoutError)
    assert len(there.requests) == 1  # it may have been charged: it is not sent again


@pytest.mark.parametrize("fault", [stall, drip, status(429, {"retry-after": "20"})])
def test_whoever_asks_may_change_their_mind(made: Callable[..., Any], fault: Act) -> None:
    enough = threading.Event()
    threading.Timer(0.2, enough.set).start()
    started = time.perf_counter()
    with provider(fault) as there, pytest.raises(ModelCancelled):
        made(there).complete("?", timeout=25, cancelled=enough.is_set)
    assert time.perf_counter() - started < 5


def test_a_provider_that_is_busy_is_asked_again_after_the_time_it_names(
    made: Callable[..., Any],
) -> None:
    busy = (status(429, {"retry-after": "0.3"}), status(503), status(529))
    started = time.perf_counter()
    with provider(*busy, say("at last")) as there:
        assert made(there).complete("?") == "at last"
    assert len(there.requests) == 4
    assert time.perf_counter() - started >= 0.3


def test_attempts_are_bounded(made: Callable[..., Any]) -> None:
    with provider(status(500)) as there, pytest.raises(ModelFailed):
        made(there).complete("?")
    assert len(there.requests) == model_http.ATTEMPTS


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"retry-after": "3600"}, 3600),
        ({"retry-after-ms": "90000"}, 90),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "soon"}, 0),
        ({"retry-after": "-5"}, 0),
        ({"retry-after": "nan"}, 0),
    ],
)
def test_a_long_wait_is_left_to_the_task(header: dict[str, str], seconds: float) -> None:
    with provider(status(429, header)) as there, pytest.raises(ModelFailed) as caught:
        OpenAIModel("m", url=there.openai, key_env="").complete("?", timeout=2)
    assert caught.value.retry_after == seconds
    assert len(there.requests) == (1 if seconds else model_http.ATTEMPTS)


@pytest.mark.parametrize("fault", ["hangs up", "cuts the answer", "no JSON", "400", "401"])
def test_what_may_have_been_charged_or_will_not_pass_is_sent_once(
    made: Callable[..., Any], fault: str
) -> None:
    with provider(FAULTS[fault]) as there, pytest.raises(ModelFailed):
        made(there).complete("?")
    assert len(there.requests) == 1


def test_an_answer_without_text_tells_what_it_cost_all_the_same() -> None:
    usage = {"prompt_tokens": 50, "completion_tokens": 1024}
    choice = {"message": {"content": ""}, "finish_reason": "length"}
    answer = json.dumps({"choices": [choice], "usage": usage}).encode()
    with provider(body(answer)) as there, pytest.raises(ModelFailed, match="used up") as caught:
        OpenAIModel("m", url=there.openai, key_env="").complete("?")
    assert (caught.value.tokens_in, caught.value.tokens_out) == (50, 1024)


def test_nobody_listening_is_said_soon_and_then_left_alone(
    memory: cogmem.Memory, made: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(memory)
    with provider(say("x")) as there:
        memory.model = made(there)
    capped = memory.models.capped("test")
    assert capped
    started = time.perf_counter()
    for words in ("cannot be reached", "did not answer just now", "did not answer just now"):
        with pytest.raises(ModelFailed, match=words):
            capped.complete("?")
    assert time.perf_counter() - started < 3
    assert memory.db.ask("select count(*) from model_call") == [(1,)]
    later = time.monotonic() + model_provider.REST + 1
    monkeypatch.setattr(model_provider.time, "monotonic", lambda: later)
    assert not memory.model.is_resting


@pytest.mark.parametrize("fault", ["hangs up", "no JSON", "400", "ten megabytes"])
def test_a_fault_of_one_answer_does_not_silence_the_next(
    made: Callable[..., Any], fault: str
) -> None:
    with provider(FAULTS[fault], say("again")) as there:
        model = made(there)
        with pytest.raises(ModelFailed):
            model.complete("?")
        assert not model.is_resting
        assert model.complete("?") == "again"


NAMES = (
    "choices",
    "message",
    "content",
    "text",
    "type",
    "usage",
    "model",
    "finish_reason",
    "refusal",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(NAMES), JSON))
def test_whatever_json_comes_back_it_is_text_or_a_failure(found: dict[str, Any]) -> None:
    shaped = {**found, "choices": [{"message": found, "finish_reason": found.get("type")}]}
    for read in (OpenAIModel("m", key_env="")._reply, AnthropicModel("m", key_env="")._reply):
        for answer in (found, shaped):
            with suppress(ModelFailed):
                said = read(answer)
                assert isinstance(said, Reply)
                assert said.tokens_in >= 0 <= said.tokens_out


@given(
    st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d{1,9} [A-Z][a-z]{2} -?\d{1,9} \d\d:\d\d:\d\d .*")
)
def test_whatever_a_header_says_of_waiting_it_is_a_time_or_nothing(said: str) -> None:
    seconds = model_http._retry_after({"retry-after": said})
    assert seconds is None or 0 <= seconds < 1e7


# -- keys --------------------------------------------------------------------------------------------


def test_a_key_is_sent_and_never_told(made: Callable[..., Any]) -> None:
    with provider(say("yes"), key="another-key") as there, pytest.raises(ModelFailed) as caught:
        made(there, key_env="TEST_MODEL_KEY").complete("?")
    assert "401 (authentication_error)" in str(caught.value)
    assert KEY not in str(caught.value)  # the provider's own words hold it


@pytest.mark.parametrize("value", ["", "two words", "line\r\nHost: evil", "schlüssel"])
def test_what_is_no_key_is_not_sent(
    made: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("TEST_MODEL_KEY", value)
    with provider(say("yes")) as there, pytest.raises(ModelFailed) as caught:
        made(there, key_env="TEST_MODEL_KEY").complete("?")
    assert there.requests == []
    assert not value or value not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example",
        "api.example.com",
        "http://",
        "https://me:pw@a.example",
        "https://a.example?k=1",
        "https://a.example:999999",
        "",
        "http://[bad",
        "https://a.example/v1\nx",
        "https://a.example:0",
    ],
)
def test_an_address_must_be_plain(url: str) -> None:
    with pytest.raises(InvalidInput):
        OpenAIModel("m", url=url, key_env="")


def test_a_key_never_goes_over_plain_http_to_another_machine() -> None:
    with pytest.raises(InvalidInput, match="plain HTTP"):
        OpenAIModel("m", url="http://models.example/v1", key_env="TEST_MODEL_KEY")
    for host in ("127.evil.example", "localhost.evil.example", "10.0.0.7", "0x7f.1"):
        with pytest.raises(InvalidInput, match="plain HTTP"):
            OpenAIModel("m", url=f"http://{host}:80/v1", key_env="TEST_MODEL_KEY")
    for url in (
        "http://localhost:1/v1",
        "http://127.0.0.1:1",
        "http://[::1]:9",
        "https://a.example",
    ):
        OpenAIModel("m", url=url, key_env="TEST_MODEL_KEY")
    OpenAIModel("m", url="http://models.example/v1", key_env="")


def test_the_proxy_of_the_environment_is_used_but_not_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with provider(say("direct")) as there, provider(say("through")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.root)
        assert OpenAIModel("m", url=there.openai, key_env="").complete("?") == "direct"
        with pytest.raises(ModelFailed, match="404"):  # the stand-in knows no whole addresses
            OpenAIModel("m", url="http://models.example/v1", key_env="").complete("?")
    assert proxy.requests[0]["path"] == "http://models.example/v1/chat/completions"
    assert proxy.requests[0]["headers"]["host"] == "models.example"


# -- the whole way -----------------------------------------------------------------------------------

TASKS = "select purpose, state, error from task"
WORDS = {
    "Two notes of one memory": "merge",
    "Write one short note": "User likes Go and Python",
    "These notes are one collection": '["Mara drinks tea and rides a bicycle"]',
    "You read the transcript": NOTED,
    "numbers of the sessions": "1, 0",
    "Summarise this part": "The login was fixed.\n[Expand for details about: login]",
}


def test_o28_every_path_uses_the_model_over_either_protocol(
    memory: cogmem.Memory, made: Callable[..., Any]
) -> None:
    allow(memory)
    with provider(by_words(WORDS)) as there:
        memory.model = made(there)
        found = use_everything(memory)
    assert found["facts"] == ["User likes Go and Python"]
    assert found["entries"] == ["Mara drinks tea and rides a bicycle"]
    assert found["noted"] == [NOTE]
    assert found["ranked"] == ["one"]  # the other said the same
    assert found["leaves"] == ["The login was fixed."]
    assert memory.db.ask(TASKS) == [("notes", "done", "")]
    purposes = [purpose for purpose, _ in found["calls"]]
    assert purposes.count("notes") == 1
    assert set(purposes) == {"judge", "consolidate", "notes", "rank", "summarise"}
    assert {outcome for _, outcome in found["calls"]} == {"ok"}
    [[tokens_in, tokens_out]] = memory.db.ask(
        "select sum(tokens_in), sum(tokens_out) from model_call"
    )
    assert (tokens_in, tokens_out) == (21 * len(purposes), 4 * len(purposes))


BROKEN = {
    name: FAULTS[name]
    for name in (
        "hangs up",
        "cuts the answer",
        "strange types",
        "truncated JSON",
        "ten megabytes",
        "bottomless",
        "400",
        "500",
        "a redirect",
    )
}


@pytest.mark.alike
@pytest.mark.parametrize("driver", ["apsw"], indirect=True)
@pytest.mark.parametrize("fault", [*BROKEN, "stalls"])
def test_o28_no_fault_of_a_model_loses_a_fact_or_stops_anything(
    memory: cogmem.Memory, fault: str
) -> None:
    allow(memory)
    with provider(stall if fault == "stalls" else BROKEN[fault]) as there:
        seconds = 0.15 if fault == "stalls" else 20
        memory.model = OpenAIModel("m", url=there.openai, key_env="", timeout=seconds)
        found = use_everything(memory)
    assert found["facts"] == ["User likes Go", "User likes Python"]
    assert found["entries"] == ["Mara drinks tea", "Bo rides a bicycle"]
    assert found["noted"] == []
    assert found["ranked"] == ["one"]  # the other said the same
    assert len(found["messages"]) == len(SESSION)
    assert found["leaves"][0].strip()
    [[purpose, state, error]] = memory.db.ask(TASKS)
    assert (purpose, state) == ("notes", "ready")
    outcomes = [outcome for _, outcome in found["calls"]]
    if fault in ("stalls", "500"):  # it was down: after the first call nobody waited for it again
        assert (outcomes, error) == (["timeout" if fault == "stalls" else "error"], "")
    else:
        assert set(outcomes) == {"error"}
        assert error, "a plain line says why"
        assert "login" not in error


def test_f05_a_provider_that_comes_back_fills_what_waited(memory: cogmem.Memory) -> None:
    allow(memory)
    talk = memory.conversation("talk")
    talk.save(SESSION, at=NOW - DAY)
    with provider(status(429, {"retry-after": "7200"}), say(NOTED)) as there:
        memory.model = OpenAIModel("m", url=there.openai, key_env="")
        memory.nightly(now=NOW)
        assert memory.model.is_resting
        memory.nightly(now=NOW + DAY // 2, force=True)
        [task] = memory.db.rows("tasks.list", {"state": None, "limit": 9})
        assert (task["state"], task["ready_at"]) == ("ready", NOW + 7_200_000)
        assert task["attempts"] == 0
        assert "is busy or broken (429): it is asked again later" in task["error"]
        assert memory.models.spend()[0].answered == 0
        memory.model = OpenAIModel("m", url=there.openai, key_env="")  # the next day's process
        memory.nightly(now=NOW + DAY)
    assert NOTE in [row.content for row in memory.list(now=NOW)]
    assert memory.db.ask("select outcome, run <> '' from model_call order by id") == [
        ("busy", 1),
        ("ok", 1),
    ]


# -- TLS ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost with its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("this machine has no openssl: install it to prove the way over TLS")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            openssl,
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            str(folder / "key.pem"),
            "-out",
            str(folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    whole = folder / "both.pem"
    whole.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    return whole


def test_over_tls_a_certificate_must_be_trusted_and_a_call_ends_as_well(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider(say("hello"), stall, tls=str(certificate), key=KEY) as there:
        url = f"https://localhost:{there.server_port}/v1"
        model = OpenAIModel("m", url=url, key_env="TEST_MODEL_KEY")
        with pytest.raises(ModelFailed, match="certificate"):
            model.complete("?")
        assert there.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert model.complete("?") == "hello"
        with pytest.raises(ModelTimeout):
            model.complete("?", timeout=0.4)
        enough = threading.Event()
        threading.Timer(0.2, enough.set).start()
        with pytest.raises(ModelCancelled):
            model.complete("?", timeout=20, cancelled=enough.is_set)


# -- the real clients, where they are installed, agree with the stand-in -----------------------------


def test_openai_s_own_client_understands_the_stand_in() -> None:
    openai = pytest.importorskip("openai", reason="pip install openai proves the test's own server")
    with provider(say("hello"), status(429), say("again"), key=KEY) as there:
        client = openai.OpenAI(base_url=there.openai, api_key=KEY, max_retries=2)
        for words in ("hello", "again"):
            done = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "?"}], max_tokens=9
            )
            assert (done.choices[0].message.content, done.usage.prompt_tokens) == (words, 21)


def test_anthropic_s_own_client_understands_the_stand_in() -> None:
    anthropic = pytest.importorskip("anthropic", reason="pip install anthropic proves the server")
    with provider(say("hello"), key=KEY) as there:
        client = anthropic.Anthropic(base_url=there.root, api_key=KEY)
        done = client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "?"}]
        )
        assert (done.content[0].text, done.usage.input_tokens) == ("hello", 21)
