import { describe, expect, it } from "vitest"
import { contradictions, type Kept, type Told } from "../support/historyChecker.ts"

const ok = (call: string, body = call): Told => ({ call, outcome: "ok", body })
const refused = (call: string): Told => ({ call, outcome: "refused", body: "" })
const unknown = (call: string): Told => ({ call, outcome: "unknown", body: "" })
const kept = (call: string, response = call): Kept => ({ call, assessmentId: `${call} id`, response })

describe("the history checker", () => {
  it("accepts what is stored as it was told, and either end of an unknown outcome", () => {
    const told = [ok("a"), ok("a"), unknown("a"), unknown("b"), unknown("c"), refused("d")]
    expect(contradictions(told, [kept("a"), kept("b")])).toEqual([])
  })

  it.each<[string, ReadonlyArray<Told>, ReadonlyArray<Kept>]>([
    ["an answer that is lost", [ok("a")], []],
    ["an answer that is stored otherwise", [ok("a")], [kept("a", "other")]],
    ["two answers to one call", [ok("a"), ok("a", "other")], [kept("a")]],
    ["a call that is stored twice", [unknown("a")], [kept("a"), kept("a")]],
    ["a refusal that is stored", [refused("a")], [kept("a")]],
    ["a call that nobody made", [], [kept("a")]]
  ])("finds %s", (_name, told, stored) => {
    expect(contradictions(told, stored).length).toBeGreaterThan(0)
  })
})
