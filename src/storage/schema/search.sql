-- Search: the texts of sealed assessments with an index of their own, by organization and span. Filled in the background after sealing.

-- Every three consecutive bytes of a text, combined with the number of its span. So the index keeps a list of rows per span, and a search
-- reads only the lists of its own organization, newest first. There are fewer than 2^39 spans.
CREATE FUNCTION {schema}.search_grams(span bigint, search text) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    bytes bytea := convert_to(search, 'UTF8');
    above bigint := span << 24;
    last_three int := 0;
    found bigint[] := '{}';
  BEGIN
    FOR at IN 0 .. octet_length(bytes) - 1 LOOP
      last_three := ((last_three & 65535) << 8) | get_byte(bytes, at);
      IF at >= 2 THEN found := found || (above | last_three); END IF;
    END LOOP;
    RETURN found;
  END
$$;

-- A row contains an assessment's `search` text and little else, because a search reads many of these rows.
CREATE TABLE {schema}.search_texts (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  span bigint NOT NULL,
  search text NOT NULL,
  PRIMARY KEY (organization_id, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX search_texts_by_gram ON {schema}.search_texts USING gin ({schema}.search_grams(span, search));
-- PostgreSQL keeps samples of a column for planning, in which erased texts would remain. No plan here needs any.
ALTER TABLE {schema}.search_texts ALTER COLUMN search SET STATISTICS 0;
ALTER INDEX {schema}.search_texts_by_gram ALTER COLUMN 1 SET STATISTICS 0;
GRANT SELECT, INSERT ON {schema}.search_texts TO {role};

-- A row is a span: the ids after `after_id`, up to the next span's. Every assessment sealed up to `sequence` is in a span, and so is every
-- one with an id up to `known_to`, except those that were sealed late. An organization's newest row holds both values.
CREATE TABLE {schema}.search_spans (
  organization_id uuid NOT NULL,
  after_id uuid NOT NULL,
  span bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  rows int NOT NULL,
  sequence bigint NOT NULL,
  known_to uuid NOT NULL,
  PRIMARY KEY (organization_id, after_id)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE (rows, sequence, known_to) ON {schema}.search_spans TO {role};

-- A batch waits in a pending list of the index, which searches scan, and is sorted in as a whole before the commit. Only the owner of an
-- index may do that.
CREATE FUNCTION {schema}.sort_search_texts() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = ''
AS $$ SELECT pg_catalog.gin_clean_pending_list('{schema}.search_texts_by_gram'::pg_catalog.regclass) $$;
REVOKE EXECUTE ON FUNCTION {schema}.sort_search_texts FROM PUBLIC;

-- Returns a page of the assessments that a search finds, newest first, in one round trip. `part` is the text that `pattern` looks for, of
-- at least three bytes. `pattern`, `part`, `request` and `id` may be null, which matches nothing. `older_than` limits the ids.
--
-- First scans the newest rows: `looked_at` of them, and all that the index does not cover yet. If some matched, their share tells how many
-- rows are likely to fill the page: those are scanned next, unless they are more than `looked_on_max`. Then reads the index span by span,
-- newest first. If the index is so far behind that `looked_max` rows do not reach its end, the page ends early, with a position to continue
-- from. Matches are found by id, and only those on the page are read in full.
--
-- `OFFSET 0` keeps conditions in place: on a table that was empty when it was planned, all indexes look alike.
CREATE FUNCTION {schema}.search_assessments(
  organization uuid, older_than uuid, pattern text, part text, request text, id uuid, rows_max int, looked_at int,
  looked_on_max int, looked_max int,
  OUT items_json text, OUT last_id uuid
) LANGUAGE plpgsql STABLE AS $$
  DECLARE
    ids uuid[];
    items json[];
    held int;
    known_to uuid;
    is_known boolean := false;
    likely bigint;
  BEGIN
    LOOP
      SELECT array_agg(assessment_id), array_agg(item), count(*) INTO ids, items, held FROM (
        SELECT assessment_id, item FROM (
          SELECT * FROM assessments
          WHERE organization_id = organization AND assessment_id < older_than
          ORDER BY assessment_id DESC
          LIMIT looked_at
        ) AS looked
        WHERE search LIKE pattern OR request_id = request OR assessment_id = id OR action_id = id
        ORDER BY assessment_id DESC
        LIMIT rows_max + 1
      ) AS page;
      EXIT WHEN held > rows_max OR part IS NULL;
      known_to := coalesce((
        SELECT spans.known_to FROM search_spans AS spans WHERE organization_id = organization
        ORDER BY after_id DESC
        LIMIT 1
      ), '00000000-0000-0000-0000-000000000000');
      is_known := NOT EXISTS (
        SELECT FROM assessments
        WHERE organization_id = organization AND assessment_id < older_than AND assessment_id > known_to
        OFFSET looked_at
      );
      IF is_known THEN
        EXIT WHEN held = 0;
        likely := 2 * looked_at * rows_max / held;
        EXIT WHEN likely > looked_on_max;
        looked_at := likely;
      ELSE
        EXIT WHEN looked_at >= looked_max;
        looked_at := least(8 * looked_at, looked_max);
      END IF;
    END LOOP;
    IF is_known AND held <= rows_max THEN
      IF request IS NOT NULL OR id IS NOT NULL THEN
        ids := ids || ARRAY(
          SELECT assessment_id FROM (
            SELECT organization_id, assessment_id FROM assessments WHERE request_id = request
            UNION ALL SELECT organization_id, assessment_id FROM assessments WHERE action_id = id
            UNION ALL SELECT organization_id, assessment_id FROM assessments
              WHERE organization_id = organization AND assessment_id = id
            OFFSET 0
          ) AS by_id
          WHERE organization_id = organization AND assessment_id < older_than
          ORDER BY assessment_id DESC
          LIMIT rows_max + 1
        );
      END IF;
      ids := ARRAY(
        SELECT unnest(ids) AS assessment_id
        UNION
        SELECT assessment_id FROM (
          SELECT found.assessment_id FROM (
            SELECT span FROM search_spans
            WHERE organization_id = organization AND after_id < older_than
            ORDER BY after_id DESC
          ) AS spans CROSS JOIN LATERAL (
            SELECT assessment_id FROM (
              SELECT assessment_id, texts.search FROM search_texts AS texts
              WHERE search_grams(texts.span, texts.search) @> search_grams(spans.span, part)
              OFFSET 0
            ) AS candidates
            WHERE assessment_id < older_than AND candidates.search LIKE pattern
            ORDER BY assessment_id DESC
            LIMIT rows_max + 1
          ) AS found
          LIMIT rows_max + 1
        ) AS by_text
        ORDER BY assessment_id DESC
        LIMIT rows_max + 1
      );
      held := cardinality(ids);
      items := ARRAY(
        SELECT item FROM assessments
        WHERE organization_id = organization AND assessment_id = ANY (ids[1:rows_max])
        ORDER BY assessment_id DESC
      );
    END IF;
    items_json := array_to_string(items[1:rows_max], ',');
    IF held > rows_max THEN
      last_id := ids[rows_max];
    ELSIF NOT is_known AND part IS NOT NULL THEN
      last_id := (
        SELECT assessment_id FROM assessments
        WHERE organization_id = organization AND assessment_id < older_than
        ORDER BY assessment_id DESC
        OFFSET looked_at - 1 LIMIT 1
      );
    END IF;
  END
$$;

-- By default every role may execute a function, but an owner of the database may have revoked that, so it is granted explicitly.
GRANT EXECUTE ON FUNCTION {schema}.search_grams, {schema}.sort_search_texts, {schema}.search_assessments TO {role};
