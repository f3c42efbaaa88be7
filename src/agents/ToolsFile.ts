/** `action-risk.tools.json`: what the arguments of each tool say about the action. The catalogue holds what is always true of a tool. */

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

/** Fields that may be read from arguments. The agent writes these, so the environment and any word that makes a call milder are excluded. */
export const textFields = ["target_resource", "destination", "currency"] as const
export const figureFields = ["entities_affected", "records_affected", "financial_value"] as const
export type MappedField = (typeof textFields)[number] | (typeof figureFields)[number]

/** Exactly one of `at`, `count` and `sum`. */
export interface PathReading {
  /** The value at this path. */
  readonly at?: string
  /** How many values this path selects. */
  readonly count?: string
  /** The sum of the figures that this path selects. */
  readonly sum?: string
  /** The host of a URL. */
  readonly host?: true
  /** Times ten to this power: -2 makes units of cents. */
  readonly scale?: number
  /** The value in place of each of these. */
  readonly map?: Readonly<Record<string, string>>
}

export interface ToolEntry {
  /** The name under which the service is asked; else the tool's own. */
  readonly action_type?: string
  readonly target_system?: string
  readonly environment?: Environment
  readonly from_arguments?: Partial<Readonly<Record<MappedField, PathReading>>>
  /** Written by `tools scaffold`. Counts as unmapped until a person has looked at it and removed the word. */
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
  aWhole(-scalePowerMax, scalePowerMax, "Times ten to this power: -2 makes units of cents.")
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
  action_type: maybe(aText(actionTypeMax, "The name under which the service is asked; else the tool's own.")),
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
  guess: maybe(aChoice([true], "Written by a program: counts as unmapped until a person removes the word.")),
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
  environment: maybe(aChoice(environments, "Where the tools act; production where nothing is said.")),
  tools: aTable(entryShape, mappedToolsMax)
})
