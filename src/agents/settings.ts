/** The owner's settings for an agent's process: the service, the key, the gate file and the mapping. */

import { lstatSync, readFileSync, statSync } from "node:fs"
import { homedir, userInfo } from "node:os"
import { isAbsolute, join } from "node:path"
import { shownName } from "../foreignText.ts"
import { parseStrictly } from "../json/jsonReader.ts"
import { agentFileBytesMax, quotedTextMax } from "../limits.ts"
import { type Mapping, readMapping } from "./argumentPaths.ts"
import { readShaped } from "./fileShape.ts"
import { type AgentGate, defaultGate, type GateFile, gateOf, gateShape, tightened } from "./GateFile.ts"

export const gateFileName = "action-risk.gate.json"
export const toolsFileName = "action-risk.tools.json"
export const keyFileName = "key"
const outcomesKeyFileName = "outcomes-key"
/** A file next to the key, which contains the URL of the service or the word `local`. */
export const urlFileName = "url"
/** A file next to the key, which contains the address of the console for people. */
export const consoleUrlFileName = "console-url"
/**
 * Used in place of a URL: this program answers by itself. As the value of ACTION_RISK_URL it has no special meaning and is an unreachable
 * URL.
 */
export const localWord = "local"

/** Lets `hook doctor` see the hook's output when no service answers. Whatever its value, it can only make the hook object. */
export const awayVariable = "ACTION_RISK_AWAY"

/** A port to which `fetch` never connects (discard, RFC 863). */
const nowhere = "http://127.0.0.1:9"

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

export interface OwnerSettings {
  /** Null if this program answers by itself. */
  readonly serviceUrl: string | null
  /** Where this program stores its own answers. */
  readonly opinionsFile: string
  /** The address at which people open an assessment in a browser; null if not set. */
  readonly consoleUrl: string | null
  /** Empty if the owner provided none. */
  readonly key: string
  /** Empty if the owner wants no reports. */
  readonly outcomesKey: string
  readonly gate: AgentGate
  readonly mapping: Mapping | null
  /** Files that could not be read. If there are any, the owner's wishes are unknown. */
  readonly problems: ReadonlyArray<string>
}

/** A relative path would be resolved in the agent's workspace, where the agent could write the owner's files, so it counts as not set. */
export const folderBelow = (env: ProcessEnvironment, variable: string, usual: string): string => {
  const named = env[variable] ?? ""
  if (isAbsolute(named)) return named
  const home = homedir()
  return join(isAbsolute(home) ? home : userInfo().homedir, usual)
}

export const ownerFolder = (env: ProcessEnvironment): string =>
  join(folderBelow(env, "XDG_CONFIG_HOME", ".config"), "action-risk")

/** The folder for data that the program keeps between calls. */
export const stateFolder = (env: ProcessEnvironment): string =>
  join(folderBelow(env, "XDG_STATE_HOME", ".local/state"), "action-risk")

/** The variables of this process. The agent programs do not load the service's configuration. */
export const processEnvironment: ProcessEnvironment = process.env

type ReadJson = { readonly json: unknown } | { readonly problem: string } | null

/** A dangling link counts as an unreadable file and not as a missing one. */
const isMissing = (path: string, cause: unknown): boolean =>
  cause instanceof Error &&
  "code" in cause &&
  (cause.code === "ENOENT" || cause.code === "ENOTDIR") &&
  lstatSync(path, { throwIfNoEntry: false }) === undefined

/** A path or a key, shortened for display. In the agent's workspace, either is under the agent's control. */
const named = (text: string): string => shownName(text, quotedTextMax)

