/** `action-risk tools gaps`: finds the tools and parameters that are known only by name. They come from a server or from recorded assessments. */

import { Effect, Result, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { readMapping } from "../../agents/argumentPaths.ts"
import { today } from "../../agents/askAbout.ts"
import { actionRiskLevels, readingSources } from "../../domain/Opinion.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { strictJson } from "../../json/strictJson.ts"
import { agentFileBytesMax, historyLineBytesMax, suggestCallsMax } from "../../limits.ts"
import { installedRules } from "../../rules/installedRules.ts"
import { requestIn } from "../../rules/policies/suggestEntries.ts"
import {
  headings,
  levelStyle,
  printable,
  type Row,
  table,
  currentTerminal,
  type Terminal
} from "../Terminal.ts"
import { scorerOf } from "../assessOffline.ts"
import { wrongFlag } from "../commandFailures.ts"
import { pathFlag } from "../flags.ts"
import { inputLines, withInput } from "../inputFiles.ts"
import { readJsonFile, refuseFile } from "../operatorFiles.ts"
import { policiesFlag } from "../rules/rulebooks.ts"
import { counted, figure } from "../texts.ts"
import { findGaps, listedTools, mappingStates, recordedTools, type ToolGap } from "./findGaps.ts"
import { readToolList, toolListFlags } from "./toolList.ts"
import { verb } from "../verb.ts"

export const gapsSchema = Schema.Struct({
  tools: Schema.Int.annotate({ description: "How many tools were examined." }),
  gaps: Schema.Array(
    Schema.Struct({
      tool: Schema.String.annotate({ description: "As mappings name it." }),
      calls: Schema.Int.annotate({ description: "Recorded calls; 0 for a listed tool." }),
      mapping: Schema.Literals(mappingStates).annotate({
        description:
          "own_tool: a known tool that the host itself brings. none: read by its name and arguments. guess, review_past: the entry does not count. pin_changed: the server has changed its description since the tool was mapped."
      }),
      reading: Schema.NullOr(
        Schema.Struct({
          by: Schema.Literals(readingSources).annotate({
            description: "name: only by the words of its name, which is a gap."
          }),
          verb: Schema.NullOr(Schema.String).annotate({
            description: "Null where its name does not say what it does."
          }),
          level: Schema.Literals(actionRiskLevels),
          score: Schema.Int
        })
      ).annotate({
        description:
          "A listed tool is read without arguments, a recorded one with its newest request; null where no request about it is valid."
      }),
      missing: Schema.Array(Schema.String).annotate({
        description: "Fields that the request leaves out, most influential first."
      }),
      parameters: Schema.Array(
        Schema.Struct({ path: Schema.String, role: Schema.NullOr(Schema.String) })
      ).annotate({
        description:
          "How each parameter of a listed tool is read (docs/parameters.md), except those that the mapping reads; null: only by its value, which is a gap."
      })
    })
  ).annotate({ description: "The tool that is called most often first, then the riskiest." })
})

const mapping = pathFlag("mapping", "action-risk.tools.json").pipe(
  Flag.withDescription("The mapping that the agents use; without it no tool is mapped"),
  Flag.withDefault(null)
)

const recorded = pathFlag("recorded", "history.ndjson").pipe(
  Flag.withDescription(
    "Instead of a list of tools: the tools of recorded assessments, as `evidence export` writes them, or of requests; - reads standard input"
  ),
  Flag.withDefault(null)
)

const readMappingFile = Effect.fnUntraced(function* (file: string | null) {
  if (file === null) return null
  const { value } = yield* readJsonFile(file, agentFileBytesMax)
  const read = yield* Effect.promise(() => readMapping(value))
  if (!("problems" in read)) return read
  return yield* refuseFile(file, read.problems.map(({ at, message }) => `${at} ${message}`.trim()).join("; "))
})

/** The requests of a file of lines, oldest first. Lines about erased assessments hold none. */
const readRecorded = Effect.fnUntraced(function* (path: string) {
  const { problem, requests } = yield* withInput(path, ({ bytes }) =>
    Effect.promise(async () => {
      const requests: Array<Json> = []
      for await (const read of inputLines(bytes)) {
        for (const line of read.lines.filter((each) => each.bytes.length > 0)) {
          const isTooLong = line.bytes.length > historyLineBytesMax
          const json = isTooLong ? Result.fail("is too long") : strictJson(line.bytes)
          if (Result.isFailure(json)) return { requests, problem: `line ${line.number}: ${json.failure}` }
          const { value } = json.success
          if (!isRecord(value)) return { requests, problem: `line ${line.number}: is no object` }
          if (!("erased" in value)) requests.push(requestIn(value as Json))
          if (requests.length > suggestCallsMax)
            return { requests, problem: `has more than ${figure(suggestCallsMax)} calls` }
        }
      }
      return { requests }
    })
  )
  return problem === undefined ? requests : yield* refuseFile(path, problem)
})

export const gaps = verb({
  about:
    "Find tools and parameters that are known only by their names, and mapping entries that do not count",
  takes: {
    ...toolListFlags,
    words: toolListFlags.words.pipe(Argument.withDescription("As for `tools scaffold`")),
    recorded,
    mapping,
    policies: policiesFlag
  },
  prints: gapsSchema,
  fails: "there are gaps, the file or the mapping cannot be read, or the server did not list its tools",
  reads: "`RULES_VERSION`, `RULE_ENGINE`",
  examples: {
    "--mapping action-risk.tools.json --server shop --mcp -- npx shop-mcp-server":
      "The tools of a server that is started for this and then ended",
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
      json: () => ({
        tools: seen.length,
        gaps: found.map((gap) => ({
          ...gap,
          parameters: gap.parameters.map(([path, role]) => ({ path, role }))
        }))
      }),
      text: () => renderGaps(currentTerminal(), seen.length, found),
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
  listed(parameters.filter(([, role]) => role === null).map(([path]) => printable(path)))
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
  const columns = [
    "tool",
    ...(withCalls ? ["calls"] : []),
    "mapping",
    "read by",
    "risk",
    "parameters not known"
  ]
  return [
    `${figure(gaps.length)} of ${counted(tools, "tool")} with a gap`,
    "",
    ...table(screen, [headings(...columns), ...gaps.map((gap) => rowOf(gap, withCalls))]),
    "",
    "Read by words: an `action_type` that a provider knows in action-risk.tools.json, or an entry of the catalogue. A parameter: say in action-risk.tools.json which field it gives."
  ].join("\n")
}
