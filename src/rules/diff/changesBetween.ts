/** Every change between two rulebooks, by what it means: exact, and without a look at any request. */

import { byCodeUnit } from "../byCodeUnit.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Unwitnessed } from "./Diff.ts"
import { diffCurrencies } from "./diffCurrencies.ts"
import { diffLadders } from "./diffLadders.ts"
import { diffLexicon } from "./diffLexicon.ts"
import { diffNumbers } from "./diffNumbers.ts"
import { diffPolicySet } from "./diffPolicySet.ts"

const parts = [diffLadders, diffNumbers, diffCurrencies, diffLexicon, diffPolicySet]

/** Ascending by code. */
export const changesBetween = (from: Rulebook, to: Rulebook): ReadonlyArray<Unwitnessed> =>
  parts.flatMap((part) => part(from, to)).toSorted((a, b) => byCodeUnit(a.code, b.code))
