/** Cedar in WebAssembly: one permit policy for each rule, parsed once; the reasons of the answer are the matches. */

import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs"
import type { Condition } from "../../src/rules/language/Rule.ts"
import type { Peer, PeerRule } from "./Peer.ts"

const operators: Record<string, string> = {
  equal: "==",
  notEqual: "!=",
  greaterThan: ">",
  greaterThanInclusive: ">=",
  lessThan: "<",
  lessThanInclusive: "<="
}

const expression = (condition: Condition): string => {
  if ("all" in condition) return `(${condition.all.map(expression).join(" && ")})`
  if ("any" in condition) return `(${condition.any.map(expression).join(" || ")})`
  const value = JSON.stringify(condition.value)
  const fact = `context.${condition.fact}`
  if (condition.operator === "in") return `${value}.contains(${fact})`
  if (condition.operator === "notIn") return `!(${value}.contains(${fact}))`
  return `${fact} ${operators[condition.operator]} ${value}`
}

const policySetId = "rules"
const anyone = { type: "Agent", id: "bench" }

export const cedar = (rules: ReadonlyArray<PeerRule>): Peer => {
  const parsed = preparsePolicySet(policySetId, {
    staticPolicies: Object.fromEntries(
      rules.map(({ condition, name }) => [
        name,
        `permit(principal, action, resource) when { ${expression(condition)} };`
      ])
    )
  })
  if (parsed.type !== "success") throw new Error(`cedar refused the rules: ${JSON.stringify(parsed)}`)
  return {
    name: "@cedar-policy/cedar-wasm",
    match: (facts) => {
      const answer = statefulIsAuthorized({
        principal: anyone,
        action: { type: "Action", id: "assess" },
        resource: { type: "Thing", id: "bench" },
        context: { ...facts },
        preparsedPolicySetId: policySetId,
        entities: []
      })
      if (answer.type !== "success") throw new Error(`cedar failed: ${JSON.stringify(answer)}`)
      return answer.response.diagnostics.reason.toSorted()
    }
  }
}
