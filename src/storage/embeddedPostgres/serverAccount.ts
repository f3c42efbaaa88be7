/** The account that runs the embedded server, and how a PostgreSQL program is run under it. */

import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseProblem } from "../storageErrors.ts"

export interface ServerAccount {
  readonly uid: number
  readonly gid: number
}

/** Null when the process is no root and runs the server itself. Never creates an account. */
export const serverAccount = (dataDirectory: string, cluster: string): ServerAccount | null => {
  if (process.getuid?.() !== 0) return null
  for (const path of [cluster, dataDirectory]) {
    const owner = existsSync(path) ? statSync(path) : undefined
    if (owner !== undefined && owner.uid !== 0 && hasName(owner.uid))
      return { uid: owner.uid, gid: owner.gid }
  }
  return nobody()
}

/** `initdb` refuses an account that the system has no name for, such as the owner of a folder mounted into a container. */
const hasName = (uid: number): boolean => spawnSync("/usr/bin/id", ["-un", String(uid)]).status === 0

const nobody = (): ServerAccount => {
  const passwd = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : ""
  const [, , uid, gid] =
    passwd
      .split("\n")
      .find((line) => line.startsWith("nobody:"))
      ?.split(":") ?? []
  return { uid: Number(uid ?? 65_534) >>> 0, gid: Number(gid ?? 65_534) >>> 0 }
}

/**
 * The words that go in front of a server command so that the account can read `paths`. Empty where it can anyway:
 * the server gets no capability that it does not need.
 */
const capabilityPrefix = (
  account: ServerAccount,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, DatabaseProblem> =>
  Effect.suspend(() => {
    const closed = paths.find((path) => !canEnter(account, path))
    if (closed === undefined) return Effect.succeed([])
    const capabilities = heldCapabilities()
    const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync)
    if (capabilities.length === 0 || setpriv === undefined) {
      return new DatabaseProblem({
        message: `the account with uid ${account.uid}, which must run PostgreSQL because root may not, cannot enter ${closed}: run as a normal user, move it where everyone may enter, or set DATABASE_URL`
      })
    }
    const added = capabilities.map((name) => `+${name}`).join(",")
    return Effect.succeed([
      setpriv,
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      "--clear-groups",
      // Without this bit access(2) drops the capabilities that the next two grant.
      "--securebits=+no_setuid_fixup",
      `--inh-caps=${added}`,
      `--ambient-caps=${added}`
    ])
  })

const canEnter = (account: ServerAccount, path: string): boolean => {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  const entered = ((mode >> shift) & 1) === 1
  return entered && (dirname(path) === path || canEnter(account, dirname(path)))
}

/** The capabilities that pass file permissions, as far as root has them here: containers often keep only one. */
const heldCapabilities = (): ReadonlyArray<string> => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : ""
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`)
  const bits = { dac_override: 1n, dac_read_search: 2n }
  return Object.entries(bits).flatMap(([name, bit]) => (((permitted >> bit) & 1n) === 1n ? [name] : []))
}

/** Runs one PostgreSQL program to its end, as the server's account, in at most a given time. */
interface ServerCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly account: ServerAccount | null
  /** What the account must be able to enter. */
  readonly paths: ReadonlyArray<string>
  readonly timeoutMs: number
}

interface CommandResult {
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
