// Memory for pi: what cogmem remembers joins the system prompt, the answer to each message comes beside that
// message, what is known about a file or a command comes with the tool's result, and what was said is recorded.
import { answer, type Call, noted } from "./plugin"

const texts = (content: any): string =>
  typeof content === "string"
    ? content
    : (content ?? []).flatMap((part: any) => (part?.type === "text" ? [part.text] : [])).join("\n")

export default function (pi: any) {
  let session = "", stable = "", prompt = ""
  let calls: Call[] = []

  const ask = async (ctx: any, event: string, fields: Record<string, unknown> = {}): Promise<string> =>
    (await answer(event, { session_id: session, cwd: ctx.cwd, ...fields })).additionalContext ?? ""

  pi.on("session_start", async (_: any, ctx: any) => {
    session = ctx.sessionManager.getSessionId()
    // The system prompt is made anew for each message: a session that goes on gets the same bytes again.
    const source = ctx.sessionManager.getEntries().length ? "resume" : "startup"
    stable = await ask(ctx, "start", { source })
  })
  pi.on("session_compact", async (_: any, ctx: any) => {
    stable = await ask(ctx, "start", { source: "compact" })
  })
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    prompt = event.prompt
    calls = []
    const text = await ask(ctx, "prompt", { prompt })
    return {
      systemPrompt: stable ? `${event.systemPrompt}\n\n${stable}` : event.systemPrompt,
      ...(text ? { message: { customType: "cogmem", content: text, display: false } } : {}),
    }
  })
  // A tool is stopped only by a rule that a person marked for that.
  pi.on("tool_call", async (event: any, ctx: any) => {
    const fields = { session_id: session, cwd: ctx.cwd, tool_name: event.toolName, tool_input: event.input }
    const told = await answer("before", fields)
    if (told.permissionDecision === "deny") return { block: true, reason: told.permissionDecisionReason }
  })
  // The model hears of a file or a command with the result: before it, it listens to nobody.
  pi.on("tool_result", async (event: any, ctx: any) => {
    const failed = Boolean(event.isError)
    const said = noted(calls, event.toolName, event.input, texts(event.content), failed)
    const fields = { tool_name: event.toolName, tool_input: event.input, tool_response: said }
    const text = await ask(ctx, failed ? "failed" : "after", fields)
    if (text) return { content: [...(event.content ?? []), { type: "text", text }] }
  })
  pi.on("agent_end", async (event: any, ctx: any) => {
    const last = (event.messages ?? []).filter((message: any) => message.role === "assistant").at(-1)
    if (prompt) await ask(ctx, "stop", { prompt, last_assistant_message: texts(last?.content), calls })
    prompt = ""
    calls = []
  })
  pi.on("session_shutdown", async (_: any, ctx: any) => {
    await ask(ctx, "end")
  })
}
