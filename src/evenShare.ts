/** An even share of what tenants have in common: of places that they hold at once, of turns for which they wait, and of the process's time. */

import { Effect } from "effect"

/** An organization's live and test traffic are two tenants, so that neither takes the other's share. */
export const tenantKey = (tenant: { readonly mode: string; readonly organizationId: string }): string =>
  `${tenant.mode} ${tenant.organizationId}`

interface EvenShare {
  /** Places held by all tenants. */
  readonly total: number
  readonly heldBy: (tenant: string) => number
  /** How many more places the tenant may take now. */
  readonly roomOf: (tenant: string) => number
  /** False where the tenant has no room. */
  readonly take: (tenant: string) => boolean
  /** Takes a place that was promised when there was room. */
  readonly hold: (tenant: string) => void
  /** Gives back a place that the tenant holds. */
  readonly release: (tenant: string) => void
  /** The tenants that hold a place. */
  readonly tenants: () => ReadonlyArray<string>
}

/**
 * Each tenant may hold an even share of `max` places, where the shares are divided among the tenants that hold any, and never
 * more than `tenantMax`. When another tenant asks, it gets a place at once and the shares of the others shrink at once, but
 * what they hold stays theirs until they release it. The total can therefore exceed `max` for as long as places are held; it
 * never exceeds 2 × `max`.
 */
export const makeEvenShare = (max: number, tenantMax: number = max): EvenShare => {
  const held = new Map<string, number>()
  let total = 0

  const roomOf = (tenant: string): number => {
    const own = held.get(tenant) ?? 0
    const tenants = own === 0 ? held.size + 1 : held.size
    const share = Math.max(1, Math.min(tenantMax, Math.floor(max / tenants)))
    return Math.max(0, Math.min(share - own, 2 * max - total))
  }

  const change = (tenant: string, by: 1 | -1): void => {
    const own = (held.get(tenant) ?? 0) + by
    if (own > 0) held.set(tenant, own)
    else held.delete(tenant)
    total += by
  }

  return {
    get total() {
      return total
    },
    heldBy: (tenant) => held.get(tenant) ?? 0,
    roomOf,
    take: (tenant) => {
      if (roomOf(tenant) === 0) return false
      change(tenant, 1)
      return true
    },
    hold: (tenant) => change(tenant, 1),
    release: (tenant) => change(tenant, -1),
    tenants: () => [...held.keys()]
  }
}

interface FairQueue<T extends object> {
  readonly size: number
  readonly has: (tenant: string) => boolean
  /** False where the tenant already waits with its share of the queue. */
  readonly add: (tenant: string, item: T) => boolean
  readonly delete: (tenant: string, item: T) => void
  /**
   * Removes and returns the next item. It belongs to the tenant with the least rank, among equals to the one that was served least
   * recently, and is the oldest item of that tenant. Skips a tenant whose rank is Infinity. Undefined if no tenant is left.
   */
  readonly take: (rankOf?: (tenant: string) => number) => T | undefined
}

/**
 * Round robin over the tenants that wait: of two that wait, neither is served twice before the other is served once. The
 * queue holds an even share of `max` items for each tenant.
 */
export const makeFairQueue = <T extends object>(max: number): FairQueue<T> => {
  const share = makeEvenShare(max)
  /** In the order of their turns. */
  const waiting = new Map<string, Set<T>>()

  const remove = (tenant: string, item: T): void => {
    const own = waiting.get(tenant)
    if (own?.delete(item) !== true) return
    if (own.size === 0) waiting.delete(tenant)
    share.release(tenant)
  }

  const nextTenant = (rankOf: (tenant: string) => number): string | undefined => {
    let next: string | undefined
    let least = Infinity
    for (const tenant of waiting.keys()) {
      const rank = rankOf(tenant)
      if (rank >= least) continue
      next = tenant
      least = rank
      // No rank is lower.
      if (least === 0) break
    }
    return next
  }

  return {
    get size() {
      return share.total
    },
    has: (tenant) => waiting.has(tenant),
    add: (tenant, item) => {
      if (!share.take(tenant)) return false
      const own = waiting.get(tenant)
      if (own === undefined) waiting.set(tenant, new Set([item]))
      else own.add(item)
      return true
    },
    delete: remove,
    take: (rankOf = everybodyAlike) => {
      const tenant = nextTenant(rankOf)
      if (tenant === undefined) return undefined
      const own = waiting.get(tenant) ?? new Set<T>()
      const [item] = own
      if (item !== undefined) remove(tenant, item)
      // To the end, for its next turn.
      if (waiting.delete(tenant)) waiting.set(tenant, own)
      return item
    }
  }
}

const everybodyAlike = () => 0

/** Calls back when it has ended, however it ended. */
type LineWork = (done: () => void) => void

interface FairLine {
  /** False where the tenant already waits with its share of the line. */
  readonly add: (tenant: string, work: LineWork) => boolean
  /** Work that has begun goes on. */
  readonly delete: (tenant: string, work: LineWork) => void
}

/** Work that is done one at a time: tenants take turns, and those that wait hold an even share of `waitingMax` places. */
export const makeFairLine = (waitingMax: number): FairLine => {
  const waiting = makeFairQueue<LineWork>(waitingMax)
  let isBusy = false

  const next = (): void => {
    const work = waiting.take()
    isBusy = work !== undefined
    work?.(next)
  }

  return {
    add: (tenant, work) => {
      const isAdded = waiting.add(tenant, work)
      if (isAdded && !isBusy) next()
      return isAdded
    },
    delete: waiting.delete
  }
}

interface Asked {
  readonly tenant: string
  /** Takes a step; true where it was the last one. */
  readonly step: () => boolean
}

export interface TimeShare<Refusal> {
  /** The result of the steps. Fails where the tenant has its share of the work under way. */
  readonly inTurn: <A>(tenant: string, steps: Generator<void, A>) => Effect.Effect<A, Refusal>
}

interface Shares<Refusal> {
  /** The work that is under way at once, for all tenants. */
  readonly placesMax: number
  /** The pause after a step, as a multiple of the step's time. */
  readonly rests: number
  readonly refuse: () => Refusal
}

/** Only this thread's time: on a busy machine a step lasts longer without using more of it. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

/**
 * Tenants take turns, one step each. While several are under way, all of them pause after a step for `rests` times its duration.
 * So the process keeps the rest of its time for other work, however many ask. A tenant that is alone does not pause.
 */
export const makeTimeShare = <Refusal>({ placesMax, refuse, rests }: Shares<Refusal>): TimeShare<Refusal> => {
  const places = makeEvenShare(placesMax)
  // Invariant: this queue refuses no question, because each question in it has a place.
  const turns = makeFairQueue<Asked>(Infinity)
  let isUnderWay = false

  const next = (): void => {
    const asked = turns.take()
    isUnderWay = asked !== undefined
    if (asked === undefined) return
    const isAlone = places.total === 1
    const startMs = cpuMs()
    if (!asked.step()) turns.add(asked.tenant, asked)
    const restMs = isAlone ? 0 : (cpuMs() - startMs) * rests
    if (restMs === 0) setImmediate(next)
    else setTimeout(next, restMs)
  }

  return {
    inTurn: (tenant, steps) =>
      Effect.callback((resume) => {
        if (!places.take(tenant)) {
          resume(Effect.failSync(refuse))
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
