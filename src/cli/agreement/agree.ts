/** `rules agree`: how well the rules agree with calls that people have labelled, and where they do not. */

import { Effect, Schema } from "effect"
import { Flag } from "effect/cli"
import { actionClasses } from "../../domain/Action.ts"
import { actionRiskLevels, severities } from "../../domain/Opinion.ts"
import { labelledCallsMax } from "../../limits.ts"
import { type Agreement, agreementOf, type CallGroup } from "../../rules/agreement/Agreement.ts"
import { type Measure, measureNames, roundedValue } from "../../rules/agreement/measures.ts"
import { completenesses } from "../../rules/files/labelFiles.ts"
import { currentTerminal } from "../Terminal.ts"
import { integerFlag, pathFlag } from "../flags.ts"
import { policiesFlag, rulesFlag, servedRulebook } from "../rules/rulebooks.ts"
import { renderAgreement } from "./agreeView.ts"
import { readLabelFiles } from "./labelFiles.ts"
import { verb } from "../verb.ts"

const Level = Schema.Literals(actionRiskLevels)

const standard = (description: string) =>
  Schema.Struct({
    bound: Schema.String.annotate({ description: "As the table shows it." }),
    met: Schema.NullOr(Schema.Boolean).annotate({ description: "Null where there is nothing to measure." })
  }).annotate({ description })

const Measures = Schema.Array(
  Schema.Struct({
    name: Schema.Literals(measureNames),
    title: Schema.String,
    value: Schema.NullOr(Schema.Finite).annotate({
      description: "count / of with four decimals, kappa or a share; null where there is nothing to measure."
    }),
    count: Schema.Int,
    of: Schema.Int,
    enough: standard("The value that is enough to release rules."),
    goal: Schema.NullOr(standard("The value to aim for.")).annotate({
      description: "Null where no goal is set."
    })
  })
)

const Groups = Schema.Array(Schema.Struct({ name: Schema.String, calls: Schema.Int, measures: Measures }))

const row = Schema.Struct({ low: Schema.Int, moderate: Schema.Int, high: Schema.Int, critical: Schema.Int })

const PairedCall = Schema.Struct({ id: Schema.String, score: Schema.Int })

export const agreeSchema = Schema.Struct({
  rules: Schema.String.annotate({ description: "The release, or draft." }),
  policies: Schema.String.annotate({ description: "The policy set and its version." }),
  calls: Schema.Int,
  enough: Schema.Boolean.annotate({
    description: "No measure misses the value that is enough to release rules."
  }),
  goal: Schema.Boolean.annotate({ description: "No measure misses its goal." }),
  measures: Measures,
  confusion: Schema.Struct({ low: row, moderate: row, high: row, critical: row }).annotate({
    description: "confusion[label][answer]: calls."
  }),
  cost: Schema.Int.annotate({ description: "The costs of all disagreements together." }),
  disagreements_total: Schema.Int,
  disagreements: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      cost: Schema.Int,
      completeness: Schema.NullOr(Schema.Literals(completenesses)),
      request: Schema.Record(Schema.String, Schema.Json),
      label: Level,
      second: Schema.Array(Level).annotate({ description: "Other levels that people thought of." }),
      level: Level.annotate({ description: "The level of the answer." }),
      score: Schema.Int,
      confidence: Schema.Finite,
      normalized_action_type: Schema.String,
      class: Schema.Literals(actionClasses),
      main_factor: Schema.NullOr(
        Schema.Struct({ code: Schema.String, severity: Schema.Literals(severities) })
      )
    })
  ).annotate({ description: "Most expensive first; at most as many as --limit says." }),
  pairs_misordered: Schema.Array(Schema.Struct({ riskier: PairedCall, less_risky: PairedCall })).annotate({
    description: "Pairs whose first call does not score higher."
  }),
  by_completeness: Groups,
  by_id_prefix: Groups.annotate({
    description: "By the part of an id before its number: infra of infra-012."
  })
})

export const agree = verb({
  about: "Compare the answers with calls that people have labelled, worst disagreements first",
  takes: {
    labels: pathFlag("labels", "labels.ndjson").pipe(
      Flag.withDescription(
        "Labelled calls, one on each line: {id, request, level} and more (docs/agreement.md), or opinions that an agent's program kept, which count as they were answered; - reads standard input"
      )
    ),
    pairs: pathFlag("pairs", "pairs.json").pipe(
      Flag.withDescription(
        "Pairs of ids, [[riskier, less risky], …] (default: pairs.json next to the labels, if it exists)"
      ),
      Flag.withDefault(null)
    ),
    rules: rulesFlag("Which release answers; else RULES_VERSION or the newest").pipe(Flag.withDefault(null)),
    policies: policiesFlag,
    limit: integerFlag("limit", 0, labelledCallsMax).pipe(
      Flag.withDescription("Disagreements shown, most expensive first (default: all)"),
      Flag.withDefault(null)
    )
  },
  prints: agreeSchema,
  isSlow: true,
  fails: "the labels or the pairs cannot be read or are not valid; any result ends with 0",
  reads: "`RULES_VERSION`",
  examples: {
    "--labels examples/labels/calls.ndjson": "The newest release against the labels of examples/",
    "--labels ours.ndjson --rules draft --policies starter --limit 10":
      "The working files and a policy set against a team's own labels",
    "--labels ours.ndjson --rules draft --json | jq -e .enough":
      "For scripts; jq ends with 1 if a measure misses the value that is enough"
  },
  run: Effect.fnUntraced(function* (options) {
    const { calls, pairs } = yield* readLabelFiles(options.labels, options.pairs)
    const rulebook = yield* servedRulebook(options.rules, options.policies)
    const agreement = agreementOf(rulebook, calls, pairs)
    const limit = options.limit ?? calls.length
    return {
      json: () => agreementJson(agreement, limit),
      text: () => renderAgreement(currentTerminal(), agreement, limit)
    }
  })
})

const measureJson = ({ count, enough, goal, name, of, title }: Measure) => ({
  name,
  title,
  value: roundedValue({ count, of }, 4),
  count,
  of,
  enough: { bound: enough.text, met: enough.met },
  goal: goal === null ? null : { bound: goal.text, met: goal.met }
})

const groupJson = ({ calls, measures, name }: CallGroup) => ({
  name,
  calls,
  measures: measures.map(measureJson)
})

export const agreementJson = (agreement: Agreement, limit: number): typeof agreeSchema.Encoded => ({
  rules: agreement.rules,
  policies: agreement.policies,
  calls: agreement.calls,
  enough: agreement.measures.every(({ enough }) => enough.met !== false),
  goal: agreement.measures.every(({ goal }) => goal?.met !== false),
  measures: agreement.measures.map(measureJson),
  confusion: agreement.confusion,
  cost: agreement.cost,
  disagreements_total: agreement.disagreements.length,
  disagreements: agreement.disagreements.slice(0, limit).map((call) => ({
    id: call.id,
    cost: call.cost,
    completeness: call.completeness,
    request: call.request,
    label: call.label,
    second: call.second,
    level: call.level,
    score: call.score,
    confidence: call.confidence,
    normalized_action_type: call.type,
    class: call.class,
    main_factor: call.factor
  })),
  pairs_misordered: agreement.misordered.map(([riskier, lessRisky]) => ({
    riskier: { id: riskier.id, score: riskier.score },
    less_risky: { id: lessRisky.id, score: lessRisky.score }
  })),
  by_completeness: agreement.byCompleteness.map(groupJson),
  by_id_prefix: agreement.byPrefix.map(groupJson)
})
