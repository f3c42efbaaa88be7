/** `action-risk tools gaps`: finds tools and parameters that are known only by name, in a server's list or in recorded assessments. */

import { Effect, Result, Schema } from "effect"
import { Argument } from "effect/cli"
import type { ToolEntry } from "../../agents/ToolsFile.ts"
import { type Mapping, readMapping } from "../../agents/argumentPaths.ts"
import { today } from "../../agents/askAbout.ts"
import { hosts } from "../../agents/hook/hosts.ts"
import { questionOf } from "../../agents/questionOfCall.ts"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { AppConfig } from "../../config.ts"
import { actionRiskLevels, readingSources } from "../../domain/Opinion.ts"
import { byCodeUnit, isRecord, type Json, type JsonObject } from "../../json/json.ts"
import { agentFileBytesMax, batchRetriesMax, suggestCallsMax } from "../../limits.ts"
import { installedRules } from "../../rules/installedRules.ts"
import { RuleReleases } from "../../rules/servedRules.ts"
import type { RiskModel } from "../../scoring/Model.ts"
import { rolesOfParameters } from "../../scoring/reading/arguments/toolCall.ts"
import { headings, levelStyle, lines, printable, type Row, table, type Terminal } from "../Terminal.ts"
import { assessOffline, scorerOf } from "../assessOffline.ts"
import { wrongFlag } from "../commandFailures.ts"
import { elseNull, pathFlag } from "../flags.ts"
import { int, list, literals, members, nullOr, objects, string } from "../jsonShapes.ts"
import { readEachLine, readJsonFile, readRequestLine, refuseFile, filledLines } from "../operatorFiles.ts"
import { policiesFlag } from "../rules/subject.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"
import type { DescribedTool } from "../../agents/scaffoldTools.ts"
import { readToolList, toolListFlags } from "./toolList.ts"

const mappingStates = ["mapped", "own_tool", "none", "guess", "review_past", "pin_changed"] as const
type MappingState = (typeof mappingStates)[number]

const gapsShape = members({
  tools: int("How many tools were examined."),
  gaps: objects("The most frequently called tools first, then the riskiest.", {
    tool: string("Its name in mappings."),
    calls: int("Recorded calls; 0 for a listed tool."),
    mapping: literals(
      mappingStates,
      "own_tool: a known built-in tool of the host. none: read by its name and arguments. guess, review_past: the entry does not count. pin_changed: the server has changed the tool's description since the tool was mapped."
    ),
    reading: nullOr(
      Schema.Struct({
        by: literals(readingSources, "name: by the words of its name only, which is a gap."),
        verb: nullOr(Schema.String, "Null if its name does not say what it does."),
        level: Schema.Literals(actionRiskLevels),
        score: Schema.Int
      }),
      "A listed tool is read without arguments, a recorded one with its newest request; null if no request about it is valid."
    ),
    missing: list(Schema.String, "Fields that the request leaves out, most influential first."),
    parameters: objects(
      "How each parameter of a listed tool is read (docs/parameters.md), except those that the mapping reads; null: by its value only, which is a gap.",
      { path: Schema.String, role: Schema.NullOr(Schema.String) }
    )
  })
})

const readMappingFile = Effect.fnUntraced(function* (file: string | null) {
  if (file === null) return null
  const { value } = yield* readJsonFile(file, agentFileBytesMax)
  const read = yield* Effect.promise(() => readMapping(value))
  if (!("problems" in read)) return read
  return yield* refuseFile(file, read.problems.map(({ at, message }) => `${at} ${message}`.trim()).join("; "))
})

/** The requests in a file of lines, oldest first. Lines about erased assessments contain none. */
const readRecorded = Effect.fnUntraced(function* (path: string) {
  return yield* readEachLine(path, yield* filledLines(path, suggestCallsMax), (bytes) =>
    Result.flatMap(readRequestLine(bytes), (read) =>
      read === null || isRecord(read.request)
        ? Result.succeed(read && read.request)
        : Result.fail("is not an object")
    )
  )
})

