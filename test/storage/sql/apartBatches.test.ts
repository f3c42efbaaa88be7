/** Batches of one tenant each: which tenant is next, how many at once, and how large. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeFairQueue } from "../../../src/evenShare.ts"
import { takeApart } from "../../../src/storage/sql/BatchedStatement.ts"
import { propertyRuns, seed } from "../../support/depth.ts"

interface Item {
  readonly tenant: string
  readonly n: number
}

const [batchMax, fastMs, inFlightMax] = [4, 50, 2]

const makeTenants = () => {
  const waiting = makeFairQueue<Item>({ waitingMax: 1_000, tenantPlacesMax: inFlightMax })
  const batches = takeApart(waiting, batchMax, fastMs)
  let asked = 0
  const ask = (tenant: string): Item => {
    const item = { tenant, n: asked++ }
    waiting.add(item)
    return item
  }
  return { ...batches, ask, waiting }
}

const numbersOf = (batch: ReadonlyArray<Item>) => batch.map(({ n }) => n)

describe("batches of tenants that are kept apart", () => {
  it("begin with one item, double while they are fast, and shrink while they are slow", () => {
    const { ask, ended, take } = makeTenants()
    for (let i = 0; i < 30; i++) ask("flood")
    const sizes = [fastMs, fastMs, fastMs, fastMs, fastMs + 1, fastMs + 1, fastMs + 1, fastMs].map(
      (tookMs) => {
        const batch = take()
        ended(batch, tookMs)
        return batch.length
      }
    )
    expect(sizes).toEqual([1, 2, 4, 4, 4, 2, 1, 1])
  })

  it("begin with one item again once nothing of the tenant waits or runs", () => {
    const { ask, ended, take } = makeTenants()
    for (let i = 0; i < 3; i++) ask("burst")
    ended(take(), 1)
    ended(take(), 1)
    for (let i = 0; i < 2; i++) ask("burst")
    expect(numbersOf(take())).toEqual([3])
  })

  it("belong to the tenant that has the fewest in progress", () => {
    const { ask, take, waiting } = makeTenants()
    for (let i = 0; i < 4; i++) ask("flood")
    expect([numbersOf(take()), numbersOf(take()), numbersOf(take())]).toEqual([[0], [1], []])
    expect([waiting.hasRoom("flood"), waiting.hasRoom("neighbour")]).toEqual([false, true])
    ask("neighbour")
    expect(numbersOf(take())).toEqual([4])
  })

  const step = fc.oneof(
    fc.record({ ask: fc.constantFrom("a", "b", "c") }),
    fc.constant("take" as const),
    fc.record({ end: fc.nat(), tookMs: fc.nat(2 * fastMs) })
  )

  it("hold items of one tenant in the order of asking, at most as many as may be, and leave none behind", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { ask, ended, take, waiting } = makeTenants()
        const underWay: Array<ReadonlyArray<Item>> = []
        const asked = new Map<string, Array<number>>()
        const taken = new Map<string, Array<number>>()
        const noteIn = (of: typeof asked, { n, tenant }: Item) =>
          of.set(tenant, [...(of.get(tenant) ?? []), n])
        const takeOne = (): boolean => {
          const couldTake = ["a", "b", "c"].some((tenant) => waiting.has(tenant) && waiting.hasRoom(tenant))
          const batch = take()
          for (const item of batch) noteIn(taken, item)
          if (batch.length > 0) underWay.push(batch)
          const tenants = new Set(batch.map(({ tenant }) => tenant))
          const alike = underWay.filter(([first]) => first && tenants.has(first.tenant))
          expect(batch.length > 0).toBe(couldTake)
          expect(batch.length).toBeLessThanOrEqual(batchMax)
          expect(tenants.size).toBeLessThanOrEqual(1)
          expect(alike.length).toBeLessThanOrEqual(inFlightMax)
          return couldTake
        }
        for (const one of steps) {
          if (one === "take") takeOne()
          else if ("ask" in one) noteIn(asked, ask(one.ask))
          else
            for (const batch of underWay.splice(one.end % (underWay.length + 1), 1)) ended(batch, one.tookMs)
        }
        while (waiting.size > 0) if (!takeOne()) for (const batch of underWay.splice(0)) ended(batch, 1)
        expect(taken).toEqual(asked)
      }),
      { seed, numRuns: propertyRuns }
    )
  })
})
