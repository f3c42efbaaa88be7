/** `rules agree`: how well the rules agree with calls labelled by people, and where they do not. */

import { Effect, Schema } from "effect"
import { actionClasses } from "../../domain/Action.ts"
import { actionRiskLevels, severities } from "../../domain/Opinion.ts"
import { labelledCallsMax } from "../../limits.ts"
import { type Agreement, agreementOf, type Disagreement } from "../../rules/agreement/Agreement.ts"
import {
  type CallPair,
  type Measure,
  measureNames,
  roundedValue,
  stepsAbove
} from "../../rules/agreement/measures.ts"
import { completenesses } from "../../rules/files/labelFiles.ts"
import {
  headings,
  levelStyle,
  lines,
  paragraph,
  printable,
  type Row,
  titled,
  table,
  type Terminal
} from "../Terminal.ts"
import { elseNull, integerFlag, pathFlag } from "../flags.ts"
import { bool, int, levelCounts, list, members, nullOr, objects, string } from "../jsonShapes.ts"
import { renderLevelMatrix } from "./backtestView.ts"
import { servedRulebook } from "./rulebooks.ts"
import { policiesFlag, rulesFlag } from "./subject.ts"
import { requestText } from "./witness.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"
import { readLabelFiles } from "./labelFiles.ts"

const Level = Schema.Literals(actionRiskLevels)

const standard = (description: string) =>
  members(
    {
      text: string("As the table shows it."),
      met: nullOr(Schema.Boolean, "Null if there is nothing to measure.")
    },
    { text: "bound" }
  ).pipe(Schema.annotateEncoded({ description }))

const Measures = objects(null, {
  name: Schema.Literals(measureNames),
  title: Schema.String,
  value: nullOr(
    Schema.Finite,
    "count / of with four decimals, kappa or a share; null if there is nothing to measure."
  ),
  count: Schema.Int,
  of: Schema.Int,
  enough: standard("The minimum for releasing rules."),
  goal: nullOr(standard("The value to aim for."), "Null if no goal is set.")
})

const Groups = Schema.Array(members({ name: Schema.String, calls: Schema.Int, measures: Measures }))

const PairedCall = members({ id: Schema.String, score: Schema.Int })

export const agreeShape = members(
  {
    rules: string("The release, or draft."),
    policies: string("The policy set and its version."),
    calls: Schema.Int,
    enough: bool("Every measure reaches the minimum for releasing rules."),
    goal: bool("Every measure reaches its goal."),
    measures: Measures,
    confusion: levelCounts("confusion[label][answer]: calls."),
    cost: int("The costs of all disagreements together."),
    disagreementsTotal: Schema.Int,
    disagreements: list(
      members(
        {
          id: Schema.String,
          cost: Schema.Int,
          completeness: Schema.NullOr(Schema.Literals(completenesses)),
          request: Schema.Record(Schema.String, Schema.Json),
          label: Level,
          second: list(Level, "Other levels that people considered."),
          level: Level.annotate({ description: "The level of the answer." }),
          score: Schema.Int,
          confidence: Schema.Finite,
          type: Schema.String,
          class: Schema.Literals(actionClasses),
          factor: Schema.NullOr(Schema.Struct({ code: Schema.String, severity: Schema.Literals(severities) }))
        },
        { type: "normalized_action_type", factor: "main_factor" }
      ),
      "Most expensive first; at most --limit."
    ),
    misordered: objects("Pairs whose first call does not score higher.", {
      riskier: PairedCall,
      lessRisky: PairedCall
    }),
    byCompleteness: Groups,
    byPrefix: Groups.annotate({
      description: "By the part of an id before its number: `infra` in infra-012."
    })
  },
  { misordered: "pairs_misordered", byPrefix: "by_id_prefix" }
)

export const agree = verb({
  about: "Compare the answers with calls that people have labelled, worst disagreements first",
  takes: {
    labels: pathFlag(
      "labels",
      "labels.ndjson",
      "Labelled calls, one on each line: {id, request, level} and more (docs/agreement.md), or opinions recorded by an agent host, which count as answered; - reads standard input"
    ),
    pairs: elseNull(
      pathFlag("pairs", "pairs.json"),
      "Pairs of ids, [[riskier, less risky], …] (default: pairs.json next to the labels, if it exists)"
    ),
    rules: rulesFlag("The release that answers (default: RULES_VERSION, or the newest)", null),
    policies: policiesFlag,
    limit: elseNull(
      integerFlag("limit", 0, labelledCallsMax),
      "Disagreements shown, most expensive first (default: all)"
    )
  },
  prints: agreeShape,
  isBlocking: true,
  fails: "the labels or the pairs cannot be read or are not valid; the result does not change the exit code",
  reads: "`RULES_VERSION`",
  examples: {
    "--labels examples/labels/calls.ndjson": "The newest release against the labels of examples/",
    "--labels ours.ndjson --rules draft --policies starter --limit 10":
      "The working files and a policy set against a team's own labels",
    "--labels ours.ndjson --rules draft --json | jq -e .enough":
      "For scripts; jq exits with 1 if a measure misses the minimum"
  },
  run: Effect.fnUntraced(function* (options) {
    const { calls, pairs } = yield* readLabelFiles(options.labels, options.pairs)
    const rulebook = yield* servedRulebook(options.rules, options.policies)
    const found = agreementOf(rulebook, calls, pairs)
    const limit = options.limit ?? calls.length
    return {
      json: () => agreementDocument(found, limit),
      text: (screen) => renderAgreement(screen, found, limit)
    }
  })
})