/** The cause without the path that Node appends to it. */
const whyOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message.replace(/, \w+ '.*$/s, "") : String(cause)

/** Null if there is no such file. */
type ReadFile = { readonly text: string } | { readonly problem: string } | null

const readText = (path: string): ReadFile => {
  try {
    const about = statSync(path)
    if (!about.isFile() || about.size > agentFileBytesMax)
      return { problem: `${named(path)} is not a file of at most ${agentFileBytesMax} bytes` }
    return { text: readFileSync(path, "utf8") }
  } catch (cause) {
    if (isMissing(path, cause)) return null
    return { problem: `${named(path)} cannot be read: ${whyOf(cause)}` }
  }
}

const textIn = (read: ReadFile): string | undefined =>
  read !== null && "text" in read ? read.text.trim() : undefined

/** Null if there is no such file. */
const readJson = (path: string): ReadJson => {
  const read = readText(path)
  if (read === null || "problem" in read) return read
  const parsed = parseStrictly(read.text)
  return "problem" in parsed ? { problem: `${named(path)}: ${parsed.problem}` } : { json: parsed.value }
}

const firstOf = (
  path: string,
  problems: ReadonlyArray<{ readonly at: string; readonly message: string }>
) => {
  const [first] = problems
  return { problem: `${named(path)}: ${named(first?.at ?? "")} ${first?.message}` }
}

const readGate = (path: string): { readonly file: GateFile } | { readonly problem: string } | null => {
  const read = readJson(path)
  if (read === null || "problem" in read) return read
  const shaped = readShaped(gateShape, read.json)
  return "problems" in shaped ? firstOf(path, shaped.problems) : shaped
}

const readTools = async (path: string): Promise<Mapping | { readonly problem: string } | null> => {
  const read = readJson(path)
  if (read === null || "problem" in read) return read
  const mapping = await readMapping(read.json)
  return "problems" in mapping ? firstOf(path, mapping.problems) : mapping
}

const problemsIn = (...read: ReadonlyArray<object | null>): ReadonlyArray<string> =>
  read.flatMap((one) => (one !== null && "problem" in one ? [String(one.problem)] : []))

const usualUrl = "http://127.0.0.1:3000"

/**
 * A local service on its default port has its console on the next port. The variable counts only if no file of the owner says who answers:
 * a workspace could set it to lead people to a page of its own.
 */
const consoleUrlOf = (
  consoleFile: ReadFile,
  urlFile: ReadFile,
  env: ProcessEnvironment,
  serviceUrl: string | null
): string | null => {
  const stated = textIn(consoleFile) ?? (urlFile === null ? env["ACTION_RISK_CONSOLE_URL"] : undefined)
  return stated?.replace(/\/+$/, "") ?? (serviceUrl === usualUrl ? "http://127.0.0.1:3001" : null)
}

/**
 * The owner's file takes precedence over a variable and over the gate's command: a workspace can set variables (`env` in Claude Code's
 * settings) and bring its own gates.
 */
const serviceUrlOf = (urlFile: ReadFile, env: ProcessEnvironment, saysLocal: boolean): string | null => {
  if (env[awayVariable] !== undefined) return nowhere
  const stated = textIn(urlFile)
  if (stated !== undefined) return stated === localWord ? null : stated
  return saysLocal ? null : (env["ACTION_RISK_URL"] ?? usualUrl)
}

/** Without the owner's file, `--local` on a command line contradicts a configured service, so a person is asked. */
const contradiction = (folder: string, others: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  others.some((one) => one !== undefined && one !== null)
    ? [
        `the command says --local, and a key or a URL of a service is set: write \`local\` or the URL into ${named(join(folder, urlFileName))}`
      ]
    : []

/**
 * `workspace`: the folder where the agent works. Its gate file can only tighten, and a mapping there is ignored. `saysLocal`: the command
 * tells this program to answer by itself.
 */
export const readOwnerSettings = async (
  folder: string,
  workspace: string | undefined,
  env: ProcessEnvironment,
  saysLocal = false
): Promise<OwnerSettings> => {
  const own = readGate(join(folder, gateFileName))
  const near = workspace === undefined ? null : readGate(join(workspace, gateFileName))
  const tools = await readTools(join(folder, toolsFileName))
  const keyFile = readText(join(folder, keyFileName))
  const outcomesKeyFile = readText(join(folder, outcomesKeyFileName))
  const urlFile = readText(join(folder, urlFileName))
  const gate = own !== null && "file" in own ? gateOf(own.file) : defaultGate
  const serviceUrl = serviceUrlOf(urlFile, env, saysLocal)
  const services =
    saysLocal && urlFile === null ? [keyFile, env["ACTION_RISK_URL"], env["ACTION_RISK_KEY"]] : []
  return {
    serviceUrl,
    opinionsFile: join(stateFolder(env), "opinions.ndjson"),
    consoleUrl: consoleUrlOf(readText(join(folder, consoleUrlFileName)), urlFile, env, serviceUrl),
    key: textIn(keyFile) ?? env["ACTION_RISK_KEY"] ?? "",
    // Without a service, there is no one to report to.
    outcomesKey:
      serviceUrl === null ? "" : (textIn(outcomesKeyFile) ?? env["ACTION_RISK_OUTCOMES_KEY"] ?? ""),
    gate: near !== null && "file" in near ? tightened(gate, near.file) : gate,
    mapping: tools !== null && "file" in tools ? tools : null,
    problems: [...contradiction(folder, services), ...problemsIn(own, near, tools, keyFile, urlFile)]
  }
}
