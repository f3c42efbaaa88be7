/** Answers that hold a secret, remembered for a day under their idempotency keys, encrypted as the secrets are. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { idempotencyMemoryHours } from "../../Limits.ts"
import type { WebhookEndpoint } from "../WebhookEndpoints.ts"

/** How the answer to a request is to be remembered. */
export interface Answering {
  readonly idempotencyKey: string
  /** SHA-256 of what was asked. */
  readonly inputDigest: Uint8Array
  /** The answer, encrypted. */
  readonly sealedAnswer: (endpoint: WebhookEndpoint) => Uint8Array
}

/** The idempotency key was used before: this is what was answered. */
export interface Answered {
  readonly _tag: "answered"
  readonly endpointId: string
  readonly inputDigest: Uint8Array
  /** Encrypted. */
  readonly answer: Uint8Array
}

const memory = `${idempotencyMemoryHours} hours`

export const findAnswer = (sql: SqlClient.SqlClient, organizationId: string, idempotencyKey: string) =>
  Effect.map(
    sql<{ readonly endpoint_id: string; readonly input_digest: Uint8Array; readonly answer: Uint8Array }>`
      SELECT endpoint_id, input_digest, answer FROM webhook_answers
      WHERE organization_id = ${organizationId} AND idempotency_key = ${idempotencyKey}
        AND answered_at > statement_timestamp() - ${memory}::interval
    `,
    ([row]): Answered | undefined =>
      row && {
        _tag: "answered",
        endpointId: row.endpoint_id,
        inputDigest: row.input_digest,
        answer: row.answer
      }
  )

/** Takes the place of one under the same key whose time is over. */
export const keepAnswer = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpoint: WebhookEndpoint,
  { idempotencyKey, inputDigest, sealedAnswer }: Answering
) => sql`
  INSERT INTO webhook_answers (organization_id, idempotency_key, endpoint_id, input_digest, answer, answered_at)
  VALUES (
    ${organizationId}, ${idempotencyKey}, ${endpoint.id}, ${inputDigest}, ${sealedAnswer(endpoint)},
    statement_timestamp()
  )
  ON CONFLICT (organization_id, idempotency_key) DO UPDATE SET
    endpoint_id = excluded.endpoint_id, input_digest = excluded.input_digest,
    answer = excluded.answer, answered_at = excluded.answered_at
`
