import { describe, expect, it } from "vitest"
import { type ActionRiskLevel, actionRiskLevels } from "../../../src/domain/Opinion.ts"
import { agreementOf, compareAnswers, costs } from "../../../src/rules/agreement/Agreement.ts"
import type { AnsweredCall } from "../../../src/rules/agreement/AnsweredCall.ts"
import { type Measure, roundedValue } from "../../../src/rules/agreement/measures.ts"
import { openedRulebook } from "../../support/openedRulebook.ts"

const scoreOf: Readonly<Record<ActionRiskLevel, number>> = { low: 20, moderate: 45, high: 70, critical: 90 }

let made = 0
const call = (
  label: ActionRiskLevel,
  level: ActionRiskLevel,
  rest: Partial<AnsweredCall> = {}
): AnsweredCall => ({
  id: `made-${++made}`,
  completeness: null,
  request: { action_type: "read", environment: "production" },
  action: { actionType: "read", environment: "production" },
  label,
  second: [],
  score: scoreOf[level],
  level,
  confidence: 0.5,
  type: "read",
  class: "read",
  factor: null,
  ...rest
})

const times = (count: number, label: ActionRiskLevel, level: ActionRiskLevel, rest?: Partial<AnsweredCall>) =>
  Array.from({ length: count }, () => call(label, level, rest))

const measured = (
  calls: ReadonlyArray<AnsweredCall>,
  name: string,
  pairs: ReadonlyArray<readonly [AnsweredCall, AnsweredCall]> = []
): Measure => {
  const measure = compareAnswers(calls, pairs).measures.find((each) => each.name === name)
  if (measure === undefined) throw new Error(`there is no measure ${name}`)
  return measure
}

const fraction = ({ count, of }: Measure) => [count, of]

describe("a measure", () => {
  const mixed = [
    ...times(6, "low", "low"),
    ...times(2, "low", "moderate"),
    ...times(1, "low", "high"),
    ...times(1, "low", "critical"),
    ...times(4, "moderate", "moderate"),
    ...times(3, "high", "high"),
    ...times(1, "high", "low"),
    ...times(1, "critical", "critical"),
    ...times(2, "critical", "moderate")
  ]

  it.each([
    ["same_level", [14, 21]],
    ["far_apart", [5, 21]],
    ["low_as_moderate", [4, 10]],
    ["low_as_high", [2, 10]],
    ["critical_as_low", [0, 3]],
    ["grave_as_low", [1, 7]],
    ["critical_as_moderate", [2, 3]]
  ])("%s counts what it says: %j", (name, expected) => {
    expect(fraction(measured(mixed, name))).toEqual(expected)
  })

  it("kappa weighs a disagreement by the square of its distance, against that of chance", () => {
    // Labels 2, 1, 1, 0 and answers 1, 1, 1, 1 from low to critical: each label meets each answer by chance.
    const calls = [
      call("low", "low"),
      call("low", "moderate"),
      call("moderate", "critical"),
      call("high", "high")
    ]
    const chance = 2 * (0 + 1 + 4 + 9) + 1 * (1 + 0 + 1 + 4) + 1 * (4 + 1 + 0 + 1)
    const kappa = measured(calls, "kappa")
    expect(kappa).toMatchObject({ count: chance - 4 * 5, of: chance })
    expect(roundedValue(kappa, 4)).toBe(0.5)
  })

  it("kappa is 1 for equal levels, negative for opposite ones, and nothing where chance could not be wrong", () => {
    const opposite = [...times(5, "low", "critical"), ...times(5, "critical", "low")]
    const equal = [call("low", "low"), call("high", "high")]
    expect(roundedValue(measured(equal, "kappa"), 4)).toBe(1)
    expect(roundedValue(measured(opposite, "kappa"), 4)).toBe(-1)
    expect(measured([call("low", "low")], "kappa")).toMatchObject({ of: 0, enough: { met: null } })
  })

  it("orders pairs by their scores: strictly, and upside down", () => {
    const [a, b] = [call("high", "high", { score: 71 }), call("high", "high", { score: 70 })]
    const pairs = [
      [a, b],
      [b, a],
      [a, a]
    ] as const
    expect(fraction(measured([a, b], "pairs_in_order", pairs))).toEqual([1, 3])
    expect(fraction(measured([a, b], "pairs_upside_down", pairs))).toEqual([1, 3])
  })

  it("counts the different scores of bare calls, and asks for fewer of a small file and for no more of a large one", () => {
    const bare = (count: number, scores: number) =>
      Array.from({ length: count }, (_, at) =>
        call("low", "low", { completeness: "bare", score: 1 + (at % scores) })
      )
    const full = call("low", "low", { completeness: "full", score: 99 })
    const small = measured([...bare(10, 3), full], "bare_scores")
    expect(small).toMatchObject({
      count: 3,
      of: 10,
      enough: { text: "≥ 2" },
      goal: { text: "≥ 3", met: true }
    })
    expect(measured(bare(257, 50), "bare_scores")).toMatchObject({
      enough: { text: "≥ 50", met: true },
      goal: { text: "≥ 70", met: false }
    })
    expect(measured(bare(1_000, 49), "bare_scores").enough).toEqual({ text: "≥ 50", met: false })
  })

  it("asks confident answers to be right, and a third of all answers to be confident", () => {
    const calls = [
      ...times(4, "low", "low", { confidence: 0.8 }),
      ...times(1, "low", "high", { confidence: 0.99 }),
      ...times(10, "low", "high", { confidence: 0.79 })
    ]
    expect(measured(calls, "confident")).toMatchObject({
      count: 5,
      of: 15,
      enough: { met: true },
      goal: null
    })
    expect(measured([...calls, call("low", "low")], "confident").enough.met).toBe(false)
    expect(measured(calls, "confident_same_level")).toMatchObject({
      count: 4,
      of: 5,
      enough: { text: "≥ 80 %", met: true },
      goal: { met: false }
    })
  })

  it("meets a bound exactly or misses it: nothing is rounded before it is compared", () => {
    const same = (hits: number, of: number) =>
      measured([...times(hits, "low", "low"), ...times(of - hits, "low", "moderate")], "same_level").enough
        .met
    expect([same(13, 20), same(6_499, 10_000), same(6_500, 10_000)]).toEqual([true, false, true])
  })

  it("of nothing has no value, and neither meets a bound nor misses it", () => {
    const nothing = measured([call("low", "low")], "critical_as_low")
    expect(roundedValue(nothing, 4)).toBeNull()
    expect([nothing.enough.met, nothing.goal?.met]).toEqual([null, null])
  })
})

