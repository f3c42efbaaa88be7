/** What one evaluation makes of facts, by the scorer itself: the plain meaning of a rulebook. */

import {
  dataClassifications,
  type Environment,
  environments,
  reversibilities
} from "../../src/domain/Action.ts"
import type { PolicyRule, RuleSet } from "../../src/rules/language/Rule.ts"
import { compilePolicies, compileRules } from "../../src/rules/language/compile.ts"
import type { Facts } from "../../src/scoring/Facts.ts"
import { toPoints } from "../../src/scoring/arithmetic.ts"
import type { Numbers } from "../../src/scoring/edition1/Model.ts"
import { edition1Classes } from "../../src/scoring/edition1/NormalizedAction.ts"
import { classModelOf } from "../../src/scoring/edition1/StatedAction.ts"
import { combineRisk, floorOf } from "../../src/scoring/edition1/actionRisk.ts"
import { combineDimensions, measureDimensions } from "../../src/scoring/edition1/dimensions.ts"

const nth = <A>(list: ReadonlyArray<A>, index: number): A => {
  const found = list[index]
  if (found === undefined) throw new Error(`there is no ${index} in ${JSON.stringify(list)}`)
  return found
}

const radiusOf = (facts: Facts, numbers: Numbers): number => {
  const name = edition1Classes.find((one) => one === facts.action_class) ?? "unknown"
  const environment: Environment = environments.find((one) => one === facts.environment) ?? "production"
  const place = {
    class: classModelOf({ class: name, alsoExports: facts.also_exports }, numbers),
    environment,
    production: environment === "production"
  }
  const completed = {
    entities: facts.entities_affected,
    records: facts.records_affected,
    usdCents: facts.financial_value_usd_cents,
    dataClassification: nth(dataClassifications, facts.data_classification_rank),
    reversibility: nth(reversibilities, facts.reversibility_rank),
    privilegeChange: facts.privilege_change,
    productionImpact: facts.production_impact,
    countsInconsistent: facts.counts_inconsistent
  }
  return combineDimensions(measureDimensions(place, completed, numbers), numbers)
}

export interface Judge {
  readonly rules: RuleSet
  readonly policies: ReadonlyArray<PolicyRule>
  readonly numbers: Numbers
}

export const scoreOfFacts = ({ numbers, policies, rules }: Judge): ((facts: Facts) => number) => {
  const [match, matchPolicies] = [compileRules(rules), compilePolicies(policies)]
  return (facts) => {
    const matches = { rules: match(facts), policies: matchPolicies(facts) }
    const hazards = matches.rules.factors.map(({ hazardBp }) => hazardBp)
    const risk = toPoints(combineRisk(radiusOf(facts, numbers), hazards, numbers))
    return Math.max(numbers.actionRisk.scoreMin, risk, floorOf(matches, numbers))
  }
}
