"""A headless Chromium that is told what to do over its pipe: what tests of pages look through.

Nothing but the loopback can be reached from it. Debian's package `chromium` is enough.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One tab. `visit` loads a page; what it fetched and complained of is kept."""

    def __init__(self, folder: Path) -> None:
        to_browser, ours = os.pipe()
        theirs, from_browser = os.pipe()[::-1]
        # The protocol is on descriptors 3 and 4 of the browser; dash cannot move those above 9.
        launch = f"exec {PROGRAM} --headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe"
        launch += (
            f" --user-data-dir={folder} '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'"
        )
        self._process = subprocess.Popen(
            ["bash", "-c", f"{launch} about:blank 3<&{to_browser} 4>&{theirs}"],
            pass_fds=(to_browser, theirs),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(theirs)
        self._in, self._out = os.fdopen(ours, "wb", 0), os.fdopen(from_browser, "rb")
        self._number = 0
        self._session = ""
        self._rest = b""
        self.fetched: list[str] = []
        self.complaints: list[str] = []
        self._is_loaded = False
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.tell(f"{domain}.enable")

    def tell(self, method: str, **params: Any) -> dict[str, Any]:
        """One command, and its answer."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._in.write(json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == number:
                assert "error" not in heard, heard["error"]
                result: dict[str, Any] = heard["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._out.fileno(), 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        params = heard.get("params", {})
        if heard.get("method") == "Network.requestWillBeSent":
            self.fetched.append(params["request"]["url"])
        elif heard.get("method") == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif heard.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"]))
        elif heard.get("method") == "Page.loadEventFired":
            self._is_loaded = True
        return heard

    def look(self, width: int, *, dark: bool = False, height: int = 900) -> None:
        """From now on on a screen of this width."""
        self.tell(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])

    def visit(self, url: str) -> None:
        """Load a page whole."""
        self._is_loaded = False
        self.tell("Page.navigate", url=url)
        while not self._is_loaded:
            self._hear()

    def ask(self, expression: str) -> Any:
        """What a piece of JavaScript gives on the page."""
        answer = self.tell("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def until(self, condition: str, seconds: float = 20.0) -> None:
        """Wait until a piece of JavaScript holds on the page."""
        end = time.monotonic() + seconds
        while not self.ask(f"Boolean({condition})"):
            assert time.monotonic() < end, f"it never came to {condition}"
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """One key, as a person presses it."""
        text = {"text": key} if len(key) == 1 else {}
        self.tell("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.tell("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector: str) -> None:
        """Click what a selector finds first, and wait for the page that it leads to."""
        self._is_loaded = False
        clicked = f"(e => e && (e.click(), true))(document.querySelector({json.dumps(selector)}))"
        assert self.ask(clicked), f"there is no {selector}"
        while not self._is_loaded:
            self._hear()

    def picture(self, file: Path) -> None:
        """The whole page as PNG."""
        shot = self.tell("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))

    def view(self, file: Path) -> None:
        """What stands on the screen, as a small WebP."""
        shot = self.tell("Page.captureScreenshot", format="webp", quality=82)
        file.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """End the browser."""
        self._session = ""
        self.tell("Browser.close")
        self._in.close()
        self._out.close()
        self._process.wait(timeout=20)
