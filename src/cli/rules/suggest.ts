/** `policies suggest`: prints catalogue entries for a set that would change the answers to given calls. */

import { Effect, Result, Schema, Stream } from "effect"
import { type Command } from "effect/cli"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import type { Action } from "../../domain/Action.ts"
import type { Mode } from "../../domain/Caller.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import type { ReviewOutcome } from "../../domain/Review.ts"
import { reviewedCalls } from "../../evidence/reviewedCalls.ts"
import { bodyBytesMax, suggestCallsMax } from "../../limits.ts"
import { suggestEntries, type Suggestion } from "../../rules/policies/suggestEntries.ts"
import { keyOfSubject } from "../../scoring/knowledge/OrganizationCatalogue.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { levelStyle, lines, type Terminal } from "../Terminal.ts"
import { wrongArgument } from "../commandFailures.ts"
import { optionalOwnerFlags, pathArgument } from "../flags.ts"
import {
  everyProblem,
  type InputLine,
  filledLines,
  readEachLine,
  readRequestLine,
  withLineBreak
} from "../operatorFiles.ts"
import { int, list, literals, members, objects } from "../jsonShapes.ts"
import { workingRulebook } from "./rulebooks.ts"
import { policySetArgument, readOrRefuse, scoringReleaseFlag } from "./subject.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"

const pointSchema = Schema.Struct({ score: Schema.Int, level: Schema.Literals(actionRiskLevels) })

export const suggestShape = members({
  calls: int("How many requests were read."),
  suggestions: objects(
    "Tools whose reviews were most often closed as expected first, then tools with the most calls; for one tool, the mildest entry first.",
    {
      action: Schema.String,
      reason: literals(
        ["unknown", "undescribed"],
        "unknown: the model does not know what the tool does. undescribed: its calls leave out what would lower their level."
      ),
      calls: Schema.Int,
      expected: int("The calls whose reviews were closed as false_positive or risk_accepted."),
      changed: int("The calls that would have another level, or a score that differs by 5 or more."),
      from: pointSchema.annotate({ description: "The call with the median score." }),
      to: pointSchema,
      entry: Schema.Record(Schema.String, Schema.Unknown).annotate({
        description: "The entry for catalogue.json. A person adds why, owner and review_by."
      })
    }
  ),
  refused: list(
    Schema.String,
    "Tools for which nothing is suggested, because a review was closed as risk_rejected or escalated."
  )
})

const file = pathArgument(
  "requests.ndjson",
  "Requests or recorded assessments, one on each line, or one request; - reads standard input; database reads the newest stored assessments with their reviews, together with --org and --mode"
)

const storedFlags = optionalOwnerFlags("With database")

export const suggest = verb({
  about:
    "Print entries for a set's catalogue that would change the answers to given calls, for a person to complete and commit",
  takes: { set: policySetArgument, file, ...storedFlags, rules: scoringReleaseFlag },
  prints: suggestShape,
  isBlocking: true,
  fails: "a line is not a request, or the release has no catalogue",
  examples: {
    "starter requests.ndjson": "From requests, or from an `evidence export`",
    "starter request.json --json": "For one request, for scripts",
    "starter database --org acme --mode live":
      "From stored assessments; first those that reviewers closed as expected"
  },
  run: Effect.fnUntraced(function* ({ file, rules, set, ...owner }) {
    const { policies, release } = yield* readOrRefuse(
      yield* workingRulebook({ kind: "policies", set }, rules)
    )
    const calls = yield* readCalls(file, owner)
    const found = suggestFor(calls, (actions) => suggestEntries(actions, release.model, policies.policySet))
    return {
      json: () => ({ calls: calls.length, ...found }),
      text: (screen) => renderSuggestions(screen, calls.length, found)
    }
  })
})

/** A person looked at the answer and found the action as it should be. */
const expectedOutcomes: ReadonlySet<ReviewOutcome | null> = new Set(["false_positive", "risk_accepted"])
/** A person found a risk, so no entry may lower the tool's score. */
const refusedOutcomes: ReadonlySet<ReviewOutcome | null> = new Set(["risk_rejected", "escalated"])

interface Found {
  readonly suggestions: ReadonlyArray<Suggestion & { readonly expected: number }>
  readonly refused: ReadonlyArray<string>
}

/** Suggestions for calls, considering their reviews. */
const suggestFor = (
  calls: ReadonlyArray<SuggestedCall>,
  suggest: (actions: ReadonlyArray<Action>) => ReadonlyArray<Suggestion>
): Found => {
  const toolOf = (action: string) => keyOfSubject({ action })
  const tools = Map.groupBy(calls, ({ action }) => toolOf(action.actionType))
  const closedAs = (tool: string, outcomes: ReadonlySet<ReviewOutcome | null>): number =>
    (tools.get(tool) ?? []).filter(({ review }) => outcomes.has(review)).length
  const isRefused = (action: string): boolean => closedAs(toolOf(action), refusedOutcomes) > 0
  const actions = calls.map(({ action }) => action)
  return {
    suggestions: suggest(actions.filter(({ actionType }) => !isRefused(actionType)))
      .map((one) => ({ ...one, expected: closedAs(toolOf(one.action), expectedOutcomes) }))
      .toSorted((a, b) => b.expected - a.expected),
    refused: [...tools.values()].flatMap(([first]) =>
      first !== undefined && isRefused(first.action.actionType) ? [first.action.actionType] : []
    )
  }
}

