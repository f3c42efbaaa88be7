/** Writes a hook into the settings of a host, takes it out again, and tries whether it objects where nobody answers. */

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { Environment } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { hostTimeoutSeconds } from "../../limits.ts"
import { defaultGate, type GateFile } from "../GateFile.ts"
import { gateFileName, readOwnerSettings, toolsFileName } from "../settings.ts"
import type { ToolsFile } from "../ToolsFile.ts"
import type { HostName } from "./hosts.ts"
import type { HookSurroundings } from "./runHook.ts"

/** An absolute program and an absolute script: no name that somebody else's folder could answer to. */
interface Program {
  readonly node: string
  readonly script: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Where the program is missing or crashes, the shell objects in its place: exit code 2 is a refusal on each of these hosts. */
const commandOf = (host: HostName, folder: string, { node, script }: Program): string =>
  `${[node, script].map(quoted).join(" ")} hook run ${host} --config ${quoted(folder)} || { echo 'no risk opinion: the hook did not run' >&2; exit 2; }`

const isOurs = (command: unknown): boolean =>
  typeof command === "string" && / hook run (?:claude-code|codex|copilot|gemini) --config /.test(command)

type Settings = Readonly<Record<string, unknown>>

interface Place {
  readonly file: (env: HookSurroundings["env"]) => string
  readonly event: string
  /** The entry for the event. */
  readonly entry: (command: string) => Settings
  /** What the file holds besides, where it is made anew. */
  readonly base: Settings
  /** What is left for a person to do. */
  readonly afterwards: string
}

const home = (env: HookSurroundings["env"], variable: string, folder: string): string =>
  env[variable] ?? join(homedir(), folder)

const places: Readonly<Record<HostName, Place>> = {
  "claude-code": {
    file: (env) => join(home(env, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
    event: "PreToolUse",
    entry: (command) => ({
      matcher: "*",
      hooks: [{ type: "command", command, timeout: hostTimeoutSeconds, onFailure: "block" }]
    }),
    base: {},
    afterwards: "start a new session"
  },
  codex: {
    file: (env) => join(home(env, "CODEX_HOME", ".codex"), "hooks.json"),
    event: "PreToolUse",
    entry: (command) => ({ hooks: [{ type: "command", command, timeout: hostTimeoutSeconds }] }),
    base: {},
    afterwards:
      "start Codex and trust the hook in /hooks: until then it does not run, and calls are not asked about"
  },
  copilot: {
    file: (env) => join(home(env, "COPILOT_HOME", ".copilot"), "hooks", "action-risk.json"),
    event: "preToolUse",
    entry: (command) => ({ type: "command", bash: command, timeoutSec: hostTimeoutSeconds }),
    base: { version: 1 },
    afterwards: "start a new session"
  },
  gemini: {
    file: () => join(homedir(), ".gemini", "settings.json"),
    event: "BeforeTool",
    entry: (command) => ({
      matcher: ".*",
      // Gemini CLI counts in milliseconds.
      hooks: [{ name: "action-risk", type: "command", command, timeout: hostTimeoutSeconds * 1_000 }]
    }),
    base: {},
    afterwards: "start a new session"
  }
}

const commandsOf = (entry: unknown): ReadonlyArray<unknown> => {
  if (!isRecord(entry)) return []
  const nested = Array.isArray(entry["hooks"]) ? entry["hooks"].filter(isRecord) : []
  return [entry["bash"], entry["command"], ...nested.map((one) => one["command"])]
}

const readSettings = (path: string): Settings | null => {
  if (!existsSync(path)) return null
  const parsed = parseStrictly(readFileSync(path, "utf8"))
  if ("problem" in parsed || !isRecord(parsed.value))
    throw new Error(`${path} is not a JSON object; nothing was changed`)
  return parsed.value
}

/** The settings without our entry, and with another one in its place where one is given. */
const withEntry = (settings: Settings, event: string, entry: Settings | null): Settings => {
  const hooks = isRecord(settings["hooks"]) ? settings["hooks"] : {}
  const entries = Array.isArray(hooks[event]) ? (hooks[event] as ReadonlyArray<unknown>) : []
  const kept = entries.filter((one) => !commandsOf(one).some(isOurs))
  const next = entry === null ? kept : [...kept, entry]
  const { [event]: _, ...others } = hooks
  return { ...settings, hooks: next.length === 0 ? others : { ...hooks, [event]: next } }
}

/** Whole or not at all, since a host that finds half a file ignores it. */
const writeWholeFile = (path: string, json: unknown): void => {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.partial`
  writeFileSync(draft, `${JSON.stringify(json, null, 2)}\n`, { flag: "wx" })
  renameSync(draft, path)
}

const firstGate: GateFile = {
  version: 1,
  ask_person_from: defaultGate.askPersonFrom,
  refuse_from: defaultGate.refuseFrom
}

/** Whether the owner's file, which an installation leaves as it is, says another environment than the one that was asked for. */
const keptEnvironment = (folder: string, wanted: Environment): ReadonlyArray<string> => {
  const path = join(folder, toolsFileName)
  const parsed = parseStrictly(readFileSync(path, "utf8"))
  const stated = "value" in parsed && isRecord(parsed.value) ? parsed.value["environment"] : undefined
  return stated === wanted
    ? []
    : [`kept ${path}: its environment is ${String(stated ?? "not stated")}, not ${wanted}; change it there`]
}

/** The owner's files where there are none yet. */
const writeOwnerFiles = (folder: string, environment: Environment): ReadonlyArray<string> => {
  const firstTools: ToolsFile = { version: 1, environment, tools: {} }
  const files = [
    [join(folder, gateFileName), firstGate],
    [join(folder, toolsFileName), firstTools]
  ] as const
  const missing = files.filter(([path]) => !existsSync(path))
  for (const [path, json] of missing) writeWholeFile(path, json)
  return missing.map(([path]) => path)
}

export const installHook = (
  host: HostName,
  environment: Environment,
  program: Program,
  { env, folder }: HookSurroundings
): ReadonlyArray<string> => {
  const place = places[host]
  const path = place.file(env)
  const settings = readSettings(path) ?? place.base
  writeWholeFile(path, withEntry(settings, place.event, place.entry(commandOf(host, folder, program))))
  const made = writeOwnerFiles(folder, environment)
  return [
    ...[path, ...made].map((file) => `wrote ${file}`),
    ...keptEnvironment(folder, environment),
    `then: ${place.afterwards}`
  ]
}

export const uninstallHook = (host: HostName, { env }: HookSurroundings): ReadonlyArray<string> => {
  const place = places[host]
  const path = place.file(env)
  const settings = readSettings(path)
  if (settings === null) return [`there is no ${path}`]
  const left = withEntry(settings, place.event, null)
  if (host === "copilot" && Object.keys(left["hooks"] as object).length === 0) rmSync(path)
  else writeWholeFile(path, left)
  return [`took the hook out of ${path}`]
}

interface Finding {
  readonly sound: boolean
  readonly says: string
}

const sample: Readonly<Record<HostName, object>> = {
  "claude-code": { tool_name: "Bash", tool_input: { command: "git status" }, session_id: "doctor" },
  codex: { tool_name: "Bash", tool_input: { command: "git status" }, session_id: "doctor" },
  copilot: { toolName: "bash", toolArgs: { command: "git status" }, sessionId: "doctor" },
  gemini: { tool_name: "run_shell_command", tool_input: { command: "git status" }, session_id: "doctor" }
}

/** A port that `fetch` never connects to (discard, RFC 863). */
const nowhere = "http://127.0.0.1:9"

/** Runs the installed command as the host does, once as it stands and once where no service can answer. */
const drill = (host: HostName, command: string, env: HookSurroundings["env"]): ReadonlyArray<Finding> => {
  const run = (more: Readonly<Record<string, string>>) =>
    spawnSync("sh", ["-c", command], {
      input: JSON.stringify(sample[host]),
      encoding: "utf8",
      timeout: hostTimeoutSeconds * 1_000,
      env: { ...env, ...more }
    })
  const objects = ({ status, stdout }: ReturnType<typeof run>) =>
    status === 2 || /"(?:ask|deny)"/.test(stdout)
  const away = run({ ACTION_RISK_URL: nowhere })
  const asked = run({})
  return [
    { sound: objects(away), says: "where no service answers, the hook objects" },
    {
      sound: !/no risk opinion/.test(asked.stdout + asked.stderr),
      says: "the service gives an opinion on `git status`"
    }
  ]
}

export const examineHook = async (
  host: HostName,
  { env, folder }: HookSurroundings
): Promise<ReadonlyArray<Finding>> => {
  const place = places[host]
  const owner = await readOwnerSettings(folder, undefined, env)
  const settings = readSettings(place.file(env))
  const hooks = isRecord(settings?.["hooks"]) ? settings["hooks"][place.event] : undefined
  const command = (Array.isArray(hooks) ? hooks.flatMap(commandsOf) : []).find(isOurs)
  return [
    ...owner.problems.map((problem) => ({ sound: false, says: problem })),
    { sound: owner.key !== "", says: "there is a key to ask with" },
    { sound: owner.gate.mode === "gate", says: "the gate file asks, and does not only observe" },
    { sound: command !== undefined, says: `the hook stands in ${place.file(env)}` },
    ...(typeof command === "string" ? drill(host, command, env) : [])
  ]
}
