/** Reads a question about a name, a text or a flag. */

import { actionTypeMax } from "../../Limits.ts"
import type { FactKind, FactName } from "../../scoring/Facts.ts"
import {
  type Choice,
  type ChoiceOperator,
  type Choosable,
  choiceOperators,
  chooses,
  orderedChoices
} from "../Condition.ts"
import { didYouMean } from "../nearestName.ts"
import type { Permissions } from "./readAtom.ts"
import { quote, type Refusal } from "./Refusal.ts"

const refuseChoosable = (fact: FactName, kind: FactKind, value: unknown): Refusal | null => {
  const at = "value"
  switch (kind.kind) {
    case "flag": {
      if (typeof value === "boolean") return null
      const message = `\`${fact}\` is true or false, not ${quote(value)}`
      const meant = value === "true" || value === "false" ? { suggestion: value } : {}
      return { rule: "wrong-type", at, message, ...meant }
    }
    case "name": {
      if (typeof value !== "string") {
        return { rule: "wrong-type", at, message: `\`${fact}\` is a name, not ${quote(value)}` }
      }
      if (kind.names.includes(value)) return null
      const { hint, suggested } = didYouMean(value, kind.names)
      return {
        rule: "unknown-code",
        at,
        message: `\`${fact}\` is never ${quote(value)}${hint}`,
        ...suggested
      }
    }
    default:
      return typeof value === "string" && value !== "" && [...value].length <= actionTypeMax
        ? null
        : {
            rule: typeof value === "string" ? "wrong-value" : "wrong-type",
            at,
            message: `\`${fact}\` compares with a text of 1 to ${actionTypeMax} characters, not ${quote(value)}`
          }
  }
}

/** Whatever the choice holds for, it must hold for everything riskier too. */
const couldLower = (choice: Choice): boolean => {
  const ordered = orderedChoices[choice.fact]?.map((value) => chooses(choice, value)) ?? []
  return ordered.some((holds, i) => holds && ordered[i + 1] === false)
}

export const readChoice = (
  fact: FactName,
  kind: FactKind,
  operator: string,
  value: unknown,
  { raises }: Permissions
): Choice | Refusal => {
  const known: ChoiceOperator | undefined = choiceOperators.find((name) => name === operator)
  if (known === undefined) {
    return {
      rule: "unknown-operator",
      at: "operator",
      message: `\`${fact}\` is a ${kind.kind}: \`${operator}\` is for counts and ranks`,
      suggestion: "equal"
    }
  }
  const many = known === "in" || known === "notIn"
  // json-rules-engine searches a text for a substring where a list was meant.
  if (many !== Array.isArray(value) || (Array.isArray(value) && value.length === 0)) {
    return {
      rule: "wrong-type",
      at: "value",
      message: `\`${operator}\` takes ${many ? "a list of at least one value" : "one value"}, not ${quote(value)}`,
      ...(many && typeof value !== "object" ? { suggestion: `[${JSON.stringify(value)}]` } : {})
    }
  }
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  for (const [index, one] of values.entries()) {
    const refusal = refuseChoosable(fact, kind, one)
    if (refusal !== null) return many ? { ...refusal, index } : refusal
  }
  const choosable = values.filter(
    (one): one is Choosable => typeof one === "string" || typeof one === "boolean"
  )
  const [first = ""] = choosable
  const choice: Choice =
    known === "in" || known === "notIn"
      ? { fact, operator: known, value: choosable }
      : { fact, operator: known, value: first }
  return raises && couldLower(choice)
    ? {
        rule: "could-lower",
        at: "value",
        message: `\`${fact}\` is risk-ordered and this could lower a score: a rule that holds must hold for everything riskier`
      }
    : choice
}
