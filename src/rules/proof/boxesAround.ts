/** Boxes around facts that came out lower, for requests to be made up of. */

import type { FactName, Facts } from "../../scoring/Facts.ts"
import { type Box, pointOf } from "../analysis/Box.ts"
import type { Term } from "../analysis/Term.ts"
import type { Rulebook } from "../Rulebook.ts"
import { sideOf } from "./Side.ts"
import type { Lower } from "./walk.ts"

const measured: ReadonlyArray<FactName> = [
  "action_class",
  "environment",
  "entities_affected",
  "records_affected",
  "financial_value_usd_cents",
  "data_classification_rank",
  "reversibility_rank",
  "privilege_change",
  "production_impact",
  "also_exports"
]

const asked = (term: Term): ReadonlyArray<FactName> =>
  "fact" in term ? [term.fact] : ("all" in term ? term.all : term.any).flatMap(asked)

const only = (facts: Facts, names: ReadonlySet<FactName>): Box =>
  Object.fromEntries(Object.entries(pointOf(facts)).filter(([name]) => names.has(name as FactName)))

/** First all that counts just as it was found, then the wider place in which it was found. */
export function* boxesAround(lower: ReadonlyArray<Lower>, from: Rulebook, to: Rulebook): Generator<Box> {
  const terms = [from, to].flatMap((book) =>
    sideOf(book).ladders.flatMap(({ rungs }) => rungs.map(({ term }) => term))
  )
  const counting = new Set([...measured, ...terms.flatMap(asked)])
  for (const { box, facts } of lower) {
    yield only(facts, counting)
    yield box
  }
}