const measured = <A extends { readonly measures: ReadonlyArray<Measure> }>(one: A) => ({
  ...one,
  measures: one.measures.map((measure) => ({ ...measure, value: roundedValue(measure, 4) }))
})

const agreementDocument = (found: Agreement, limit: number): typeof agreeShape.Type => ({
  ...measured(found),
  enough: found.measures.every(({ enough }) => enough.met !== false),
  goal: found.measures.every(({ goal }) => goal?.met !== false),
  disagreementsTotal: found.disagreements.length,
  disagreements: found.disagreements.slice(0, limit),
  misordered: found.misordered.map(([riskier, lessRisky]) => ({ riskier, lessRisky })),
  byCompleteness: found.byCompleteness.map(measured),
  byPrefix: found.byPrefix.map(measured)
})

/** `limit`: how many disagreements to show. */
const renderAgreement = (screen: Terminal, agreement: Agreement, limit: number): string => {
  const { disagreements, misordered, rules } = agreement
  return [
    headline(screen, agreement),
    ...titled(screen, {
      Measures: renderMeasures(screen, agreement.measures),
      Levels: renderLevelMatrix(screen, `rows: labels, columns: answers of ${rules}`, agreement.confusion),
      "Pairs out of order": renderPairs(screen, misordered),
      "Disagreements, most expensive first": renderDisagreements(screen, disagreements, limit)
    })
  ].join("\n")
}

const headline = (screen: Terminal, { calls, cost, disagreements, policies, rules }: Agreement): string => {
  const answers = screen.color("bold", policies.startsWith("none@") ? rules : `${rules} with ${policies}`)
  const differ =
    disagreements.length === 0
      ? screen.color("green", "all answered as labelled")
      : `${figure(disagreements.length)} answered differently, cost ${figure(cost)}`
  return `${answers}  ${counted(calls, "labelled call")}, ${differ}`
}

/** Kappa with three decimals, shares as percentages with one decimal, which is equally exact. */
const valueText = (measure: Measure): string => {
  const value = roundedValue(measure, 3)
  if (value === null) return "–"
  if (measure.form === "count") return figure(measure.count)
  return measure.form === "ratio" ? value.toFixed(3) : `${(value * 100).toFixed(1)} %`
}

const standardCell = (standard: Measure["goal"]): Row[number] => {
  if (standard === null) return ""
  const { met, text } = standard
  if (met === null) return { text: `  ${text}`, style: "dim" }
  return met ? { text: `✔ ${text}`, style: "green" } : { text: `✘ ${text}`, style: "red" }
}

const renderMeasures = (screen: Terminal, measures: ReadonlyArray<Measure>): ReadonlyArray<string> =>
  table(screen, [
    headings("", "", "", "  enough", "  goal"),
    ...measures.map((measure): Row => [
      measure.title,
      { text: valueText(measure), align: "right" },
      measure.form === "ratio" || measure.of === 0 ? "" : `${figure(measure.count)} of ${figure(measure.of)}`,
      standardCell(measure.enough),
      standardCell(measure.goal)
    ])
  ])

const renderPairs = (screen: Terminal, pairs: ReadonlyArray<CallPair>): ReadonlyArray<string> =>
  table(
    screen,
    pairs.map(([riskier, lessRisky]): Row => [
      riskier.score < lessRisky.score
        ? { text: "upside down", style: "red" }
        : { text: "the same", style: "yellow" },
      `${riskier.id} ${riskier.score}`,
      `should be above ${lessRisky.id} ${lessRisky.score}`
    ])
  )

const indent = 6

const renderDisagreement = (screen: Terminal, call: Disagreement): ReadonlyArray<string> => {
  const { cost, factor, id, label, level, score } = call
  const answer = screen.color(levelStyle[level], `${level} ${score}`)
  const alsoThought = call.second.includes(level) ? ", a second choice" : ""
  const arrow = screen.color(stepsAbove(call) < 0 ? "red" : "yellow", `${label} → `)
  const mainly = factor === null ? "no factor" : `mainly ${factor.code} ${factor.severity}`
  const indented = (text: string) => paragraph(screen, text, indent)
  return [
    `${String(cost).padStart(4)}  ${arrow}${answer}${alsoThought}, confidence ${call.confidence.toFixed(2)}  ${screen.color("bold", id)}`,
    ...indented(printable(requestText(call.request))),
    ...indented(`read as ${call.type} (${call.class}), ${mainly}`).map((line) => screen.color("dim", line))
  ]
}

const renderDisagreements = (
  screen: Terminal,
  disagreements: ReadonlyArray<Disagreement>,
  limit: number
): ReadonlyArray<string> => {
  const more = disagreements.length - limit
  return lines(
    disagreements.slice(0, limit).flatMap((call) => renderDisagreement(screen, call)),
    more > 0 && screen.color("dim", `  and ${figure(more)} more: see --limit`)
  )
}
