/** Reads one policy rule, and where it cannot be read, the worst that it could ask for. */

import { Result } from "effect"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"
import { decodeFile } from "../decodeFile.ts"
import { PolicyRuleFile, PolicyThen } from "../files/PolicyRuleFile.ts"
import { inFile, type Problem } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import { readCondition } from "../readCondition.ts"
import { checkEventType, checkName, eventTypeOf } from "../readRules/checkName.ts"
import type { PolicyRule } from "../Rule.ts"
import type { SourceFile } from "../SourceFile.ts"

/** What an effect that cannot be read is taken for. */
export const worstFloor = 100

const toMatch = (policy: string, rule: string, then: typeof PolicyThen.Type): PolicyRuleMatch => {
  const named = { policy, rule, recommendations: [] }
  const { addFactor, addRecommendation, annotate, raiseFloor, requireControl } = then
  if (addFactor !== undefined) {
    const { message, recommendations, severity } = addFactor
    return { ...named, effect: "add_factor", factor: { severity, message }, recommendations }
  }
  if (requireControl !== undefined)
    return { ...named, effect: "require_control", control: requireControl.type }
  if (annotate !== undefined) return { ...named, effect: "annotate", note: annotate.note }
  if (addRecommendation !== undefined) {
    return { ...named, effect: "add_recommendation", recommendations: [addRecommendation.code] }
  }
  return { ...named, effect: "raise_floor", floor: raiseFloor?.score ?? worstFloor }
}

export const readPolicyRule = (policy: string, source: SourceFile): Read<PolicyRule> =>
  Result.flatMap(decodeFile(PolicyRuleFile, source), (file) => {
    const [rule] = file.rules
    const raises = file.then.annotate === undefined && file.then.addRecommendation === undefined
    const { condition, problems: inCondition } = readCondition(rule.conditions, {
      raises,
      completeness: false
    })
    const problems: ReadonlyArray<Problem> = [
      ...checkName("id", file.id, source.name),
      ...checkEventType(rule.event.type, eventTypeOf(file.id), 0),
      ...inCondition.map(({ path, message }) => ({ path: ["rules", 0, "conditions", ...path], message }))
    ]
    return unless(
      inFile(source.file, problems),
      // Without problems there is a condition; one that always holds would be the worst reading of none.
      () => ({
        name: rule.name,
        condition: condition ?? { all: [] },
        match: toMatch(policy, file.id, file.then)
      })
    )
  })

/** The rule as if it matched everything; where not even its effect can be read, the highest floor. */
export const worstOf = (policy: string, source: SourceFile): PolicyRuleMatch => {
  const then =
    typeof source.json === "object" && source.json !== null && "then" in source.json ? source.json.then : null
  return Result.match(decodeFile(PolicyThen, { ...source, json: then }), {
    onFailure: () => toMatch(policy, source.name, { raiseFloor: { score: worstFloor } }),
    onSuccess: (read) => toMatch(policy, source.name, read)
  })
}
