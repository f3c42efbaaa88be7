/** Opinions of the shadow release, written beside the assessments and read only to be compared. */

import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Mode } from "../domain/Caller.ts"
import type { ScoreSummary } from "../scoring/scoreSummary.ts"
import type { Owner } from "./assessments/AssessmentRecord.ts"
import { ModeSql } from "./sql/Sql.ts"

type Stored<A> = Effect.Effect<A, SqlError.SqlError>

export class ShadowOpinions extends Context.Service<
  ShadowOpinions,
  {
    /** Once for each assessment; what is there already stays. */
    readonly write: (mode: Mode, opinions: ReadonlyArray<ShadowOpinion>) => Stored<void>
    /**
     * A page of the assessments from `from` on and after `after`, oldest first, with what the shadow said of each; none
     * before the first that has a shadow.
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
        const rows = yield* selectShadowed(clients.for(mode), organizationId, from, after, rowsMax)
        return rows.map(shadowedOfRow)
      })

      return ShadowOpinions.of({ write, page })
    })
  )
}

/** The statement that writes shadow opinions: any number of them as one parameter, so that it is prepared once. */
export interface ShadowOpinion {
  readonly organizationId: string
  readonly assessmentId: string
  readonly rulesVersion: string
  /** SHA-256, hex. */
  readonly rulesDigest: string
  readonly gist: ScoreSummary
}

/** Only of what is stored: an opinion that comes late must not bring back what was erased meanwhile. */
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

/** Named as the statement reads them. */
const shadowRows = (opinions: ReadonlyArray<ShadowOpinion>) =>
  opinions.map(({ assessmentId, gist, organizationId, rulesDigest, rulesVersion }) => ({
    organization_id: organizationId,
    assessment_id: assessmentId,
    rules_version: rulesVersion,
    rules_digest: rulesDigest,
    complete: gist.complete,
    score: gist.score,
    level: gist.level,
    action_category: gist.category,
    action_class: gist.class,
    control: gist.control,
    factors: gist.factors.map(({ category, code, severity }) => ({ code, category, severity }))
  }))

/** The statement that reads assessments beside their shadows, and its rows in the domain's words. */
interface Row {
  readonly assessment_id: string
  readonly response: Uint8Array
  readonly input: Uint8Array
  readonly rules_version: string | null
  readonly rules_digest: Uint8Array | null
  readonly complete: ScoreSummary["complete"]
  readonly score: ScoreSummary["score"]
  readonly level: ScoreSummary["level"]
  readonly action_category: ScoreSummary["category"]
  readonly action_class: ScoreSummary["class"]
  readonly control: ScoreSummary["control"]
  readonly factors: ScoreSummary["factors"]
}

/** An assessment beside what the shadow said of it. */
export interface ShadowedAssessment {
  readonly assessmentId: string
  /** The exact bytes of the answer, and of the request. */
  readonly response: Uint8Array
  readonly input: Uint8Array
  /** Null where the shadow said nothing. */
  readonly shadow: {
    readonly rulesVersion: string
    /** SHA-256, hex. */
    readonly rulesDigest: string
    readonly gist: ScoreSummary
  } | null
}

/** Ids begin with their time, so the primary keys are the order of both tables. */
const selectShadowed = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  from: string,
  after: string | null,
  rowsMax: number
) => sql<Row>`
  SELECT assessment_id, response, input, rules_version, shadow.rules_digest, shadow.complete, score, level,
    action_category, action_class, control, factors
  FROM assessments LEFT JOIN shadow_opinions AS shadow USING (organization_id, assessment_id)
  WHERE organization_id = ${organizationId} AND assessment_id >= ${from}
    AND assessment_id >= (
      SELECT assessment_id FROM shadow_opinions WHERE organization_id = ${organizationId}
      ORDER BY assessment_id LIMIT 1
    )
    ${after === null ? sql`` : sql`AND assessment_id > ${after}`}
  ORDER BY assessment_id
  LIMIT ${rowsMax}
`

const shadowedOfRow = (row: Row): ShadowedAssessment => ({
  assessmentId: row.assessment_id,
  response: row.response,
  input: row.input,
  shadow:
    row.rules_version === null || row.rules_digest === null
      ? null
      : {
          rulesVersion: row.rules_version,
          rulesDigest: Buffer.from(row.rules_digest).toString("hex"),
          gist: {
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
