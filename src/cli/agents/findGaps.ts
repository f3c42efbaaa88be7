/** Finds gaps in the knowledge about tools: entries that do not count, tools that are read only by the words of their names, and parameters without a role. */

import { Effect, Result } from "effect"
import { hosts } from "../../agents/hook/hosts.ts"
import type { Mapping } from "../../agents/argumentPaths.ts"
import { questionOf } from "../../agents/questionOfCall.ts"
import type { ToolEntry } from "../../agents/ToolsFile.ts"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { AppConfig } from "../../config.ts"
import type { Action } from "../../domain/Action.ts"
import type { ActionRiskLevel, ReportedReading } from "../../domain/Opinion.ts"
import { byCodeUnit, type Json, isRecord, type JsonObject } from "../../json/json.ts"
import { batchRetriesMax } from "../../limits.ts"
import { RuleReleases } from "../../rules/servedRules.ts"
import type { ParameterRole } from "../../scoring/reading/arguments/Parameters.ts"
import { rolesOfParameters } from "../../scoring/reading/arguments/toolCall.ts"
import { assessOffline } from "../assessOffline.ts"
import type { DescribedTool } from "./scaffoldTools.ts"

export const mappingStates = ["mapped", "own_tool", "none", "guess", "review_past", "pin_changed"] as const
type MappingState = (typeof mappingStates)[number]

/** A tool with the request that asks about it. */
export interface SeenTool {
  /** As mappings name it. */
  readonly tool: string
  /** Recorded calls; 0 for a listed tool. */
  readonly calls: number
  readonly request: Json
  /** A value for each of its parameters, where its server describes them. */
  readonly example?: JsonObject
  /** The digest of the server's description of the tool. */
  readonly pin?: string | undefined
}

export interface ToolGap {
  readonly tool: string
  readonly calls: number
  readonly mapping: MappingState
  /** Null if the request about the tool is not valid. */
  readonly reading: {
    readonly by: ReportedReading["by"]
    readonly verb: string | null
    readonly level: ActionRiskLevel
    readonly score: number
  } | null
  /** Fields that are left out, most influential first. */
  readonly missing: ReadonlyArray<string>
  /** How each parameter of a listed tool is read; null: only by its value. */
  readonly parameters: ReadonlyArray<readonly [path: string, role: ParameterRole | null]>
}

/** How a release reads the parameters of a tool. */
type RolesOf = (action: Action, example: JsonObject) => ToolGap["parameters"]

interface Known {
  /** Null: no tool is mapped. */
  readonly mapping: Mapping | null
  readonly policySet: string
  /** Today in UTC, like 2027-06-30. */
  readonly day: string
}

const hostsOwnTools: ReadonlySet<string> = new Set(
  Object.values(hosts).flatMap(({ ownTools }) => Object.keys(ownTools))
)

const entryOf = (mapping: Mapping | null, tool: string): ToolEntry | undefined =>
  mapping !== null && Object.hasOwn(mapping.file.tools, tool) ? mapping.file.tools[tool] : undefined

const mappingStateOf = ({ pin, tool }: SeenTool, { day, mapping }: Known): MappingState => {
  const entry = entryOf(mapping, tool)
  if (entry === undefined) return hostsOwnTools.has(tool) ? "own_tool" : "none"
  if (entry.guess === true) return "guess"
  if (entry.review_by !== undefined && entry.review_by < day) return "review_past"
  return pin !== undefined && entry.pin !== undefined && entry.pin !== pin ? "pin_changed" : "mapped"
}

/** A value of each kind that a schema describes. */
const valueOf = (schema: unknown): Json => {
  const { items, properties, type } = isRecord(schema) ? schema : {}
  if (isRecord(properties)) return exampleOf(properties)
  if (type === "array" || items !== undefined) return [valueOf(items)]
  if (type === "number" || type === "integer") return 1
  return type === "boolean" ? true : "x"
}
const exampleOf = (properties: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]))

