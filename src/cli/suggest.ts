/** `policies suggest`: prints entries for the catalogue of a set that would change the answers to given calls. */

import { Console, Effect, Result, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import type { Action } from "../domain/Action.ts"
import { actionRiskLevels } from "../domain/Opinion.ts"
import { isRecord, type Json } from "../json/json.ts"
import { strictJson } from "../json/strictJson.ts"
import { bodyBytesMax, suggestCallsMax } from "../limits.ts"
import { requestIn, type Suggestion, suggestEntries } from "../rules/policies/suggestEntries.ts"
import { riskEngineVersionOf } from "../scoring/Edition.ts"
import { currentTerminal, levelStyle, type Terminal } from "./Terminal.ts"
import { CommandRefused } from "./commandFailures.ts"
import { jsonFlag, pathArgument } from "./flags.ts"
import { type InputLine, inputLines, isTooLong, withInput } from "./inputFiles.ts"
import { counted, figure } from "./texts.ts"
import { scoringReleaseFlag, workingRulebook } from "./rules/rulebooks.ts"
import { policySetArgument, readOrRefuse } from "./rules/subject.ts"

const pointSchema = Schema.Struct({ score: Schema.Int, level: Schema.Literals(actionRiskLevels) })

export const suggestSchema = Schema.Struct({
  calls: Schema.Int.annotate({ description: "How many requests were read." }),
  suggestions: Schema.Array(
    Schema.Struct({
      action: Schema.String,
      reason: Schema.Literals(["unknown", "undescribed"]).annotate({
        description:
          "unknown: nobody knows what the tool does. undescribed: its calls leave out what would lower their level."
      }),
      calls: Schema.Int,
      changed: Schema.Int.annotate({
        description: "The calls that would have another level, or a score that differs by 5 or more."
      }),
      from: pointSchema.annotate({ description: "The call in the middle, by score." }),
      to: pointSchema,
      entry: Schema.Record(Schema.String, Schema.Unknown).annotate({
        description: "As catalogue.json has it. A person adds why, owner and review_by."
      })
    })
  ).annotate({
    description: "The tool that is called most often first; of one tool the mildest entry first."
  })
})

const file = pathArgument("requests.ndjson").pipe(
  Argument.withDescription(
    "Requests or recorded assessments, one on each line, or one request; - reads standard input"
  )
)

export const suggestCommand = Command.make(
  "suggest",
  { set: policySetArgument, file, rules: scoringReleaseFlag, json: jsonFlag },
  Effect.fn("cli.suggest")(function* ({ file, json, rules, set }) {
    const { policies, release } = yield* readOrRefuse(
      yield* workingRulebook({ kind: "policies", set }, rules)
    )
    const { edition } = release
    if (edition.number === 1) {
      const message = `${riskEngineVersionOf(edition)} reads no catalogue: name a rule release from 2.0.0 on by --rules`
      return yield* new CommandRefused({ message })
    }
    const calls = yield* readCalls(file)
    const suggestions = suggestEntries(calls, edition, policies.policySet)
    const document: typeof suggestSchema.Encoded = { calls: calls.length, suggestions }
    yield* Console.log(
      json
        ? JSON.stringify(document, null, 2)
        : renderSuggestions(currentTerminal(), calls.length, suggestions)
    )
  })
).pipe(
  Command.withDescription(
    "Print entries for a set's catalogue that would change the answers to given calls, for a person to complete and commit"
  ),
  Command.withExamples([
    {
      command: "action-risk policies suggest starter requests.ndjson",
      description: "From requests, or from what `evidence export` writes"
    },
    {
      command: "action-risk policies suggest starter request.json --json",
      description: "For one request, for scripts"
    }
  ])
)

/** Lines about erased assessments hold no request. */
const isErased = (json: Json): boolean => isRecord(json) && "erased" in json

/** Null for a line about an erased assessment. */
const toAction = (bytes: Uint8Array): Result.Result<Action | null, string> => {
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return Result.fail(json.failure.replace("the body", "it"))
  const { holdsNul, value } = json.success
  if (isErased(value)) return Result.succeed(null)
  return readActionRequest(requestIn(value), holdsNul).pipe(
    Result.map(({ action }) => action),
    Result.mapError((problems) =>
      validationFailed(problems)
        .details.map(({ field, message }) => `${field} ${message}`)
        .join("; ")
    )
  )
}

const collectLines = async (bytes: AsyncIterable<Uint8Array>): Promise<ReadonlyArray<InputLine>> => {
  const lines: Array<InputLine> = []
  for await (const read of inputLines(bytes)) {
    lines.push(...read.lines.filter((line) => line.bytes.length > 0))
    if (lines.length > suggestCallsMax) break
  }
  return lines
}

/** A request on several lines, as an editor writes it, is one call. */
const asOneRequest = (lines: ReadonlyArray<InputLine>): Action | null => {
  const whole = Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]))
  if (whole.length > bodyBytesMax) return null
  return Result.match(toAction(whole), { onFailure: () => null, onSuccess: (action) => action })
}

const readCalls = Effect.fnUntraced(function* (path: string) {
  const lines = yield* withInput(path, ({ bytes }) => Effect.promise(() => collectLines(bytes)))
  if (lines.length > suggestCallsMax) {
    return yield* new CommandRefused({ message: `${path} has more than ${figure(suggestCallsMax)} lines` })
  }
  const one = asOneRequest(lines)
  if (one !== null) return [one]
  const calls: Array<Action> = []
  for (const line of lines) {
    const read = isTooLong(line) ? Result.fail("is too long") : toAction(line.bytes)
    if (Result.isFailure(read)) {
      const message = `${path}: line ${figure(line.number)}: ${read.failure}`
      return yield* new CommandRefused({ message })
    }
    if (read.success !== null) calls.push(read.success)
  }
  return calls
})

const levelText = ({ color }: Terminal, { level, score }: Suggestion["from"]): string =>
  color(levelStyle[level], `${level} ${score}`)

/** An entry as text to paste: what only a person can write is empty, so that `policies check` asks for it. */
const entryText = (entry: Suggestion["entry"]): string =>
  JSON.stringify({ ...entry, why: "", owner: "", review_by: "" })

const reasons: Readonly<Record<Suggestion["reason"], string>> = {
  unknown: "nobody knows what it does",
  undescribed: "its calls leave out what would lower them"
}

const renderTool = (screen: Terminal, own: ReadonlyArray<Suggestion>): ReadonlyArray<string> => {
  const [first] = own
  if (first === undefined) return []
  const { action, calls, from, reason } = first
  return [
    "",
    `${screen.color("bold", action)}  ${counted(calls, "call")}, ${levelText(screen, from)}: ${reasons[reason]}`,
    ...own.flatMap(({ changed, entry, to }) => [
      `  ${levelText(screen, from)} → ${levelText(screen, to)} for ${figure(changed)} of ${counted(calls, "call")} with`,
      `    ${entryText(entry)}`
    ])
  ]
}

export const renderSuggestions = (
  screen: Terminal,
  calls: number,
  suggestions: ReadonlyArray<Suggestion>
): string => {
  const tools = Map.groupBy(suggestions, ({ action }) => action)
  if (tools.size === 0) return `${counted(calls, "call")}: no entry would change the answer to any`
  return [
    `${counted(calls, "call")}: entries for ${counted(tools.size, "tool")} would change answers. Each is a guess: keep the one that is true,`,
    "write why, who answers for it and until when, and paste it into catalogue.json with a case.",
    ...[...tools.values()].flatMap((own) => renderTool(screen, own))
  ].join("\n")
}
