// Memory for OpenCode: what cogmem remembers joins the system prompt, the answer to each message
// joins that message, and what was said is recorded when the session is idle.
import type { Plugin } from "@opencode-ai/plugin"
import { answer, type Call, noted } from "./plugin"

// isTold: a person talks here. In the session of a sub-agent a model does; that is not recorded.
type Session = { stable: string; isTold: boolean; prompt: string; answer: string; calls: Call[] }

export const CogmemPlugin: Plugin = async ({ client, directory }) => {
  const sessions = new Map<string, Promise<Session>>()
  const started = Date.now()

  const said = (event: string, fields: Record<string, unknown>) => answer(event, { cwd: directory, ...fields })

  const ask = async (event: string, fields: Record<string, unknown>): Promise<string> =>
    (await said(event, fields)).additionalContext ?? ""

  const begin = async (id: string): Promise<Session> => {
    const found = await client.session.get({ path: { id } }).catch(() => undefined)
    const { parentID, time } = found?.data ?? {}
    // A session that goes on gets the same bytes again.
    const source = time && time.created < started ? "resume" : "startup"
    const stable = await ask("start", { session_id: id, source })
    return { stable, isTold: !parentID, prompt: "", answer: "", calls: [] }
  }

  const known = (id: string): Promise<Session> => {
    const session = sessions.get(id) ?? begin(id)
    sessions.set(id, session)
    return session
  }

  return {
    "chat.message": async (input, output) => {
      const session = await known(input.sessionID)
      const typed = output.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
      session.prompt = typed.join("\n")
      const text = await ask("prompt", { session_id: input.sessionID, prompt: session.prompt })
      const last = output.parts.at(-1)
      if (!text || !last) return
      // A part of its own: the model reads it, the person's message stays as it was typed. Parts are
      // ordered by their ids.
      const { sessionID, messageID } = last
      output.parts.push({ id: `${last.id}0cogmem`, sessionID, messageID, type: "text", text, synthetic: true })
    },
    // The same bytes in every request of a session, so that the provider's cache holds.
    "experimental.chat.system.transform": async (input, output) => {
      if (!input.sessionID) return
      const { stable } = await known(input.sessionID)
      if (stable) output.system.push(stable)
    },
    "experimental.text.complete": async (input, output) => {
      const session = await sessions.get(input.sessionID)
      if (session) session.answer = output.text
    },
    // A tool is stopped only by a rule that a person marked for that; throwing is how a plugin says no.
    "tool.execute.before": async (input, output) => {
      const told = await said("before", { session_id: input.sessionID, tool_name: input.tool, tool_input: output.args })
      if (told.permissionDecision === "deny") throw new Error(told.permissionDecisionReason)
    },
    // The model hears of a file or a command with the result: before it, it listens to nobody.
    "tool.execute.after": async (input, output) => {
      const failed = Number(output.metadata?.exit ?? 0) > 0
      const whole = String(output.output ?? "")
      const session = await known(input.sessionID)
      const short = noted(session.calls, input.tool, input.args, whole, failed)
      const fields = { session_id: input.sessionID, tool_name: input.tool, tool_input: input.args }
      const text = await ask(failed ? "failed" : "after", { ...fields, tool_response: short })
      if (text) output.output = `${whole}\n\n${text}`
    },
    event: async ({ event }) => {
      if (event.type === "session.compacted") {
        const id = event.properties.sessionID
        const session = await sessions.get(id)
        if (session) session.stable = await ask("start", { session_id: id, source: "compact" })
      }
      if (event.type === "session.idle") {
        const id = event.properties.sessionID
        const session = await sessions.get(id)
        if (!session?.prompt || !session.isTold) return
        const { prompt, answer, calls } = session
        session.prompt = session.answer = ""
        session.calls = []
        await ask("stop", { session_id: id, prompt, last_assistant_message: answer, calls })
      }
      if (event.type === "session.deleted") {
        const id = event.properties.info.id
        sessions.delete(id)
        await ask("end", { session_id: id })
      }
    },
  }
}
