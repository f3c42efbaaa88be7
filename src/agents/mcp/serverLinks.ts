/** The two kinds of MCP servers behind a gate: a process that the gate starts, and one behind a URL. */

import { spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { mcpEndMs } from "../../limits.ts"
import { readable } from "../askAbout.ts"
import { hearLines } from "./messageLines.ts"
import type { ProcessEnvironment } from "../settings.ts"

/** A gate between a program that people use and one that does something. */
export interface GateOptions {
  /** The name under which mappings know the server, or the agent. */
  readonly name: string
  readonly link: OpenLink
  /** The folder of the owner's files. */
  readonly folder: string
  readonly env: ProcessEnvironment
  /** The command of the gate has this program answer itself, which counts where the owner's files name no service. */
  readonly saysLocal?: boolean
  readonly input: Readable
  readonly output: Writable
}

/** A way to a server that takes and gives one message on each line. */
export interface ServerLink {
  /** `message`: what the line says. */
  readonly send: (line: string, message: Readonly<Record<string, unknown>>) => void
  /** The host has nothing more to say. */
  readonly close: () => void
  /** Resolves with the exit code of the gate. */
  readonly ended: Promise<number>
}

/** Opens the link, and receives the server's messages. */
export type OpenLink = (hear: (line: string) => void) => ServerLink

/** `named`: how messages call it, such as `server shop`. */
export const processLink =
  (named: string, command: ReadonlyArray<string>, environment: ProcessEnvironment): OpenLink =>
  (hear) => {
    const [program = "", ...words] = command
    // The server has no use for the keys with which the gate asks and reports.
    const { ACTION_RISK_KEY: _, ACTION_RISK_OUTCOMES_KEY: __, ...env } = environment
    const child = spawn(program, words, { env, stdio: ["pipe", "pipe", "inherit"] })
    const ended = new Promise<number>((resolve) => {
      child.once("error", (cause) => {
        process.stderr.write(`${readable(`the ${named} cannot be started: ${cause.message}`)}\n`)
        resolve(1)
      })
      child.once("close", (code) => resolve(code ?? 1))
    })
    // A server that is gone has ended, and `ended` says so.
    child.stdin.on("error", () => {})
    hearLines(child.stdout, hear)
    return {
      send: (line) => child.stdin.write(`${line}\n`),
      close: () => {
        child.stdin.end()
        setTimeout(() => child.kill("SIGKILL"), mcpEndMs).unref()
      },
      ended
    }
  }
