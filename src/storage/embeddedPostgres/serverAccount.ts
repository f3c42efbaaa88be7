/** Chooses the account that runs the embedded server, and runs PostgreSQL programs under it. */

import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { useraddMs } from "../../limits.ts"
import { DatabaseProblem } from "../storageErrors.ts"

export interface ServerAccount {
  readonly uid: number
  readonly gid: number
}

/**
 * Null if the process is not root: it then runs the server under its own account. Otherwise the owner of the cluster or of DATA_DIR, or a
 * dedicated account, which is created if it does not exist, or finally `nobody`.
 */
export const serverAccount = Effect.fnUntraced(function* (dataDirectory: string, cluster: string) {
  if (process.getuid?.() !== 0) return null
  for (const path of [cluster, dataDirectory]) {
    const owner = existsSync(path) ? statSync(path) : undefined
    if (owner !== undefined && owner.uid !== 0 && hasName(owner.uid))
      return { uid: owner.uid, gid: owner.gid } satisfies ServerAccount
  }
  const known = accountNamed(ownName)
  if (known !== null) return known
  const made = makeOwnAccount()
  if (made === null) return nobody()
  yield* Effect.logInfo(`made the system account ${ownName}, because root may not run PostgreSQL`)
  return made
})

/** The dedicated account, used if root starts the embedded server and nothing belongs to another account yet. */
const ownName = "action-risk"

/** `initdb` rejects an account without a name, such as the owner of a folder mounted into a container. */
const hasName = (uid: number): boolean => idOf("-un", String(uid)) !== null

const idOf = (what: "-u" | "-g" | "-un", account: string): string | null => {
  const { status, stdout } = spawnSync("/usr/bin/id", [what, account], { encoding: "utf8" })
  return status === 0 ? stdout.trim() : null
}

const accountNamed = (name: string): ServerAccount | null => {
  const [uid, gid] = [idOf("-u", name), idOf("-g", name)]
  return uid === null || gid === null || uid === "0" ? null : { uid: Number(uid), gid: Number(gid) }
}

/** Null if none can be created: without `useradd`, or if the machine's account files are not writable. */
const makeOwnAccount = (): ServerAccount | null => {
  const useradd = "/usr/sbin/useradd"
  const options = "--system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin"
  if (existsSync(useradd)) spawnSync(useradd, [...options.split(" "), ownName], { timeout: useraddMs })
  // Another process that started at the same moment may have created it, so only the look-up decides whether it exists.
  return accountNamed(ownName)
}

const nobody = (): ServerAccount =>
  // It is -2 on macOS.
  accountNamed("nobody") ?? { uid: 65_534, gid: 65_534 }

/** `nobody` is not a dedicated account: every program without an account of its own uses it. */
export const isShared = (account: ServerAccount): boolean => account.uid === nobody().uid

/** A command prefix that lets the account enter `paths`. Empty if it can already, so that it gets no unnecessary capability. */
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
      // Without this bit, access(2) ignores the capabilities that the next two options grant.
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

/** The capabilities that bypass file permissions and that root has here. In containers, root often has only one of them. */
const heldCapabilities = (): ReadonlyArray<string> => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : ""
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0"}`)
  const bits = { dac_override: 1n, dac_read_search: 2n }
  return Object.entries(bits).flatMap(([name, bit]) => (((permitted >> bit) & 1n) === 1n ? [name] : []))
}

interface ServerCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly account: ServerAccount | null
  /** Folders that the account must be able to enter. */
  readonly paths: ReadonlyArray<string>
  readonly timeoutMs: number
}

interface CommandResult {
  readonly code: number | null
  /** Standard output and standard error, in order of arrival. */
  readonly output: string
}

/** Runs a PostgreSQL program to its end under the server's account, for at most `timeoutMs`. */
export const runServerCommand = Effect.fnUntraced(function* (
  command: ServerCommand
): Effect.fn.Return<CommandResult, DatabaseProblem> {
  const { account, program, args, timeoutMs } = command
  const prefix = account === null ? [] : yield* capabilityPrefix(account, [program, ...command.paths])
  const [first = program, ...rest] = [...prefix, program, ...args]
  return yield* Effect.callback<CommandResult, DatabaseProblem>((resume) => {
    const child = spawn(first, rest, {
      ...(account !== null && prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {}),
      // Every account may enter this directory. The programs print a warning if they cannot read their working directory.
      cwd: "/",
      // The operator's locale, time zone and PG* variables must not affect the cluster.
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      // A separate session: Ctrl-C signals all processes of the terminal, but the server must outlive the draining of `serve`.
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
    // Not "close": a started server may keep the pipes open.
    child.once("exit", (code) => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      resume(Effect.succeed({ code, output }))
    })
    return Effect.sync(() => child.kill())
  })
})
