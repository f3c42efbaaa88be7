/** Runs one PostgreSQL program to its end, as the server's account, in at most a given time. */

import { Effect } from "effect"
import { spawn } from "node:child_process"
import { DatabaseProblem } from "../DatabaseProblem.ts"
import { capabilityPrefix, type ServerAccount } from "./serverAccount.ts"

export interface ServerCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly account: ServerAccount | null
  /** What the account must be able to enter. */
  readonly paths: ReadonlyArray<string>
  readonly timeoutMs: number
}

export interface CommandResult {
  readonly code: number | null
  /** Standard output and standard error, as they came. */
  readonly output: string
}

export const runServerCommand = Effect.fnUntraced(function* (
  command: ServerCommand
): Effect.fn.Return<CommandResult, DatabaseProblem> {
  const { account, program, args, timeoutMs } = command
  const prefix = account === null ? [] : yield* capabilityPrefix(account, [program, ...command.paths])
  const [first = program, ...rest] = [...prefix, program, ...args]
  return yield* Effect.callback<CommandResult, DatabaseProblem>((resume) => {
    const child = spawn(first, rest, {
      ...(account !== null && prefix.length === 0 ? account : {}),
      // A directory that every account may enter; the programs print a warning where they cannot read their own.
      cwd: "/",
      // Nothing of the operator's locale, time zone or PG* variables may shape the cluster.
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      // A session of its own: Ctrl-C signals the terminal's whole group, and the server must outlive our drain.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs
    })
    let output = ""
    const collect = (chunk: Buffer) => {
      output += chunk.toString("utf8")
    }
    child.stdout?.on("data", collect)
    child.stderr?.on("data", collect)
    child.once("error", (cause) =>
      resume(new DatabaseProblem({ message: `${program} cannot be run: ${cause.message}`, cause }))
    )
    // "exit" and not "close": a started server may keep the pipes open.
    child.once("exit", (code) => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      resume(Effect.succeed({ code, output }))
    })
    return Effect.sync(() => child.kill())
  })
})
