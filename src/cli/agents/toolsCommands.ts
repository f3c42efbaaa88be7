/** `action-risk tools`: makes and checks the files of agents' owners, `action-risk.tools.json` and `action-risk.gate.json`. */

import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { readMapping } from "../../agents/argumentPaths.ts"
import { type PlacedProblem, readShaped } from "../../agents/fileShape.ts"
import { gateShape, type GateFile } from "../../agents/GateFile.ts"
import type { ToolsFile } from "../../agents/ToolsFile.ts"
import { isoDay } from "../../domain/Day.ts"
import { isRecord } from "../../json/json.ts"
import { agentFileBytesMax } from "../../limits.ts"
import { FindingsExit } from "../commandFailures.ts"
import { jsonFlag, pathArgument } from "../flags.ts"
import { readJsonFile } from "../operatorFiles.ts"
import { escapeInvisible, onOneLine } from "../../foreignText.ts"
import { counted } from "../texts.ts"
import { gapsCommand } from "./gaps.ts"
import { scaffoldTools } from "./scaffoldTools.ts"
import { readToolList, toolListFlags } from "./toolList.ts"

const scaffold = Command.make(
  "scaffold",
  toolListFlags,
  Effect.fnUntraced(function* (options) {
    const made = scaffoldTools(yield* readToolList("tools scaffold", options))
    yield* Console.log(escapeInvisible(JSON.stringify(made, null, 2)))
  })
).pipe(
  Command.withDescription("Write a first action-risk.tools.json, whose guesses wait for a person"),
  Command.withExamples([
    {
      command:
        "action-risk tools scaffold --server shop --mcp -- npx shop-mcp-server > action-risk.tools.json",
      description: "From a server, which is started for this and ended"
    },
    {
      command: "action-risk tools scaffold tools-list.json --server shop > action-risk.tools.json",
      description: "From what a server answered to tools/list"
    }
  ])
)

export const toolsCheckSchema = Schema.Struct({
  file: Schema.String,
  kind: Schema.Literals(["tools", "gate"]),
  problems: Schema.Array(Schema.Struct({ at: Schema.String, message: Schema.String }))
})

/** `day`: today in UTC. */
const lapsed = (at: string, last: string | undefined, day: string): ReadonlyArray<PlacedProblem> =>
  last !== undefined && last < day
    ? [{ at: `${at}.review_by`, message: `${last} is past: the entry does not count` }]
    : []

const entriesToLookAt = ({ tools }: ToolsFile, day: string): ReadonlyArray<PlacedProblem> =>
  Object.entries(tools).flatMap(([name, entry]) => [
    ...(entry.guess === true
      ? [{ at: `tools.${name}.guess`, message: "is still there: the tool counts as unmapped" }]
      : []),
    ...lapsed(`tools.${name}`, entry.review_by, day)
  ])

const gateToLookAt = (file: GateFile, day: string): ReadonlyArray<PlacedProblem> =>
  (file.not_asked ?? []).flatMap((entry, index) => lapsed(`not_asked[${index}]`, entry.review_by, day))

/** A file with `tools` at its top is a mapping, any other a gate file. */
const problemsOf = Effect.fnUntraced(function* (json: unknown, day: string) {
  if (isRecord(json) && Object.hasOwn(json, "tools")) {
    const read = yield* Effect.promise(() => readMapping(json))
    const problems = "problems" in read ? read.problems : entriesToLookAt(read.file, day)
    return { kind: "tools" as const, problems }
  }
  const read = readShaped(gateShape, json)
  return {
    kind: "gate" as const,
    problems: "problems" in read ? read.problems : gateToLookAt(read.file, day)
  }
})

const check = Command.make(
  "check",
  {
    file: pathArgument("file.json").pipe(
      Argument.withDescription("action-risk.tools.json or action-risk.gate.json; - reads standard input")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const { value } = yield* readJsonFile(file, agentFileBytesMax)
    const day = isoDay(Date.now())
    const { kind, problems } = yield* problemsOf(value, day)
    const shown: typeof toolsCheckSchema.Encoded = { file, kind, problems }
    if (json) yield* Console.log(JSON.stringify(shown, null, 2))
    else {
      for (const { at, message } of problems)
        yield* Console.log(onOneLine(`${file}: ${at === "" ? "the file" : at} ${message}`))
      if (problems.length === 0) yield* Console.log(`${file}: ${counted(0, "problem")}`)
    }
    if (problems.length > 0) return yield* new FindingsExit()
  })
).pipe(
  Command.withDescription(
    "Check a mapping or a gate file: its shape, its paths, what is a guess, what is past its day"
  ),
  Command.withExamples([
    { command: "action-risk tools check action-risk.tools.json", description: "The mapping" },
    {
      command: "action-risk tools check action-risk.gate.json --json",
      description: "The gate file, for programs"
    }
  ])
)

export const toolsCommand = Command.make("tools").pipe(
  Command.withDescription("Make and check the files that say what an agent's tools do"),
  Command.withSubcommands([scaffold, check, gapsCommand])
)
