/** A process that is measured: started with a script, ready once it has printed its first line, ended with the bench. */

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

export interface Child extends AsyncDisposable {
  /** Its first line, which is JSON. */
  readonly said: Readonly<Record<string, string>>
  /** Bytes of memory that it holds now. */
  readonly residentBytes: () => number
  readonly pid: number
  /** Resolves once it has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

const running = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

const residentLine = /^VmRSS:\s*([0-9]+) kB$/m

export const startChild = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<Child> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  running.add(child)
  const gone = once(child, "exit").finally(() => running.delete(child))
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    gone.then(([code]) => {
      throw new Error(`${args.join(" ")} ended with ${code} before it was ready`)
    })
  ])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await gone
  }
  return {
    said: JSON.parse(String(line)),
    pid: child.pid ?? 0,
    end,
    residentBytes: () =>
      Number(residentLine.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) * 1_024,
    [Symbol.asyncDispose]: () => end("SIGTERM")
  }
}
