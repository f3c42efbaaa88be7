/** The hook before a call stores the call's assessment for the hook after it. Only used if outcomes are reported. */

import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { followedCallsMax } from "../../limits.ts"
import { type ProcessEnvironment, stateFolder } from "../settings.ts"
import type { HookCall, HostName } from "./hosts.ts"

const folderOf = (env: ProcessEnvironment): string => join(stateFolder(env), "asked")

/** Named by the call's id or, without one, by its content: repeating a call in a session replaces the first. */
const nameOf = (host: HostName, { arguments: given, callId, session, tool }: HookCall): string =>
  createHash("sha256")
    .update(JSON.stringify([host, session, callId ?? [tool, given]]))
    .digest("hex")

/** Calls that did not run leave their files behind, so if there are too many, the older half is deleted. */
const makeRoom = (folder: string): void => {
  const names = readdirSync(folder)
  if (names.length < followedCallsMax) return
  const aged = names.map((name) => {
    const path = join(folder, name)
    return { path, atMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }
  })
  for (const { path } of aged.toSorted((a, b) => a.atMs - b.atMs).slice(0, names.length / 2))
    rmSync(path, { force: true })
}

export const rememberCall = (
  env: ProcessEnvironment,
  host: HostName,
  call: HookCall,
  assessmentId: string
): void => {
  const folder = folderOf(env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  makeRoom(folder)
  writeFileSync(join(folder, nameOf(host, call)), assessmentId, { mode: 0o600 })
}

/** Null if the call was not asked about, or its end has already been reported. */
export const takeCall = (env: ProcessEnvironment, host: HostName, call: HookCall): string | null => {
  const path = join(folderOf(env), nameOf(host, call))
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  const assessmentId = readFileSync(path, "utf8")
  rmSync(path)
  return assessmentId
}
