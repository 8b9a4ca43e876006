"""What a line of a transcript says. Which host wrote it is seen from its form:

Claude Code   JSON lines {"type": "user" or "assistant", "message": {…}, "timestamp": …}
Codex         JSON lines {"type": "response_item", "payload": {…}}
Gemini CLI    {"messages": […]}, or its messages as JSON lines, of type "user" or "gemini"
Copilot CLI   JSON lines {"type": "user.message", "data": {…}, "parentId": …}
Qwen Code     JSON lines as of Claude Code, whose messages have "parts"
pi, Droid     JSON lines {"type": "message", "message": {"role": …, "content": …}}
OpenCode      {"info": {"role": …}, "parts": […]}: a document that it exports, or rows of its database
Cursor        JSON lines {"role": …, "message": {…}}, or bubbles in its database
"""

from __future__ import annotations

from cogmem.hosts.transcripts import called, part_of, resulted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Message = dict[str, Any]

QUERY, QUERY_END = "<user_query>", "</user_query>"  # around a person's words in Cursor


def messages(line: dict[str, Any]) -> list[Message]:
    """Return the messages in a line, as `split` takes them; most lines hold none or one. One may have a `timestamp`
    of its own."""
    kind, said, data = line.get("type"), line.get("message"), line.get("data")
    if isinstance(line.get("info"), dict) and isinstance(line.get("parts"), list):
        return _opencode(line["info"], line["parts"])
    if "bubbleId" in line and kind in (1, 2):
        return _bubble(line)
    if kind == "response_item":
        return _codex(line["payload"])
    if isinstance(data, dict) and "parentId" in line:
        return _copilot(kind, data)
    if kind in ("user", "gemini") and said is None:
        return _gemini(line)
    if not isinstance(said, dict):
        return []
    if kind in ("user", "assistant", "tool_result") and "parts" in said:
        return _qwen(kind, said["parts"])
    if kind in ("user", "assistant"):
        is_its_own = line.get("isMeta") or line.get("isSidechain") or line.get("isCompactSummary")
        return [] if is_its_own else [said]
    if kind == "message" and said.get("role") == "toolResult":
        return [_tool(resulted(said))]
    if kind == "message":  # what a person ran aside, and branches that were left, have other roles
        return [said] if said.get("role") in ("user", "assistant") else []
    if kind is None and "role" in line:
        return [{"role": line["role"], "content": _asked(said.get("content"))}]
    return []


def _tool(result: dict[str, Any]) -> Message:
    return {"role": "tool", "parts": [result]}


def _codex(item: dict[str, Any]) -> list[Message]:
    if item.get("type") == "message":
        return [item] if item.get("role") in ("user", "assistant") else []
    part = part_of(item)
    roles = {"tool_call": "assistant", "tool_result": "tool"}
    return [{"role": roles[part["type"]], "parts": [part]}] if part["type"] in roles else []


def _copilot(kind: Any, said: dict[str, Any]) -> list[Message]:
    if kind == "tool.execution_complete":
        return [_tool(resulted({**said, "content": said.get("result") or said.get("error")}))]
    role = {"user.message": "user", "assistant.message": "assistant"}.get(kind)
    return [{"role": role, "tool_calls": said.get("toolRequests"), **said}] if role else []


def _gemini(line: dict[str, Any]) -> list[Message]:
    """Return a message, and the results of its tools, which it keeps with their calls."""
    calls = [one for one in line.get("toolCalls") or () if one.get("name")]
    role = "user" if line["type"] == "user" else "assistant"
    told = [(one, one.get("resultDisplay") or one.get("result")) for one in calls]
    results = [
        _tool(resulted({"id": one.get("id") or one["name"], "content": held if isinstance(held, str) else str(held)}))
        for one, held in told
        if held
    ]  # fmt: skip
    return [{"role": role, "content": line.get("content") or "", "tool_calls": calls}, *results]


def _qwen(kind: str, parts: list[Any]) -> list[Message]:
    if kind != "tool_result":
        return [{"role": kind, "content": parts}]
    return [{"role": "tool", "content": [one for one in parts if "functionResponse" in one]}]


def _opencode(info: dict[str, Any], parts: list[Any]) -> list[Message]:
    """Return a message and the results of its tools. What it or a plugin put beside a person's words is not said by
    them, nor its own account of what it has shortened."""
    if info.get("summary") is True:
        return []
    texts = [
        part
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    tools = [
        {**part["state"], "name": part.get("tool"), "id": part["callID"]}
        for part in parts
        if part.get("type") == "tool" and part.get("callID")
    ]
    at = {"timestamp": (info.get("time") or {}).get("created")}
    said = {"role": info.get("role"), "parts": [*texts, *map(called, tools)], **at}
    done = [one for one in tools if one.get("status") in ("completed", "error")]
    return [said, *({**_tool(resulted(one)), **at} for one in done)]


def _bubble(bubble: dict[str, Any]) -> list[Message]:
    """Return a message of Cursor's editor, or one call of a tool with its result."""
    said: Message = {
        "role": "user" if bubble["type"] == 1 else "assistant",
        "content": str(bubble.get("text") or ""),
    }
    call = bubble.get("toolFormerData")
    if not isinstance(call, dict) or not call.get("name"):
        return [said]
    name = str(call.get("toolCallId") or bubble["bubbleId"]).partition("\n")[0]
    given = call.get("rawArgs") or call.get("params")
    asked = {**said, "tool_calls": [{"id": name, "name": call["name"], "arguments": given}]}
    result = call.get("result")
    return [asked, _tool(resulted({"id": name, "content": str(result)}))] if result else [asked]


def _asked(content: Any) -> Any:
    """Return a message of Cursor's transcript: a person's words without what the editor put around them."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part.get("text"), str) and QUERY in part["text"]:
            part["text"] = part["text"].partition(QUERY)[2].partition(QUERY_END)[0].strip()
    return content
