/** Even shares: who holds how many places, and whose turn is next. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeEvenShare, makeFairLine, makeFairQueue } from "../src/evenShare.ts"
import { seed, tries } from "./support/depth.ts"

const tenants = fc.constantFrom("a", "b", "c", "d", "e")

interface Item {
  readonly tenant: string
  readonly number: number
}

/** A queue, its waiting items in order of arrival, and who holds a place. */
const watchedQueue = (
  waitingMax: number,
  places: { readonly placesMax?: number; readonly tenantPlacesMax?: number } = {}
) => {
  const queue = makeFairQueue<Item>({ waitingMax, ...places })
  let waiting: ReadonlyArray<Item> = []
  let holders: ReadonlyArray<string> = []
  let number = 0
  const forget = (item: Item | undefined) => {
    waiting = waiting.filter((one) => one !== item)
    expect(queue.size).toBe(waiting.length)
  }
  return {
    waiting: () => waiting,
    held: (tenant: string) => holders.filter((one) => one === tenant).length,
    heldByAll: () => holders.length,
    add: (tenant: string): boolean => {
      const item = { tenant, number: number++ }
      const added = queue.add(item)
      if (added) waiting = [...waiting, item]
      expect(queue.size).toBe(waiting.length)
      return added
    },
    /** The `at`th waiting item. */
    remove: (at: number): void => {
      const item = waiting[at]
      if (item !== undefined) queue.delete(item)
      forget(item)
    },
    take: (): Item | undefined => {
      const item = queue.take()
      if (item !== undefined) holders = [...holders, item.tenant]
      forget(item)
      return item
    },
    /** The `at`th of the held places. */
    release: (at: number): void => {
      const tenant = holders[at % holders.length]
      if (tenant === undefined) return
      holders = holders.toSpliced(at % holders.length, 1)
      queue.release(tenant)
    }
  }
}

/** Moves in a queue. */
const moves = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: tenants }) },
    { weight: 2, arbitrary: fc.constant("take" as const) },
    { weight: 2, arbitrary: fc.record({ release: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat(20) }) }
  ),
  { maxLength: 160, size: "max" }
)
const bounds = fc.record({
  placesMax: fc.integer({ min: 1, max: 6 }),
  tenantPlacesMax: fc.integer({ min: 1, max: 6 })
})

