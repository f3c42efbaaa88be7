-- Facets: what lists are filtered by and what statistics count, made from sealed assessments. Only the owner of the schema takes a row of
-- facets away: when its assessment is erased. The fill factors leave room on the page of a row that is counted up.

-- A row has the facets of an assessment. Levels, environments and categories are numbers (`facetTables.ts`), factors the numbers of their
-- codes: a list reads many of these rows.
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

-- A row is the number of a factor's code.
CREATE TABLE {schema}.facet_factors (
  number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE
);
GRANT SELECT, INSERT ON {schema}.facets, {schema}.facet_factors TO {role};

-- A row counts the assessments of a day, in UTC, that the ids of the assessments begin with.
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

-- A row counts the assessments of a day that have a name. Names beyond the most that a day counts apart are together under the empty
-- name. `notable` of them have a review.
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

-- A row says what has its facets: every assessment whose seal has a sequence of at most `high`.
CREATE TABLE {schema}.facets_made (
  organization_id uuid PRIMARY KEY,
  high bigint NOT NULL
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON {schema}.tallies, {schema}.name_tallies, {schema}.facets_made TO {role};
