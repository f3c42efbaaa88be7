/** Installs a hook and the owner's first files, and removes the hook again. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Environment } from "../../domain/Action.ts"
import { isRecord } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { defaultGate, type GateFile } from "../GateFile.ts"
import {
  consoleUrlFileName,
  gateFileName,
  keyFileName,
  type OwnerSettings,
  readOwnerSettings,
  toolsFileName,
  urlFileName
} from "../settings.ts"
import type { ToolsFile } from "../ToolsFile.ts"
import { type Host, type HostName, hosts, isGeneric } from "./hosts.ts"
import { hookCommand, type HookProgram, places, writeHookFile, writeWholeJson } from "./places.ts"
import type { HookSurroundings } from "./runHook.ts"

const firstGate: GateFile = {
  version: 1,
  ask_person_from: defaultGate.askPersonFrom,
  refuse_from: defaultGate.refuseFrom
}

/** If no environment is stated, an agent's calls count as done in production. */
const cautious: Environment = "production"

/** Creates the owner's files that do not exist yet. */
const writeOwnerFiles = (folder: string, environment: Environment = cautious): ReadonlyArray<string> => {
  const firstTools: ToolsFile = { version: 1, environment, tools: {} }
  const files = [
    [join(folder, gateFileName), firstGate],
    [join(folder, toolsFileName), firstTools]
  ] as const
  const missing = files.filter(([path]) => !existsSync(path))
  for (const [path, json] of missing) writeWholeJson(path, json)
  return missing.map(([path]) => path)
}

/**
 * Reports in which environment the agent's calls count as done, according to the owner's file. An installation does not change an existing
 * file.
 */
const whichEnvironment = (folder: string, wanted: Environment | undefined): ReadonlyArray<string> => {
  const path = join(folder, toolsFileName)
  const parsed = parseStrictly(readFileSync(path, "utf8"))
  const stated = "value" in parsed && isRecord(parsed.value) ? parsed.value["environment"] : undefined
  if (wanted !== undefined && stated !== wanted)
    return [
      `kept ${path}: its environment is ${String(stated ?? "not stated")}, not ${wanted}; change it there`
    ]
  return wanted === undefined && (stated ?? cautious) === cautious
    ? [
        `no environment is stated, so every call counts as done in production; for an agent on a developer's machine write "environment": "development" into ${path} (--environment development does, where there is no such file yet)`
      ]
    : []
}

/**
 * Stores URLs in files, because hosts start hooks from anywhere, without the variables of the shell that installed them. `answers`: a
 * service or `local`; undefined if the command names neither.
 */
const keepUrls = (answers: string | undefined, { env, folder }: HookSurroundings): ReadonlyArray<string> => {
  const urls = [
    [join(folder, urlFileName), answers ?? env["ACTION_RISK_URL"]],
    [join(folder, consoleUrlFileName), env["ACTION_RISK_CONSOLE_URL"]]
  ] as const
  const known = urls.filter(([, url]) => url !== undefined)
  for (const [path, url] of known) writeHookFile(path, `${url}\n`)
  return known.map(([path]) => path)
}

/** Only the owner writes a key to a file. The program only warns that the host may not have one. */
const whereTheKeyIs = ({ env, folder }: HookSurroundings): ReadonlyArray<string> => {
  const path = join(folder, keyFileName)
  const isSet = env["ACTION_RISK_KEY"] !== undefined
  return existsSync(path)
    ? []
    : [
        `${isSet ? "ACTION_RISK_KEY is that of this shell" : "there is no key yet"}: write one into ${path}, or start the host where ACTION_RISK_KEY is set; \`--local\` needs none`
      ]
}

/** Opinions given without a service are never imported into one: they have no key, no history and no place in its evidence. */
const whatIsKept = ({ opinionsFile, serviceUrl }: OwnerSettings): ReadonlyArray<string> => {
  if (serviceUrl === null) return [`this program answers by itself, and keeps its answers in ${opinionsFile}`]
  return existsSync(opinionsFile)
    ? [`this program's own answers stay in ${opinionsFile}; the service starts without them`]
    : []
}

/** For a generic host, whose settings are unknown, only prints the command for its owner to configure. */
const putIntoPlace = (host: HostName, program: HookProgram, { env }: HookSurroundings) => {
  if (isGeneric(host))
    return {
      files: [],
      afterwards: `have your host run this command before each call: ${hookCommand(host, program)}`
    }
  const { afterwards, path, write } = places[host]
  const file = path(env)
  write(file, program)
  return { files: [file], afterwards }
}

interface Wanted {
  readonly environment: Environment | undefined
  /** A URL, or `local`. */
  readonly answers: string | undefined
}

export const installHook = async (
  host: HostName,
  { answers, environment }: Wanted,
  program: HookProgram,
  surroundings: HookSurroundings
): Promise<ReadonlyArray<string>> => {
  const { env, folder } = surroundings
  const { afterwards, files } = putIntoPlace(host, program, surroundings)
  const made = [...writeOwnerFiles(folder, environment), ...keepUrls(answers, surroundings)]
  const owner = await readOwnerSettings(folder, undefined, env)
  return [
    ...[...files, ...made].map((one) => `wrote ${one}`),
    ...whichEnvironment(folder, environment),
    ...whatIsKept(owner),
    ...(owner.serviceUrl === null ? [] : whereTheKeyIs(surroundings)),
    ...(program.outcomes && (hosts[host] as Host).readEnd === undefined
      ? ["outcomes are not reported: this host has no hook of ours after a call"]
      : []),
    `then: ${afterwards}`
  ]
}

export const uninstallHook = (host: HostName, { env }: HookSurroundings): ReadonlyArray<string> => {
  if (isGeneric(host))
    return ["remove the command from your host's settings yourself: this program did not add it"]
  const { path, remove } = places[host]
  const file = path(env)
  return [remove(file) ? `removed the hook from ${file}` : `${file} has no hook of this program`]
}
