/** The concurrency limit: shares of organizations, and the bound on all together. */

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Mode } from "../../src/domain/Caller.ts"
import { makeConcurrencyLimit, type Permit } from "../../src/server/concurrency.ts"
import { seed, tries } from "../support/depth.ts"

const tenant = (organizationId: string, mode: Mode = "live") => ({ organizationId, mode })

/** A limit whose permits are acquired and released by the name of an organization, in live mode by default. */
const makeNamed = (max: number) => {
  const permitFor = makeConcurrencyLimit(max)
  const held: Array<{ readonly who: string; readonly permit: Permit }> = []
  return {
    enter: (organizationId: string, mode: Mode = "live"): boolean => {
      const permit = permitFor(tenant(organizationId, mode))
      const entered = permit.acquire()
      if (entered) held.push({ who: `${mode} ${organizationId}`, permit })
      return entered
    },
    leave: (organizationId: string, mode: Mode = "live"): void => {
      const at = held.findIndex(({ who }) => who === `${mode} ${organizationId}`)
      for (const { permit } of held.splice(at, 1)) permit.release()
    }
  }
}

const enterTimes = (enter: (name: string) => boolean, name: string, times: number): number =>
  Array.from({ length: times }, () => enter(name)).filter(Boolean).length

describe("the concurrency limit", () => {
  it("gives one organization all permits while it is alone", () => {
    const { enter, leave } = makeNamed(10)
    expect(enterTimes(enter, "a", 12)).toBe(10)
    leave("a")
    expect(enterTimes(enter, "a", 2)).toBe(1)
  })

  it("gives a second organization its share at once, and the first one shrinks as its requests end", () => {
    const { enter, leave } = makeNamed(10)
    enterTimes(enter, "flood", 10)
    expect(enterTimes(enter, "small", 7)).toBe(5)
    for (let ended = 0; ended < 5; ended++) {
      leave("flood")
      expect(enter("flood")).toBe(false)
    }
    leave("flood")
    expect(enter("flood")).toBe(true)
  })

  it("counts an organization's test and live traffic apart", () => {
    const { enter, leave } = makeNamed(10)
    const inTest = (name: string) => enter(name, "test")
    expect(enterTimes(inTest, "a", 12)).toBe(10)
    expect(enterTimes(enter, "a", 7)).toBe(5)
    leave("a", "test")
    expect([inTest("a"), enter("a")]).toEqual([false, false])
    leave("a")
    expect(enter("a")).toBe(true)
  })

  it("gives one request at most one permit, however often it acquires and releases", () => {
    const permitFor = makeConcurrencyLimit(2)
    const [first, other] = [permitFor(tenant("a")), permitFor(tenant("a"))]
    expect([first.acquire(), first.acquire(), other.acquire()]).toEqual([true, true, true])
    first.release()
    first.release()
    expect([permitFor(tenant("a")).acquire(), first.acquire()]).toEqual([true, false])
  })

  it(`never exceeds twice the limit, and never rejects an organization without a permit while there is room; seed ${seed}`, () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 })), { maxLength: 200 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10 }), (moves, max) => {
        const { enter, leave } = makeNamed(max)
        const held = new Map<string, number>()
        const all = () => [...held.values()].reduce((a, b) => a + b, 0)
        const move = (enters: boolean, name: string): boolean => {
          const own = held.get(name) ?? 0
          if (!enters) {
            if (own > 0) leave(name)
            held.set(name, Math.max(0, own - 1))
            return true
          }
          const room = all() < 2 * max
          const entered = enter(name)
          if (entered) held.set(name, own + 1)
          return own > 0 || entered === room
        }
        return moves.every(([enters, who]) => move(enters, `organization ${who}`) && all() <= 2 * max)
      }),
      { seed, numRuns: tries(500) }
    )
  })
})
