-- Behaviour: what complete assessments leave behind, for later ones to be compared with. Snapshots are read from counts per day and
-- hour instead of rows, so that a long history costs no more. `production` and everything else are counted apart, and so is an
-- action that `changes` something. The fill factors leave room on the page of a row that is counted up.

-- A row is a complete assessment. A fingerprint on a day is a unit of evidence. Windows are read by time, so time leads the key.
-- Sums of a destination have its name as a reader sees it: `destination_summed_under`.
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
GRANT SELECT, INSERT ON {schema}.history TO action_risk_{schema};

-- A row is a unit: a distinct action on a day, with the figures of its first assessment. A withdrawn unit is in no count but the
-- sums of 24 hours and the pace: all its assessments were rejected in review.
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
GRANT SELECT, INSERT, UPDATE ON {schema}.units TO action_risk_{schema};

-- A row counts the units of a day that had a figure, by its first two digits. `measure` is `entities`, or an action category, whose
-- figures are US cents; `units`, at figure 0, counts them all.
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
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.unit_figures TO action_risk_{schema};

-- A row counts the units of a day that had a name: an action type, an agent or a destination (`kind`). `largest_*` are the largest
-- stated figures of these units.
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
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.sightings TO action_risk_{schema};

-- A row counts the assessments of ten minutes, repeated ones too.
CREATE TABLE {schema}.paces (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  slot timestamptz NOT NULL,
  assessments bigint NOT NULL,
  PRIMARY KEY (organization_id, production, slot)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.paces TO action_risk_{schema};

-- A row counts the assessments of ten minutes, repeated ones too, of an agent, or of a pool of callers that name no agent.
CREATE TABLE {schema}.agent_paces (
  organization_id uuid NOT NULL,
  production boolean NOT NULL,
  name text NOT NULL,
  slot timestamptz NOT NULL,
  changes boolean NOT NULL,
  assessments bigint NOT NULL,
  PRIMARY KEY (organization_id, production, name, slot, changes)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.agent_paces TO action_risk_{schema};

-- A row sums the scored figures of an hour, classes other than read: of an agent or pool, of a destination, or of the organization,
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
GRANT SELECT, INSERT, UPDATE ON {schema}.sums TO action_risk_{schema};

-- A row says how often a past day of an organization lost something: what processes hold of its past is then read anew.
CREATE TABLE {schema}.baseline_revisions (
  organization_id uuid PRIMARY KEY,
  revision bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON {schema}.baseline_revisions TO action_risk_{schema};

-- Gives the row that the shared statement of `todaysActivity.ts` gives for the same query, whose arrays have the order of these
-- parameters. That statement sets up some seventy nodes of a plan. Here each look-up has a small plan, which the session keeps. The
-- function is STABLE, so all of them see the same moment.
CREATE FUNCTION {schema}.read_behavior(
  its_organization_id uuid, its_fingerprint bytea, its_action_type text, its_agent text, its_destination text, window_days int,
  its_summed_under text, its_production boolean, evidence_hours int, changes_only boolean,
  held_until date, its_key text, its_destination_summed_under text,
  OUT until text, OUT at_micros float8, OUT revision float8, OUT units_lately float8, OUT last_hour float8,
  OUT destination_days int, OUT destination_hours int, OUT largest_entities float8, OUT largest_usd_cents float8,
  OUT agent_entities float8, OUT agent_usd_cents float8, OUT destination_entities float8,
  OUT destination_usd_cents float8, OUT organization_entities float8, OUT organization_usd_cents float8,
  OUT action_type_seen boolean, OUT action_type_seen_lately boolean, OUT agent_seen boolean,
  OUT destination_seen_lately boolean, OUT answered boolean
) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    now timestamptz := statement_timestamp();
    today date := (now AT TIME ZONE 'UTC')::date;
    ends date := ((now - evidence_hours * interval '1 hour') AT TIME ZONE 'UTC')::date;
    ends_before date := CASE WHEN held_until = ends - 1 THEN held_until ELSE ends END;
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

    last_hour := (
      SELECT coalesce(sum(known.assessments), 0)::float8 FROM agent_paces AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.name = its_summed_under AND known.slot >= paced_since AND (known.changes OR NOT changes_only)
    );

    SELECT count(DISTINCT seen.day) FILTER (WHERE seen.day >= first_day AND seen.day < ends_before)::int,
      min(seen.first_at) FILTER (WHERE seen.day >= first_day AND seen.day < ends_before),
      coalesce(max(seen.largest_entities) FILTER (WHERE seen.day >= first_day AND seen.day < ends_before), 0)::float8,
      coalesce(max(seen.largest_usd_cents) FILTER (WHERE seen.day >= first_day AND seen.day < ends_before), 0)::float8,
      coalesce(bool_or(seen.day >= ends_before AND seen.day < today)
        OR sum(seen.units) FILTER (WHERE seen.day = today) > its_own, false)
    INTO destination_days, first_at, largest_entities, largest_usd_cents, destination_seen_lately
    FROM sightings AS seen
    WHERE seen.organization_id = its_organization_id AND seen.production = its_production AND seen.kind = 'destination'
      AND seen.name = its_destination AND (seen.changes OR NOT changes_only) AND seen.day >= least(first_day, ends_before);
    destination_hours := coalesce(floor(extract(epoch FROM now - first_at) / 3600), 0)::int;

    SELECT coalesce(bool_or(seen.day >= first_day AND seen.day < ends_before), false),
      coalesce(bool_or(seen.day >= ends_before AND seen.day < today)
        OR sum(seen.units) FILTER (WHERE seen.day = today) > its_own, false)
    INTO action_type_seen, action_type_seen_lately
    FROM sightings AS seen
    WHERE seen.organization_id = its_organization_id AND seen.production = its_production AND seen.kind = 'action_type'
      AND seen.name = its_action_type AND (seen.changes OR NOT changes_only) AND seen.day >= least(first_day, ends_before);

    agent_seen := EXISTS (
      SELECT FROM sightings AS seen
      WHERE seen.organization_id = its_organization_id AND seen.production = its_production AND seen.kind = 'agent'
        AND seen.name = its_agent AND (seen.changes OR NOT changes_only) AND seen.day >= least(first_day, ends_before)
        AND seen.day >= first_day AND seen.day < ends_before
    );

    SELECT least(greatest(coalesce(sum(entities), 0), 0), 9007199254740991)::float8,
      least(greatest(coalesce(sum(usd_cents), 0), 0), 9007199254740991)::float8
    INTO agent_entities, agent_usd_cents
    FROM (
      SELECT known.entities, known.usd_cents FROM sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'agent' AND known.name = its_summed_under AND known.hour >= summed_since
      UNION ALL SELECT known.entities, known.usd_cents FROM outcome_sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'agent' AND known.name = its_summed_under AND known.hour >= summed_since
    ) AS counted;

    SELECT least(greatest(coalesce(sum(entities), 0), 0), 9007199254740991)::float8,
      least(greatest(coalesce(sum(usd_cents), 0), 0), 9007199254740991)::float8
    INTO destination_entities, destination_usd_cents
    FROM (
      SELECT known.entities, known.usd_cents FROM sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'destination' AND known.name = its_destination_summed_under
        AND known.hour >= summed_since
      UNION ALL SELECT known.entities, known.usd_cents FROM outcome_sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'destination' AND known.name = its_destination_summed_under
        AND known.hour >= summed_since
    ) AS counted;

    SELECT least(greatest(coalesce(sum(entities), 0), 0), 9007199254740991)::float8,
      least(greatest(coalesce(sum(usd_cents), 0), 0), 9007199254740991)::float8
    INTO organization_entities, organization_usd_cents
    FROM (
      SELECT known.entities, known.usd_cents FROM sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'organization' AND known.name = '' AND known.hour >= summed_since
      UNION ALL SELECT known.entities, known.usd_cents FROM outcome_sums AS known
      WHERE known.organization_id = its_organization_id AND known.production = its_production
        AND known.scope = 'organization' AND known.name = '' AND known.hour >= summed_since
    ) AS counted;

    answered := EXISTS (
      SELECT FROM idempotency_keys AS known
      WHERE known.organization_id = its_organization_id AND known.key = its_key AND known.completed_at > now - interval '24 hours'
    );
  END
$$;
-- Without a grant every role may execute a function, but not where the owner of the database has taken that away.
GRANT EXECUTE ON FUNCTION {schema}.read_behavior TO action_risk_{schema};
