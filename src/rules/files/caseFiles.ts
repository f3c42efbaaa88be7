/** `<code>.cases.json` and `rules/calibration.json`: requests with their history, and the outcome required for each. */

import { Schema } from "effect"
import { dataClassifications, environments, reversibilities } from "../../domain/Action.ts"
import { levels } from "../../domain/Opinion.ts"
import {
  actionDescriptionMax,
  actionTypeMax,
  agentIdMax,
  destinationMax,
  ruleSentenceMax,
  targetResourceMax,
  targetSystemMax
} from "../../limits.ts"
import { fileStruct, Instant, Points, Sentence, SeverityName, Slug, SmallQuantity } from "./vocabulary.ts"

/** The API's limit in code points, so that every case is a possible request. */
const upTo = (max: number) =>
  Schema.String.check(
    Schema.isNonEmpty(),
    Schema.makeFilter((text: string) => [...text].length <= max, {
      message: `expected at most ${max} characters`
    })
  )
const HowMany = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
)

/** `metadata.tool_call` or `context.instruction_source`, in the format of the API. */
const FreeForm = Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))

export const requestFields = {
  actionType: upTo(actionTypeMax).check(
    Schema.makeFilter((text: string) => text.trim() !== "", { message: "expected more than whitespace" })
  ),
  environment: Schema.Literals(environments),
  agentId: Schema.optionalKey(upTo(agentIdMax)),
  targetSystem: Schema.optionalKey(upTo(targetSystemMax)),
  targetResource: Schema.optionalKey(upTo(targetResourceMax)),
  actionDescription: Schema.optionalKey(upTo(actionDescriptionMax)),
  entitiesAffected: HowMany,
  recordsAffected: HowMany,
  financialValue: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  currency: Schema.optionalKey(
    Schema.String.check(
      Schema.isNonEmpty(),
      Schema.makeFilter((text: string) => /^[A-Za-z]{3}$/.test(text), { message: "expected three letters" })
    )
  ),
  destination: Schema.optionalKey(upTo(destinationMax)),
  dataClassification: Schema.optionalKey(Schema.Literals([...dataClassifications, "unknown"])),
  reversibility: Schema.optionalKey(Schema.Literals([...reversibilities, "unknown"])),
  privilegeChange: Schema.optionalKey(Schema.Boolean),
  productionImpact: Schema.optionalKey(Schema.Boolean),
  metadata: FreeForm,
  context: FreeForm
}

const RequestFile = fileStruct(requestFields)

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const intervalMs = (interval: string): number =>
  Number(interval.slice(0, -1)) * (unitMs[interval.slice(-1)] ?? 0)

/** `2m`, `1h`, `1d` */
const Interval = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,5}[smhd]$/u, { message: "expected an interval such as 2h" })
)

/** `repeat` stands for `times` equal assessments, the first one at `at`. */
const HistoryEntry = fileStruct({
  at: Instant,
  request: RequestFile,
  repeat: Schema.optionalKey(fileStruct({ times: SmallQuantity, every: Interval }))
})

/** The times, in milliseconds, of the assessments that one history entry stands for. */
export const instantsOf = ({ at, repeat }: typeof HistoryEntry.Type): ReadonlyArray<number> => {
  const { every, times } = repeat ?? { every: "1s", times: 1 }
  return Array.from({ length: times }, (_, i) => Date.parse(at) + i * intervalMs(every))
}

/** Fixed times, all before `now`. */
export const HistoryFile = fileStruct({ now: Instant, earlier: Schema.Array(HistoryEntry) }).check(
  Schema.makeFilter(({ earlier, now }) =>
    earlier.flatMap((entry, i) =>
      Math.max(...instantsOf(entry)) < Date.parse(now)
        ? []
        : [{ path: ["earlier", i], issue: "is not before `now`" }]
    )
  )
)

/** Without a history, the baseline window is empty. */
const situationFields = { request: RequestFile, history: Schema.optionalKey(HistoryFile) }

export const SituationFile = fileStruct(situationFields)

const caseFields = {
  name: Sentence,
  ...situationFields,
  fault: Schema.optionalKey(Schema.Literals(["history", "policy", "catalogue"])).annotate({
    description:
      "history: it could not be read. policy: a policy rule could not be evaluated. catalogue: the organization's entry for the action is past its review date."
  })
}

export const FactorCasesFile = fileStruct({
  cases: Schema.Array(
    fileStruct({ ...caseFields, expect: Schema.Union([SeverityName, Schema.Literal("none")]) })
  )
})

export const MatchCasesFile = fileStruct({
  cases: Schema.Array(fileStruct({ ...caseFields, expect: Schema.Literals(["matched", "none"]) }))
})

const LevelName = Schema.Literals(levels.filter((level) => level !== "minimal"))

/** `catalogue.cases.json`: the entries that apply to a call, and the resulting level. */
export const CatalogueCasesFile = fileStruct({
  cases: Schema.Array(
    fileStruct({
      ...caseFields,
      expect: fileStruct({
        entries: Schema.Array(Slug).annotate({
          description: "The entries that the opinion names, in any order; empty if none counts."
        }),
        level: Schema.optionalKey(LevelName)
      })
    })
  )
})

/** `lexicon/<part>.cases.json`: calls as people write them, with the level of each in development and in production. */
export const CallCasesFile = fileStruct({
  cases: Schema.NonEmptyArray(
    Schema.Tuple([
      Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(ruleSentenceMax)).annotate({
        description:
          "A command. For `statements`, a query in that language. For `parameters`, a tool name followed by its arguments as JSON."
      }),
      LevelName.annotate({ description: "The level in development." }),
      LevelName.annotate({ description: "The level in production." })
    ])
  )
})

/** `rules/calibration.json`: the level of each case, and pairs in which the first must score higher. */
export const CalibrationFile = fileStruct({
  cases: Schema.Array(
    fileStruct({
      name: Sentence,
      why: Sentence,
      ...situationFields,
      expect: fileStruct({
        level: Schema.Union([LevelName, Schema.Array(LevelName)]),
        /** The lowest and the highest score. */
        score: Schema.optionalKey(Schema.Tuple([Points, Points]))
      })
    })
  ),
  /** `higher` must score strictly higher than `lower`. */
  orderings: Schema.Array(fileStruct({ why: Sentence, higher: SituationFile, lower: SituationFile }))
})
