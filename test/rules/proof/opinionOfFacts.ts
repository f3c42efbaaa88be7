/** The result of one evaluation of facts, by the scorer itself, where every factor counts: the plain meaning of a rulebook. */

import {
  actionClasses,
  dataClassifications,
  type Environment,
  environments,
  reversibilities
} from "../../../src/domain/Action.ts"
import type { PolicyRule, RuleSet } from "../../../src/rules/language/Rule.ts"
import { compilePolicies, compileRules } from "../../../src/rules/language/compile.ts"
import type { Facts } from "../../../src/scoring/Facts.ts"
import type { Numbers } from "../../../src/scoring/Numbers.ts"
import { classNumbersOf } from "../../../src/scoring/StatedCall.ts"
import { toPoints } from "../../../src/scoring/arithmetic.ts"
import { combineDimensions, combineRisk, dimensionsOf } from "../../../src/scoring/dimensions.ts"
import type { ScoreAndControl } from "../../../src/rules/ScoreAndControl.ts"
import { strongestControl } from "../../../src/scoring/control.ts"
import { actionRiskLevelOf } from "../../../src/scoring/opinion.ts"
import { floorOf } from "../../../src/scoring/evaluate.ts"
import { impacts } from "../../../src/scoring/reading/Act.ts"
import { objectKinds } from "../../../src/scoring/reading/Vocabulary.ts"

const nth = <A>(list: ReadonlyArray<A>, index: number): A => {
  const found = list[index]
  if (found === undefined) throw new Error(`there is no ${index} in ${JSON.stringify(list)}`)
  return found
}

const radiusOf = (facts: Facts, numbers: Numbers): number => {
  const name = actionClasses.find((one) => one === facts.action_class) ?? "unknown"
  const environment: Environment = environments.find((one) => one === facts.environment) ?? "production"
  const call = {
    class: classNumbersOf({ class: name, alsoExports: facts.also_exports }, numbers),
    environment,
    production: environment === "production",
    reading: {
      impact: nth(impacts, facts.impact_rank),
      anywhere: facts.acts_anywhere,
      kind: objectKinds.find((one) => one === facts.object_kind) ?? "record",
      remote: facts.remote_target_unconfirmed,
      weakens: facts.safeguard_weakened_rank > 0
    }
  }
  const completed = {
    entities: facts.entities_affected,
    records: facts.records_affected,
    usdCents: facts.financial_value_usd_cents,
    dataClassification: nth(dataClassifications, facts.data_classification_rank),
    reversibility: nth(reversibilities, facts.reversibility_rank),
    privilegeChange: facts.privilege_change,
    productionImpact: facts.production_impact,
    countsInconsistent: facts.counts_inconsistent,
    privilegeInconsistent: facts.privilege_claim_inconsistent,
    destination: "history",
    agent: "history"
  } as const
  return combineDimensions(dimensionsOf(call, numbers)(completed), numbers)
}

export interface Judge {
  readonly rules: RuleSet
  readonly policies: ReadonlyArray<PolicyRule>
  readonly numbers: Numbers
}

export const opinionOfFacts = ({ numbers, policies, rules }: Judge): ((facts: Facts) => ScoreAndControl) => {
  const [match, matchPolicies] = [compileRules(rules), compilePolicies(policies)]
  return (facts) => {
    const matches = { rules: match(facts), policies: matchPolicies(facts) }
    const risk = toPoints(combineRisk(radiusOf(facts, numbers), matches.rules.factors, numbers))
    const score = Math.max(numbers.actionRisk.scoreMin, risk, floorOf(matches, numbers))
    const ofPolicies = matches.policies.matched.flatMap(({ factor }) =>
      factor === undefined ? [] : [{ category: "policy" as const, ...factor }]
    )
    const control = strongestControl({
      complete: true,
      level: actionRiskLevelOf(score, numbers),
      confidencePercent: 100,
      sufficientPercent: 0,
      factors: [...matches.rules.factors, ...ofPolicies],
      matches
    }).type
    return { score, control }
  }
}
