/** `action-risk webhooks listen` as a real process, with what it prints as it comes. */

import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

export interface Listening {
  readonly url: string
  /** So far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  /** Resolves with all of standard output once `text` is in it. */
  readonly printed: (text: string | RegExp) => Promise<string>
  /** Ends it like Ctrl-C; resolves with its exit code. */
  readonly end: () => Promise<number | null>
}

const main = join(import.meta.dirname, "../../bin/action-risk.js")

const waiting = (child: ChildProcess, seen: () => string, text: string | RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (!(typeof text === "string" ? seen().includes(text) : text.test(seen()))) return
      child.off("exit", ended)
      resolve(seen())
    }
    const ended = () => reject(new Error(`it ended before it printed ${text}: ${seen()}`))
    child.stdout?.on("data", look)
    child.stderr?.on("data", look)
    child.once("exit", ended)
    look()
  })

/** On a free port where `port` is left out. */
export const listening = async (
  args: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {},
  port = 0
): Promise<Listening> => {
  const child = spawn(process.execPath, [main, "webhooks", "listen", "--port", String(port), ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const seen = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (seen.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (seen.stderr += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const ready = /listening for webhooks on (http:\/\/\S+)/
  const said = await waiting(child, () => seen.stdout + seen.stderr, ready)
  return {
    url: ready.exec(said)?.[1] ?? "",
    output: () => seen,
    printed: (text) => waiting(child, () => seen.stdout, text),
    end: () => {
      child.kill("SIGINT")
      return ended
    }
  }
}
