/** The dialect as a JSON Schema, so that an editor completes facts, operators and values. */

import { type FactKind, facts } from "../../scoring/Facts.ts"
import { choiceOperators, comparisonOperators } from "../Condition.ts"

const oneOf = (kind: FactKind): object => {
  switch (kind.kind) {
    case "flag":
      return { type: "boolean" }
    case "name":
      return { enum: kind.names }
    case "text":
      return { type: "string", minLength: 1 }
    case "rank":
      return { type: "integer", minimum: 0, maximum: kind.max }
    case "count":
      return { type: "integer", minimum: 0 }
  }
}

const atom = (fact: string, kind: FactKind): object => {
  const ordered = kind.kind === "count" || kind.kind === "rank"
  const value = oneOf(kind)
  return {
    type: "object",
    properties: {
      fact: { const: fact, description: kind.says },
      operator: { enum: ordered ? comparisonOperators : choiceOperators },
      value: ordered ? value : { anyOf: [value, { type: "array", items: value, minItems: 1 }] }
    },
    required: ["fact", "operator", "value"],
    additionalProperties: false
  }
}

const group = (key: "all" | "any"): object => ({
  type: "object",
  properties: { [key]: { type: "array", items: { $ref: "#/$defs/term" }, minItems: 1 } },
  required: [key],
  additionalProperties: false
})

export const conditionDefinitions = {
  group: { anyOf: [group("all"), group("any")] },
  term: {
    anyOf: [{ $ref: "#/$defs/group" }, ...Object.entries(facts).map(([fact, kind]) => atom(fact, kind))]
  }
}
