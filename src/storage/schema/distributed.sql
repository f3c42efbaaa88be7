-- Distributes the tables of a group of organizations with Citus: all of a schema are on one server, so whatever a statement
-- of an organization does, it is one server's.

-- The server of the rows is entered as the role that the service works as, by the coordinator alone: it has no password. The settings
-- are those of the service's own sessions, which do not reach that server.
ALTER ROLE {role} LOGIN;
ALTER ROLE {role} SET enable_seqscan = off;
ALTER ROLE {role} SET jit = off;
ALTER ROLE {role} SET timezone = 'UTC';
ALTER ROLE {role} SET datestyle = 'ISO';

-- An identity has a range of its own on each server, and the ranges of servers do not fit into these columns. Who inserts holds a lock
-- for the group, so the next number is free.
CREATE FUNCTION {schema}.take_next_number() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    -- The shard and not the table: a statement inside of a statement reaches no other shard.
    shard text := format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
  BEGIN
    IF TG_ARGV[0] = 'span' THEN
      EXECUTE 'SELECT coalesce(max(span), 0) + 1 FROM ' || shard INTO NEW.span;
    ELSE
      EXECUTE 'SELECT coalesce(max(number), 0) + 1 FROM ' || shard INTO NEW.number;
    END IF;
    RETURN NEW;
  END
$$;
ALTER TABLE {schema}.facet_factors ALTER COLUMN number DROP IDENTITY;
ALTER TABLE {schema}.search_spans ALTER COLUMN span DROP IDENTITY;
CREATE INDEX search_spans_by_number ON {schema}.search_spans (span);
CREATE TRIGGER numbered BEFORE INSERT ON {schema}.facet_factors
  FOR EACH ROW EXECUTE FUNCTION {schema}.take_next_number('number');
CREATE TRIGGER numbered BEFORE INSERT ON {schema}.search_spans
  FOR EACH ROW EXECUTE FUNCTION {schema}.take_next_number('span');

-- Citus names the columns that have a default in what it gives to a server.
GRANT INSERT (reminded) ON {schema}.reviews TO {role};

-- Only the owner could sort in what waits, and only on the server of the rows.
ALTER INDEX {schema}.search_texts_by_gram SET (fastupdate = off);

-- A statement that selects from a table is given to the server of the rows whole. One that selects from arrays alone is not, and its rows
-- are carried there one table after another.
CREATE TABLE {schema}.one_row (is_there boolean PRIMARY KEY CHECK (is_there));
INSERT INTO {schema}.one_row VALUES (true);
GRANT SELECT ON {schema}.one_row TO {role};

-- Citus gives no parameters of a function in SQL to another server, and those of one in PL/pgSQL.
DO $$
  DECLARE
    one record;
  BEGIN
    FOR one IN
      SELECT proname, prosrc, pg_get_functiondef(oid) AS definition FROM pg_proc
      WHERE oid::regproc::text IN ('{schema}.find_answer', '{schema}.read_behavior', '{schema}.write_assessments')
    LOOP
      IF one.proname = 'write_assessments' THEN
        EXECUTE replace(one.definition, 'AS places', 'AS places CROSS JOIN one_row');
      ELSE
        EXECUTE replace(replace(one.definition, 'LANGUAGE sql', 'LANGUAGE plpgsql'), one.prosrc,
          format(E'\n#variable_conflict use_column\nBEGIN RETURN QUERY %s; END ', one.prosrc));
      END IF;
    END LOOP;
  END
$$;

-- A function that the server of the rows runs finds the tables there.
ALTER FUNCTION {schema}.write_assessments SET search_path = {schema};
ALTER FUNCTION {schema}.queue_deliveries SET search_path = {schema};
ALTER FUNCTION {schema}.search_assessments SET search_path = {schema};

SET LOCAL citus.enable_unsafe_triggers = on;
SELECT citus_schema_distribute('{schema}');

-- A call of these is one round trip to the server of the rows.
SELECT create_distributed_function(oid::regprocedure, colocate_with := '{schema}.assessments')
FROM pg_proc WHERE oid::regproc::text IN ('{schema}.read_behavior', '{schema}.write_assessments', '{schema}.queue_deliveries');

-- A trigger runs on the server of the rows, inside of a statement on a shard, and reaches no table but shards. Their names never change.
DO $$
  DECLARE
    definition text;
    shard record;
  BEGIN
    FOR definition IN
      SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE oid::regproc::text IN ('{schema}.only_erased_assessments', '{schema}.erase_from_outcome_events')
    LOOP
      FOR shard IN
        SELECT logicalrelid::text AS of_table, shardid FROM pg_dist_shard
        WHERE logicalrelid::text IN ('{schema}.erasures', '{schema}.seals')
      LOOP
        definition := replace(definition, shard.of_table || ' ', format('%s_%s ', shard.of_table, shard.shardid));
      END LOOP;
      EXECUTE definition;
    END LOOP;
  END
$$;
