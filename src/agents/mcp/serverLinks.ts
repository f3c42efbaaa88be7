/** The two kinds of MCP servers behind a gate: a process that the gate starts, and a server at a URL. */

import { spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { mcpEndMs } from "../../limits.ts"
import { readable } from "../askAbout.ts"
import { hearLines } from "./messageLines.ts"
import type { ProcessEnvironment } from "../settings.ts"

/** Options of a gate between a program that people use and a program that acts. */
export interface GateOptions {
  /** The name of the server or agent in mappings. */
  readonly name: string
  readonly link: OpenLink
  /** The folder of the owner's files. */
  readonly folder: string
  readonly env: ProcessEnvironment
  /** The gate's command tells this program to answer by itself, which counts if the owner's files name no service. */
  readonly saysLocal?: boolean
  readonly input: Readable
  readonly output: Writable
}

/** A link to a server, with one message per line in both directions. */
export interface ServerLink {
  /** `message`: the parsed line. */
  readonly send: (line: string, message: Readonly<Record<string, unknown>>) => void
  /** The host will send nothing more. */
  readonly close: () => void
  /** Resolves with the exit code of the gate. */
  readonly ended: Promise<number>
}

/** Opens the link. `hear` receives the server's messages. */
export type OpenLink = (hear: (line: string) => void) => ServerLink

/** `named`: how messages refer to it, such as `server shop`. */
export const processLink =
  (named: string, command: ReadonlyArray<string>, environment: ProcessEnvironment): OpenLink =>
  (hear) => {
    const [program = "", ...words] = command
    // The server does not need the keys with which the gate asks and reports.
    const { ACTION_RISK_KEY: _, ACTION_RISK_OUTCOMES_KEY: __, ...env } = environment
    const child = spawn(program, words, { env, stdio: ["pipe", "pipe", "inherit"] })
    const ended = new Promise<number>((resolve) => {
      child.once("error", (cause) => {
        process.stderr.write(`${readable(`the ${named} cannot be started: ${cause.message}`)}\n`)
        resolve(1)
      })
      child.once("close", (code) => resolve(code ?? 1))
    })
    // If the server is gone, `ended` reports it.
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
