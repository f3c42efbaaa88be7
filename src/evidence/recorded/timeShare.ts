/** A share of the process's time for questions that people ask about stored assessments, so that agents who ask before they act do not wait for them. */

import { Effect } from "effect"
import { RateLimited } from "../../api/Failures.ts"
import { makeEvenShare, makeFairQueue } from "../../evenShare.ts"
import { consideredMax, consideredRests, consideredRetrySeconds } from "../../limits.ts"

interface Asked {
  readonly tenant: string
  /** Takes a step; true where it was the last one. */
  readonly step: () => boolean
}

export interface TimeShare {
  /** The result of the steps. Fails where the tenant has its share of the questions under way. */
  readonly inTurn: <A>(tenant: string, steps: Generator<void, A>) => Effect.Effect<A, RateLimited>
}

const message = "too many explanations are under way; retry after `retry_after_seconds`"

/** Of this thread alone: on a busy machine a step lasts long without taking more. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

/**
 * Tenants take turns, one step each. After a step of several questions nothing of them runs for `consideredRests` times as long
 * as it took: so however many ask, the other work of the process has most of its time. One that is alone does not rest.
 */
export const makeTimeShare = (): TimeShare => {
  const places = makeEvenShare(consideredMax)
  // Invariant: refuses nothing, because each question in it has a place.
  const turns = makeFairQueue<Asked>(Infinity)
  let isUnderWay = false

  const next = (): void => {
    const asked = turns.take()
    isUnderWay = asked !== undefined
    if (asked === undefined) return
    const isAlone = places.total === 1
    const startMs = cpuMs()
    if (!asked.step()) turns.add(asked.tenant, asked)
    const restMs = isAlone ? 0 : (cpuMs() - startMs) * consideredRests
    if (restMs === 0) setImmediate(next)
    else setTimeout(next, restMs)
  }

  return {
    inTurn: (tenant, steps) =>
      Effect.callback((resume) => {
        if (!places.take(tenant)) {
          resume(Effect.fail(new RateLimited({ message, retryAfterSeconds: consideredRetrySeconds })))
          return
        }
        const asked: Asked = {
          tenant,
          step: () => {
            try {
              const step = steps.next()
              if (step.done !== true) return false
              end()
              resume(Effect.succeed(step.value))
            } catch (cause) {
              end()
              resume(Effect.die(cause))
            }
            return true
          }
        }
        let hasEnded = false
        const end = () => {
          if (hasEnded) return
          hasEnded = true
          places.release(tenant)
        }
        turns.add(tenant, asked)
        if (!isUnderWay) next()
        return Effect.sync(() => {
          turns.delete(tenant, asked)
          end()
        })
      })
  }
}
