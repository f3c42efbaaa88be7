/** The search of lists as a function of the database, in both modes: its steps depend on each other and cost one round trip. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Mode.ts"

/**
 * First the newest rows in turn, so many as `looked_at` says, more of them only where the fewer held some; then the
 * indexes, where `by_index` allows. `older_than` bounds the ids; `pattern` and `id` may be null, and match nothing then.
 *
 * `EXECUTE` plans for the very text: how many rows of everybody hold it, beside how many rows the organization has, is what
 * decides between its trigrams and the organization's rows in turn. Every match is found by its id alone; only those that
 * the page shows are read whole.
 */
const body = `$$
  DECLARE
    held int;
    newest int;
    ids uuid[];
  BEGIN
    FOREACH newest IN ARRAY looked_at LOOP
      SELECT count(*), string_agg(item::text, ',' ORDER BY at) FILTER (WHERE at <= rows_max),
        (array_agg(assessment_id) FILTER (WHERE at = rows_max))[1]
      INTO held, items_json, last_id FROM (
        SELECT looked.assessment_id, item, row_number() OVER (ORDER BY looked.assessment_id DESC) AS at FROM (
          SELECT * FROM assessments
          WHERE organization_id = organization AND assessment_id < older_than
          ORDER BY assessment_id DESC
          LIMIT newest
        ) AS looked
        WHERE search LIKE pattern OR request_id = request OR looked.assessment_id = id OR action_id = id
        ORDER BY looked.assessment_id DESC
        LIMIT rows_max + 1
      ) AS page;
      EXIT WHEN held = 0 OR held > rows_max;
    END LOOP;
    IF by_index AND held <= rows_max THEN
      EXECUTE '
        SELECT ARRAY(
          SELECT assessment_id FROM (
            SELECT assessment_id FROM assessments
            WHERE organization_id = $1 AND assessment_id < $2
              AND (search LIKE $3 OR request_id = $4 OR assessment_id = $5 OR action_id = $5)
            OFFSET 0
          ) AS found
          ORDER BY assessment_id DESC
          LIMIT $6
        )'
      INTO ids USING organization, older_than, pattern, request, id, rows_max + 1;
      SELECT cardinality(ids), string_agg(item::text, ',' ORDER BY at), ids[rows_max]
      INTO held, items_json, last_id
      FROM unnest(ids[1:rows_max]) WITH ORDINALITY AS shown (shown_id, at)
        CROSS JOIN LATERAL (
          SELECT item FROM assessments WHERE organization_id = organization AND assessment_id = shown_id LIMIT 1
        ) AS kept;
    END IF;
    IF held <= rows_max THEN
      last_id := NULL;
    END IF;
  END
$$`

export const searchInOneCall = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const search = sql`${sql(mode)}.search_assessments`
    yield* sql`
      CREATE FUNCTION ${search}(organization uuid, older_than uuid, pattern text, request text, id uuid, rows_max int,
        looked_at int[], by_index boolean, OUT items_json text, OUT last_id uuid)
      LANGUAGE plpgsql STABLE AS ${sql.literal(body)}
    `
    // Everybody may by default, but not where the database's owner has taken that away.
    yield* sql`GRANT EXECUTE ON FUNCTION ${search} TO ${sql(`action_risk_${mode}`)}`
  }
})
