/** The statement that reads assessments beside their shadows, and its rows in the domain's words. */

import type { SqlClient } from "effect/sql"
import type { Gist } from "../../scoring/gist.ts"

interface Row {
  readonly assessment_id: string
  readonly response: Uint8Array
  readonly input: Uint8Array
  readonly rules_version: string | null
  readonly rules_digest: Uint8Array | null
  readonly complete: Gist["complete"]
  readonly score: Gist["score"]
  readonly level: Gist["level"]
  readonly action_category: Gist["category"]
  readonly action_class: Gist["class"]
  readonly control: Gist["control"]
  readonly factors: Gist["factors"]
}

/** An assessment beside what the shadow said of it. */
export interface Shadowed {
  readonly assessmentId: string
  /** The exact bytes of the answer, and of the request. */
  readonly response: Uint8Array
  readonly input: Uint8Array
  /** Null where the shadow said nothing. */
  readonly shadow: {
    readonly rulesVersion: string
    /** SHA-256, hex. */
    readonly rulesDigest: string
    readonly gist: Gist
  } | null
}

/** Ids begin with their time, so the primary keys are the order of both tables. */
export const selectShadowed = (
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

export const shadowedOfRow = (row: Row): Shadowed => ({
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
