/** Tables of action types: one claim a line, `name | type | class extent | what else is named`. */

import { expect, it } from "vitest"
import type { NormalizedAction } from "../../src/scoring/edition1/NormalizedAction.ts"
import { normalize } from "../../src/scoring/edition1/lexicon/normalize.ts"
import { lexicon } from "./lexicon.ts"

const safeguards = ["", "a protection goes", "a trace goes"]

const flags = (read: NormalizedAction): string =>
  [
    read.dataStore ? "data store" : "",
    read.admin ? "admin" : "",
    read.credential ? "credential" : "",
    read.alsoExports ? "exports too" : "",
    safeguards[read.safeguardWeakened]
  ]
    .filter(Boolean)
    .join(", ")

/** The name may end in ` @ <target_resource>`. */
export const readsAs = (table: string): void => {
  const rows = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
  it.each(rows)("%s is %s: %s", (given = "", type = "", meaning = "", named = "") => {
    const [actionType = "", targetResource] = given.split(" @ ")
    const read = normalize(
      targetResource === undefined ? { actionType } : { actionType, targetResource },
      lexicon
    )
    expect([read.type, `${read.class} ${read.extent}`, flags(read)]).toEqual([type, meaning, named])
  })
}
