/** Whether a provider's meaning of a name is less risky than what its words say. */

import type { Extent } from "../../domain/ActionType.ts"
import type { Reading } from "../normalize/readName.ts"
import { classRank } from "./classRank.ts"

const writeRank = classRank("write")

const width: Readonly<Record<Extent, number>> = { single: 0, open: 1, bulk: 2 }

/**
 * Words without a known verb say nothing, so nothing is lower than they are. A name known to say nothing is lower only than
 * words that say worse than writing.
 */
export const isLower = (native: Pick<Reading, "class" | "extent">, words: Reading): boolean => {
  if (words.class === "unknown") return false
  if (native.class === "unknown") return classRank(words.class) < writeRank
  return classRank(native.class) > classRank(words.class) || width[native.extent] < width[words.extent]
}
