/** A process that speaks JSON-RPC in lines: sends messages, and waits for the answer to each request. */

import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { cleanEnvironment } from "./runProgram.ts"

// Each test looks into the answer itself.
// oxlint-disable-next-line typescript/no-explicit-any
type Message = Record<string, any>

export interface LineProcess {
  readonly send: (message: object | string) => void
  /** Resolves with the message that has the same id. */
  readonly ask: (message: Message) => Promise<Message>
  /** Resolves with the first matching message, new or not yet consumed. */
  readonly hear: (fits: (message: Message) => boolean) => Promise<Message>
  /** Closes its input, and resolves with its exit code. */
  readonly end: () => Promise<number | null>
}

const root = join(import.meta.dirname, "../..")

export const lineProcess = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): LineProcess => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...cleanEnvironment, LOG_FORMAT: "json", ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const waiting: Array<{
    fits: (message: Message) => boolean
    take: (message: Message) => void
    fail: (cause: Error) => void
  }> = []
  const untaken: Array<Message> = []
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message
    const at = waiting.findIndex(({ fits }) => fits(message))
    if (at === -1) untaken.push(message)
    else waiting.splice(at, 1)[0]?.take(message)
  })
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      for (const { fail } of waiting) fail(new Error(`it ended with ${code}: ${errors}`))
      resolve(code)
    })
  )
  const send = (message: object | string) =>
    child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)
  const hear: LineProcess["hear"] = (fits) => {
    const at = untaken.findIndex(fits)
    const [found] = at === -1 ? [] : untaken.splice(at, 1)
    return found === undefined
      ? new Promise((take, fail) => waiting.push({ fits, take, fail }))
      : Promise.resolve(found)
  }
  return {
    send,
    hear,
    ask: (message) => {
      const answer = hear(({ id, method }) => id === message.id && method === undefined)
      send(message)
      return answer
    },
    end: () => {
      child.stdin.end()
      return ended
    }
  }
}
