/** `action-risk tools`: creates and checks the files of agents' owners, `action-risk.tools.json` and `action-risk.gate.json`. */

import { Console, Effect, Result, Schema } from "effect"
import { type Mapping, readMapping } from "../../agents/argumentPaths.ts"
import { type PlacedProblem, readShaped } from "../../agents/fileShape.ts"
import { gateShape, type GateFile } from "../../agents/GateFile.ts"
import type { ToolsFile } from "../../agents/ToolsFile.ts"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { changeless } from "../../domain/Action.ts"
import { isoDay } from "../../domain/Day.ts"
import { isRecord } from "../../json/json.ts"
import { agentFileBytesMax } from "../../limits.ts"
import { installedRules } from "../../rules/installedRules.ts"
import { assessOffline, scorerOf } from "../assessOffline.ts"
import { wrongFlag } from "../commandFailures.ts"
import { elseNull, pathArgument, pathFlag } from "../flags.ts"
import { readJsonFile } from "../operatorFiles.ts"
import { escapeInvisible, onOneLine } from "../../foreignText.ts"
import { counted } from "../texts.ts"
import { listedTools } from "./gaps.ts"
import { type DescribedTool, scaffoldTools } from "../../agents/scaffoldTools.ts"
import { readToolList, toolListFlags } from "./toolList.ts"
import { verb } from "../verb.ts"

export const scaffold = verb({
  about: "Write a first action-risk.tools.json, with guesses for a person to check",
  takes: toolListFlags,
  fails: "the file cannot be read or lists no known tools, or the server did not list its tools",
  examples: {
    "--server shop --mcp -- npx shop-mcp-server > action-risk.tools.json":
      "Starts a server for this and stops it",
    "tools-list.json --server shop > action-risk.tools.json": "From a server's answer to tools/list"
  },
  run: Effect.fnUntraced(function* (options) {
    const made = scaffoldTools(yield* readToolList(options))
    yield* Console.log(escapeInvisible(JSON.stringify(made, null, 2)))
  })
})

export const toolsCheckSchema = Schema.Struct({
  file: Schema.String,
  kind: Schema.Literals(["tools", "gate"]),
  problems: Schema.Array(Schema.Struct({ at: Schema.String, message: Schema.String }))
})

/** `day`: today in UTC. */
const lapsed = (at: string, last: string | undefined, day: string): ReadonlyArray<PlacedProblem> =>
  last !== undefined && last < day
    ? [{ at: `${at}.review_by`, message: `expired after ${last}: the entry does not count` }]
    : []

const entriesToLookAt = ({ tools }: ToolsFile, day: string): ReadonlyArray<PlacedProblem> =>
  Object.entries(tools).flatMap(([name, entry]) => [
    ...(entry.guess === true
      ? [{ at: `tools.${name}.guess`, message: "is still set: the tool counts as unmapped" }]
      : []),
    ...lapsed(`tools.${name}`, entry.review_by, day)
  ])

const gateToLookAt = (file: GateFile, day: string): ReadonlyArray<PlacedProblem> =>
  (file.not_asked ?? []).flatMap((entry, index) => lapsed(`not_asked[${index}]`, entry.review_by, day))

/** Undefined if the bare call is not a valid request. */
const readingOf = Effect.fnUntraced(function* (tool: DescribedTool, mapping: Mapping, day: string) {
  const policySet = "none"
  const [seen] = listedTools([tool], { mapping, policySet, day })
  const read = readActionRequest(seen?.request ?? null, false)
  if (Result.isFailure(read)) return undefined
  const { reading } = yield* assessOffline(read.success.action, { mode: "test", policySet })
  return reading
})

