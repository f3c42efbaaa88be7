/** Tables of action types: one claim a line, `name | type | class extent | what else is named`. */

import { expect, it } from "vitest"
import type { NormalizedAction } from "../../src/domain/ActionType.ts"
import { normalize } from "../../src/scoring/normalize.ts"
import { lexicon } from "./lexicon.ts"

const flags = ({ admin, credential, dataStore }: NormalizedAction): string =>
  [dataStore ? "data store" : "", admin ? "admin" : "", credential ? "credential" : ""]
    .filter(Boolean)
    .join(", ")

const cells = (line: string): ReadonlyArray<string> => line.split("|").map((cell) => cell.trim())

/** The name may end in ` @ <target_resource>`. */
export const readsAs = (table: string): void => {
  for (const line of table.trim().split("\n")) {
    const [given = "", type = "", meaning = "", named = ""] = cells(line)
    it(`${given} is ${type}: ${meaning} ${named}`.trim(), () => {
      const [actionType = "", targetResource] = given.split(" @ ")
      const read = normalize(
        targetResource === undefined ? { actionType } : { actionType, targetResource },
        lexicon
      )
      expect([read.type, `${read.class} ${read.extent}`, flags(read)]).toEqual([type, meaning, named])
    })
  }
}
