/** A program run to its end in a clean environment, as a host or a shell runs it. */

import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Finished } from "./actionRisk.ts"

/**
 * Node keeps compiled code between starts, so that a program starts from its sources in a quarter of the time.
 * It compares each file with what was compiled.
 */
export const cleanEnvironment = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/tests")
}

export interface ProgramOptions {
  /** On top of the clean environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Null leaves standard input open. */
  readonly input?: string | null
}

export const runProgram = (
  file: string,
  args: ReadonlyArray<string>,
  { cwd, env = {}, input = "" }: ProgramOptions = {}
): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...cleanEnvironment, ...env } })
    const seen = { stdout: "", stderr: "" }
    child.stdout.on("data", (chunk: Buffer) => (seen.stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (seen.stderr += chunk.toString()))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, ...seen }))
    // A program may end without reading its input.
    child.stdin.on("error", () => {})
    if (input !== null) child.stdin.end(input)
  })

/** The same command for bash, with what npx runs in this checkout and without npm's own start, which takes a second. */
export const withoutNpm = (command: string): string => `npx() {
  case $1 in
    node) "$@" ;;
    action-risk | action-risk-agent) node "bin/$1.js" "\${@:2}" ;;
    *) command npx "$@" ;;
  esac
}
${command}`
