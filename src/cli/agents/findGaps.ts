/** What is not known about tools: which of them have no mapping that counts, and which the service reads by their words alone. */

import { Effect, Result } from "effect"
import { hosts } from "../../agents/hook/hosts.ts"
import type { Mapping } from "../../agents/argumentPaths.ts"
import { questionOf } from "../../agents/questionOfCall.ts"
import type { ToolEntry, ToolsFile } from "../../agents/ToolsFile.ts"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import type { ActionRiskLevel, ReportedReading } from "../../domain/Opinion.ts"
import { byCodeUnit, type Json, isRecord } from "../../json/json.ts"
import { batchRetriesMax } from "../../limits.ts"
import { assessOffline } from "../assessOffline.ts"

export const mappingStates = ["mapped", "own_tool", "none", "guess", "review_past", "pin_changed"] as const
type MappingState = (typeof mappingStates)[number]

/** A tool with the request that asks about it. */
export interface SeenTool {
  /** As mappings name it. */
  readonly tool: string
  /** Recorded ones; 0 where the tool was listed. */
  readonly calls: number
  readonly request: Json
  /** The digest of what its server says of it. */
  readonly pin?: string | undefined
}

export interface ToolGap {
  readonly tool: string
  readonly calls: number
  readonly mapping: MappingState
  /** Null where no service takes a request about the tool. */
  readonly reading: {
    readonly by: ReportedReading["by"]
    readonly verb: string | null
    readonly level: ActionRiskLevel
    readonly score: number
  } | null
  /** Fields that are left out, most influential first. */
  readonly missing: ReadonlyArray<string>
}

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

/** The bare call of each listed tool, as a gate asks about it. */
export const listedTools = (list: ToolsFile, { day, mapping }: Known): ReadonlyArray<SeenTool> =>
  Object.entries(list.tools).map(([tool, { pin }]) => {
    const [, server, name] = /^mcp:([^/]*)\/(.*)$/s.exec(tool) ?? []
    const call = { tool, name: server === undefined ? tool : `mcp__${server}__${name}`, arguments: {} }
    const agentId = `mcp:${server ?? "tools"}`
    const { action } = questionOf(call, { mapping, ownTools: {}, agentId, day, extent: "names" })
    // Invariant: a question is made of what JSON has.
    return { tool, calls: 0, request: action as unknown as Json, pin }
  })

/** `requests`: oldest first. Of each tool the newest is looked at. */
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

const lookAt = Effect.fnUntraced(function* (seen: SeenTool, known: Known) {
  const gap = { tool: seen.tool, calls: seen.calls, mapping: mappingStateOf(seen, known) }
  const read = readActionRequest(seen.request, false)
  if (Result.isFailure(read)) return { ...gap, reading: null, missing: [] } satisfies ToolGap
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
    // What a mapping reads from arguments is stated with each call.
    missing: missing.map(({ field }) => field).filter((field) => !Object.hasOwn(readings, field))
  }
  return found
})

const isGap = ({ mapping, reading }: ToolGap): boolean =>
  (mapping !== "mapped" && mapping !== "own_tool") || reading === null || reading.by === "name"

/** The tool that is called most often first; of equally many calls the riskier one. */
const byUse = (a: ToolGap, b: ToolGap): number =>
  b.calls - a.calls || (b.reading?.score ?? 100) - (a.reading?.score ?? 100) || byCodeUnit(a.tool, b.tool)

export const findGaps = Effect.fn("cli.findGaps")(function* (seen: ReadonlyArray<SeenTool>, known: Known) {
  const looked = yield* Effect.forEach(seen, (tool) => lookAt(tool, known))
  return looked.filter(isGap).toSorted(byUse)
})
