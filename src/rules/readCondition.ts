/** Reads a condition out of a rule file: the dialect and nothing more, with every problem named where it stands. */

import { conditionDepthMax } from "../Limits.ts"
import { type Condition, comparisonOperators, choiceOperators, isFactName } from "./Condition.ts"
import { didYouMean } from "./nearestName.ts"
import type { Problem } from "./Problem.ts"
import { facts } from "../scoring/Facts.ts"
import { type Permissions, readAtom } from "./readCondition/readAtom.ts"

type Path = ReadonlyArray<PropertyKey>
type Report = (path: Path, message: string) => null

const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === "object" && json !== null && !Array.isArray(json)

const groupKeys = ["all", "any"] as const

const readGroup = (
  json: Record<string, unknown>,
  path: Path,
  depth: number,
  permissions: Permissions,
  report: Report
): Condition | null => {
  const keys = Object.keys(json)
  const key = groupKeys.find((group) => group in json)
  // json-rules-engine reads `any` and forgets an `all` beside it.
  if (key === undefined || keys.length !== 1) {
    return report(
      path,
      `a group holds \`all\` or \`any\` and nothing else, not ${keys.map((k) => `\`${k}\``).join(", ")}`
    )
  }
  if (depth > conditionDepthMax) {
    return report(path, `groups are nested more than ${conditionDepthMax} deep`)
  }
  const terms = json[key]
  // json-rules-engine takes an empty group of either kind for true.
  if (!Array.isArray(terms) || terms.length === 0) {
    return report([...path, key], `\`${key}\` must be a list of at least one condition`)
  }
  const read = terms.map((term: unknown, i) =>
    readTerm(term, [...path, key, i], depth + 1, permissions, report)
  )
  const whole = read.filter((term) => term !== null)
  if (whole.length !== read.length) return null
  return key === "all" ? { all: whole } : { any: whole }
}

const readTerm = (
  json: unknown,
  path: Path,
  depth: number,
  permissions: Permissions,
  report: Report
): Condition | null => {
  if (!isRecord(json)) return report(path, "a condition must be an object")
  if ("all" in json || "any" in json) return readGroup(json, path, depth, permissions, report)
  const { fact, operator, value, ...rest } = json
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return report([...path, unknown], `\`${unknown}\` is not part of the dialect`)
  if (typeof fact !== "string" || !isFactName(fact)) {
    const hint = typeof fact === "string" ? didYouMean(fact, Object.keys(facts)) : ""
    return report([...path, "fact"], `unknown fact \`${String(fact)}\`${hint}`)
  }
  const operators = [...choiceOperators, ...comparisonOperators]
  const known = operators.find((name) => name === operator)
  if (known === undefined) {
    const hint = typeof operator === "string" ? didYouMean(operator, operators) : ""
    return report([...path, "operator"], `unknown operator \`${String(operator)}\`${hint}`)
  }
  const atom = readAtom(fact, known, value, permissions)
  return "problem" in atom ? report([...path, atom.at], atom.problem) : atom
}

/** Either the condition or at least one problem. */
export const readCondition = (
  json: unknown,
  permissions: Permissions
): { readonly condition: Condition | null; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  const report: Report = (path, message) => {
    problems.push({ path, message })
    return null
  }
  const isGroup = isRecord(json) && ("all" in json || "any" in json)
  const condition = isGroup
    ? readGroup(json, [], 1, permissions, report)
    : report([], "`conditions` must be a group: `all` or `any`")
  return { condition, problems }
}
