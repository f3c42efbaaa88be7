-- Facets: the values by which lists are filtered and which statistics count, derived from sealed assessments. Only the owner of the schema
-- deletes facets, when their assessment is erased. The fill factors leave room for updating a counter within its page.

-- A row contains the facets of an assessment. Levels, environments and categories are stored as numbers (`facetTables.ts`), factors as the
-- numbers of their codes, because a list reads many of these rows.
CREATE TABLE {schema}.facets (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  level smallint NOT NULL,
  environment smallint NOT NULL,
  category smallint NOT NULL,
  complete boolean NOT NULL,
  agent_id text,
  action_type text NOT NULL,
  factors smallint[] NOT NULL,
  PRIMARY KEY (organization_id, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- A row assigns a number to a factor's code.
CREATE TABLE {schema}.facet_factors (
  number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE
);
GRANT SELECT, INSERT ON {schema}.facets, {schema}.facet_factors TO {role};

-- A row counts the assessments of a UTC day, which is the day encoded in their ids.
CREATE TABLE {schema}.tallies (
  organization_id uuid NOT NULL,
  day date NOT NULL,
  level smallint NOT NULL,
  environment smallint NOT NULL,
  category smallint NOT NULL,
  complete boolean NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (organization_id, day, level, environment, category, complete)
) WITH (fillfactor = 70);

-- A row counts the assessments of a day that have a certain name. Names beyond a day's maximum are counted together under the empty name.
-- `notable` of them have a review.
CREATE TABLE {schema}.name_tallies (
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('agent_id', 'action_type', 'factor')),
  day date NOT NULL,
  name text NOT NULL,
  count bigint NOT NULL,
  notable bigint NOT NULL,
  PRIMARY KEY (organization_id, kind, day, name)
) WITH (fillfactor = 70);
CREATE INDEX name_tallies_by_name ON {schema}.name_tallies (organization_id, kind, name, day);

-- A row stores the progress of an organization: every assessment whose seal has a sequence number of at most `high` has its facets.
CREATE TABLE {schema}.facets_made (
  organization_id uuid PRIMARY KEY,
  high bigint NOT NULL
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.tallies, {schema}.name_tallies, {schema}.facets_made TO {role};