describe("a fair queue", () => {
  it(`no_organization_waits_behind_more_than_its_even_share; seed ${seed}`, () => {
    fc.assert(
      fc.property(moves, bounds, (given, { placesMax, tenantPlacesMax }) => {
        const queue = watchedQueue(1_000, { placesMax, tenantPlacesMax })
        /** The tenants served since a tenant that holds nothing began to wait, by waiting tenant. */
        const servedBefore = new Map<string, Array<string>>()
        const noteWaits = () => {
          const waits = new Set(queue.waiting().map(({ tenant }) => tenant))
          for (const tenant of servedBefore.keys())
            if (!waits.has(tenant) || queue.held(tenant) > 0) servedBefore.delete(tenant)
          for (const tenant of waits)
            if (queue.held(tenant) === 0 && !servedBefore.has(tenant)) servedBefore.set(tenant, [])
        }
        const take = () => {
          const mayHold = queue.waiting().filter(({ tenant }) => queue.held(tenant) < tenantPlacesMax)
          const fewest = Math.min(...mayHold.map(({ tenant }) => queue.held(tenant)))
          const isFree = queue.heldByAll() < placesMax
          const taken = queue.take()
          // Work is conserved: a free place is only denied to those who hold their maximum.
          expect(taken !== undefined).toBe(isFree && mayHold.length > 0)
          if (taken === undefined) return
          expect(queue.held(taken.tenant) - 1, "a place goes to who holds the fewest").toBe(fewest)
          for (const [tenant, served] of servedBefore) {
            if (tenant === taken.tenant) continue
            expect(served, `served twice while ${tenant} waits with nothing`).not.toContain(taken.tenant)
            served.push(taken.tenant)
          }
        }
        for (const move of given) {
          if (move === "take") take()
          else if ("add" in move) queue.add(move.add)
          else if ("release" in move) queue.release(move.release)
          else queue.remove(move.remove)
          expect(queue.heldByAll()).toBeLessThanOrEqual(placesMax)
          noteWaits()
        }
      }),
      { seed, numRuns: tries(1_000) }
    )
  })

  it(`gives the items of a tenant in their order, every one once; seed ${seed}`, () => {
    fc.assert(
      fc.property(moves, (given) => {
        const queue = watchedQueue(1_000)
        const last = new Map<string, number>()
        const takeNext = () => {
          const before = queue.waiting()
          const taken = queue.take()
          expect(taken === undefined).toBe(before.length === 0)
          if (taken === undefined) return
          expect(before.find((item) => item.tenant === taken.tenant)).toBe(taken)
          expect(taken.number).toBeGreaterThan(last.get(taken.tenant) ?? -1)
          last.set(taken.tenant, taken.number)
        }
        for (const move of given) {
          if (move === "take") takeNext()
          else if ("add" in move) queue.add(move.add)
          else if ("release" in move) queue.release(move.release)
          else queue.remove(move.remove)
        }
        while (queue.waiting().length > 0) takeNext()
      }),
      { seed, numRuns: tries(300) }
    )
  })

  it(`never refuses a tenant that waits with less than its share of the queue, and holds at most twice its bound; seed ${seed}`, () => {
    fc.assert(
      fc.property(fc.array(tenants, { maxLength: 120 }), fc.integer({ min: 5, max: 30 }), (asking, max) => {
        const queue = watchedQueue(max)
        const ownOf = (tenant: string) => queue.waiting().filter((item) => item.tenant === tenant).length
        for (const tenant of asking) {
          const own = ownOf(tenant)
          const active = new Set([...queue.waiting().map((item) => item.tenant), tenant]).size
          const isFull = queue.waiting().length >= 2 * max
          expect(queue.add(tenant)).toBe(own < Math.floor(max / active) && !isFull)
          expect(queue.waiting().length).toBeLessThanOrEqual(2 * max)
        }
      }),
      { seed, numRuns: tries(300) }
    )
  })

  it("lets items share a place, and gives all that wait to who leaves", () => {
    const queue = makeFairQueue<Item>({ waitingMax: 10, tenantPlacesMax: 1 })
    for (let number = 0; number < 4; number++) queue.add({ tenant: "a", number })
    expect([queue.take()?.number, queue.take()?.number, queue.takeAlong("a")?.number]).toEqual([
      0,
      undefined,
      1
    ])
    queue.release("a")
    expect([queue.take()?.number, queue.heldBy("a")]).toEqual([2, 1])
    expect([queue.drain().map(({ number }) => number), queue.size]).toEqual([[3], 0])
  })
})

describe("an even share", () => {
  it("gives one tenant at most its own bound, however many places are free", () => {
    const share = makeEvenShare(100, 20)
    expect([
      share.roomOf("a"),
      Array.from({ length: 30 }, () => share.take("a")).filter(Boolean).length
    ]).toEqual([20, 20])
    expect([share.roomOf("a"), share.roomOf("b"), share.heldBy("a"), share.total]).toEqual([0, 20, 20, 20])
    share.release("a")
    expect([share.roomOf("a"), share.tenants()]).toEqual([1, ["a"]])
  })
})

describe("a line", () => {
  /** Work that the test begins and ends. */
  const watchedLine = (max: number) => {
    const line = makeFairLine({ waitingMax: max, placesMax: 1 })
    const begun: Array<string> = []
    let end = (): void => undefined
    const add = (tenant: string): boolean =>
      line.add({
        tenant,
        begin: (done) => {
          begun.push(tenant)
          end = done
        }
      })
    return { add, begun, end: () => end() }
  }

  it("begins one at a time, and a newcomer is next however many another one has waiting", () => {
    const { add, begun, end } = watchedLine(4)
    for (let n = 0; n < 4; n++) expect(add("flood")).toBe(true)
    expect(begun).toEqual(["flood"])
    expect(add("neighbour")).toBe(true)
    end()
    end()
    expect(begun).toContain("neighbour")
    end()
    end()
    end()
    expect(begun.toSorted()).toEqual(["flood", "flood", "flood", "flood", "neighbour"])
    expect(add("flood")).toBe(true)
    expect(begun).toHaveLength(6)
  })

  it("refuses a tenant that waits with its share, and begins waiting work also after work that ended at once", () => {
    const { add, begun, end } = watchedLine(2)
    expect([add("flood"), add("flood"), add("flood"), add("flood")]).toEqual([true, true, true, false])
    expect(add("neighbour")).toBe(true)
    end()
    expect(begun.length).toBe(2)
    const line = makeFairLine({ waitingMax: 2, placesMax: 1 })
    let count = 0
    for (let n = 0; n < 3; n++)
      line.add({
        tenant: "flood",
        begin: (done) => {
          count++
          done()
        }
      })
    expect(count).toBe(3)
  })
})
