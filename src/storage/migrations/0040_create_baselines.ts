/** What snapshots are read from, in both modes: counts per day instead of rows, so that a long history costs no more. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"
import { foldOf0040 } from "./0040_fold.ts"

export const createBaselines = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    const role = sql(`action_risk_${mode}`)
    // A distinct action on a day, with the figures of its first assessment and its part of the 24 h sums; `moved_from`
    // is the hour that this part last stood under, where a later assessment of the same day moved it.
    yield* sql`
      CREATE TABLE ${schema}.units (
        organization_id uuid NOT NULL,
        day date NOT NULL,
        fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
        last_hour timestamptz NOT NULL,
        moved_from timestamptz,
        action_category text NOT NULL,
        stated_entities bigint,
        stated_usd_cents bigint,
        summed_entities bigint NOT NULL,
        summed_usd_cents bigint NOT NULL,
        PRIMARY KEY (organization_id, day, fingerprint)
      )
    `
    // How many units of a day had a figure, by its first two digits. `measure` is `entities` or an action category,
    // whose figures are US cents; `units`, at figure 0, counts them all.
    yield* sql`
      CREATE TABLE ${schema}.unit_figures (
        organization_id uuid NOT NULL,
        day date NOT NULL,
        measure text NOT NULL,
        figure bigint NOT NULL,
        units bigint NOT NULL,
        PRIMARY KEY (organization_id, day, measure, figure)
      )
    `
    // What was seen on a day: an action type, an agent, a destination. `largest_*` are the largest stated figures of its
    // units, `*_by` the unit that stated them and `other_*` the largest of all others, so that one unit can be left out.
    yield* sql`
      CREATE TABLE ${schema}.sightings (
        organization_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('action_type', 'agent', 'destination')),
        name text NOT NULL,
        day date NOT NULL,
        units bigint NOT NULL,
        first_at timestamptz NOT NULL,
        largest_entities bigint NOT NULL,
        largest_entities_by bytea NOT NULL,
        other_entities bigint NOT NULL,
        largest_usd_cents bigint NOT NULL,
        largest_usd_cents_by bytea NOT NULL,
        other_usd_cents bigint NOT NULL,
        PRIMARY KEY (organization_id, kind, name, day)
      )
    `
    // Assessments in each ten minutes, repeated ones too.
    yield* sql`
      CREATE TABLE ${schema}.paces (
        organization_id uuid NOT NULL,
        slot timestamptz NOT NULL,
        assessments bigint NOT NULL,
        PRIMARY KEY (organization_id, slot)
      )
    `
    // Sums of scored figures per agent and hour, classes other than read; those that name no agent share the empty name.
    yield* sql`
      CREATE TABLE ${schema}.agent_sums (
        organization_id uuid NOT NULL,
        agent text NOT NULL,
        hour timestamptz NOT NULL,
        entities numeric NOT NULL,
        usd_cents numeric NOT NULL,
        PRIMARY KEY (organization_id, agent, hour)
      )
    `
    for (const table of ["units", "unit_figures", "sightings", "paces", "agent_sums"]) {
      yield* sql`GRANT SELECT, INSERT, UPDATE ON ${schema}.${sql(table)} TO ${role}`
    }
    // What was assessed before this migration counts as before.
    yield* sql`SELECT set_config('search_path', ${mode}, true)`
    yield* sql.unsafe(`WITH fresh AS (SELECT * FROM history), ${foldOf0040} SELECT`)
  }
  yield* sql`RESET search_path`
})
