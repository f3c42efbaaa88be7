/** Labelled calls: the lines of a labels file, and the ordered pairs of its calls. */

import { Schema } from "effect"
import { type ActionRiskLevel, actionRiskLevels } from "../../domain/Opinion.ts"
import { ruleNameMax } from "../../limits.ts"
import { fileStruct, type Issue, Sentence } from "./vocabulary.ts"

const LevelName = Schema.Literals(actionRiskLevels)

const CallId = Sentence.check(Schema.isMaxLength(ruleNameMax))

/** `bare`: a name and an environment. `arguments`: also what an adapter can read from the call. `full`: everything stated. */
export const completenesses = ["bare", "arguments", "full"] as const

interface Rated {
  readonly level: ActionRiskLevel
  readonly ratings?: ReadonlyArray<ActionRiskLevel>
  readonly second?: ReadonlyArray<ActionRiskLevel | null>
}

/** With an even number of ratings, both middle ones and every level between them count as a median. */
const isMedian = (level: ActionRiskLevel, ratings: ReadonlyArray<ActionRiskLevel>): boolean => {
  const rank = (name: ActionRiskLevel) => actionRiskLevels.indexOf(name)
  const sorted = ratings.map(rank).toSorted((a, b) => a - b)
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0
  const upper = sorted[sorted.length >> 1] ?? 0
  return lower <= rank(level) && rank(level) <= upper
}

const ratingProblems = ({ level, ratings, second }: Rated): ReadonlyArray<Issue> => {
  if (ratings === undefined) return []
  const isRated = ratings.length === 0 || isMedian(level, ratings)
  return [
    ...(isRated ? [] : [{ path: ["level"], issue: "is not the median of the ratings" }]),
    ...(second === undefined || second.length === ratings.length
      ? []
      : [{ path: ["second"], issue: "must have one member for each rating" }])
  ]
}

/** One line of a labels file. Its request is read like a request to the API. */
export const LabelLine = fileStruct({
  id: CallId.annotate({
    description: "Unique in the file. Calls of one field share the part before the number: infra-001."
  }),
  completeness: Schema.optionalKey(Schema.Literals(completenesses)).annotate({
    description: "How much the request states: only a name, also the call's arguments, or everything."
  }),
  request: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "An assessment request for POST /api/v1/actions/assess."
  }),
  level: LevelName.annotate({
    description: "The level that people give the call: the median of the ratings."
  }),
  ratings: Schema.optionalKey(Schema.Array(LevelName)).annotate({
    description: "The rating of each person, if there were several."
  }),
  second: Schema.optionalKey(Schema.Array(Schema.NullOr(LevelName))).annotate({
    description: "The other level that each of them considered; null without doubt."
  })
}).check(Schema.makeFilter((line: Rated) => [...ratingProblems(line)]))

/** `pairs.json` next to the labels: the first call of each pair must score higher. */
export const PairsFile = Schema.Array(Schema.Tuple([CallId, CallId]))
