"""A seeded corpus of memories with Zipf words, topics and planted answers.

Words: about half of running text are stop words; content words follow Zipf over 150,000
pseudo-words; a memory takes half of its content words from one of 150 topics, so that distractors
share several words with a prompt, as in prose.

Each prompt has one planted answer. `mixed` answers share one rare word and one or two words of the
topic with the prompt; `topic` answers two words of the topic and one or two common ones; `common`
answers only three to five words that 0.1 to 3 percent of all memories hold, the hardest case, since
the prompt's own rare words lead elsewhere. Prompts and answers do not depend on the size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

STOP = """
the of and to in a is that for it as was with be by on not he i this are or his from at which
but have an had they you were their one all we can her has there been if more when will would
who so no she other its may these what them than some him time into only do such my new about
out also two any up first could our then most see me should after said your very between made
many those how where over because did just like through should now
""".split()
VOCAB, TOPICS, TOPIC_WORDS = 150_000, 150, 2_500
COMMON = (20, 600)  # ranks of content words that count as common
RARE = 6_000  # and from where on a word is rare

ON = """
b c d f g h j k l m n p r s t v w z br cl dr fl gr kn pl sk st tr
""".split()
VO = ["a", "e", "i", "o", "u", "ai", "ea", "oo"]
CO = ["", "n", "r", "k", "t", "m", "x", "lt", "nd", "rp"]


def words(rng: np.random.Generator, count: int) -> list[str]:
    seen: dict[str, None] = {}
    while len(seen) < count:
        n = rng.integers(2, 4)
        w = "".join(
            ON[rng.integers(len(ON))] + VO[rng.integers(len(VO))] + CO[rng.integers(len(CO))]
            for _ in range(n)
        )
        seen.setdefault(w)
    return list(seen)


class Corpus:
    def __init__(self, seed: int = 7) -> None:
        rng = np.random.default_rng(seed)
        stop = list(dict.fromkeys(STOP))
        self.nstop = len(stop)
        self.vocab = np.array(stop + words(rng, VOCAB), dtype=object)
        sf = 1 / (np.arange(self.nstop) + 2.0)
        self.stop_cdf = np.cumsum(sf / sf.sum())
        f = 1 / (np.arange(VOCAB) + 3.0) ** 1.02
        f /= f.sum()
        self.freq = f
        self.cdf = np.cumsum(f)
        # a topic: words drawn by a damped frequency, with a Zipf of its own
        g = f**0.7
        g /= g.sum()
        self.topic = np.stack(
            [rng.choice(VOCAB, TOPIC_WORDS, replace=False, p=g) for _ in range(TOPICS)]
        )
        tf = 1 / (np.arange(TOPIC_WORDS) + 6.0)
        self.topic_cdf = np.cumsum(tf / tf.sum())

    def content(self, rng: np.random.Generator, topic: np.ndarray, n: int) -> np.ndarray:
        """n content-word ranks for each topic given (rows)."""
        rows = len(topic)
        glob = np.searchsorted(self.cdf, rng.random((rows, n)))
        top = np.searchsorted(self.topic_cdf, rng.random((rows, n)))
        local = self.topic[topic[:, None], np.minimum(top, TOPIC_WORDS - 1)]
        return np.minimum(np.where(rng.random((rows, n)) < 0.5, local, glob), VOCAB - 1)

    def memories(
        self, count: int, seed: int = 1, chunk: int = 20_000
    ) -> Iterator[tuple[str, str, str, str, str]]:
        """Yield (content, tags, key, path, terms) rows."""
        rng = np.random.default_rng(seed)
        done = 0
        while done < count:
            m = min(chunk, count - done)
            topic = rng.integers(TOPICS, size=m)
            length = np.clip(rng.lognormal(2.7, 0.45, m).astype(int), 5, 48)
            ids = self.content(rng, topic, 48) + self.nstop
            stops = np.searchsorted(self.stop_cdf, rng.random((m, 48)))
            mix = np.where(rng.random((m, 48)) < 0.45, np.minimum(stops, self.nstop - 1), ids)
            text = self.vocab[mix]
            tag = self.vocab[self.topic[topic, rng.integers(0, 12, m)] + self.nstop]
            has = rng.random(m)
            for i in range(m):
                yield (
                    " ".join(text[i, : length[i]]),
                    tag[i] if has[i] < 0.6 else "",
                    f"k{done + i}" if has[i] < 0.2 else "",
                    f"src/{tag[i]}/*.py" if has[i] < 0.1 else "",
                    "",
                )
            done += m

    def questions(self, count: int, seed: int = 2) -> list[tuple[str, str, str]]:
        """(prompt, answer content, set name): a third each."""
        rng = np.random.default_rng(seed)
        out = []
        for q in range(count):
            kind = ("mixed", "topic", "common")[q % 3]
            t = rng.integers(TOPICS, size=1)
            n = int(rng.integers(5, 61))
            nc = max(3, round(n * 0.5))
            body = list(dict.fromkeys(self.content(rng, t, nc)[0].tolist()))
            near = self.topic[t[0]][:200]
            if kind == "mixed":
                shared = rng.integers(RARE, VOCAB // 2, size=1).tolist()
                shared += rng.choice(near, int(rng.integers(1, 3)), replace=False).tolist()
            elif kind == "topic":
                shared = (
                    rng.choice(near, 2, replace=False).tolist()
                    + rng.integers(*COMMON, size=int(rng.integers(1, 3))).tolist()
                )
            else:
                shared = rng.integers(*COMMON, size=int(rng.integers(3, 6))).tolist()
            shared = list(dict.fromkeys(shared))
            body = (shared + [w for w in body if w not in shared])[: max(nc, len(shared))]
            stop = self.vocab[
                np.minimum(
                    np.searchsorted(self.stop_cdf, rng.random(max(0, n - len(body)))),
                    self.nstop - 1,
                )
            ]
            prompt = [self.vocab[w + self.nstop] for w in body] + list(stop)
            rng.shuffle(prompt)
            la = int(np.clip(rng.lognormal(2.7, 0.45), 8, 40))
            na = max(0, round(la * 0.55) - len(shared))
            ans = [
                self.vocab[w + self.nstop]
                for w in shared + self.content(rng, t, na)[0].tolist()[:na]
            ]
            ans += list(
                self.vocab[
                    np.minimum(
                        np.searchsorted(
                            self.stop_cdf, rng.random(la - len(ans) if la > len(ans) else 0)
                        ),
                        self.nstop - 1,
                    )
                ]
            )
            rng.shuffle(ans)
            out.append((" ".join(prompt), " ".join(ans), kind))
        return out