export const gaps = verb({
  about: "Find tools and parameters known only by their names, and mapping entries that do not count",
  takes: {
    ...toolListFlags,
    words: toolListFlags.words.pipe(Argument.withDescription("As for `tools scaffold`")),
    recorded: elseNull(
      pathFlag("recorded", "history.ndjson"),
      "Instead of a list of tools: the tools of recorded assessments, as `evidence export` writes them, or of requests; - reads standard input"
    ),
    mapping: elseNull(
      pathFlag("mapping", "action-risk.tools.json"),
      "The mapping that the agents use; without it no tool is mapped"
    ),
    policies: policiesFlag
  },
  prints: gapsShape,
  isBlocking: true,
  fails: "there are gaps, the file or the mapping cannot be read, or the server did not list its tools",
  reads: "`RULES_VERSION`, `RULE_ENGINE`",
  examples: {
    "--mapping action-risk.tools.json --server shop --mcp -- npx shop-mcp-server":
      "The tools of a server that is started and stopped for this",
    "--mapping action-risk.tools.json --policies starter --recorded december.ndjson":
      "The tools that agents have asked about, with the catalogue of a policy set",
    "tools-list.json --server shop --json": "For programs"
  },
  run: Effect.fnUntraced(function* (options) {
    const history = options.recorded
    if (history !== null && (options.mcp || options.words.length > 0))
      return yield* wrongFlag("recorded", history, "used without a list of tools and without --mcp")
    const known = {
      mapping: yield* readMappingFile(options.mapping),
      policySet: options.policies,
      day: today()
    }
    const seen =
      history === null
        ? listedTools(yield* readToolList(options), known)
        : recordedTools(yield* readRecorded(history))
    const found = yield* findGaps(seen, known).pipe(Effect.provide([scorerOf(null), installedRules]))
    return {
      json: () => ({ tools: seen.length, gaps: found }),
      text: (screen) => renderGaps(screen, seen.length, found),
      ok: found.length === 0
    }
  })
})

const mappingTexts: Readonly<Record<ToolGap["mapping"], string>> = {
  mapped: "mapped",
  own_tool: "host's own",
  none: "none",
  guess: "a guess",
  review_past: "past its day",
  pin_changed: "tool changed"
}

const readingText = (reading: ToolGap["reading"]): string => {
  if (reading === null) return "cannot be asked"
  if (reading.by !== "name") return reading.by
  return reading.verb === null ? "nothing known" : `words: ${reading.verb}`
}

const parametersShownMax = 3

const rowOf = ({ calls, mapping, parameters, reading, tool }: ToolGap, withCalls: boolean): Row => [
  { text: printable(tool), style: "bold" },
  ...(withCalls ? [{ text: figure(calls), align: "right" as const }] : []),
  { text: mappingTexts[mapping], style: mapping === "mapped" ? "plain" : "yellow" },
  readingText(reading),
  reading === null ? "" : { text: `${reading.level} ${reading.score}`, style: levelStyle[reading.level] },
  listed(parameters.filter(({ role }) => role === null).map(({ path }) => printable(path)))
]

/** `$.a, $.b, $.c and 4 more` */
const listed = (paths: ReadonlyArray<string>): string => {
  const more = paths.length - parametersShownMax
  const shown = paths.slice(0, parametersShownMax).join(", ")
  return more > 0 ? `${shown} and ${figure(more)} more` : shown
}

export const renderGaps = (screen: Terminal, tools: number, gaps: ReadonlyArray<ToolGap>): string => {
  if (gaps.length === 0) return `${counted(tools, "tool")}: each is known, with all its parameters`
  const withCalls = gaps.some(({ calls }) => calls > 0)
  const columns = lines("tool", withCalls && "calls", "mapping", "read by", "risk", "parameters not known")
  return [
    `${figure(gaps.length)} of ${counted(tools, "tool")} with a gap`,
    "",
    ...table(screen, [headings(...columns), ...gaps.map((gap) => rowOf(gap, withCalls))]),
    "",
    "For a tool read by words, give it an `action_type` that a provider knows in action-risk.tools.json, or a catalogue entry. For a parameter, state in action-risk.tools.json which field it fills."
  ].join("\n")
}

/** A tool, with the request that asks about it. */
interface SeenTool {
  /** The name used in mappings. */
  readonly tool: string
  /** The number of recorded calls; 0 for a listed tool. */
  readonly calls: number
  readonly request: Json
  /** An example value for each of its parameters, if its server describes them. */
  readonly example?: JsonObject
  /** The digest of the server's description of the tool. */
  readonly pin?: string | undefined
}

