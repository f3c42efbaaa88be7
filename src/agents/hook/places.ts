/** Where each host stores its hooks, what an installation writes there, and the command that the host then runs. */

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { hostTimeoutSeconds } from "../../limits.ts"
import type { ProcessEnvironment } from "../settings.ts"
import type { GenericHost, HostName } from "./hosts.ts"

/** Both paths are absolute, so that no other folder can supply a program of the same name. */
export interface HookProgram {
  readonly node: string
  readonly script: string
  /** The folder of the owner's files. */
  readonly folder: string
  /** Whether a second hook reports how calls ended. */
  readonly outcomes: boolean
}

export interface HookPlace {
  readonly path: (env: ProcessEnvironment) => string
  readonly write: (path: string, program: HookProgram) => void
  /** False if nothing of ours was installed. */
  readonly remove: (path: string) => boolean
  /** A shell command that runs the hook like the host does; undefined if it is not installed. */
  readonly installed: (path: string) => string | undefined
  /** The step that a person must still take. */
  readonly afterwards: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Passes the answer through a separate descriptor. Hosts take all of standard output as the answer and run a call whose answer they cannot
 * parse, so a line printed by a library or a wrapper of Node would count as consent.
 */
const answering = (host: HostName, { folder, node, script }: HookProgram): string =>
  `${[node, script].map(quoted).join(" ")} hook run ${host} --config ${quoted(folder)} --answer-fd 3 3>&1 >/dev/null`

/** If the program is missing or crashes, the shell objects instead: exit code 2 means refusal on each of these hosts. */
export const hookCommand = (host: HostName, program: HookProgram): string =>
  `${answering(host, program)} || { echo 'no risk opinion: the hook did not run' >&2; exit 2; }`

/** After a call nothing can be held back, so failures are ignored. */
const reportingOf = (host: HostName, { folder, node, script }: HookProgram): string =>
  `${[node, script].map(quoted).join(" ")} hook report ${host} --config ${quoted(folder)} >/dev/null 2>&1 || true`

const isOurs = (command: unknown): command is string =>
  typeof command === "string" &&
  / hook (?:run|report) (?:claude-code|codex|copilot|cursor|gemini) --config /.test(command)

type Settings = Readonly<Record<string, unknown>>

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

const entriesOf = (settings: Settings | null, event: string): ReadonlyArray<unknown> => {
  const hooks = isRecord(settings?.["hooks"]) ? settings["hooks"] : {}
  return Array.isArray(hooks[event]) ? hooks[event] : []
}

/** The settings without our entry, plus `entry` if given. */
const withEntry = (settings: Settings, event: string, entry: Settings | null): Settings => {
  const hooks = isRecord(settings["hooks"]) ? settings["hooks"] : {}
  const kept = entriesOf(settings, event).filter((one) => !commandsOf(one).some(isOurs))
  const next = entry === null ? kept : [...kept, entry]
  const { [event]: _, ...others } = hooks
  return { ...settings, hooks: next.length === 0 ? others : { ...hooks, [event]: next } }
}

/** Written atomically, because a host that finds half a file ignores it. */
export const writeHookFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.partial`
  writeFileSync(draft, text, { flag: "wx" })
  renameSync(draft, path)
}

export const writeWholeJson = (path: string, json: unknown): void =>
  writeHookFile(path, `${JSON.stringify(json, null, 2)}\n`)

interface Entry {
  readonly path: HookPlace["path"]
  /** Events before a call. */
  readonly asks: ReadonlyArray<string>
  /** Events after a call. */
  readonly ends: ReadonlyArray<string>
  readonly entry: (command: string, event: string) => Settings
  /** Other members for a newly created file. */
  readonly base?: Settings
  /** The file contains only our hook. */
  readonly own?: true
  readonly afterwards?: string
}

/** A place in a settings file that others write too. */
const inSettings = (
  host: HostName,
  { afterwards = "start a new session", asks, base = {}, ends, entry, own, path }: Entry
): HookPlace => ({
  path,
  afterwards,
  write: (file, program) => {
    const [asking, reporting] = [hookCommand(host, program), reportingOf(host, program)]
    const entries = [
      ...asks.map((event) => [event, entry(asking, event)] as const),
      ...ends.map((event) => [event, program.outcomes ? entry(reporting, event) : null] as const)
    ]
    writeWholeJson(
      file,
      entries.reduce((before, [event, one]) => withEntry(before, event, one), readSettings(file) ?? base)
    )
  },
  remove: (file) => {
    const settings = readSettings(file)
    const events = [...asks, ...ends]
    const isInstalled = events.some((event) => entriesOf(settings, event).flatMap(commandsOf).some(isOurs))
    if (settings === null || !isInstalled) return false
    const left = events.reduce((before, event) => withEntry(before, event, null), settings)
    if (own && isRecord(left["hooks"]) && Object.keys(left["hooks"]).length === 0) rmSync(file)
    else writeWholeJson(file, left)
    return true
  },
  // Installed if each event before a call has it.
  installed: (file) => {
    const settings = readSettings(file)
    const commands = asks.map((event) => entriesOf(settings, event).flatMap(commandsOf).find(isOurs))
    return commands.every((one) => one === commands[0]) ? commands[0] : undefined
  }
})

const mark = "Written by action-risk-agent"

const isOurFile = (path: string): boolean => existsSync(path) && readFileSync(path, "utf8").includes(mark)

/** A file that consists of the hook. */
const asFile = (
  path: HookPlace["path"],
  content: (program: HookProgram) => string,
  run: (path: string) => string
): HookPlace => ({
  path,
  afterwards: "start a new session",
  write: (file, program) => {
    if (existsSync(file) && !isOurFile(file))
      throw new Error(
        `${file} is already a hook of your own, so nothing was changed: call this program from that hook`
      )
    writeHookFile(file, content(program))
    chmodSync(file, 0o755)
  },
  remove: (file) => {
    if (!isOurFile(file)) return false
    rmSync(file)
    return true
  },
  installed: (file) => (isOurFile(file) ? run(file) : undefined)
})

const never = '{"cancel":true,"errorMessage":"no risk opinion: the hook did not run"}'

const clineScript = (program: HookProgram): string => `#!/bin/sh
# ${mark}; \`action-risk-agent hook uninstall cline\` takes it away.
# Cline runs a call whose hook fails or says nothing that it can read, so that only a whole answer is handed on.
answer=$(${answering("cline", program)}) && [ -n "$answer" ] || answer='${never}'
printf '%s' "$answer"
`

const openCodePlugin = ({
  folder,
  node,
  outcomes,
  script
}: HookProgram): string => `// ${mark}; \`action-risk-agent hook uninstall opencode\` takes it away.
import { spawn } from "node:child_process"

const words = (verb) => [${JSON.stringify(script)}, "hook", verb, "opencode", "--config", ${JSON.stringify(folder)}]

/** Empty if there is no objection: the program explicitly said so. */
const objection = (call) =>
  new Promise((resolve) => {
    const child = spawn(${JSON.stringify(node)}, words("run"), { timeout: ${hostTimeoutSeconds * 1_000}, killSignal: "SIGKILL" })
    const said = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"]) child[name].on("data", (bytes) => (said[name] += bytes))
    child.stdin.on("error", () => {})
    child.once("error", () => resolve("no risk opinion: the hook did not run"))
    child.once("close", (code) => {
      const reason = code === 2 ? said.stderr.trim() : ""
      resolve(code === 0 && said.stdout === "{}" ? "" : reason || "no risk opinion: the hook did not run")
    })
    child.stdin.end(JSON.stringify(call))
  })
${outcomes ? openCodeReport(node) : ""}
export const ActionRisk = async ({ directory }) => ({
  "tool.execute.before": async ({ callID, sessionID, tool }, { args }) => {
    const reason = await objection({ tool, sessionID, callID, args, directory })
    if (reason !== "") throw new Error(reason)
  }${outcomes ? openCodeEnd : ""}
})
`

const openCodeReport = (node: string): string => `
/** Runs in the background. */
const report = (call) => {
  const child = spawn(${JSON.stringify(node)}, words("report"), { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  child.on("error", () => {})
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(call))
  child.unref()
}
`

const openCodeEnd = `,
  "tool.execute.after": async ({ callID, sessionID, tool }) =>
    report({ hook_event_name: "tool.execute.after", tool, sessionID, callID, args: {} })`

/** Calls the plugin like OpenCode does, with the call from standard input. */
const callPlugin = (path: string): string => {
  const program = `const { tool, args, sessionID } = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
import(${JSON.stringify(path)})
  .then(({ ActionRisk }) => ActionRisk({ directory: process.cwd() }))
  .then((hooks) => hooks["tool.execute.before"]({ tool, sessionID, callID: "doctor" }, { args }))
  .catch((cause) => { console.error(cause.message); process.exitCode = 2 })`
  return `${quoted(process.execPath)} -e ${quoted(program)}`
}

const below = (env: ProcessEnvironment, variable: string, folder: string): string =>
  env[variable] ?? join(homedir(), folder)

/** VS Code reads the hooks of Copilot CLI, so one file serves both. */
const copilot = inSettings("copilot", {
  path: (env) => join(below(env, "COPILOT_HOME", ".copilot"), "hooks", "action-risk.json"),
  asks: ["preToolUse"],
  ends: ["postToolUse"],
  entry: (command) => ({ type: "command", bash: command, timeoutSec: hostTimeoutSeconds }),
  base: { version: 1 },
  own: true
})

export const places: Readonly<Record<Exclude<HostName, GenericHost>, HookPlace>> = {
  "claude-code": inSettings("claude-code", {
    path: (env) => join(below(env, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
    asks: ["PreToolUse"],
    ends: ["PostToolUse", "PostToolUseFailure"],
    entry: (command, event) => ({
      matcher: "*",
      hooks: [
        {
          type: "command",
          command,
          timeout: hostTimeoutSeconds,
          ...(event === "PreToolUse" && { onFailure: "block" })
        }
      ]
    })
  }),
  codex: inSettings("codex", {
    path: (env) => join(below(env, "CODEX_HOME", ".codex"), "hooks.json"),
    asks: ["PreToolUse"],
    ends: ["PostToolUse"],
    entry: (command) => ({ hooks: [{ type: "command", command, timeout: hostTimeoutSeconds }] }),
    afterwards:
      "start Codex and trust the hook in /hooks: until then it does not run, and calls are not asked about"
  }),
  copilot,
  vscode: copilot,
  gemini: inSettings("gemini", {
    path: () => join(homedir(), ".gemini", "settings.json"),
    asks: ["BeforeTool"],
    ends: ["AfterTool"],
    entry: (command) => ({
      matcher: ".*",
      // Gemini CLI expects milliseconds.
      hooks: [{ name: "action-risk", type: "command", command, timeout: hostTimeoutSeconds * 1_000 }]
    })
  }),
  opencode: asFile(
    (env) => join(below(env, "XDG_CONFIG_HOME", ".config"), "opencode", "plugins", "action-risk.js"),
    openCodePlugin,
    callPlugin
  ),
  cursor: inSettings("cursor", {
    path: () => join(homedir(), ".cursor", "hooks.json"),
    asks: ["beforeShellExecution", "beforeMCPExecution", "preToolUse"],
    ends: ["afterShellExecution", "afterMCPExecution", "postToolUse", "postToolUseFailure"],
    entry: (command, event) => ({
      // A single simple command: Cursor may append the call as a here-document, which would go to the last command of a list.
      command: `/bin/sh -c ${quoted(command)}`,
      timeout: hostTimeoutSeconds,
      ...(!/^(?:after|post)/.test(event) && { failClosed: true }),
      // Commands and tools of MCP servers have events of their own.
      ...(event.endsWith("ToolUse") && { matcher: "^(?!Shell$|MCP:)" })
    }),
    base: { version: 1 }
  }),
  cline: asFile(() => join(homedir(), ".cline", "hooks", "PreToolUse.sh"), clineScript, quoted)
}
