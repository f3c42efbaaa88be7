/** Even shares of what tenants have in common: places, turns for which they wait, and the process's time. */

import { Effect } from "effect"

/** An organization's live and test traffic are two tenants, so that neither takes the other's share. */
export const tenantKey = (tenant: { readonly mode: string; readonly organizationId: string }): string =>
  `${tenant.mode} ${tenant.organizationId}`

interface EvenShare {
  /** The places held by all tenants. */
  readonly total: number
  readonly heldBy: (tenant: string) => number
  /** How many more places the tenant may take now. */
  readonly roomOf: (tenant: string) => number
  /** False if the tenant has no room. */
  readonly take: (tenant: string) => boolean
  /** Takes a place that was promised while there was room. */
  readonly hold: (tenant: string) => void
  /** Returns a place that the tenant holds. */
  readonly release: (tenant: string) => void
  /** The tenants that hold a place. */
  readonly tenants: () => ReadonlyArray<string>
}

/**
 * Each tenant may hold an even share of `max` places, divided among the tenants that hold any, and never more than `tenantMax`. When
 * another tenant asks, it gets a place immediately. The shares of the others shrink immediately, but they keep the places that they hold
 * until they release them. So the total can exceed `max` for a while, but never 2 × `max`.
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

interface Bounds {
  /** The number of waiting items. Each tenant gets an even share. */
  readonly waitingMax: number
  /** The places of all tenants together. */
  readonly placesMax?: number
  /** The places of one tenant. */
  readonly tenantPlacesMax?: number
}

interface OfTenant {
  readonly tenant: string
}

interface FairQueue<T extends OfTenant> {
  /** The number of waiting items. */
  readonly size: number
  /** Whether an item of the tenant is waiting. */
  readonly has: (tenant: string) => boolean
  /** Whether the tenant may hold one more place. */
  readonly hasRoom: (tenant: string) => boolean
  readonly heldBy: (tenant: string) => number
  /** False if the tenant's waiting items already fill its share of the queue. */
  readonly add: (item: T) => boolean
  readonly delete: (item: T) => void
  /** Removes and returns the next item, whose tenant then holds one more place. Undefined if no tenant may have one. */
  readonly take: () => T | undefined
  /** The same for the next item of a tenant, which shares the place of an item taken before. */
  readonly takeAlong: (tenant: string) => T | undefined
  /** Removes and returns all waiting items. */
  readonly drain: () => ReadonlyArray<T>
  /** Takes a place for a tenant that has room, without an item. */
  readonly hold: (tenant: string) => void
  readonly release: (tenant: string) => void
}

/** Items by tenant, in the order of the tenants' turns: the tenant served least recently comes first. */
const makeWaitingItems = <T extends OfTenant>(max: number) => {
  const share = makeEvenShare(max)
  const waiting = new Map<string, Set<T>>()

  const add = (item: T): boolean => {
    const { tenant } = item
    if (!share.take(tenant)) return false
    const own = waiting.get(tenant)
    if (own === undefined) waiting.set(tenant, new Set([item]))
    else own.add(item)
    return true
  }

  const remove = (item: T): void => {
    const { tenant } = item
    const own = waiting.get(tenant)
    if (own?.delete(item) !== true) return
    if (own.size === 0) waiting.delete(tenant)
    share.release(tenant)
  }

  const takeOf = (tenant: string): T | undefined => {
    const [item] = waiting.get(tenant) ?? []
    if (item !== undefined) remove(item)
    return item
  }

  /** Moves the tenant to the end, for its next turn. */
  const moveBack = (tenant: string): void => {
    const own = waiting.get(tenant)
    if (own !== undefined && waiting.delete(tenant)) waiting.set(tenant, own)
  }

  return { share, waiting, add, remove, takeOf, moveBack }
}

/**
 * The rule for everything that tenants wait for: a free place goes to the waiting tenant that holds the fewest places, and among equals to
 * the one served least recently. So while a tenant waits, no other gets more than its even share.
 */
export const makeFairQueue = <T extends OfTenant>({
  placesMax = Infinity,
  tenantPlacesMax = Infinity,
  waitingMax
}: Bounds): FairQueue<T> => {
  const { add, moveBack, remove, share, takeOf, waiting } = makeWaitingItems<T>(waitingMax)
  const places = makeEvenShare(placesMax)

  const nextTenant = (): string | undefined => {
    let next: string | undefined
    let fewest = tenantPlacesMax
    for (const tenant of waiting.keys()) {
      const held = places.heldBy(tenant)
      if (held >= fewest) continue
      next = tenant
      fewest = held
      if (held === 0) break
    }
    return next
  }

  return {
    get size() {
      return share.total
    },
    has: (tenant) => waiting.has(tenant),
    hasRoom: (tenant) => places.total < placesMax && places.heldBy(tenant) < tenantPlacesMax,
    heldBy: places.heldBy,
    add,
    delete: remove,
    take: () => {
      const tenant = places.total < placesMax ? nextTenant() : undefined
      if (tenant === undefined) return undefined
      const item = takeOf(tenant)
      moveBack(tenant)
      places.hold(tenant)
      return item
    },
    takeAlong: takeOf,
    drain: () => {
      const all = [...waiting.values()].flatMap((own) => [...own])
      all.forEach(remove)
      return all
    },
    hold: places.hold,
    release: places.release
  }
}

