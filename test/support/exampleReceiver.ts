/** examples/webhook-receiver/receiver.ts as a newcomer starts it. */

import { spawn } from "node:child_process"
import { join } from "node:path"

export interface ExampleReceiver {
  readonly url: string
  /** Resolves with all its output once that contains `text`. */
  readonly printed: (text: string | RegExp) => Promise<string>
  readonly end: () => Promise<unknown>
}

const receiver = join(import.meta.dirname, "../../examples/webhook-receiver/receiver.ts")

/** On a free port where `port` is left out. */
export const exampleReceiver = async (secret: string, port = 0): Promise<ExampleReceiver> => {
  const child = spawn(process.execPath, [receiver], {
    env: { PATH: process.env["PATH"], WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let seen = ""
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      seen += chunk.toString()
      for (const look of waiting) look()
    })
  const ended = new Promise((resolve) => child.once("close", resolve))
  const printed = (text: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!(typeof text === "string" ? seen.includes(text) : text.test(seen))) return
        waiting.delete(look)
        resolve(seen)
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`it ended before it printed ${text}: ${seen}`)))
    })
  const ready = /receiver listening on (http:\S+)/
  const url = ready.exec(await printed(ready))?.[1] ?? ""
  return {
    url,
    printed,
    end: () => {
      child.kill()
      return ended
    }
  }
}
