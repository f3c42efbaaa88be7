/** Runs `action-risk` as a real process, the way an operator does. */

import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

export interface RunOptions {
  /** On top of a clean environment: PATH and the variables here. */
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  /** The text of standard input; empty where left out. */
  readonly input?: string
  /** The checkout to run from; this one where left out. */
  readonly checkout?: string
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Serving {
  readonly url: string
  readonly pid: number
  /** So far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  /** Signals the process, or with "group" everyone that a terminal's Ctrl-C reaches. */
  readonly signal: (name: NodeJS.Signals, whom?: "group") => void
  readonly finished: Promise<Finished>
}

const here = join(import.meta.dirname, "../..")

const start = (args: ReadonlyArray<string>, options: RunOptions) => {
  const checkout = options.checkout ?? here
  const child = spawn(process.execPath, [join(checkout, "bin/action-risk.js"), ...args], {
    cwd: "/",
    env: { PATH: process.env["PATH"], LOG_FORMAT: "json", ...options.env },
    // A process group of its own, so that a test can signal it as a terminal does.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid ?? options.uid })
  })
  child.stdin.end(options.input)
  const seen = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (seen.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (seen.stderr += chunk.toString()))
  const finished = new Promise<Finished>((resolve) =>
    child.once("close", (code) => resolve({ code, ...seen }))
  )
  return { child, seen, finished }
}

export const actionRisk = (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Finished> =>
  start(args, options).finished

const readyLine = /^action-risk listening on (http:\/\/\S+)$/m

/** Resolves once the ready line is printed; rejects with the output if the process ends before. */
export const serving = async (options: RunOptions = {}): Promise<Serving> => {
  const { child, finished, seen } = start(["serve"], { ...options, env: { PORT: "0", ...options.env } })
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const url = readyLine.exec(seen.stdout)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on("data", look)
    void finished.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)))
  })
  return {
    url,
    pid: pidOf(child),
    output: () => seen,
    signal: (name, whom) => signal(child, name, whom),
    finished
  }
}

const signal = (child: ChildProcess, name: NodeJS.Signals, whom?: "group"): void => {
  process.kill(whom === "group" ? -pidOf(child) : pidOf(child), name)
}

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) throw new Error("the process was not started")
  return pid
}
