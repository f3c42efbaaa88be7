/** What a history is to say, one word for each thing it can say: every plan that a box leaves open, plainest first. */

import type { FactName } from "../../../scoring/Facts.ts"
import { type Box, valuesIn } from "../../analysis/Box.ts"
import { includes } from "../../analysis/Values.ts"

export interface Plan {
  /** - `none`: no destination is stated; `seen`: used before, but not established. */
  readonly destination: "none" | "novel" | "seen" | "established"
  readonly lookalike: boolean
  readonly stepUp: boolean
  readonly baseline: boolean
  readonly typeSeen: boolean
  readonly agentSeen: boolean
}

const either = [false, true]
const rather = [true, false]

const factsOfPlan = (plan: Plan): Partial<Record<FactName, boolean>> => ({
  destination_missing: plan.destination === "none",
  destination_novel: plan.destination === "novel",
  destination_unestablished: plan.destination === "seen",
  destination_step_up: plan.stepUp,
  destination_lookalike: plan.lookalike,
  baseline_missing: !plan.baseline,
  action_type_unfamiliar: !plan.typeSeen,
  agent_unfamiliar: !plan.agentSeen
})

/** No history can say these together. */
const isPossible = ({ agentSeen, baseline, destination, lookalike, stepUp, typeSeen }: Plan): boolean => {
  const known = destination === "seen" || destination === "established"
  if (stepUp && !known) return false
  if (lookalike && destination === "none") return false
  return baseline || (!known && !lookalike && typeSeen && agentSeen)
}

const everyPlan = (destinations: ReadonlyArray<Plan["destination"]>): ReadonlyArray<Plan> =>
  destinations.flatMap((destination) =>
    either.flatMap((lookalike) =>
      either.flatMap((stepUp) =>
        either.flatMap((baseline) =>
          rather.flatMap((typeSeen) =>
            rather.flatMap((agentSeen) => {
              const plan = { destination, lookalike, stepUp, baseline, typeSeen, agentSeen }
              return isPossible(plan) ? [plan] : []
            })
          )
        )
      )
    )
  )

/** Something that leaves goes to a place that is known; anything else goes nowhere. */
const leaving = everyPlan(["established", "none", "seen", "novel"])
const staying = everyPlan(["none", "established", "seen", "novel"])

export const plansIn = (box: Box, egress: boolean): ReadonlyArray<Plan> =>
  (egress ? leaving : staying).filter((plan) =>
    Object.entries(factsOfPlan(plan)).every(([fact, value]) =>
      includes(valuesIn(box, fact as FactName), value)
    )
  )
