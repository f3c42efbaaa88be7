-- Search: the texts of sealed assessments with an index of their own, by organization and span. The sealer fills it after the seal.

-- Every three neighbouring bytes of a text, below the number of its span. So the index keeps a list of rows for each span, and a
-- search reads the lists of its own organization, newest first, and no other's. A span has fewer than 2^39 before it.
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

-- A row is the `search` of an assessment, with few other bytes: a search reads many of these rows.
CREATE TABLE {schema}.search_texts (
  organization_id uuid NOT NULL,
  assessment_id uuid NOT NULL,
  span bigint NOT NULL,
  search text NOT NULL,
  PRIMARY KEY (organization_id, assessment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX search_texts_by_gram ON {schema}.search_texts USING gin ({schema}.search_grams(span, search));
-- PostgreSQL keeps samples of a column for its plans, and erased texts would stay among them. No plan here needs any.
ALTER TABLE {schema}.search_texts ALTER COLUMN search SET STATISTICS 0;
ALTER INDEX {schema}.search_texts_by_gram ALTER COLUMN 1 SET STATISTICS 0;
GRANT SELECT, INSERT ON {schema}.search_texts TO {role};

-- A row is a span: the ids after `after_id` up to that of the next span. Every assessment that is sealed up to `sequence` is in a span,
-- and so is every one that has an id up to `known_to`, but for those that were sealed late. The newest row of an organization has both.
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

-- A batch waits in a list of the index, which searches read in turn, and is sorted in together before it is committed. Only the owner
-- of an index may do that.
CREATE FUNCTION {schema}.sort_search_texts() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = ''
AS $$ SELECT pg_catalog.gin_clean_pending_list('{schema}.search_texts_by_gram'::pg_catalog.regclass) $$;
REVOKE EXECUTE ON FUNCTION {schema}.sort_search_texts FROM PUBLIC;

-- Gives a page of the assessments that a search finds, newest first, in one round trip. `part` is the text that `pattern` looks for, of
-- three bytes or more; `pattern`, `part`, `request` and `id` may be null, and match nothing then. `older_than` bounds the ids.
--
-- First the newest rows in turn, `looked_at` of them and all that the index does not know yet. Where some matched, their share tells
-- how many rows are likely to fill the page: those are looked at next, unless they are more than `looked_on_max`. Then the index, span by
-- span, the newest first. Where it is so far behind that `looked_max` rows do not reach what it knows, the page ends early, with a place
-- to go on from. Matches are found by their ids, and only those that the page shows are read whole.
--
-- `OFFSET 0` keeps a condition where it is: on a table that was empty when it was planned, all indexes look alike.
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

-- Without a grant every role may execute a function, but not where the owner of the database has taken that away.
GRANT EXECUTE ON FUNCTION {schema}.search_grams, {schema}.sort_search_texts, {schema}.search_assessments TO {role};
