/** Requests in flight in this process. They count in the sums and the pace of later requests before they are stored. */

import type { BehaviorSnapshot, Sum } from "../domain/Behavior.ts"
import type { HistoryRecord } from "../scoring/HistoryRecord.ts"
import type { Owner } from "../storage/assessments/AssessmentRecord.ts"

/** The requests that were in flight when a request came, as far as they share its sums. */
interface EarlierRequests {
  /** How many of them count towards its pace. */
  readonly paced: number
  readonly agent: Sum
  readonly destination: Sum
  readonly organization: Sum
}

/** A request from before it reads its history until it is stored or has failed. */
export interface PendingRequest {
  /** Counts the request from now on, and returns what was in flight before it. */
  readonly enter: (record: HistoryRecord) => EarlierRequests
  readonly leave: () => void
}

interface Tally {
  assessments: number
  /** How many of them change something. */
  changes: number
  entities: number
  usdCents: number
}

const nothing: Tally = { assessments: 0, changes: 0, entities: 0, usdCents: 0 }

/** The keys under which a request is counted, as in the table of sums. */
const namesOf = (
  { mode, organizationId }: Owner,
  { destinationSummedUnder, production, summedUnder }: HistoryRecord
) => {
  const history = `${mode} ${organizationId} ${production}`
  return {
    agent: `${history} agent ${summedUnder}`,
    destination:
      destinationSummedUnder === null ? undefined : `${history} destination ${destinationSummedUnder}`,
    organization: history
  }
}

/**
 * Makes concurrent requests see each other: each sees every earlier one in this process, so none goes unnoticed between reading the sums
 * and being stored. A request that is stored while a later one reads may count twice for the later one, which errs on the side of caution.
 */
export const makePendingRequests = (): ((owner: Owner) => PendingRequest) => {
  const tallies = new Map<string, Tally>()

  const count = (name: string, by: Tally, sign: 1 | -1): void => {
    const { assessments, changes, entities, usdCents } = tallies.get(name) ?? nothing
    const left = assessments + sign
    if (left === 0) tallies.delete(name)
    else
      tallies.set(name, {
        assessments: left,
        changes: changes + sign * by.changes,
        entities: entities + sign * by.entities,
        usdCents: usdCents + sign * by.usdCents
      })
  }

  return (owner) => {
    let state: "outside" | "inside" | "gone" = "outside"
    let leaving = (): void => undefined
    return {
      enter: (record) => {
        const names = namesOf(owner, record)
        const of = (name: string | undefined): Tally => tallies.get(name ?? "") ?? nothing
        const agent = of(names.agent)
        const earlier = {
          paced: record.changes ? agent.changes : agent.assessments,
          agent,
          destination: of(names.destination),
          organization: of(names.organization)
        }
        if (state === "outside") {
          state = "inside"
          const reads = record.actionClass === "read"
          const own = {
            assessments: 1,
            changes: record.changes ? 1 : 0,
            entities: reads ? 0 : record.scoredEntities,
            usdCents: reads ? 0 : record.scoredUsdCents
          }
          const all = Object.values(names).filter((name) => name !== undefined)
          for (const name of all) count(name, own, 1)
          leaving = () => all.forEach((name) => count(name, own, -1))
        }
        return earlier
      },
      leave: () => {
        if (state === "inside") leaving()
        state = "gone"
      }
    }
  }
}

const plus = (a: Sum, b: Sum): Sum => ({
  entities: Math.min(a.entities + b.entities, Number.MAX_SAFE_INTEGER),
  usdCents: Math.min(a.usdCents + b.usdCents, Number.MAX_SAFE_INTEGER)
})

/** The snapshot plus the requests in flight. Stored in this form, so that a replay gives the same score. */
export const countEarlier = (snapshot: BehaviorSnapshot, earlier: EarlierRequests): BehaviorSnapshot => {
  const { last24Hours, otherSums, velocity } = snapshot
  return {
    ...snapshot,
    velocity: { ...velocity, lastHour: velocity.lastHour + earlier.paced },
    last24Hours: plus(last24Hours, earlier.agent),
    otherSums: {
      destination: otherSums.destination === null ? null : plus(otherSums.destination, earlier.destination),
      organization: plus(otherSums.organization, earlier.organization)
    }
  }
}
