/** Stores the opinions of the shadow release. They are read only to compare them with the assessments. */

import { Context, Effect, Layer, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { actionCategories, actionClasses } from "../domain/Action.ts"
import type { Mode } from "../domain/Caller.ts"
import { actionRiskLevels, controlTypes, factorCategories, severities } from "../domain/Opinion.ts"
import type { ScoreSummary } from "../scoring/Edition.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"
import { ModeSql } from "./sql/Sql.ts"
import { decodeRows } from "./sql/decodeRows.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class ShadowOpinions extends Context.Service<
  ShadowOpinions,
  {
    /** Writes one opinion for each assessment. An opinion that is already stored stays as it is. */
    readonly write: (mode: Mode, opinions: ReadonlyArray<ShadowOpinion>) => Stored<void>
    /**
     * A page of the assessments from the id `from` on and after the id `after`, oldest first, each with its shadow
     * opinion. The list begins with the first assessment that has one.
     */
    readonly page: (
      owner: Owner,
      from: string,
      after: string | null,
      rowsMax: number
    ) => Stored<ReadonlyArray<ShadowedAssessment>>
  }
>()("action-risk/storage/ShadowOpinions") {
  static readonly layer = Layer.effect(
    ShadowOpinions,
    Effect.gen(function* () {
      const clients = yield* ModeSql

      const write = Effect.fn("ShadowOpinions.write")(function* (
        mode: Mode,
        opinions: ReadonlyArray<ShadowOpinion>
      ) {
        yield* clients.for(mode).unsafe(writeShadows, [JSON.stringify(shadowRows(opinions))])
      })

      const page = Effect.fn("ShadowOpinions.page")(function* (
        { mode, organizationId }: Owner,
        from: string,
        after: string | null,
        rowsMax: number
      ) {
        const rows = yield* decodeRows(ShadowedRow)(
          selectShadowed(clients.for(mode), organizationId, from, after, rowsMax)
        )
        return rows.map(shadowedOfRow)
      })

      return ShadowOpinions.of({ write, page })
    })
  )
}

export interface ShadowOpinion {
  readonly organizationId: string
  readonly assessmentId: string
  readonly rulesVersion: string
  /** SHA-256, hex. */
  readonly rulesDigest: string
  readonly summary: ScoreSummary
}

/**
 * Any number of opinions is one parameter, so that the statement is prepared once. The join writes only opinions of stored
 * assessments: an opinion that comes late must not bring back an assessment that was erased meanwhile.
 */
const writeShadows = `
INSERT INTO shadow_opinions (organization_id, assessment_id, rules_version, rules_digest, complete, score, level,
  action_category, action_class, control, factors)
SELECT told.organization_id, told.assessment_id, rules_version, decode(rules_digest, 'hex'), complete, score, level,
  action_category, action_class, control, factors
FROM json_to_recordset($1::json) AS told (organization_id uuid, assessment_id uuid, rules_version text,
  rules_digest text, complete boolean, score smallint, level text, action_category text, action_class text,
  control text, factors json)
CROSS JOIN LATERAL (
  SELECT FROM assessments
  WHERE assessments.organization_id = told.organization_id AND assessments.assessment_id = told.assessment_id
  LIMIT 1
) AS kept
ON CONFLICT DO NOTHING`

/** The keys are the column names that the statement reads. */
const shadowRows = (opinions: ReadonlyArray<ShadowOpinion>) =>
  opinions.map(({ assessmentId, summary, organizationId, rulesDigest, rulesVersion }) => ({
    organization_id: organizationId,
    assessment_id: assessmentId,
    rules_version: rulesVersion,
    rules_digest: rulesDigest,
    complete: summary.complete,
    score: summary.score,
    level: summary.level,
    action_category: summary.category,
    action_class: summary.class,
    control: summary.control,
    factors: summary.factors.map(({ category, code, severity }) => ({ code, category, severity }))
  }))

const assessmentColumns = {
  assessment_id: Schema.String,
  response: Schema.Uint8Array,
  input: Schema.Uint8Array
}

const ShadowedRow = Schema.Union([
  Schema.Struct({
    ...assessmentColumns,
    rules_version: Schema.String,
    rules_digest: Schema.Uint8Array,
    complete: Schema.Boolean,
    score: Schema.Int,
    level: Schema.Literals(actionRiskLevels),
    action_category: Schema.Literals(actionCategories),
    action_class: Schema.Literals(actionClasses),
    control: Schema.Literals(controlTypes),
    factors: Schema.Array(
      Schema.Struct({
        code: Schema.String,
        category: Schema.Literals(factorCategories),
        severity: Schema.Literals(severities)
      })
    )
  }),
  // The shadow release gave no opinion of this assessment.
  Schema.Struct({ ...assessmentColumns, rules_version: Schema.Null })
])

/** An assessment with its shadow opinion. */
export interface ShadowedAssessment {
  readonly assessmentId: string
  /** The exact bytes of the answer. */
  readonly response: Uint8Array
  /** The exact bytes of the request. */
  readonly input: Uint8Array
  /** Null where the shadow release gave no opinion. */
  readonly shadow: {
    readonly rulesVersion: string
    /** SHA-256, hex. */
    readonly rulesDigest: string
    readonly summary: ScoreSummary
  } | null
}

/** `LIMIT 1` keeps the plan, as in `rowBeside.ts`. */
const shadowOfEach = `(
  SELECT rules_version, rules_digest, complete, score, level, action_category, action_class, control, factors
  FROM shadow_opinions AS shadow
  WHERE shadow.organization_id = assessments.organization_id AND shadow.assessment_id = assessments.assessment_id LIMIT 1
)`

/** Ids begin with their time, so the primary keys of both tables are in the order of time. */
const selectShadowed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  from: string,
  after: string | null,
  rowsMax: number
) => sql`
  SELECT assessment_id, response, input, rules_version, shadow.rules_digest, shadow.complete, score, level,
    action_category, action_class, control, factors
  FROM assessments LEFT JOIN LATERAL ${sql.literal(shadowOfEach)} AS shadow ON true
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from}
    AND assessment_id >= (
      SELECT assessment_id FROM shadow_opinions WHERE organization_id = ${organizationId}
      ORDER BY assessment_id LIMIT 1
    )
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id
  LIMIT ${rowsMax}
`

const shadowedOfRow = (row: typeof ShadowedRow.Type): ShadowedAssessment => ({
  assessmentId: row.assessment_id,
  response: row.response,
  input: row.input,
  shadow:
    row.rules_version === null
      ? null
      : {
          rulesVersion: row.rules_version,
          rulesDigest: Buffer.from(row.rules_digest).toString("hex"),
          summary: {
            complete: row.complete,
            score: row.score,
            level: row.level,
            category: row.action_category,
            class: row.action_class,
            control: row.control,
            factors: row.factors
          }
        }
})
