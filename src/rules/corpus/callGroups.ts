/** The calls on which changed knowledge is compared: those that people labelled, those of every case, and the texts in the readers' tests. */

import { Result } from "effect"
import { globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Action } from "../../domain/Action.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { actionTypeMax, targetResourceMax } from "../../limits.ts"
import type { Root } from "../files/readTree.ts"
import { readRecordedRequest } from "../history/recordedInput.ts"

/** A call without its environment. */
export type PlacelessCall = Omit<Action, "environment">

const filesOf = (root: Root, pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: (name) => name === "node_modules" })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted()

const jsonOf = (text: string): ReadonlyArray<Json> =>
  Result.match(
    Result.try(() => JSON.parse(text) as Json),
    { onFailure: () => [], onSuccess: (json) => [json] }
  )

/** The documents in a file: one, or one per line for NDJSON. Skips unreadable lines, which `rules check` reports. */
const documentsOf = (path: string): ReadonlyArray<Json> => {
  const text = readFileSync(path, "utf8")
  return path.endsWith(".ndjson") ? text.split("\n").flatMap(jsonOf) : jsonOf(text)
}

/**
 * Every request anywhere in a document, which is each object with an action type and an environment. Requests that the API rejects are
 * skipped.
 */
const actionsIn = (json: Json): ReadonlyArray<Action> => {
  if (Array.isArray(json)) return json.flatMap(actionsIn)
  if (!isRecord(json)) return []
  if (json["action_type"] === undefined || json["environment"] === undefined)
    return Object.values(json).flatMap(actionsIn)
  return Result.match(readRecordedRequest(json), { onFailure: () => [], onSuccess: (action) => [action] })
}

/** Keyed by the name of their file. */
export type CallGroups<Call> = ReadonlyMap<string, ReadonlyArray<Call>>

const groupsOf = <Call>(
  files: ReadonlyArray<string>,
  callsOf: (file: string) => ReadonlyArray<Call>
): CallGroups<Call> =>
  new Map(files.map((file) => [file, callsOf(file)] as const).filter(([, calls]) => calls.length > 0))

/** The requests in files that match these patterns. Skips files without requests. */
export const requestGroups = (root: Root, ...patterns: ReadonlyArray<string>): CallGroups<Action> =>
  groupsOf(
    patterns.flatMap((pattern) => filesOf(root, pattern)),
    (file) => documentsOf(join(root, file)).flatMap(actionsIn)
  )

export const labelledCalls = (root: Root): CallGroups<Action> =>
  requestGroups(root, "{test,examples}/labels/**/*.ndjson")

export const casesAndExamples = (root: Root): CallGroups<Action> =>
  requestGroups(
    root,
    "{rules,policies}/**/*.cases.json",
    "examples/requests/*.json",
    "rules/calibration.json"
  )

/** A shell command in the form that an agent host's hook uses. */
export const asHookStates = (command: string): PlacelessCall => ({
  actionType: "claude_code.Bash",
  agentId: "claude-code",
  targetResource: [...command].slice(0, targetResourceMax).join(""),
  metadata: { tool: "Bash", command }
})

const stringLiteral = /"(?:[^"\\\n]|\\.)+"/g
const importLine = /^(?:import|\} from) .*$/gm

/** The text of a string literal that both JSON and the API accept. */
const textOfLiteral = (literal: string): ReadonlyArray<string> => {
  const text = Result.getOrElse(
    Result.try(() => JSON.parse(literal) as string),
    () => ""
  )
  return text.trim() !== "" && text.isWellFormed() && !text.includes("\0") ? [text] : []
}

const asCommandAndName = (text: string): ReadonlyArray<PlacelessCall> => [
  asHookStates(text),
  ...([...text].length > actionTypeMax ? [] : [{ actionType: text }])
]

/** Every text in double quotes, both as a command and as an action name: the readers' tests contain little else. */
export const textsOfTests = (root: Root): CallGroups<PlacelessCall> =>
  groupsOf(filesOf(root, "test/scoring/**/*.test.ts"), (file) => {
    const literals = readFileSync(join(root, file), "utf8").replaceAll(importLine, "").matchAll(stringLiteral)
    const texts = new Set([...literals].flatMap(([literal]) => textOfLiteral(literal)))
    return [...texts].flatMap(asCommandAndName)
  })

/** A line of a collection contains a command or requests. */
const collectedCall = (line: Json): ReadonlyArray<PlacelessCall> => {
  if (!isRecord(line)) return []
  return typeof line["command"] === "string" ? [asHookStates(line["command"])] : actionsIn(line)
}

/** The calls in an NDJSON file, or in all such files of a folder. */
export const collectedCalls = (path: string): CallGroups<PlacelessCall> =>
  statSync(path).isDirectory()
    ? groupsOf(filesOf(path, "**/*.ndjson"), (file) => documentsOf(join(path, file)).flatMap(collectedCall))
    : new Map([[path, documentsOf(path).flatMap(collectedCall)]])

/** The calls of an installation. An installed package has no tests, so it has fewer. */
export const installedCalls = (root: Root): ReadonlyArray<PlacelessCall> =>
  [labelledCalls(root), casesAndExamples(root), textsOfTests(root)].flatMap((groups) =>
    [...groups.values()].flat()
  )