const compareTool = Effect.fnUntraced(function* (
  name: string,
  tool: DescribedTool | undefined,
  mapping: Mapping,
  day: string
) {
  const at = `tools.${name}`
  if (tool === undefined) return [{ at, message: "is not a tool that the server lists" }]
  const pin = mapping.file.tools[name]?.pin
  const isChanged = pin !== undefined && tool.pin !== undefined && pin !== tool.pin
  const changed = "the server has changed the tool's description since it was mapped"
  const reading = tool.saysDestructive === true ? yield* readingOf(tool, mapping, day) : undefined
  const destructive = `counts as ${reading?.class}, but the server says that the tool is destructive`
  return [
    ...(isChanged ? [{ at: `${at}.pin`, message: changed }] : []),
    ...(reading !== undefined && changeless.has(reading.class)
      ? [{ at: `${at}.action_type`, message: destructive }]
      : [])
  ]
})

/**
 * Reports mapped tools that are gone, changed descriptions, and destructive tools that are read as harmless. Ignores tools of other
 * servers.
 */
const compareListed = Effect.fnUntraced(
  function* (listed: ReadonlyArray<DescribedTool>, server: string, mapping: Mapping, day: string) {
    const tools = new Map(listed.map((tool) => [tool.key, tool]))
    const names = Object.keys(mapping.file.tools).filter((name) => name.startsWith(`mcp:${server}/`))
    const found = yield* Effect.forEach(names, (name) => compareTool(name, tools.get(name), mapping, day))
    return found.flat()
  },
  Effect.provide([scorerOf(null), installedRules])
)

interface Listed {
  /** A server's answer to tools/list; null: nothing to compare with. */
  readonly listed: string | null
  readonly server: string
}

/** A file with a top-level member `tools` is a mapping, any other a gate file. */
const problemsOf = Effect.fnUntraced(function* (json: unknown, { listed, server }: Listed, day: string) {
  if (isRecord(json) && Object.hasOwn(json, "tools")) {
    const read = yield* Effect.promise(() => readMapping(json))
    if ("problems" in read) return { kind: "tools" as const, problems: read.problems }
    const own = entriesToLookAt(read.file, day)
    if (listed === null) return { kind: "tools" as const, problems: own }
    const tools = yield* readToolList({ words: [listed], mcp: false, server })
    const compared = yield* compareListed(tools, server, read, day)
    return { kind: "tools" as const, problems: [...own, ...compared] }
  }
  if (listed !== null) return yield* wrongFlag("listed", listed, "used with a mapping")
  const read = readShaped(gateShape, json)
  const problems = "problems" in read ? read.problems : gateToLookAt(read.file, day)
  return { kind: "gate" as const, problems }
})

export const checkTools = verb({
  about:
    "Check a mapping or a gate file: its shape, its paths, its guesses, expired entries, and what a server says about the tools",
  takes: {
    file: pathArgument(
      "file.json",
      "action-risk.tools.json or action-risk.gate.json; - reads standard input"
    ),
    listed: elseNull(
      pathFlag("listed", "tools-list.json"),
      "The answer of the server to tools/list: entries are compared with its tools, their descriptions and their hints"
    ),
    server: toolListFlags.server
  },
  prints: toolsCheckSchema,
  fails: "there are problems, or a file cannot be read",
  examples: {
    "action-risk.tools.json": "The mapping",
    "action-risk.tools.json --listed tools-list.json --server shop":
      "The mapping, and whether it treats tools as harmless that the server calls destructive",
    "action-risk.gate.json --json": "The gate file, for programs"
  },
  run: Effect.fnUntraced(function* ({ file, ...listed }) {
    const { value } = yield* readJsonFile(file, agentFileBytesMax)
    const day = isoDay(Date.now())
    const { kind, problems } = yield* problemsOf(value, listed, day)
    return {
      json: () => ({ file, kind, problems }),
      text: () =>
        problems.length === 0
          ? `${file}: ${counted(0, "problem")}`
          : problems
              .map(({ at, message }) => onOneLine(`${file}: ${at === "" ? "the file" : at} ${message}`))
              .join("\n"),
      ok: problems.length === 0
    }
  })
})
