/** An organization's policy set may change; nothing else about an organization does. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const letPolicySetsChange = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`GRANT UPDATE (policy_set) ON control.organizations TO action_risk_control`
})
