/** The three schemas with one role each; a role can use its own schema and no other. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const schemas = ["control", "live", "test"] as const

export const createRoles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const schema of schemas) {
    const role = `action_risk_${schema}`
    // Roles belong to the whole cluster: another database of ours may have made them, or make them at this moment.
    yield* sql`
      DO ${sql.literal(`$$
        BEGIN
          CREATE ROLE ${role} NOLOGIN;
        EXCEPTION
          WHEN duplicate_object OR unique_violation THEN NULL;
        END
      $$`)}
    `
    // The owner logs in and then takes the role; to have created a role, or to administer it, is not enough for that.
    yield* sql`
      DO ${sql.literal(`$$
        BEGIN
          EXECUTE format('GRANT ${role} TO %I', current_user);
        EXCEPTION
          WHEN insufficient_privilege THEN
            IF NOT pg_has_role('${role}', 'MEMBER') THEN RAISE; END IF;
        END
      $$`)}
    `
    yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
    yield* sql`REVOKE ALL ON SCHEMA ${sql(schema)} FROM PUBLIC`
    yield* sql`GRANT USAGE ON SCHEMA ${sql(schema)} TO ${sql(role)}`
  }
  yield* sql`GRANT SELECT ON control.migrations TO action_risk_control`
})
