-- Behavior: what complete assessments leave behind for comparison with later ones. Snapshots are read from counts per day and hour and not
-- from rows, so that a long history costs no more. `production` and everything else are counted separately, and so are actions that
-- `changes` something. The fill factors leave room for updating a counter within its page.

-- A row is a complete assessment. A fingerprint on a day is a unit of evidence. Windows are read by time, so time leads the key. Sums of a
-- destination use its name as a human reader sees it: `destination_summed_under`.
CREATE TABLE {schema}.history (
  organization_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  assessment_id uuid NOT NULL,
  day date NOT NULL GENERATED ALWAYS AS ((created_at AT TIME ZONE 'UTC')::date) STORED,
  fingerprint bytea NOT NULL,
  normalized_action_type text NOT NULL,
  action_category text NOT NULL,
  action_class text NOT NULL,
  production boolean NOT NULL,
  changes boolean NOT NULL,
  agent_id text,
  destination_key text,
  destination_summed_under text,
  stated_entities bigint,
  stated_usd_cents bigint,
  scored_entities bigint NOT NULL,
  scored_usd_cents bigint NOT NULL,
  PRIMARY KEY (organization_id, created_at, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
GRANT SELECT, INSERT ON {schema}.history TO {role};

-- A row is a unit: a distinct action on a day, with the figures of its first assessment. A withdrawn unit counts only in the 24-hour sums
-- and the pace, because all its assessments were rejected in review.
CREATE TABLE {schema}.units (
  organization_id uuid NOT NULL,
  day date NOT NULL,
  fingerprint bytea NOT NULL,
  production boolean NOT NULL,
  changes boolean NOT NULL,
  action_category text NOT NULL,
  stated_entities bigint,
  stated_usd_cents bigint,
  withdrawn boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, day, fingerprint)
);
GRANT SELECT, INSERT, UPDATE ON {schema}.units TO {role};

-- A row counts the units of a day with a certain figure, by its first two digits. `measure` is `entities`, or an action category, whose
-- figures are US cents; for the measure `units`, figure 0 counts all units.
CREATE TABLE {schema}.unit_figures (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  day date NOT NULL,
  measure text NOT NULL,
  figure bigint NOT NULL,
  changes boolean NOT NULL,
  units bigint NOT NULL,
  PRIMARY KEY (organization_id, production, day, measure, figure, changes)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.unit_figures TO {role};

-- A row counts the units of a day that have a name: an action type, an agent or a destination (`kind`). `largest_*` are the largest stated
-- figures of these units.
CREATE TABLE {schema}.sightings (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  day date NOT NULL,
  changes boolean NOT NULL,
  units bigint NOT NULL,
  first_at timestamptz NOT NULL,
  largest_entities bigint NOT NULL,
  largest_usd_cents bigint NOT NULL,
  PRIMARY KEY (organization_id, production, kind, name, day, changes)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.sightings TO {role};

-- A row counts the assessments in ten minutes, including repeated ones, of an agent or of a pool of callers that name no agent.
CREATE TABLE {schema}.agent_paces (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  name text NOT NULL,
  slot timestamptz NOT NULL,
  changes boolean NOT NULL,
  assessments bigint NOT NULL,
  PRIMARY KEY (organization_id, production, name, slot, changes)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.agent_paces TO {role};

-- A row sums the scored figures of one hour, for classes other than read: of an agent or pool, of a destination, or of the organization,
-- whose name is empty.
CREATE TABLE {schema}.sums (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  scope text NOT NULL,
  name text NOT NULL,
  hour timestamptz NOT NULL,
  entities numeric NOT NULL,
  usd_cents numeric NOT NULL,
  PRIMARY KEY (organization_id, production, scope, name, hour)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.sums TO {role};

-- A row corrects the sums of an hour by what outcome events observed. Kept separate from `sums`, from which the usual day is computed,
-- because no report may make a large day usual.
CREATE TABLE {schema}.outcome_sums (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  scope text NOT NULL CHECK (scope IN ('agent', 'destination', 'organization')),
  name text NOT NULL,
  hour timestamptz NOT NULL,
  entities numeric NOT NULL,
  usd_cents numeric NOT NULL,
  PRIMARY KEY (organization_id, production, scope, name, hour)
);
GRANT SELECT, INSERT, UPDATE ON {schema}.outcome_sums TO {role};

-- A row counts how many times something was removed from an organization's past. Processes then re-read the past that they hold.
CREATE TABLE {schema}.baseline_revisions (
  organization_id uuid PRIMARY KEY,
  revision bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON {schema}.baseline_revisions TO {role};

-- A figure rounded down to its first two digits, like `firstTwoDigits` in `scoring/arithmetic.ts`.
CREATE FUNCTION {schema}.first_two_digits(figure bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT trunc(figure::numeric, least(0, 2 - length(figure::text)))::bigint
$$;

-- A sum as a JSON number: corrections may have made it negative, and it may exceed the exact range.
CREATE FUNCTION {schema}.within_safe_integers(total numeric) RETURNS float8 LANGUAGE sql IMMUTABLE AS $$
  SELECT least(greatest(coalesce(total, 0), 0), 9007199254740991)::float8
$$;

-- Reads the history of actions, and whether their idempotency keys have been answered: one row per action, in order. The arguments are
-- arrays with one element per action: its names and key, the days in the window including today, the hours after a day's end until the day
-- is evidence, whether only changes are evidence, and where the evidence in the caller's held window ends.
--
-- Familiarity begins later: names seen since the end of the evidence (`until`) are reported separately, without the action's own unit of
-- today (`own`). A name has two rows per day, one of them for changes, and only their sum tells whether there is another unit. The sums,
-- over the last 24 hours from the start of an hour, and the pace of the last hour leave nothing out.
--
-- A long past takes longer to read than a request can wait. So after midnight the held window is served until the new one is loaded: its
-- evidence ends a day earlier than possible, which only makes it older than necessary.
--
-- `OFFSET 0` restricts each look-up to its own names: a plan made while a table was empty may otherwise read the whole table forever. The
-- function is one statement, so it sees a single moment and becomes part of its caller's plan.
CREATE FUNCTION {schema}.read_behavior(
  its_organization_id uuid[], its_fingerprint bytea[], its_action_type text[], its_agent text[], its_destination text[],
  its_window_days int[], its_summed_under text[], its_production boolean[], its_evidence_hours int[], its_changes_only boolean[],
  its_held_until date[], its_key text[], its_destination_summed_under text[]
) RETURNS TABLE (
  until text, at_micros float8, revision float8, units_lately float8, last_hour float8, destination_days int, destination_hours int,
  largest_entities float8, largest_usd_cents float8, agent_entities float8, agent_usd_cents float8, destination_entities float8,
  destination_usd_cents float8, organization_entities float8, organization_usd_cents float8, action_type_seen boolean,
  action_type_seen_lately boolean, agent_seen boolean, destination_seen_lately boolean, answered boolean
) LANGUAGE sql STABLE AS $$
  SELECT asked.until::text, (extract(epoch FROM now) * 1000000)::float8,
    coalesce((
      SELECT known.revision FROM {schema}.baseline_revisions AS known WHERE known.organization_id = asked.organization_id
    ), 0)::float8,
    coalesce((
      SELECT sum(known.units) FROM {schema}.unit_figures AS known
      WHERE known.organization_id = asked.organization_id AND known.production = asked.production AND (changes OR NOT changes_only)
        AND day >= asked.until AND day <= today AND measure = 'units' AND figure = 0
    ), 0)::float8 - own,
    coalesce((
      SELECT sum(assessments) FROM {schema}.agent_paces AS known
      WHERE known.organization_id = asked.organization_id AND known.production = asked.production AND name = summed_under
        AND slot >= date_bin(interval '10 minutes', now - interval '60 minutes', timestamptz '2000-01-01 00:00:00+00')
        AND (changes OR NOT changes_only)
    ), 0)::float8,
    seen.destination_days, coalesce(floor(extract(epoch FROM now - seen.first_at) / 3600), 0)::int, seen.largest_entities,
    seen.largest_usd_cents, summed.*, seen.action_type_seen, seen.action_type_seen_lately, seen.agent_seen,
    seen.destination_seen_lately,
    -- The same as in `find_answer`, which on a distributed database is not part of this statement.
    coalesce((
      SELECT true FROM (
        SELECT assessment_id FROM {schema}.idempotency_keys AS kept
        WHERE kept.organization_id = asked.organization_id AND kept.key = asked.key
          AND completed_at > statement_timestamp() - interval '24 hours'
        LIMIT 1
      ) AS held CROSS JOIN LATERAL (
        SELECT FROM {schema}.assessments
        WHERE assessments.organization_id = asked.organization_id AND assessments.assessment_id = held.assessment_id
        LIMIT 1
      ) AS assessed
    ), false)
  FROM (
    SELECT given.*, now, today, today - window_days + 1 AS first_day,
      CASE WHEN held_until = ends - 1 THEN held_until ELSE ends END AS until,
      coalesce((
        SELECT (withdrawn IS FALSE)::int FROM {schema}.units AS known
        WHERE known.organization_id = given.organization_id AND known.day = today AND known.fingerprint = given.fingerprint
      ), 0) AS own
    FROM unnest(its_organization_id, its_fingerprint, its_action_type, its_agent, its_destination, its_window_days,
        its_summed_under, its_production, its_evidence_hours, its_changes_only, its_held_until, its_key,
        its_destination_summed_under) WITH ORDINALITY
        AS given (organization_id, fingerprint, action_type, agent, destination, window_days, summed_under, production,
          evidence_hours, changes_only, held_until, key, destination_summed_under, place)
      CROSS JOIN LATERAL (
        SELECT statement_timestamp() AS now, (statement_timestamp() AT TIME ZONE 'UTC')::date AS today,
          ((statement_timestamp() - evidence_hours * interval '1 hour') AT TIME ZONE 'UTC')::date AS ends
      ) AS clock
    OFFSET 0
  ) AS asked CROSS JOIN LATERAL (
    SELECT count(DISTINCT day) FILTER (WHERE kind = 'destination' AND is_past)::int AS destination_days,
      min(first_at) FILTER (WHERE kind = 'destination' AND is_past) AS first_at,
      coalesce(max(known.largest_entities) FILTER (WHERE kind = 'destination' AND is_past), 0)::float8 AS largest_entities,
      coalesce(max(known.largest_usd_cents) FILTER (WHERE kind = 'destination' AND is_past), 0)::float8 AS largest_usd_cents,
      coalesce(bool_or(is_past) FILTER (WHERE kind = 'action_type'), false) AS action_type_seen,
      coalesce(bool_or(NOT is_past AND day < today) FILTER (WHERE kind = 'action_type')
        OR sum(units) FILTER (WHERE kind = 'action_type' AND day = today) > own, false) AS action_type_seen_lately,
      coalesce(bool_or(is_past) FILTER (WHERE kind = 'agent'), false) AS agent_seen,
      coalesce(bool_or(NOT is_past AND day < today) FILTER (WHERE kind = 'destination')
        OR sum(units) FILTER (WHERE kind = 'destination' AND day = today) > own, false) AS destination_seen_lately
    FROM (VALUES ('action_type', action_type), ('agent', agent), ('destination', destination)) AS named (its_kind, its_name)
      CROSS JOIN LATERAL (
        SELECT sightings.*, day < asked.until AS is_past FROM {schema}.sightings
        WHERE sightings.organization_id = asked.organization_id AND sightings.production = asked.production AND kind = its_kind
          AND name = its_name AND (changes OR NOT changes_only) AND day >= least(first_day, asked.until) AND day <= today
        OFFSET 0
      ) AS known
  ) AS seen CROSS JOIN LATERAL (
    SELECT {schema}.within_safe_integers(sum(entities) FILTER (WHERE its_scope = 'agent')),
      {schema}.within_safe_integers(sum(usd_cents) FILTER (WHERE its_scope = 'agent')),
      {schema}.within_safe_integers(sum(entities) FILTER (WHERE its_scope = 'destination')),
      {schema}.within_safe_integers(sum(usd_cents) FILTER (WHERE its_scope = 'destination')),
      {schema}.within_safe_integers(sum(entities) FILTER (WHERE its_scope = 'organization')),
      {schema}.within_safe_integers(sum(usd_cents) FILTER (WHERE its_scope = 'organization'))
    FROM (VALUES ('agent', summed_under), ('destination', destination_summed_under), ('organization', ''))
        AS named (its_scope, its_name)
      CROSS JOIN LATERAL (
        SELECT entities, usd_cents FROM (
          SELECT * FROM {schema}.sums UNION ALL SELECT * FROM {schema}.outcome_sums
        ) AS known
        WHERE known.organization_id = asked.organization_id AND known.production = asked.production AND scope = its_scope
          AND name = its_name AND hour >= date_trunc('hour', now - interval '24 hours', 'UTC')
        OFFSET 0
      ) AS counted
  ) AS summed
  ORDER BY place
$$;
GRANT EXECUTE ON FUNCTION {schema}.first_two_digits, {schema}.within_safe_integers, {schema}.read_behavior TO {role};
