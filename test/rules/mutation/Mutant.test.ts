import { describe, expect, it } from "vitest"
import type { Condition } from "../../../src/rules/language/Rule.ts"
import { mutateCondition } from "../../../src/rules/mutation/Mutant.ts"

const changes = (condition: Condition) => mutateCondition(condition).map(({ change }) => change)

describe("the mutants of a condition", () => {
  it("flip a comparison and move its threshold the other way, so that both neighbours are tried once", () => {
    const atom = { fact: "entities_affected", operator: "greaterThanInclusive", value: 1000 } as const
    expect(mutateCondition({ all: [atom] })).toEqual([
      {
        condition: { all: [{ ...atom, operator: "greaterThan" }] },
        path: ["all", 0, "operator"],
        change: "`entities_affected` greaterThanInclusive 1000 → greaterThan 1000"
      },
      {
        condition: { all: [{ ...atom, value: 999 }] },
        path: ["all", 0, "value"],
        change: "`entities_affected` greaterThanInclusive 1000 → greaterThanInclusive 999"
      }
    ])
  })

  it("keep a rank among its values", () => {
    const rank = { fact: "reversibility_rank", operator: "greaterThan", value: 4 } as const
    expect(changes(rank)).toEqual(["`reversibility_rank` greaterThan 4 → greaterThanInclusive 4"])
  })

  it("flip a choice and leave out each of several values, but not the only one", () => {
    expect(changes({ fact: "action_class", operator: "in", value: ["export", "transact"] })).toEqual([
      '`action_class` in ["export","transact"] → notIn ["export","transact"]',
      '`action_class` in without "export"',
      '`action_class` in without "transact"'
    ])
    expect(changes({ fact: "action_class", operator: "in", value: ["export"] })).toEqual([
      '`action_class` in ["export"] → notIn ["export"]'
    ])
  })

  it("leave out each of several terms and replace `all` by `any`, at every depth", () => {
    const [a, b, c] = ["data_store", "admin_named", "also_exports"].map(
      (fact) => ({ fact, operator: "equal", value: true }) as Condition
    )
    if (a === undefined || b === undefined || c === undefined) throw new Error("expected three terms")
    const made = mutateCondition({ all: [a, { any: [b, c] }] })
    const ofGroups = made.filter(({ path }) => !path.includes("operator"))
    expect(ofGroups.map(({ condition, path }) => [path, condition])).toEqual([
      [["all", 1, "any", 0], { all: [a, { any: [c] }] }],
      [["all", 1, "any", 1], { all: [a, { any: [b] }] }],
      [["all", 1, "any"], { all: [a, { all: [b, c] }] }],
      [["all", 0], { all: [{ any: [b, c] }] }],
      [["all", 1], { all: [a] }],
      [["all"], { any: [a, { any: [b, c] }] }]
    ])
  })
})
