-- Distributes the tables of a group of organizations with Citus. All tables of a schema are on one server, so any statement about an
-- organization runs on a single server.

-- Only the coordinator logs in to the server of the rows, as the role that the service uses, which has no password. The settings are those
-- of the service's own sessions, which do not reach that server.
ALTER ROLE {role} LOGIN;
ALTER ROLE {role} SET enable_seqscan = off;
ALTER ROLE {role} SET jit = off;
ALTER ROLE {role} SET timezone = 'UTC';
ALTER ROLE {role} SET datestyle = 'ISO';

-- On a distributed database, an identity column has a separate range on each server, and these ranges do not fit into these columns. The
-- inserting transaction holds a lock for the group, so the next number is free.
CREATE FUNCTION {schema}.take_next_number() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    -- Uses the shard and not the table, because a nested statement cannot reach another shard.
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

-- Pending index entries could be sorted in only by the owner and only on the server of the rows, so they are disabled.
ALTER INDEX {schema}.search_texts_by_gram SET (fastupdate = off);

-- Citus passes the parameters of a function to another server for PL/pgSQL, but not for SQL.
DO $$
  DECLARE
    one record;
  BEGIN
    SELECT prosrc, pg_get_functiondef(oid) AS definition INTO one FROM pg_proc WHERE oid = '{schema}.find_answer'::regproc;
    EXECUTE replace(replace(one.definition, 'LANGUAGE sql', 'LANGUAGE plpgsql'), one.prosrc,
      format(E'\n#variable_conflict use_column\nBEGIN RETURN QUERY %s; END ', one.prosrc));
  END
$$;

-- On the server of the rows, a function must find the tables in this schema.
ALTER FUNCTION {schema}.queue_deliveries SET search_path = {schema};
ALTER FUNCTION {schema}.search_assessments SET search_path = {schema};

SET LOCAL citus.enable_unsafe_triggers = on;
SELECT citus_schema_distribute('{schema}');

-- Keeps the tables where they are until the end of the transaction, on the server that has them. Fails on a server that no longer has them:
-- the call is then repeated and reaches the right one. Citus takes the same lock for a statement that changes rows. Only the owner may take
-- it.
CREATE FUNCTION {schema}.hold_shards(shard bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
  BEGIN
    PERFORM pg_catalog.lock_shard_metadata(5, ARRAY[shard]);
    IF NOT EXISTS (
      SELECT FROM pg_catalog.pg_dist_placement JOIN pg_catalog.pg_dist_local_group USING (groupid) WHERE shardid = shard
    ) THEN
      RAISE EXCEPTION 'the tables of {schema} were moved to another server' USING ERRCODE = 'serialization_failure';
    END IF;
  END
$$;
REVOKE EXECUTE ON FUNCTION {schema}.hold_shards FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.hold_shards TO {role};

-- Triggers, and functions that run on the server of the rows, use the shards directly, whose names never change. Triggers cannot reach
-- anything else, and planning each statement of `write_assessments` for a cluster takes ten times as long as running it.
DO $$
  DECLARE
    one record;
    body text;
    shard record;
    held bigint := (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = '{schema}.assessments'::regclass);
  BEGIN
    FOR one IN
      SELECT proname, prosrc, pg_get_functiondef(oid) AS definition FROM pg_proc
      WHERE oid::regproc::text IN ('{schema}.only_erased_assessments', '{schema}.erase_from_outcome_events',
        '{schema}.read_behavior', '{schema}.write_assessments')
    LOOP
      body := one.prosrc;
      FOR shard IN
        SELECT relname, shardid FROM pg_dist_shard JOIN pg_class ON pg_class.oid = logicalrelid
        WHERE relnamespace = '{schema}'::regnamespace
      LOOP
        body := regexp_replace(body, format('(INTO|FROM|JOIN) (?:{schema}\.)?%s\M', shard.relname),
          format('\1 {schema}.%s_%s AS %s', shard.relname, shard.shardid, shard.relname), 'g');
      END LOOP;
      body := regexp_replace(body, ' AS \w+ AS ', ' AS ', 'g');
      IF one.proname = 'write_assessments' THEN
        body := regexp_replace(body, 'BEGIN', format('BEGIN PERFORM {schema}.hold_shards(%s);', held));
      ELSIF one.proname = 'read_behavior' THEN
        body := format(E'\n#variable_conflict use_column\nBEGIN PERFORM {schema}.hold_shards(%s); RETURN QUERY %s; END ', held, body);
      END IF;
      EXECUTE replace(replace(replace(one.definition, one.prosrc, body), 'LANGUAGE sql', 'LANGUAGE plpgsql'), ' STABLE', '');
    END LOOP;
  END
$$;
ALTER FUNCTION {schema}.write_assessments SET search_path = {schema};

-- A call of one of these takes a single round trip to the server of the rows.
SELECT create_distributed_function(oid::regprocedure, colocate_with := '{schema}.assessments')
FROM pg_proc WHERE oid::regproc::text IN ('{schema}.read_behavior', '{schema}.write_assessments', '{schema}.queue_deliveries');
