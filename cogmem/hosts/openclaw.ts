// Memory for OpenClaw: what cogmem remembers joins the system prompt, the answer to each message comes before that
// message, and what was said is recorded when the agent has answered.
import { answer, type Call, noted } from "./plugin"

type Session = { stable: string; folder: string; prompt: string; calls: Call[] }

const texts = (content: any): string =>
  typeof content === "string"
    ? content
    : (content ?? []).flatMap((part: any) => (part?.type === "text" ? [part.text] : [])).join("\n")

const plugin = {
  id: "cogmem",
  name: "cogmem",
  description: "What cogmem remembers, in each turn.",
  register(api: any) {
    const sessions = new Map<string, Promise<Session>>()
    const name = (ctx: any): string => ctx.sessionId ?? ctx.sessionKey ?? ""

    const ask = async (id: string, cwd: string, event: string, fields: Record<string, unknown> = {}): Promise<string> =>
      (await answer(event, { session_id: id, cwd, ...fields })).additionalContext ?? ""

    const begin = async (id: string, folder: string, source: string): Promise<Session> => ({
      stable: await ask(id, folder, "start", { source }),
      folder,
      prompt: "",
      calls: [],
    })

    const known = (ctx: any, source: string): Promise<Session> => {
      const session = sessions.get(name(ctx)) ?? begin(name(ctx), ctx.workspaceDir ?? "", source)
      sessions.set(name(ctx), session)
      return session
    }

    api.on("before_prompt_build", async (event: any, ctx: any) => {
      if (!name(ctx)) return
      // The system prompt is made anew for each message: a session that goes on gets the same bytes again.
      const session = await known(ctx, event.messages?.length ? "resume" : "startup")
      const isSaid = !ctx.trigger || ctx.trigger === "user" // a clock wakes it up as well
      session.prompt = isSaid ? (event.currentUserMessage ?? event.prompt ?? "") : ""
      session.calls = []
      const text = session.prompt ? await ask(name(ctx), session.folder, "prompt", { prompt: session.prompt }) : ""
      return { ...(session.stable ? { appendSystemContext: session.stable } : {}), ...(text ? { prependContext: text } : {}) }
    })
    api.on("after_compaction", async (_: any, ctx: any) => {
      const session = await sessions.get(name(ctx))
      if (session) session.stable = await ask(name(ctx), session.folder, "start", { source: "compact" })
    })
    // A tool is stopped only by a rule that a person marked for that.
    api.on("before_tool_call", async (event: any, ctx: any) => {
      const session = await sessions.get(name(ctx))
      if (!session) return
      const fields = { session_id: name(ctx), cwd: session.folder, tool_name: event.toolName, tool_input: event.params }
      const told = await answer("before", fields)
      if (told.permissionDecision === "deny") return { block: true, blockReason: told.permissionDecisionReason }
    })
    api.on("after_tool_call", async (event: any, ctx: any) => {
      const session = await sessions.get(name(ctx))
      if (session) noted(session.calls, event.toolName, event.params, texts(event.result?.content), Boolean(event.error))
    })
    api.on("agent_end", async (event: any, ctx: any) => {
      const session = await sessions.get(name(ctx))
      if (!session?.prompt) return
      const { prompt, calls, folder } = session
      const last = (event.messages ?? []).filter((message: any) => message.role === "assistant").at(-1)
      session.prompt = ""
      await ask(name(ctx), folder, "stop", { prompt, last_assistant_message: texts(last?.content), calls })
    })
    api.on("session_end", async (_: any, ctx: any) => {
      const session = await sessions.get(name(ctx))
      sessions.delete(name(ctx))
      if (session) await ask(name(ctx), session.folder, "end")
    })
  },
}

export default plugin