interface LineWork extends OfTenant {
  /** `done` must be called when the work has ended, however it ended. */
  readonly begin: (done: () => void) => void
}

interface FairLine {
  /** Starts the work immediately if its tenant has room. False if the tenant's waiting work already fills its share of the line. */
  readonly add: (work: LineWork) => boolean
  /** Has no effect on work that has started. */
  readonly delete: (work: LineWork) => void
}

/** Work that starts when its tenant gets a place, and holds the place until it has ended. */
export const makeFairLine = (bounds: Bounds): FairLine => {
  const waiting = makeFairQueue<LineWork>(bounds)

  const begin = (work: LineWork): void =>
    work.begin(() => {
      waiting.release(work.tenant)
      const next = waiting.take()
      if (next !== undefined) begin(next)
    })

  return {
    add: (work) => {
      if (!waiting.hasRoom(work.tenant)) return waiting.add(work)
      waiting.hold(work.tenant)
      begin(work)
      return true
    },
    delete: waiting.delete
  }
}

interface Turn extends LineWork {
  /** Set once the turn has started. */
  end?: () => void
  onBegin?: () => void
}

/** Runs work when it is the tenant's turn. Other work waits. */
export type FairTurns<Refusal> = <A, E, R>(
  tenant: string,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | Refusal, R>

interface TurnBounds<Refusal> extends Partial<Bounds> {
  /** How long work may wait for its turn. */
  readonly waitMsMax: number
  /** The failure of work that waited too long, or whose tenant's waiting work already fills its share. */
  readonly refuse: () => Refusal
}

/**
 * The same for effects. A turn without a wait costs one finalizer; an `RcMap` of Effect's semaphores, for one turn per tenant, takes six
 * times as long.
 *
 * Invariant: until the end of the turn is guaranteed, only the wait and the work can be interrupted.
 */
export const makeFairTurns = <Refusal>({
  refuse,
  waitingMax = Infinity,
  waitMsMax,
  ...bounds
}: TurnBounds<Refusal>): FairTurns<Refusal> => {
  const line = makeFairLine({ waitingMax, ...bounds })

  const begun = (turn: Turn) =>
    Effect.callback<void>((resume) => {
      turn.onBegin = () => resume(Effect.void)
      if (turn.end !== undefined) turn.onBegin()
    }).pipe(Effect.timeoutOrElse({ duration: waitMsMax, orElse: () => Effect.fail(refuse()) }))

  return (tenant, work) =>
    Effect.uninterruptibleMask((restore) => {
      const turn: Turn = {
        tenant,
        begin: (end) => {
          turn.end = end
          turn.onBegin?.()
        }
      }
      if (!line.add(turn)) return Effect.fail(refuse())
      const worked =
        turn.end === undefined ? Effect.andThen(restore(begun(turn)), restore(work)) : restore(work)
      return Effect.onExit(worked, () =>
        Effect.sync(() => (turn.end === undefined ? line.delete(turn) : turn.end()))
      )
    })
}

export interface TimeShare<Refusal> {
  /** Runs the steps and returns their result. Fails if the tenant's work already fills its share. */
  readonly inTurn: <A>(tenant: string, steps: Generator<void, A>) => Effect.Effect<A, Refusal>
}

interface Shares<Refusal> {
  /** How much work may be in progress at once, for all tenants. */
  readonly placesMax: number
  /** The pause after a step, as a multiple of the step's time. */
  readonly rests: number
  readonly refuse: () => Refusal
}

/** Only this thread's processor time: on a busy machine, a step takes longer without using more of it. */
const cpuMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

/**
 * Tenants take turns, one step each. While several are in progress, all of them pause after each step for `rests` times its duration, so
 * that the process keeps the rest of its time for other work, however many ask. A single tenant does not pause.
 */
export const makeTimeShare = <Refusal>({ placesMax, refuse, rests }: Shares<Refusal>): TimeShare<Refusal> => {
  const places = makeEvenShare(placesMax)
  // Invariant: this line refuses no step, because each piece of work in it already holds a place.
  const turns = makeFairLine({ waitingMax: Infinity, placesMax: 1 })

  return {
    inTurn: (tenant, steps) =>
      Effect.callback((resume) => {
        if (!places.take(tenant)) {
          resume(Effect.failSync(refuse))
          return
        }
        let hasEnded = false
        const end = () => {
          if (!hasEnded) places.release(tenant)
          hasEnded = true
        }
        const isLastStep = (): boolean => {
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
        const turn: LineWork = {
          tenant,
          begin: (done) => {
            const isAlone = places.total === 1
            const startMs = cpuMs()
            if (!isLastStep()) turns.add(turn)
            const restMs = isAlone ? 0 : (cpuMs() - startMs) * rests
            if (restMs === 0) setImmediate(done)
            else setTimeout(done, restMs)
          }
        }
        turns.add(turn)
        return Effect.sync(() => {
          turns.delete(turn)
          end()
        })
      })
  }
}
