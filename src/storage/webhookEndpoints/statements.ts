/** The statements about webhook endpoints, each inside one organization. */

import type { SqlClient } from "effect/sql"
import { webhookSecretOverlapHours } from "../../Limits.ts"
import type { EndpointChanges, EndpointPage, WebhookEndpoint } from "../WebhookEndpoints.ts"
import { type EndpointRow, rankOf } from "./row.ts"

const columns = "endpoint_id, url, events, least_rank, enabled, description, created_at"

/** No row where there are `endpointsMax` already. */
export const insertEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpoint: WebhookEndpoint,
  sealed: Uint8Array,
  endpointsMax: number
) => sql`
  INSERT INTO webhook_endpoints (organization_id, secret, ${sql.literal(columns)})
  SELECT ${organizationId}::uuid, ${sealed}::bytea, ${endpoint.id}::uuid, ${endpoint.url},
    ${endpoint.events}::text[], ${rankOf(endpoint.minLevel)}::int, ${endpoint.enabled}::boolean,
    ${endpoint.description}, ${endpoint.createdAt}::timestamptz
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE organization_id = ${organizationId}) < ${endpointsMax}
  RETURNING 1
`

/** The secret there was becomes the previous one. */
export const replaceSecret = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  sealed: Uint8Array
) => sql<EndpointRow>`
  UPDATE webhook_endpoints SET secret = ${sealed}, previous_secret = secret,
    previous_until = statement_timestamp() + ${`${webhookSecretOverlapHours} hours`}::interval
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING ${sql.literal(columns)}
`

export const selectEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string
) => sql<EndpointRow>`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
`

export const selectEndpoints = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  { before, limit }: EndpointPage
) => sql<EndpointRow>`
  SELECT ${sql.literal(columns)} FROM webhook_endpoints
  WHERE organization_id = ${organizationId} ${before === undefined ? sql`` : sql`AND endpoint_id < ${before}`}
  ORDER BY endpoint_id DESC
  LIMIT ${limit}
`

/** One statement, so that of two at once the second sees what the first has changed. */
export const updateEndpoint = (
  sql: SqlClient.SqlClient,
  organizationId: string,
  endpointId: string,
  { description, enabled, events, minLevel, url }: EndpointChanges
) => sql<EndpointRow>`
  UPDATE webhook_endpoints SET
    url = coalesce(${url ?? null}, url),
    events = coalesce(${events ?? null}::text[], events),
    least_rank = coalesce(${minLevel === undefined ? null : rankOf(minLevel)}::int, least_rank),
    enabled = coalesce(${enabled ?? null}::boolean, enabled),
    description = ${description === undefined ? sql`description` : sql`${description}`},
    failing_since = CASE
      WHEN ${url ?? null} <> url OR (${enabled ?? null}::boolean AND NOT enabled) THEN NULL
      ELSE failing_since
    END
  WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING ${sql.literal(columns)}
`

/** Its secrets go with it, those in remembered answers too. */
export const deleteEndpoint = (sql: SqlClient.SqlClient, organizationId: string, endpointId: string) => sql`
  WITH forgotten AS (
    DELETE FROM webhook_answers WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  )
  DELETE FROM webhook_endpoints WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId}
  RETURNING 1
`