type ToolGap = (typeof gapsShape.Type)["gaps"][number]

interface Known {
  /** Null: no tool is mapped. */
  readonly mapping: Mapping | null
  readonly policySet: string
  /** Today in UTC, such as 2027-06-30. */
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

const valueOf = (schema: unknown): Json => {
  const { items, properties, type } = isRecord(schema) ? schema : {}
  if (isRecord(properties)) return exampleOf(properties)
  if (type === "array" || items !== undefined) return [valueOf(items)]
  if (type === "number" || type === "integer") return 1
  return type === "boolean" ? true : "x"
}
const exampleOf = (properties: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]))

/** The bare call of each listed tool, in the form in which a gate asks about it. */
export const listedTools = (
  tools: ReadonlyArray<DescribedTool>,
  { day, mapping }: Known
): ReadonlyArray<SeenTool> =>
  tools.map(({ key: tool, pin, properties }) => {
    const [, server, name] = /^mcp:([^/]*)\/(.*)$/s.exec(tool) ?? []
    const call = { tool, name: server === undefined ? tool : `mcp__${server}__${name}`, arguments: {} }
    const agentId = `mcp:${server ?? "tools"}`
    const { action } = questionOf(call, { mapping, ownTools: {}, agentId, day, extent: "names" })
    // Invariant: a question contains only JSON values.
    return { tool, calls: 0, request: action as unknown as Json, example: exampleOf(properties), pin }
  })

/** `requests`: oldest first. Keeps the newest request of each tool. */
const recordedTools = (requests: Iterable<Json>): ReadonlyArray<SeenTool> => {
  const seen = new Map<string, SeenTool>()
  for (const request of requests) {
    const { action_type: type, metadata } = isRecord(request) ? request : {}
    const named = isRecord(metadata) ? metadata["tool"] : undefined
    const tool = typeof named === "string" ? named : String(type)
    seen.set(tool, { tool, calls: (seen.get(tool)?.calls ?? 0) + 1, request })
  }
  return [...seen.values()]
}

const lookAt = Effect.fnUntraced(function* (seen: SeenTool, known: Known, { lexicon }: RiskModel) {
  const gap = { tool: seen.tool, calls: seen.calls, mapping: mappingStateOf(seen, known) }
  const read = readActionRequest(seen.request, false)
  if (Result.isFailure(read)) return { ...gap, reading: null, missing: [], parameters: [] } satisfies ToolGap
  const { action } = read.success
  // Retried, because the machine may have paused this process for longer than a score may take, and no caller is waiting.
  const assessed = yield* Effect.retry(assessOffline(action, { mode: "test", policySet: known.policySet }), {
    times: batchRetriesMax
  })
  const { action_risk: risk, missing_information: missing, reading } = assessed
  const readings = entryOf(known.mapping, seen.tool)?.from_arguments ?? {}
  const roles = seen.example === undefined ? [] : rolesOfParameters(action, seen.example, lexicon)
  return {
    ...gap,
    reading: { by: reading.by, verb: reading.verb ?? null, level: risk.level, score: risk.score },
    // For each call, a mapping already supplies the fields that it reads from arguments.
    missing: missing.map(({ field }) => field).filter((field) => !Object.hasOwn(readings, field)),
    parameters: roles.filter(([path]) => !readsPath(readings, path)).map(([path, role]) => ({ path, role }))
  } satisfies ToolGap
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
  parameters.some(({ role }) => role === null)

/** Most calls first; with equal numbers, the riskier tool first. */
const byUse = (a: ToolGap, b: ToolGap): number =>
  b.calls - a.calls || (b.reading?.score ?? 100) - (a.reading?.score ?? 100) || byCodeUnit(a.tool, b.tool)

const findGaps = Effect.fnUntraced(function* (seen: ReadonlyArray<SeenTool>, known: Known) {
  const { rulesVersion } = yield* AppConfig
  const { model } = yield* (yield* RuleReleases).open(rulesVersion ?? "newest")
  const looked = yield* Effect.forEach(seen, (tool) => lookAt(tool, known, model))
  return looked.filter(isGap).toSorted(byUse)
})
