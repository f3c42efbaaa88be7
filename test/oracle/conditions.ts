/** The meaning of a condition of a rule file, word by word. */

export type Value = string | number | boolean

export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly fact: string; readonly operator: string; readonly value: Value | ReadonlyArray<Value> }

export type FactsByName = Readonly<Record<string, Value>>

const compare = (
  actual: Value | undefined,
  operator: string,
  value: Value | ReadonlyArray<Value>
): boolean => {
  if (actual === undefined) throw new Error(`a rule asks for a fact that there is not`)
  switch (operator) {
    case "equal":
      return actual === value
    case "notEqual":
      return actual !== value
    case "in":
      return Array.isArray(value) && value.includes(actual)
    case "notIn":
      return Array.isArray(value) && !value.includes(actual)
    case "greaterThan":
      return Number(actual) > Number(value)
    case "greaterThanInclusive":
      return Number(actual) >= Number(value)
    case "lessThan":
      return Number(actual) < Number(value)
    case "lessThanInclusive":
      return Number(actual) <= Number(value)
    default:
      throw new Error(`unknown operator ${operator}`)
  }
}

export const holds = (condition: Condition, facts: FactsByName): boolean => {
  if ("all" in condition) return condition.all.every((term) => holds(term, facts))
  if ("any" in condition) return condition.any.some((term) => holds(term, facts))
  return compare(facts[condition.fact], condition.operator, condition.value)
}
