/** `action-risk.tools.json`: what the arguments of each tool say about the action. Facts that are always true of a tool belong in the catalogue. */

import { environments, type Environment } from "../domain/Action.ts"
import {
  actionTypeMax,
  agentIdMax,
  argumentPathMax,
  gateReasonMax,
  mappedToolsMax,
  mappedValuesMax,
  scalePowerMax,
  targetSystemMax
} from "../limits.ts"
import {
  aChoice,
  aDay,
  anObject,
  aPattern,
  aTable,
  aText,
  aWhole,
  type PlacedProblem,
  type FileShape,
  maybe
} from "./fileShape.ts"

/**
 * The fields that may be read from arguments. The agent writes the arguments, so the environment and anything that makes a call milder are
 * excluded.
 */
export const textFields = ["target_resource", "destination", "currency"] as const
export const figureFields = ["entities_affected", "records_affected", "financial_value"] as const
export type MappedField = (typeof textFields)[number] | (typeof figureFields)[number]

/** Exactly one of `at`, `count` and `sum`. */
export interface PathReading {
  /** Takes the value at this path. */
  readonly at?: string
  /** Takes the number of values that this path selects. */
  readonly count?: string
  /** Takes the sum of the figures that this path selects. */
  readonly sum?: string
  /** Takes only the host of a URL. */
  readonly host?: true
  /** Multiplies by ten to this power: -2 turns cents into units. */
  readonly scale?: number
  /** Replaces each of these values by another. */
  readonly map?: Readonly<Record<string, string>>
}

export interface ToolEntry {
  /** The name under which to ask the service. Absent: the tool's own name. */
  readonly action_type?: string
  readonly target_system?: string
  readonly environment?: Environment
  readonly from_arguments?: Partial<Readonly<Record<MappedField, PathReading>>>
  /** Set by `tools scaffold`. The tool counts as unmapped until a person has reviewed it and removed this member. */
  readonly guess?: true
  readonly why: string
  readonly stated_by?: string
  readonly review_by?: string
  readonly pin?: string
}

export interface ToolsFile {
  readonly version: 1
  readonly agent_id?: string
  readonly environment?: Environment
  readonly tools: Readonly<Record<string, ToolEntry>>
}

const path = aPattern(
  /^\$/,
  "must be a path that starts with $",
  "A path (RFC 9535) of names, indices and, for count and sum, `*`."
)

const oneSource = (reading: PathReading, at: string): ReadonlyArray<PlacedProblem> => {
  const sources = [reading.at, reading.count, reading.sum].filter((each) => each !== undefined)
  if (sources.length !== 1) return [{ at, message: "must have exactly one of at, count and sum" }]
  return sources.some((each) => each.length > argumentPathMax)
    ? [{ at, message: `must have a path of at most ${argumentPathMax} characters` }]
    : []
}

const scale = maybe(
  aWhole(-scalePowerMax, scalePowerMax, "Multiplied by ten to this power: -2 turns cents into units.")
)
const map = maybe(aTable(aText(targetSystemMax), mappedValuesMax))

const textReading: FileShape<PathReading> = anObject<Pick<PathReading, "at" | "host" | "map">>(
  { at: maybe(path), host: maybe(aChoice([true])), map },
  oneSource
)

const figureReading: FileShape<PathReading> = anObject<Pick<PathReading, "at" | "count" | "sum" | "scale">>(
  { at: maybe(path), count: maybe(path), sum: maybe(path), scale },
  oneSource
)

const entryShape: FileShape<ToolEntry> = anObject<ToolEntry>({
  action_type: maybe(aText(actionTypeMax, "The name sent to the service; by default, the tool's own name.")),
  target_system: maybe(aText(targetSystemMax)),
  environment: maybe(aChoice(environments)),
  from_arguments: maybe(
    anObject<NonNullable<ToolEntry["from_arguments"]>>({
      target_resource: maybe(textReading),
      destination: maybe(textReading),
      currency: maybe(textReading),
      entities_affected: maybe(figureReading),
      records_affected: maybe(figureReading),
      financial_value: maybe(figureReading)
    })
  ),
  guess: maybe(
    aChoice([true], "Written by a program: the tool counts as unmapped until a person removes this.")
  ),
  why: aText(gateReasonMax),
  stated_by: maybe(aText(agentIdMax)),
  review_by: maybe(aDay("The last day (UTC) on which the entry counts.")),
  pin: maybe(
    aPattern(
      /^sha256:[0-9a-f]{64}$/,
      "must be sha256: and 64 hex digits",
      "The digest of the tool's definition."
    )
  )
})

export const toolsShape: FileShape<ToolsFile> = anObject<ToolsFile>({
  version: aChoice([1]),
  agent_id: maybe(aText(agentIdMax)),
  environment: maybe(aChoice(environments, "The environment that the tools act in; production by default.")),
  tools: aTable(entryShape, mappedToolsMax)
})
