// What the plugins of cogmem sync share; `cogmem install` puts it into each, so that each is one file.
//
// Whatever fails here fails silently: the agent goes on without memory.
import { spawn } from "node:child_process"

const COMMAND = ["cogmem", "hook", "EVENT", "--host", "HOST"]

export type Call = { name: string; arguments: unknown; output: string; failed: boolean }

const CALLS = 200 // kept of one turn
const PATIENCE = 10_000 // ms; a hook gives up sooner by itself
const OUTPUT = 4_000 // characters of one result: its head and its tail

const run = (event: string, fields: Record<string, unknown>): Promise<string> =>
  new Promise((resolve) => {
    const [program, ...words] = COMMAND.map((word) => (word === "EVENT" ? event : word))
    const running = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    const pieces: Buffer[] = []
    const end = (said: string) => (clearTimeout(late), resolve(said))
    const late = setTimeout(() => (running.kill("SIGKILL"), end("")), PATIENCE)
    running.stdout.on("data", (piece) => pieces.push(piece))
    running.on("error", () => end(""))
    running.on("close", () => end(Buffer.concat(pieces).toString("utf8")))
    running.stdin.on("error", () => {})
    running.stdin.end(JSON.stringify(fields))
  })

// What a hook says: text for the model, or that a tool must not run.
export const answer = async (event: string, fields: Record<string, unknown>): Promise<Record<string, string>> => {
  try {
    const text = await run(event, fields)
    return text ? (JSON.parse(text).hookSpecificOutput ?? {}) : {}
  } catch {
    return {}
  }
}

// A call of a tool joins the others of its turn; returns its result, no longer than a hook reads.
export const noted = (calls: Call[], name: string, args: unknown, said: string, failed: boolean): string => {
  const output = said.length > OUTPUT ? `${said.slice(0, OUTPUT / 2)}\n${said.slice(-OUTPUT / 2)}` : said
  calls.push({ name, arguments: args, output, failed })
  calls.splice(0, calls.length - CALLS)
  return output
}