/** The bare call of each listed tool, as a gate asks about it. */
export const listedTools = (
  tools: ReadonlyArray<DescribedTool>,
  { day, mapping }: Known
): ReadonlyArray<SeenTool> =>
  tools.map(({ key: tool, pin, properties }) => {
    const [, server, name] = /^mcp:([^/]*)\/(.*)$/s.exec(tool) ?? []
    const call = { tool, name: server === undefined ? tool : `mcp__${server}__${name}`, arguments: {} }
    const agentId = `mcp:${server ?? "tools"}`
    const { action } = questionOf(call, { mapping, ownTools: {}, agentId, day, extent: "names" })
    // Invariant: a question holds only JSON values.
    return { tool, calls: 0, request: action as unknown as Json, example: exampleOf(properties), pin }
  })

/** `requests`: oldest first. Keeps the newest request of each tool. */
export const recordedTools = (requests: Iterable<Json>): ReadonlyArray<SeenTool> => {
  const seen = new Map<string, SeenTool>()
  for (const request of requests) {
    const { action_type: type, metadata } = isRecord(request) ? request : {}
    const named = isRecord(metadata) ? metadata["tool"] : undefined
    const tool = typeof named === "string" ? named : String(type)
    seen.set(tool, { tool, calls: (seen.get(tool)?.calls ?? 0) + 1, request })
  }
  return [...seen.values()]
}

const lookAt = Effect.fnUntraced(function* (seen: SeenTool, known: Known, rolesOf: RolesOf) {
  const gap = { tool: seen.tool, calls: seen.calls, mapping: mappingStateOf(seen, known) }
  const read = readActionRequest(seen.request, false)
  if (Result.isFailure(read)) return { ...gap, reading: null, missing: [], parameters: [] } satisfies ToolGap
  const {
    action_risk: risk,
    missing_information: missing,
    reading
  } = yield* assessOffline(
    read.success.action,
    { mode: "test", policySet: known.policySet }
    // The machine may have paused this process for longer than a score may take. No caller waits for this answer, so it is tried again.
  ).pipe(Effect.retry({ times: batchRetriesMax }))
  const readings = entryOf(known.mapping, seen.tool)?.from_arguments ?? {}
  const found: ToolGap = {
    ...gap,
    reading: { by: reading.by, verb: reading.verb ?? null, level: risk.level, score: risk.score },
    // A mapping states with each call the fields that it reads from arguments.
    missing: missing.map(({ field }) => field).filter((field) => !Object.hasOwn(readings, field)),
    parameters:
      seen.example === undefined
        ? []
        : rolesOf(read.success.action, seen.example).filter(([path]) => !readsPath(readings, path))
  }
  return found
})

/** Whether the mapping reads the parameter, or a value inside it. */
const readsPath = (readings: NonNullable<ToolEntry["from_arguments"]>, path: string): boolean =>
  Object.values(readings).some(({ at, count, sum }) => {
    const read = (at ?? count ?? sum ?? "").replace(/\[\*\].*$/, "")
    return read === path || path.startsWith(`${read}[`) || path.startsWith(`${read}.`)
  })

const lapsed: ReadonlySet<MappingState> = new Set(["guess", "review_past", "pin_changed"])

const isGap = ({ mapping, parameters, reading }: ToolGap): boolean =>
  lapsed.has(mapping) ||
  reading === null ||
  (reading.by === "name" && mapping !== "own_tool") ||
  parameters.some(([, role]) => role === null)

/** Most calls first; at equally many calls the riskier tool first. */
const byUse = (a: ToolGap, b: ToolGap): number =>
  b.calls - a.calls || (b.reading?.score ?? 100) - (a.reading?.score ?? 100) || byCodeUnit(a.tool, b.tool)

export const findGaps = Effect.fnUntraced(function* (seen: ReadonlyArray<SeenTool>, known: Known) {
  const { rulesVersion } = yield* AppConfig
  const { model } = yield* (yield* RuleReleases).open(rulesVersion ?? "newest")
  const rolesOf: RolesOf = (action, example) => rolesOfParameters(action, example, model.lexicon)
  const looked = yield* Effect.forEach(seen, (tool) => lookAt(tool, known, rolesOf))
  return looked.filter(isGap).toSorted(byUse)
})
