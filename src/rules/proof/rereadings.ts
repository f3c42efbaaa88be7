/** Names that two lexicons read differently, one for each pair of readings, and what each pair comes to for all other facts. */

import { reversibilities } from "../../domain/Action.ts"
import type { NormalizedAction } from "../../domain/ActionType.ts"
import type { Facts } from "../../scoring/Facts.ts"
import { classModelOf } from "../../scoring/Claims.ts"
import type { Lexicon } from "../../scoring/Lexicon.ts"
import type { Numbers } from "../../scoring/Model.ts"
import { normalize } from "../../scoring/normalize.ts"
import { possible } from "../analysis/possible.ts"
import { unread } from "../analysis/possible/history.ts"
import { all, among, atLeast, is, not, type Term } from "../analysis/Term.ts"
import type { Situation } from "../cases.ts"
import type { Comparison } from "./Comparison.ts"
import { fallenMeasures } from "./figures/fallenMeasures.ts"
import { milderAs } from "./figures/measures.ts"
import { firstQuestions } from "./lastQuestion.ts"
import type { Side } from "./Side.ts"

const missing = [
  "entities_missing",
  "records_missing",
  "financial_value_missing",
  "data_classification_missing",
  "reversibility_missing",
  "destination_missing"
] as const
const contradictions = [
  "counts_inconsistent",
  "privilege_claim_inconsistent",
  "reversibility_claim_inconsistent"
] as const

type Names = Pick<Situation["request"], "actionType" | "targetResource">

export interface Rereading {
  readonly names: Names
  readonly from: NormalizedAction
  readonly to: NormalizedAction
}

/** All that scores, but for the name itself. */
const meaningOf = (action: NormalizedAction): string => JSON.stringify({ ...action, type: "" })

/** The first name of each pair of meanings that differ. */
export const rereadings = (
  situations: ReadonlyArray<Situation>,
  from: Lexicon,
  to: Lexicon
): ReadonlyArray<Rereading> => {
  const found = new Map<string, Rereading>()
  for (const { request } of situations) {
    const { actionType, targetResource } = request
    const names = { actionType, ...(targetResource === undefined ? {} : { targetResource }) }
    const [before, after] = [normalize(request, from), normalize(request, to)]
    const [was, is] = [meaningOf(before), meaningOf(after)]
    const key = `${was}${is}`
    if (was !== is && !found.has(key)) found.set(key, { names, from: before, to: after })
  }
  return [...found.values()]
}

const readFacts = (action: NormalizedAction, numbers: Numbers): Partial<Facts> => ({
  action_class: action.class,
  action_category: numbers.classes[action.class].category,
  data_store: action.dataStore,
  admin_named: action.admin,
  credential_operation: action.credential,
  also_exports: action.alsoExports,
  safeguard_weakened_rank: action.safeguardWeakened
})

const floorOf = (action: NormalizedAction, { classes }: Numbers): number =>
  reversibilities.indexOf(classes[action.class].reversibilityFloor)

/** Everything is stated, in agreement with either reading: then the claims are taken alike under both. */
const statedAlike = ({ from, to }: Rereading, before: Numbers, after: Numbers): ReadonlyArray<Term> => [
  ...missing.map((fact) => is(fact, false)),
  ...contradictions.map((fact) => is(fact, false)),
  atLeast("entities_affected", 1),
  atLeast("records_affected", 1),
  atLeast("reversibility_rank", Math.max(floorOf(from, before), floorOf(to, after))),
  ...(after.classes[to.class].alwaysChangesPrivilege ? [is("privilege_change", true)] : [])
]

/** The same action as both lexicons read it, whatever else is true of it. */
export const compareReadings = (reading: Rereading, from: Side, to: Side): ReadonlyArray<Comparison> => {
  const [was, is] = [reading.from, reading.to]
  const as = { name: was.class, model: classModelOf(was, from.numbers) }
  const compare = (where: Term, moved: Partial<Facts>): Comparison => ({
    from,
    to,
    moved: { ...readFacts(is, to.numbers), ...moved },
    where: all(
      among(readFacts(was, from.numbers)),
      where,
      ...statedAlike(reading, from.numbers, to.numbers),
      firstQuestions,
      possible(from.numbers)
    ),
    lowered: [...fallenMeasures(from.numbers, to.numbers), ...milderAs(as, classModelOf(is, to.numbers))]
  })
  if (is.class !== "read" || was.class === "read") return [compare(all(), {})]
  // Nothing that a read did is summed up, as far as history can be read.
  const nothingSummed = { cumulative_entities_step: 0, cumulative_value_step: 0 }
  return [compare(not(unread), nothingSummed), compare(unread, {})]
}