describe("the costs", () => {
  const indices = actionRiskLevels.map((_, at) => at)
  const cost = (label: number, level: number): number => {
    const [from, to] = [actionRiskLevels[label], actionRiskLevels[level]]
    return from === undefined || to === undefined ? Number.NaN : costs[from][to]
  }
  const pairs = indices.flatMap((high) =>
    indices.filter((low) => low < high).map((low) => [low, high] as const)
  )

  it("of too low are above those of the same error the other way round, and both are even", () => {
    for (const [low, high] of pairs) {
      expect(cost(high, low)).toBeGreaterThan(cost(low, high))
      expect([cost(high, low) % 2, cost(low, high) % 2]).toEqual([0, 0])
    }
  })

  it("grow with the distance and with the level, and agreement is free", () => {
    const grows = (next: readonly [number, number], from: readonly [number, number]) =>
      Number.isNaN(cost(...next)) || cost(...next) > cost(...from)
    const exceptions = pairs.filter(
      ([low, high]) =>
        !grows([high, low - 1], [high, low]) ||
        !grows([low - 1, high], [low, high]) ||
        !grows([high + 1, low + 1], [high, low]) ||
        !grows([low + 1, high + 1], [low, high])
    )
    expect(exceptions).toEqual([])
    expect(indices.map((at) => cost(at, at))).toEqual([0, 0, 0, 0])
  })
})

describe("an agreement", () => {
  it("has every disagreement, most expensive first and then by line; a second choice halves its cost", () => {
    const calls = [
      call("low", "low"),
      call("low", "high", { id: "a" }),
      call("critical", "low", { id: "b" }),
      call("low", "high", { id: "c" }),
      call("low", "high", { id: "d", second: ["moderate", "high"] }),
      call("critical", "moderate", { id: "e", second: ["high"] })
    ]
    const { cost, disagreements } = compareAnswers(calls, [])
    expect(disagreements.map((each) => [each.id, each.cost])).toEqual([
      ["b", 60],
      ["e", 32],
      ["a", 8],
      ["c", 8],
      ["d", 4]
    ])
    expect(cost).toBe(112)
  })

  it("counts labels in rows and answers in columns", () => {
    const { confusion } = compareAnswers([...times(3, "low", "high"), call("critical", "high")], [])
    expect(confusion.low).toEqual({ low: 0, moderate: 0, high: 3, critical: 0 })
    expect(confusion.critical).toEqual({ low: 0, moderate: 0, high: 1, critical: 0 })
  })

  it("lists the pairs out of order, worst first", () => {
    const [a, b, c] = [10, 20, 30].map((score) => call("low", "low", { score }))
    if (a === undefined || b === undefined || c === undefined) throw new Error("three were made")
    const { misordered } = compareAnswers(
      [a, b, c],
      [
        [c, a],
        [a, a],
        [a, b],
        [a, c]
      ]
    )
    expect(misordered).toEqual([
      [a, c],
      [a, b],
      [a, a]
    ])
  })

  it("is broken down by completeness and by the word before the number, with the pairs inside each", () => {
    const bare = call("low", "low", { id: "shop-1", completeness: "bare" })
    const full = call("low", "high", { id: "shop-02", completeness: "full" })
    const calls = [bare, full, call("high", "high", { id: "lab 3" }), call("low", "low", { id: "12" })]
    const { byCompleteness, byPrefix } = compareAnswers(calls, [[full, bare]])
    expect(byCompleteness.map(({ calls: count, name }) => [name, count])).toEqual([
      ["bare", 1],
      ["full", 1]
    ])
    expect(byPrefix.map(({ calls: count, name }) => [name, count])).toEqual([
      ["lab", 1],
      ["shop", 2]
    ])
    const pairsOf = (group: (typeof byPrefix)[number] | undefined) =>
      group?.measures.find(({ name }) => name === "pairs_in_order")?.of
    expect([pairsOf(byPrefix[1]), pairsOf(byCompleteness[0])]).toEqual([1, 0])
  })

  it("answers as the rulebook does: with its score, its reading of the name and its first factor", () => {
    const book = openedRulebook("draft")
    const request = { action_type: "drop_table", environment: "production" }
    const action = { actionType: "drop_table", environment: "production" } as const
    const labelled = { id: "x-1", completeness: null, request, action, label: "low", second: [] } as const
    const { disagreements, policies, rules } = agreementOf(book, [labelled], [])
    expect([rules, policies]).toEqual(["draft", expect.stringMatching(/^none@/)])
    expect(disagreements).toEqual([
      {
        ...labelled,
        level: "critical",
        score: expect.any(Number),
        confidence: expect.any(Number),
        type: expect.stringContaining("drop"),
        class: "destroy",
        factor: { code: expect.stringMatching(/^[A-Z_]+$/), severity: expect.any(String) },
        cost: 16
      }
    ])
  })
})