const levelText = ({ color }: Terminal, { level, score }: Suggestion["from"]): string =>
  color(levelStyle[level], `${level} ${score}`)

/** An entry as text to paste. Members that only a person can write are empty, so that `policies check` asks for them. */
const entryText = (entry: Suggestion["entry"]): string =>
  JSON.stringify({ ...entry, why: "", owner: "", review_by: "" })

const reasons: Readonly<Record<Suggestion["reason"], string>> = {
  unknown: "the model does not know what it does",
  undescribed: "its calls leave out what would lower them"
}

const renderTool = (screen: Terminal, own: Found["suggestions"]): ReadonlyArray<string> => {
  const [first] = own
  if (first === undefined) return []
  const { action, calls, expected, from, reason } = first
  const closed = expected === 0 ? "" : `, ${counted(expected, "review")} closed as expected`
  return [
    "",
    `${screen.color("bold", action)}  ${counted(calls, "call")}, ${levelText(screen, from)}: ${reasons[reason]}${closed}`,
    ...own.flatMap(({ changed, entry, to }) => [
      `  ${levelText(screen, from)} → ${levelText(screen, to)} for ${figure(changed)} of ${counted(calls, "call")} with`,
      `    ${entryText(entry)}`
    ])
  ]
}

const renderSuggestions = (screen: Terminal, calls: number, { refused, suggestions }: Found): string => {
  const tools = Map.groupBy(suggestions, ({ action }) => action)
  return lines(
    tools.size === 0
      ? `${counted(calls, "call")}: no entry would change the answer to any`
      : [
          `${counted(calls, "call")}: entries for ${counted(tools.size, "tool")} would change answers. Each is a guess: keep the true ones,`,
          "write why, who answers for it and until when, and paste it into catalogue.json with a case."
        ],
    [...tools.values()].flatMap((own) => renderTool(screen, own)),
    refused.length > 0 && [
      "",
      `Nothing is suggested for what a review rejected or escalated: ${refused.map((action) => screen.color("bold", action)).join(", ")}`
    ]
  ).join("\n")
}

interface SuggestedCall {
  readonly action: Action
  /** The outcome of its review; null if it had none, if the review is open, or if the call comes from a file. */
  readonly review: ReviewOutcome | null
}

/** Null for a line about an erased assessment. */
const toCall = (bytes: Uint8Array): Result.Result<SuggestedCall | null, string> =>
  Result.flatMap(
    Result.mapError(readRequestLine(bytes), (problem) => problem.replace("the body", "it")),
    (read) =>
      read === null
        ? Result.succeed(null)
        : readActionRequest(read.request, read.holdsNul).pipe(
            Result.map(({ action }) => ({ action, review: null })),
            Result.mapError(everyProblem)
          )
  )

/** A request formatted over several lines, as an editor writes it, is one call. */
const asOneRequest = (lines: ReadonlyArray<InputLine>): SuggestedCall | null => {
  const whole = Buffer.concat(lines.map(({ bytes }) => withLineBreak(bytes)))
  return whole.length > bodyBytesMax ? null : Result.getOrElse(toCall(whole), () => null)
}

/** The requests in a file. Nothing is known about reviews of them. */
const fromFile = Effect.fnUntraced(function* (path: string) {
  const lines = yield* filledLines(path, suggestCallsMax)
  const one = asOneRequest(lines)
  return one === null ? yield* readEachLine(path, lines, toCall) : [one]
})

/** The file name that means the stored assessments. */
const database = "database"

/** The newest stored assessments. Skips requests that are no longer valid because the API's limits have changed. */
const fromDatabase = Effect.fnUntraced(function* (slug: string, mode: Mode) {
  const stored = yield* reviewedCalls(yield* ownerOf(slug, mode)).pipe(
    Stream.take(suggestCallsMax),
    Stream.runCollect
  )
  return stored.flatMap(({ input, outcome }): ReadonlyArray<SuggestedCall> =>
    Result.match(toCall(input), {
      onFailure: () => [],
      onSuccess: (call) => (call === null ? [] : [{ ...call, review: outcome }])
    })
  )
}, Effect.provide(Stores))

/** Reads the file, or the stored assessments if the file is called `database`. */
const readCalls = Effect.fnUntraced(function* (
  file: string,
  { mode, org }: Command.Command.Config.Infer<typeof storedFlags>
) {
  if (file !== database) return yield* fromFile(file)
  // Checked before anything starts, so that a wrong call fails immediately.
  if (org === null || mode === null)
    return yield* wrongArgument("requests.ndjson", database, "used together with --org and --mode")
  return yield* fromDatabase(org, mode)
})
