"""What was tried and turned down is heard with its reason, and told when it comes up again."""

from __future__ import annotations

import pytest

import cogmem

TURNED_DOWN = """
we tried X and it broke Y
We tried Bazel and it broke the caching.
We've already tried threads here, but they deadlocked.
I tried using asyncio for the worker and it made everything slower.
let's not do server-side rendering because the hosting can't run node
Let's not squash merges, it breaks bisect.
ok, let's not vendor the deps since the license audit complains
We ruled out MongoDB since we need transactions.
I gave up on Nix because nobody else on the team can debug it.
We rolled back gRPC after it doubled the p99.
we experimented with sharding: it was too complex for our size
We tried upgrading to React 19, which broke the date picker.
Lass uns kein GraphQL nehmen, weil das Caching schwierig ist.
Hemos probado Bazel pero rompió la caché.
Mejor no usemos hilos porque se bloquean.
On a essayé Bazel mais ça a cassé le cache.
Testamos o Bazel mas ele quebrou o cache.
Melhor não usar Kafka porque é pesado demais.
Abbiamo già provato Bazel ma ha rotto la cache.
Meglio non usare i thread perché si bloccano.
We hebben Bazel geprobeerd, maar de cache ging kapot.
Laten we geen GraphQL nemen, want caching is lastig.
我们试过Bazel，但是缓存坏了。
还是别用Kafka，因为太重了。
Bazelを試したけど、キャッシュが壊れた。
コストが高いので、Kafkaは見送りました。
We tried X. It broke Y.
We've already tried threads here. They deadlocked under load.
We tried Redis for the queue; it lost jobs.
Let's not squash merges. It breaks bisect.
We ruled out MongoDB. It has no transactions.
Wir haben Bazel ausprobiert. Das hat den Cache kaputt gemacht.
On a essayé Bazel. Ça a cassé le cache.
我们试过Bazel。结果缓存坏了。
Bazelを試しました。でもキャッシュが壊れました。
""".strip().splitlines()
PASSING = """
We tried the new version and it crashed.
I tried running make and it broke.
we tried that restaurant and it was too loud
Can we try Redis for the queue?
I tried it and it works
We tried it, it works now.
Have we tried Redis? It lost jobs elsewhere.
I tried the command but it failed with exit code 2
I've tried using the cache option, but it doesn't seem to make a difference
The tests failed because we tried an old image.
If we tried Redis it would break.
He said we tried Redis and it broke.
Let's not worry because it is only a warning.
We tried the new version. It crashed.
We tried Redis. Does it lose jobs?
Have we tried Redis? It lost jobs elsewhere.
We tested the importer. It is fine now.
We tried that restaurant. It was too loud.
He says we tried Redis. It broke.
Testei o build mas falhou.
Ho provato a lanciare i test ma non funzionavano.
Ik heb geprobeerd de tests te draaien, dat werkte niet.
我试了一下，不行。
試したけど動かない。
""".strip().splitlines()


def kinds(mem: cogmem.Memory, text: str) -> set[str]:
    return {found.kind for found in mem.listener.rules().match(text)}


def test_what_was_turned_down_is_heard_with_its_reason(memory: cogmem.Memory) -> None:
    missed = [text for text in TURNED_DOWN if "rejected" not in kinds(memory, text)]
    assert missed == []


def test_a_failure_in_passing_is_no_decision(memory: cogmem.Memory) -> None:
    assert [text for text in PASSING if "rejected" in kinds(memory, text)] == []


def test_a_reason_in_a_sentence_of_its_own_belongs_to_what_was_turned_down(
    memory: cogmem.Memory,
) -> None:
    said = "Morning! We tried Bazel for the build. It broke the caching. Use make here."
    found = memory.listener.rules().match(said)
    assert "We tried Bazel for the build. It broke the caching" in [one.text for one in found]
    apart = "We tried Bazel for the build.\n\nIt broke my bike."
    assert "rejected" not in kinds(memory, apart)


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("We tried Redis for the queue, it lost jobs at a restart.", "Use Redis for the queue?"),
        ("Let's not use pnpm because the lockfile breaks the mirror.", "Shall we use pnpm?"),
    ],
)
def test_it_is_told_when_it_comes_up_again(memory: cogmem.Memory, said: str, again: str) -> None:
    memory.capture(said)
    assert said.rstrip(".") in memory.activate(again).text


def test_it_is_told_before_the_command_runs_again(memory: cogmem.Memory) -> None:
    memory.capture("We tried npm ci on the runners, it broke the mirror.")
    assert "it broke the mirror" in memory.at_act(command="npm ci", session="s").text
    assert memory.at_act(command="npm test", session="s").text == ""
