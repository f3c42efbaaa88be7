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

/** A queue, and what waits in it in the order of its arrival. */
const watchedQueue = (max: number) => {
  const queue = makeFairQueue<Item>(max)
  let waiting: ReadonlyArray<Item> = []
  let number = 0
  return {
    waiting: () => waiting,
    add: (tenant: string): boolean => {
      const item = { tenant, number: number++ }
      const added = queue.add(tenant, item)
      if (added) waiting = [...waiting, item]
      expect(queue.size).toBe(waiting.length)
      return added
    },
    remove: (item: Item): void => {
      queue.delete(item.tenant, item)
      waiting = waiting.filter((one) => one !== item)
      expect(queue.size).toBe(waiting.length)
    },
    take: (rankOf?: (tenant: string) => number): Item | undefined => {
      const item = queue.take(rankOf)
      waiting = waiting.filter((one) => one !== item)
      expect(queue.size).toBe(waiting.length)
      return item
    }
  }
}

/** Null takes an item. */
const steps = fc.array(fc.option(tenants), { maxLength: 120 })

describe("a fair queue", () => {
  it(`lets nobody wait for more than one turn of each other tenant; seed ${seed}`, () => {
    fc.assert(
      fc.property(steps, (moves) => {
        const queue = watchedQueue(1_000)
        /** Turns of others since a tenant began to wait for its next turn, by tenant. */
        const turnsOfOthers = new Map<string, Array<string>>()
        for (const tenant of moves) {
          if (tenant !== null) {
            queue.add(tenant)
            if (!turnsOfOthers.has(tenant)) turnsOfOthers.set(tenant, [])
            continue
          }
          const taken = queue.take()
          if (taken === undefined) continue
          turnsOfOthers.delete(taken.tenant)
          if (queue.waiting().some((item) => item.tenant === taken.tenant))
            turnsOfOthers.set(taken.tenant, [])
          for (const [waiting, others] of turnsOfOthers) {
            if (waiting !== taken.tenant) others.push(taken.tenant)
            expect(new Set(others).size, `turns before one of ${waiting}: ${others.join()}`).toBe(
              others.length
            )
          }
        }
      }),
      { seed, numRuns: tries(500) }
    )
  })

  it(`gives the items of a tenant in their order, every one once, and is idle only when it is empty; seed ${seed}`, () => {
    fc.assert(
      fc.property(steps, fc.array(fc.nat(), { maxLength: 20 }), (moves, removals) => {
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
        for (const [i, tenant] of moves.entries()) {
          if (tenant === null) takeNext()
          else queue.add(tenant)
          const removed = queue.waiting()[removals[i] ?? Infinity]
          if (removed !== undefined) queue.remove(removed)
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

  it("prefers the least rank, passes over those who may not, and takes turns among equals", () => {
    const queue = watchedQueue(100)
    for (const tenant of ["a", "a", "b", "b", "c"]) queue.add(tenant)
    const ranks = new Map([
      ["a", 1],
      ["b", 1],
      ["c", Infinity]
    ])
    const rankOf = (tenant: string) => ranks.get(tenant) ?? 0
    expect([1, 2, 3].map(() => queue.take(rankOf)?.tenant)).toEqual(["a", "b", "a"])
    ranks.set("c", 0)
    expect([1, 2, 3].map(() => queue.take(rankOf)?.tenant)).toEqual(["c", "b", undefined])
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
  /** Work that somebody begins and somebody ends. */
  const watchedLine = (max: number) => {
    const line = makeFairLine(max)
    const begun: Array<string> = []
    let end = (): void => undefined
    const add = (tenant: string): boolean =>
      line.add(tenant, (done) => {
        begun.push(tenant)
        end = done
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

  it("refuses whoever waits with its share, and begins what waits also after work that ended at once", () => {
    const { add, begun, end } = watchedLine(2)
    expect([add("flood"), add("flood"), add("flood"), add("flood")]).toEqual([true, true, true, false])
    expect(add("neighbour")).toBe(true)
    end()
    expect(begun.length).toBe(2)
    const line = makeFairLine(2)
    let count = 0
    for (let n = 0; n < 3; n++)
      line.add("flood", (done) => {
        count++
        done()
      })
    expect(count).toBe(3)
  })
})
