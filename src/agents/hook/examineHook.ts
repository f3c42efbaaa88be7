/** `hook doctor`: checks whether an installed hook takes effect by running it like the host does, and explains why not. */

import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { hostTimeoutSeconds, hostVersionMs } from "../../limits.ts"
import { readable } from "../askAbout.ts"
import { awayVariable, type OwnerSettings, type ProcessEnvironment, readOwnerSettings } from "../settings.ts"
import { type GenericHost, type HostName, isGeneric } from "./hosts.ts"
import { hookCommand, type HookProgram, places } from "./places.ts"
import type { HookSurroundings } from "./runHook.ts"

export interface HookFinding {
  /** Null: worth mentioning, but not a fault. */
  readonly sound: boolean | null
  readonly says: string
  /** The observed problem. Absent if all is well. */
  readonly because?: string
}

const bash = { tool_name: "Bash", tool_input: { command: "git status" }, session_id: "doctor" }

/** A harmless call, in the format of each host. */
const sample: Readonly<Record<HostName, object>> = {
  "claude-code": bash,
  codex: bash,
  copilot: { toolName: "bash", toolArgs: { command: "git status" }, sessionId: "doctor" },
  gemini: { ...bash, tool_name: "run_shell_command" },
  opencode: { tool: "bash", args: { command: "git status" }, sessionID: "doctor" },
  cline: { tool_call: { id: "doctor", name: "run_commands", input: { commands: ["git status"] } } },
  vscode: { ...bash, tool_name: "run_in_terminal" },
  cursor: { hook_event_name: "beforeShellExecution", command: "git status", conversation_id: "doctor" },
  "generic --reply exit2": bash,
  "generic --reply claude": bash,
  "generic --reply deny-json": bash
}

/** Runs the installed command like the host does: once normally, and once with no service reachable. */
const drill = (
  host: HostName,
  command: string,
  env: HookSurroundings["env"],
  isLocal: boolean
): ReadonlyArray<HookFinding> => {
  const run = (more: Readonly<Record<string, string>>) => {
    const { error, status, stderr, stdout } = spawnSync("sh", ["-c", command], {
      input: JSON.stringify(sample[host]),
      encoding: "utf8",
      timeout: hostTimeoutSeconds * 1_000,
      env: { ...env, ...more }
    })
    const heard = error === undefined ? `${stdout} ${stderr}`.trim() : error.message
    return {
      heard: `it exited with ${status} and printed: ${readable(heard)}`,
      objects: status === 2 || /"(?:ask|deny)"|"cancel":true/.test(stdout),
      hasOpinion: error === undefined && !/no risk opinion/.test(heard)
    }
  }
  const away = run({ [awayVariable]: "1" })
  const asked = run({})
  return [
    {
      sound: away.objects,
      says: `if ${isLocal ? "nothing" : "no service"} answers, the hook objects`,
      because: away.heard
    },
    {
      sound: asked.hasOpinion,
      says: `${isLocal ? "this program" : "the service"} gives an opinion on \`git status\``,
      because: asked.heard
    }
  ]
}

interface HostProgram {
  readonly name: string
  /** The version that `npm run test:clients` installs; null if the hook was only checked against documents and sources. */
  readonly tried: string | null
}

type NamedHost = Exclude<HostName, GenericHost>

export const hostPrograms: Readonly<Record<NamedHost, HostProgram>> = {
  "claude-code": { name: "claude", tried: "2.1.330" },
  codex: { name: "codex", tried: "0.169.0" },
  copilot: { name: "copilot", tried: "1.0.102" },
  gemini: { name: "gemini", tried: "0.61.0" },
  opencode: { name: "opencode", tried: "1.18.33" },
  cline: { name: "cline", tried: "3.0.65" },
  vscode: { name: "code", tried: null },
  cursor: { name: "cursor", tried: null }
}

/** Hosts change how they use a hook between versions, so an untested version is mentioned, but not as a fault. */
const versionOf = (host: NamedHost, env: ProcessEnvironment): HookFinding => {
  const { name, tried } = hostPrograms[host]
  const { stdout } = spawnSync(name, ["--version"], { encoding: "utf8", timeout: hostVersionMs, env })
  const found = /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0]
  if (found === tried)
    return { sound: true, says: `${name} is version ${found}, which the hook was tested with` }
  const seen = found === undefined ? `${name} did not say its version` : `${name} is version ${found}`
  const how =
    tried === null ? "follows its documentation, and was not tested with it" : `was tested with ${tried}`
  return { sound: null, says: `${seen}; the hook ${how}` }
}

/** Codex stores in its configuration which hooks it trusts. Only Codex knows whether the hook is still the one it trusted. */
const trustOf = (host: HostName, file: string): ReadonlyArray<HookFinding> => {
  if (host !== "codex") return []
  const path = join(dirname(file), "config.toml")
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  return [
    {
      sound: text.includes("trusted_hash") && text.includes(file),
      says: "the hook in this file is trusted, which is needed again after each change of the file",
      because: "start Codex and trust the hook in /hooks; until then Codex runs every call without asking"
    }
  ]
}

/** Where the hook is installed, and other signs of whether the host uses it. */
const placeOf = (host: NamedHost, env: ProcessEnvironment) => {
  const file = places[host].path(env)
  const command = places[host].installed(file)
  const found = {
    sound: command !== undefined,
    says: `the hook is in ${file}`,
    because: `\`action-risk-agent hook install ${host}\` writes it`
  }
  return { command, findings: [found, ...(command === undefined ? [] : trustOf(host, file))] }
}

/** The release with which this program answers, and where its answers are stored. */
const examineLocal = async ({ opinionsFile }: OwnerSettings): Promise<ReadonlyArray<HookFinding>> => {
  const kept = { sound: null, says: `its answers are kept in ${opinionsFile}` }
  try {
    const { localEngineVersion } = await import("../../local/localAnswers.ts")
    return [{ sound: true, says: `this program answers itself, by ${await localEngineVersion()}` }, kept]
  } catch (cause) {
    const because = readable(cause instanceof Error ? cause.message : String(cause))
    return [{ sound: false, says: "this program answers itself", because }, kept]
  }
}

const examineService = ({ key, serviceUrl }: OwnerSettings, folder: string): ReadonlyArray<HookFinding> => [
  { sound: null, says: readable(`the hook asks the service at ${serviceUrl}`) },
  {
    sound: key !== "",
    says: "there is an API key",
    because: `set ACTION_RISK_KEY, or write the key into ${folder}/key`
  }
]

export const examineHook = async (
  host: HostName,
  program: HookProgram,
  { env, folder }: HookSurroundings
): Promise<ReadonlyArray<HookFinding>> => {
  const owner = await readOwnerSettings(folder, undefined, env)
  const isLocal = owner.serviceUrl === null
  const { command, findings } = isGeneric(host)
    ? { command: hookCommand(host, program), findings: [] }
    : placeOf(host, env)
  return [
    ...owner.problems.map((problem) => ({ sound: false, says: problem })),
    ...(isLocal ? await examineLocal(owner) : examineService(owner, folder)),
    {
      sound: owner.gate.mode === "gate",
      says: "the gate file asks people instead of only observing",
      because: `"mode" is "observe" in ${folder}`
    },
    ...findings,
    ...(command === undefined ? [] : drill(host, command, env, isLocal)),
    ...(isGeneric(host) ? [] : [versionOf(host, env)])
  ]
}
