/** GoRules ZEN: one expression node that computes every rule's condition. */

import { ZenEngine } from "@gorules/zen-engine"
import type { Condition } from "../../src/rules/language/Rule.ts"
import type { Peer, PeerRule } from "./Peer.ts"

const operators: Record<string, string> = {
  equal: "==",
  notEqual: "!=",
  in: "in",
  notIn: "not in",
  greaterThan: ">",
  greaterThanInclusive: ">=",
  lessThan: "<",
  lessThanInclusive: "<="
}

const expression = (condition: Condition): string => {
  if ("all" in condition) return `(${condition.all.map(expression).join(" and ")})`
  if ("any" in condition) return `(${condition.any.map(expression).join(" or ")})`
  return `${condition.fact} ${operators[condition.operator]} ${JSON.stringify(condition.value)}`
}

const graph = (rules: ReadonlyArray<PeerRule>) => ({
  nodes: [
    { id: "in", type: "inputNode", name: "request" },
    {
      id: "rules",
      type: "expressionNode",
      name: "rules",
      content: {
        expressions: rules.map(({ condition }, i) => ({
          id: `e${i}`,
          key: `r${i}`,
          value: expression(condition)
        })),
        passThrough: false,
        inputField: null,
        outputPath: null,
        executionMode: "single"
      }
    },
    { id: "out", type: "outputNode", name: "response" }
  ],
  edges: [
    { id: "1", type: "edge", sourceId: "in", targetId: "rules" },
    { id: "2", type: "edge", sourceId: "rules", targetId: "out" }
  ]
})

export const zen = (rules: ReadonlyArray<PeerRule>): Peer => {
  const decision = new ZenEngine().createDecision(graph(rules))
  return {
    name: "@gorules/zen-engine",
    match: async (facts) => {
      const { result } = await decision.evaluate(facts)
      return rules.flatMap(({ name }, i) => (result[`r${i}`] === true ? [name] : [])).toSorted()
    }
  }
}
