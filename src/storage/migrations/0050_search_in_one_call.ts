/** The search of lists as a function of the database, in both modes: its steps depend on each other and cost one round trip. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"
import { leastId } from "../timeOrderedId.ts"

/** Pages of the table that one entry of the index by age tells of: some thousand rows. */
const pagesTold = 1_024

/**
 * First the newest rows in turn, `looked_at` of them. Where some matched, their share tells how many rows are likely to fill
 * the page: those are looked at next, by steps, as the share of a few is a guess, unless they are more than `looked_max`.
 * Then the indexes, where `by_index` allows: of the newest `stretch` rows, and of ever more while they do not fill the page.
 * `older_than` bounds the ids; `pattern`, `request` and `id` may be null, and match nothing then.
 *
 * `EXECUTE` plans for the very text: how many rows of everybody hold it, beside how many rows the organization has, is what
 * decides between its trigrams and the organization's rows in turn. Seals number an organization's rows, which tells the
 * id that a stretch begins with; where nothing has that number, everything is searched. Matches are found by their ids
 * alone: only those that the page shows are read whole.
 */
const body = `$$
  DECLARE
    ids uuid[];
    items json[];
    held int;
    likely bigint;
    not_before uuid;
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
      EXIT WHEN held = 0 OR held > rows_max;
      likely := 2 * looked_at * rows_max / held;
      EXIT WHEN likely > looked_max;
      looked_at := least(likely, 16 * looked_at);
    END LOOP;
    IF by_index AND held <= rows_max THEN
      LOOP
        not_before := (
          SELECT assessment_id FROM seals
          WHERE organization_id = organization AND sequence = (
            SELECT sequence - stretch FROM seals
            WHERE organization_id = organization AND assessment_id < older_than
            ORDER BY assessment_id DESC
            LIMIT 1
          )
        );
        EXECUTE '
          SELECT ARRAY(
            SELECT assessment_id FROM (
              SELECT assessment_id FROM assessments
              WHERE organization_id = $1 AND assessment_id < $2 AND assessment_id >= $3
                AND (search LIKE $4 OR request_id = $5 OR assessment_id = $6 OR action_id = $6)
              OFFSET 0
            ) AS found
            ORDER BY assessment_id DESC
            LIMIT $7
          )'
        INTO ids
        USING organization, older_than, coalesce(not_before, '${leastId}'), pattern, request, id, rows_max + 1;
        held := cardinality(ids);
        EXIT WHEN held > rows_max OR not_before IS NULL;
        stretch := 32 * stretch;
      END LOOP;
      items := ARRAY(
        SELECT item FROM assessments
        WHERE organization_id = organization AND assessment_id = ANY (ids[1:rows_max])
        ORDER BY assessment_id DESC
      );
    END IF;
    items_json := array_to_string(items[1:rows_max], ',');
    IF held > rows_max THEN
      last_id := ids[rows_max];
    END IF;
  END
$$`

export const searchInOneCall = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const search = sql`${sql(mode)}.search_assessments`
    yield* sql`
      CREATE FUNCTION ${search}(organization uuid, older_than uuid, pattern text, request text, id uuid, rows_max int,
        looked_at bigint, looked_max int, stretch bigint, by_index boolean,
        OUT items_json text, OUT last_id uuid)
      LANGUAGE plpgsql STABLE AS ${sql.literal(body)}
    `
    // Everybody may by default, but not where the database's owner has taken that away.
    yield* sql`GRANT EXECUTE ON FUNCTION ${search} TO ${sql(`action_risk_${mode}`)}`
    // Rows lie in the order they came in, which is nearly that of their ids: so a few numbers tell which pages a stretch
    // of ids may lie on, and of the trigrams' matches only those pages are read.
    yield* sql`
      CREATE INDEX IF NOT EXISTS assessments_by_age ON ${sql(mode)}.assessments USING brin (assessment_id)
      WITH (pages_per_range = ${sql.literal(String(pagesTold))}, autosummarize = on)
    `
  }
})
