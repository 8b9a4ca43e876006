// Memory for OpenCode: what cogmem remembers joins the system prompt, the answer to each message
// joins that message, and what was said is recorded when the session is idle.
//
// Whatever fails here fails silently: the agent goes on without memory.
import type { Plugin } from "@opencode-ai/plugin"

const COMMAND = ["cogmem", "hook", "EVENT", "--host", "opencode"]

type Session = { stable: string; prompt: string; answer: string }

export const CogmemPlugin: Plugin = async ({ directory }) => {
  const sessions = new Map<string, Session>()

  const ask = async (event: string, fields: Record<string, unknown>): Promise<string> => {
    try {
      const words = COMMAND.map((word) => (word === "EVENT" ? event : word))
      const running = Bun.spawn(words, {
        stdin: new TextEncoder().encode(JSON.stringify({ cwd: directory, ...fields })),
        stdout: "pipe",
        stderr: "ignore",
      })
      const text = await new Response(running.stdout).text()
      return text ? (JSON.parse(text).hookSpecificOutput?.additionalContext ?? "") : ""
    } catch {
      return ""
    }
  }

  const known = async (id: string): Promise<Session> => {
    let session = sessions.get(id)
    if (!session) {
      session = { stable: await ask("start", { session_id: id, source: "startup" }), prompt: "", answer: "" }
      sessions.set(id, session)
    }
    return session
  }

  return {
    "chat.message": async (input, output) => {
      const session = await known(input.sessionID)
      const said = output.parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
      session.prompt = said.join("\n")
      const text = await ask("prompt", { session_id: input.sessionID, prompt: session.prompt })
      const last = output.parts.findLast((part) => part.type === "text")
      if (text && last && last.type === "text") last.text += `\n\n${text}`
    },
    // The same bytes in every request of a session, so that the provider's cache holds.
    "experimental.chat.system.transform": async (input, output) => {
      if (!input.sessionID) return
      const { stable } = await known(input.sessionID)
      if (stable) output.system.push(stable)
    },
    "experimental.text.complete": async (input, output) => {
      const session = sessions.get(input.sessionID)
      if (session) session.answer = output.text
    },
    event: async ({ event }) => {
      if (event.type === "session.compacted") {
        const id = event.properties.sessionID
        const session = sessions.get(id)
        if (session) session.stable = await ask("start", { session_id: id, source: "compact" })
      }
      if (event.type === "session.idle") {
        const id = event.properties.sessionID
        const session = sessions.get(id)
        if (!session?.prompt) return
        const { prompt, answer } = session
        session.prompt = session.answer = ""
        await ask("stop", { session_id: id, prompt, last_assistant_message: answer })
      }
      if (event.type === "session.deleted") {
        const id = event.properties.info.id
        sessions.delete(id)
        await ask("end", { session_id: id })
      }
    },
  }
}
