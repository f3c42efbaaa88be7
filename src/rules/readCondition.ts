/** Reads a condition out of a rule file: the dialect and nothing more, with every problem named where it stands. */

import { conditionDepthMax } from "../Limits.ts"
import { facts } from "../scoring/Facts.ts"
import { choiceOperators, comparisonOperators, type Condition, isFactName } from "./Condition.ts"
import { isRecord } from "./isRecord.ts"
import { didYouMean } from "./nearestName.ts"
import type { Problem } from "./Problem.ts"
import { type Permissions, readAtom } from "./readCondition/readAtom.ts"
import { quote } from "./readCondition/Refusal.ts"
import { refuseForeign } from "./readCondition/refuseForeign.ts"

type Path = Problem["path"]
type Report = (problem: Problem) => null

const groupKeys = ["all", "any"] as const
const operators = [...choiceOperators, ...comparisonOperators]

/** One reading: what it may accept, and where its problems go. */
interface Reading {
  readonly permissions: Permissions
  readonly report: Report
}

const readGroup = (
  json: Record<string, unknown>,
  path: Path,
  depth: number,
  reading: Reading
): Condition | null => {
  const { report } = reading
  const foreign = Object.keys(json).filter((key) => key !== "all" && key !== "any")
  for (const key of foreign) report(refuseForeign(key, path))
  const key = groupKeys.find((group) => group in json)
  // json-rules-engine reads `any` and forgets an `all` beside it.
  if (key === undefined || ("all" in json && "any" in json)) {
    const message = "`all` and `any` stand beside each other: put one inside the other"
    return report({ rule: "mixed-group", path, message })
  }
  if (depth > conditionDepthMax) {
    const message = `groups are nested more than ${conditionDepthMax} deep`
    return report({ rule: "too-deep", path, message })
  }
  const terms = json[key]
  if (!Array.isArray(terms)) {
    return report({
      rule: "wrong-type",
      path: [...path, key],
      message: `\`${key}\` must be a list of conditions`
    })
  }
  // json-rules-engine takes an empty group of either kind for true.
  if (terms.length === 0) {
    const message = `\`${key}\` must be a list of at least one condition`
    return report({ rule: "empty-group", path: [...path, key], message })
  }
  const read = terms.map((term: unknown, i) => readTerm(term, [...path, key, i], depth + 1, reading))
  const whole = read.filter((term) => term !== null)
  if (whole.length !== read.length || foreign.length > 0) return null
  return key === "all" ? { all: whole } : { any: whole }
}

const readTerm = (json: unknown, path: Path, depth: number, reading: Reading): Condition | null => {
  const { permissions, report } = reading
  if (!isRecord(json)) return report({ rule: "wrong-type", path, message: "a condition must be an object" })
  if ("all" in json || "any" in json) return readGroup(json, path, depth, reading)
  const { fact, operator, value, ...rest } = json
  const foreign = Object.keys(rest)
  for (const key of foreign) report(refuseForeign(key, path))
  if (fact === undefined && operator === undefined && foreign.length > 0) return null
  const known = operators.find((name) => name === operator)
  const isFact = typeof fact === "string" && isFactName(fact)
  if (fact !== undefined && typeof fact !== "string") {
    const message = `\`fact\` is the name of a fact, not ${quote(fact)}`
    report({ rule: "wrong-type", path: [...path, "fact"], message })
  } else if (!isFact) {
    const { hint, suggested } = didYouMean(String(fact), Object.keys(facts))
    const message = fact === undefined ? "`fact` is missing" : `unknown fact \`${String(fact)}\`${hint}`
    report({ rule: "unknown-fact", path: [...path, "fact"], message, ...suggested })
  }
  if (known === undefined) {
    const { hint, suggested } = didYouMean(String(operator), operators)
    const message =
      operator === undefined ? "`operator` is missing" : `unknown operator \`${String(operator)}\`${hint}`
    report({ rule: "unknown-operator", path: [...path, "operator"], message, ...suggested })
  }
  if (!isFact || known === undefined) return null
  const atom = readAtom(fact, known, value, permissions)
  if (!("at" in atom)) return foreign.length > 0 ? null : atom
  const { at, index, ...problem } = atom
  return report({ ...problem, path: [...path, at, ...(index === undefined ? [] : [index])] })
}

/** Either the condition or at least one problem; paths start with `from`. */
export const readCondition = (
  json: unknown,
  permissions: Permissions,
  from: Path = []
): { readonly condition: Condition | null; readonly problems: ReadonlyArray<Problem> } => {
  const problems: Array<Problem> = []
  const report: Report = (problem) => {
    problems.push(problem)
    return null
  }
  if (!isRecord(json)) {
    report({ rule: "wrong-type", path: from, message: "`conditions` must be a group: `all` or `any`" })
    return { condition: null, problems }
  }
  if (!("all" in json) && !("any" in json)) {
    const foreign = Object.keys(json).filter((key) => !["fact", "operator", "value"].includes(key))
    for (const key of foreign) report(refuseForeign(key, from))
    if (foreign.length === 0) {
      const rule = Object.keys(json).length === 0 ? "empty-group" : "wrong-type"
      report({ rule, path: from, message: "`conditions` must be a group: `all` or `any`" })
    }
    return { condition: null, problems }
  }
  const condition = readGroup(json, from, 1, { permissions, report })
  return { condition: problems.length === 0 ? condition : null, problems }
}
