/** Reads one policy rule, and where it cannot be read, the worst that it could ask for. */

import { Result } from "effect"
import type { PolicyRuleMatch } from "../../scoring/Model.ts"
import { decodeFile } from "../decodeFile.ts"
import { PolicyRuleFile, PolicyThen } from "../files/PolicyRuleFile.ts"
import { inFile } from "../Problem.ts"
import { type Read, unless } from "../Read.ts"
import { isRecord } from "../isRecord.ts"
import { checkName } from "../readRules/checkName.ts"
import { readConditions } from "../readRules/readConditions.ts"
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

/** Effects that add words and no score. */
const onlySays = (then: unknown): boolean =>
  isRecord(then) && ("annotate" in then || "add_recommendation" in then)

const thenOf = (json: unknown): unknown => (isRecord(json) ? json["then"] : undefined)

export const readPolicyRule = (policy: string, source: SourceFile): Read<PolicyRule> => {
  const { conditions, problems: inConditions } = readConditions(source.json, {
    raises: !onlySays(thenOf(source.json)),
    completeness: false
  })
  return decodeFile(PolicyRuleFile, source).pipe(
    Result.mapError((findings) => [...findings, ...inFile(source.file, inConditions)]),
    Result.flatMap((file) => {
      const [rule] = file.rules
      const problems = [...checkName("id", file.id, source.name, [rule.event.type]), ...inConditions]
      return unless(
        inFile(source.file, problems),
        // Without problems there is a condition; one that always holds would be the worst reading of none.
        () => ({
          name: rule.name,
          condition: conditions[0] ?? { all: [] },
          match: toMatch(policy, file.id, file.then)
        })
      )
    })
  )
}

/** The rule as if it matched everything; where not even its effect can be read, the highest floor. */
export const worstOf = (policy: string, source: SourceFile): PolicyRuleMatch =>
  Result.match(decodeFile(PolicyThen, { ...source, json: thenOf(source.json) ?? null }), {
    onFailure: () => toMatch(policy, source.name, { raiseFloor: { score: worstFloor } }),
    onSuccess: (read) => toMatch(policy, source.name, read)
  })
