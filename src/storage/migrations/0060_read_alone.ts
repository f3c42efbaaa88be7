/** The function that reads the history of one request: migrations 60, 63 and 65 put it into the database. */

const within = (figure: string): string =>
  `least(greatest(coalesce(sum(${figure}), 0), 0), ${Number.MAX_SAFE_INTEGER})::float8`

const sumOf = (table: string, scope: string, isName: string): string =>
  `SELECT known.entities, known.usd_cents FROM ${table} AS known
        WHERE known.organization_id = its_organization_id AND known.production = its_production
          AND known.scope = '${scope}' AND known.name ${isName} AND known.hour >= summed_since`

const summed = (scope: "agent" | "destination" | "organization", isName: string): string => `
    SELECT ${within("entities")}, ${within("usd_cents")} INTO ${scope}_entities, ${scope}_usd_cents
    FROM (${sumOf("sums", scope, isName)}
      UNION ALL ${sumOf("outcome_sums", scope, isName)}) AS counted;`

/** FROM and WHERE of the sightings of a name, from the first day that counts before the evidence ends or after it. */
const sighting = (kind: string): string => `FROM sightings AS seen
    WHERE seen.organization_id = its_organization_id AND seen.production = its_production AND seen.kind = '${kind}'
      AND seen.name = its_${kind} AND (seen.changes OR NOT changes_only) AND seen.day >= least(first_day, ends_before)`

const before = "seen.day >= first_day AND seen.day < ends_before"

const lately = `coalesce(bool_or(seen.day >= ends_before AND seen.day < today)
      OR sum(seen.units) FILTER (WHERE seen.day = today) > its_own, false)`

/** In the order of the shared statement's arrays. */
export const readAloneParameters = `its_organization_id uuid, its_fingerprint bytea, its_action_type text, its_agent text,
  its_destination text, window_days int, its_summed_under text, its_production boolean, evidence_hours int,
  changes_only boolean, pace_by_agent boolean, held_until date, its_key text`

export const readAloneColumns = `OUT until text, OUT at_micros float8, OUT revision float8, OUT units_lately float8, OUT last_hour float8,
  OUT destination_days int, OUT destination_hours int, OUT largest_entities float8, OUT largest_usd_cents float8,
  OUT agent_entities float8, OUT agent_usd_cents float8, OUT destination_entities float8,
  OUT destination_usd_cents float8, OUT organization_entities float8, OUT organization_usd_cents float8,
  OUT action_type_seen boolean, OUT action_type_seen_lately boolean, OUT agent_seen boolean,
  OUT destination_seen_lately boolean, OUT answered boolean`

/**
 * Gives the row that the shared statement gives for the same query. That statement sets up some seventy nodes of a plan; here
 * each look-up has a small plan, which the session keeps. The function is STABLE, so all of them see the same moment.
 */
export const readAloneBodyBy = (isDestination: string): string => `$$
  #variable_conflict use_column
  DECLARE
    now timestamptz := statement_timestamp();
    today date := (now AT TIME ZONE 'UTC')::date;
    ends date := ((now - evidence_hours * interval '1 hour') AT TIME ZONE 'UTC')::date;
    ends_before date := CASE WHEN evidence_hours > 0 AND held_until = ends - 1 THEN held_until ELSE ends END;
    first_day date := today - window_days + 1;
    paced_since timestamptz :=
      date_bin(interval '10 minutes', now - interval '60 minutes', timestamptz '2000-01-01 00:00:00+00');
    summed_since timestamptz := date_trunc('hour', now - interval '24 hours', 'UTC');
    its_own int;
    first_at timestamptz;
  BEGIN
    until := ends_before::text;
    at_micros := (extract(epoch FROM now) * 1000000)::float8;
    revision := coalesce((
      SELECT known.revision FROM baseline_revisions AS known WHERE known.organization_id = its_organization_id
    ), 0)::float8;
    its_own := coalesce((
      SELECT (known.withdrawn IS FALSE)::int FROM units AS known
      WHERE known.organization_id = its_organization_id AND known.day = today AND known.fingerprint = its_fingerprint
    ), 0);
    units_lately := coalesce((
      SELECT sum(known.units) FROM unit_figures AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND (known.changes OR NOT changes_only) AND known.day >= ends_before AND known.day <= today
        AND known.measure = 'units' AND known.figure = 0
    ), 0)::float8 - its_own;

    IF pace_by_agent THEN
      last_hour := (
        SELECT coalesce(sum(known.assessments), 0)::float8 FROM agent_paces AS known
        WHERE known.organization_id = its_organization_id AND known.production = its_production
          AND known.name = its_summed_under AND known.slot >= paced_since AND (known.changes OR NOT changes_only)
      );
    ELSE
      last_hour := (
        SELECT coalesce(sum(known.assessments), 0)::float8 FROM paces AS known
        WHERE known.organization_id = its_organization_id AND known.production = its_production AND known.slot >= paced_since
      );
    END IF;

    SELECT count(DISTINCT seen.day) FILTER (WHERE ${before})::int, min(seen.first_at) FILTER (WHERE ${before}),
      coalesce(max(seen.largest_entities) FILTER (WHERE ${before}), 0)::float8,
      coalesce(max(seen.largest_usd_cents) FILTER (WHERE ${before}), 0)::float8, ${lately}
    INTO destination_days, first_at, largest_entities, largest_usd_cents, destination_seen_lately
    ${sighting("destination")};
    destination_hours := coalesce(floor(extract(epoch FROM now - first_at) / 3600), 0)::int;
    SELECT coalesce(bool_or(${before}), false), ${lately} INTO action_type_seen, action_type_seen_lately
    ${sighting("action_type")};
    agent_seen := EXISTS (SELECT ${sighting("agent")} AND ${before});
${summed("agent", "= its_summed_under")}${summed("destination", isDestination)}${summed("organization", "= ''")}

    answered := EXISTS (
      SELECT FROM idempotency_keys AS known
      WHERE known.organization_id = its_organization_id AND known.key = its_key AND known.completed_at > now - interval '24 hours'
    );
  END
$$`
