/** Sums of a destination stand under its name as a reader sees it, in both modes: a payee under ten spellings is one payee. */

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { modes } from "../../domain/Caller.ts"
import { readAloneBodyBy, readAloneColumns, readAloneParameters } from "./0060_read_alone.ts"
import { writeBodyBy, writeParametersIn } from "./0064_check_values_on_entry.ts"

const body = writeBodyBy(
  "its_destination_summed_under",
  ", destination_summed_under",
  ", its_destination_summed_under"
)

/**
 * The functions of before stay, with a parameter less, for replicas of the version before. They write under the destination's key,
 * which the new one reads too. None can read another's: a key that is the name of a sum is its own name.
 */
export const sumByWhatIsSeen = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    const schema = sql(mode)
    // Null in rows from before, which are in the sums under the key.
    yield* sql`ALTER TABLE ${schema}.history ADD COLUMN destination_summed_under text`
    const readParameters = `${readAloneParameters}, its_destination_summed_under text`
    yield* sql`
      CREATE FUNCTION ${schema}.read_behavior(${sql.literal(`${readParameters}, ${readAloneColumns}`)})
      LANGUAGE plpgsql STABLE AS ${sql.literal(readAloneBodyBy("IN (its_destination, its_destination_summed_under)"))}
    `
    const writeParameters = writeParametersIn(mode, "its_destination_summed_under text, ")
    yield* sql`
      CREATE FUNCTION ${schema}.write_assessment(${sql.literal(writeParameters)}) RETURNS boolean
      LANGUAGE plpgsql AS ${sql.literal(body)}
    `
    yield* sql`
      GRANT EXECUTE ON FUNCTION ${schema}.read_behavior(${sql.literal(readParameters)}),
        ${schema}.write_assessment(${sql.literal(writeParameters)}) TO ${sql(`action_risk_${mode}`)}
    `
  }
})
