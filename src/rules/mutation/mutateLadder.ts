/** Every mutant of a rule file: the file with one small thing changed, to see whether any case notices. */

import { severities } from "../../domain/RiskFactor.ts"
import type { Ladder } from "../ladders.ts"
import type { FactorRule, Rule, TypologyRule } from "../Rule.ts"
import { mutateCondition } from "./mutateCondition.ts"

interface Place {
  /** The name of the rule that is changed. */
  readonly rule: string
  /** Where in the file the change stands. */
  readonly path: ReadonlyArray<PropertyKey>
  /** What is changed, in the words of the file. */
  readonly change: string
}

export interface Mutant extends Place {
  /** The file as it stands. */
  readonly original: Ladder
  /** The file with the change. */
  readonly changed: Ladder
}

interface Change<R> extends Place {
  readonly rules: ReadonlyArray<R>
}

/** A question changed, or the whole rule left out. */
const mutateRules = <R extends Rule<unknown>>(rules: ReadonlyArray<R>): ReadonlyArray<Change<R>> =>
  rules.flatMap((rule, i): ReadonlyArray<Change<R>> => {
    const conditions = mutateCondition(rule.condition).map(({ change, condition, path }) => ({
      rule: rule.name,
      path: ["rules", i, "conditions", ...path],
      change,
      rules: rules.with(i, { ...rule, condition })
    }))
    const dropped = {
      rule: rule.name,
      path: ["rules", i],
      change: "without the rule",
      rules: rules.toSpliced(i, 1)
    }
    return [...conditions, dropped]
  })

const mutateSeverities = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<Change<FactorRule>> =>
  rules.flatMap((rule, i) =>
    [-1, 1].flatMap((step) => {
      const { match } = rule
      const severity = severities[severities.indexOf(match.severity) + step]
      if (severity === undefined) return []
      return [
        {
          rule: rule.name,
          path: ["rules", i, "event", "params", "severity"],
          change: `severity ${match.severity} → ${severity}`,
          rules: rules.with(i, { ...rule, match: { ...match, severity } })
        }
      ]
    })
  )

/** Rules without a hazard of their own share the file's, so all that carry one hazard lose it together. */
const mutateHazards = (rules: ReadonlyArray<FactorRule>): ReadonlyArray<Change<FactorRule>> => {
  const hazards = [...new Set(rules.map(({ match }) => match.hazardBp))]
  return hazards
    .filter((hazardBp) => hazardBp > 0)
    .map((hazardBp) => {
      const first = rules.findIndex(({ match }) => match.hazardBp === hazardBp)
      return {
        rule: rules[first]?.name ?? "",
        path: hazards.length === 1 ? ["hazard_bp"] : ["rules", first, "event", "params", "hazard_bp"],
        change: `hazard_bp ${hazardBp} → 0`,
        rules: rules.map((rule) =>
          rule.match.hazardBp === hazardBp ? { ...rule, match: { ...rule.match, hazardBp: 0 } } : rule
        )
      }
    })
}

const mutateFloors = (rules: ReadonlyArray<TypologyRule>): ReadonlyArray<Change<TypologyRule>> =>
  rules.map((rule, i) => {
    const floor = rule.match.floor - 1
    return {
      rule: rule.name,
      path: ["floor"],
      change: `floor ${rule.match.floor} → ${floor}`,
      rules: rules.with(i, { ...rule, match: { ...rule.match, floor } })
    }
  })

const mutants = <R>(
  changes: ReadonlyArray<Change<R>>,
  original: Ladder,
  withRules: (rules: ReadonlyArray<R>) => Ladder
): ReadonlyArray<Mutant> =>
  changes.map(({ rules, ...place }) => ({ ...place, original, changed: withRules(rules) }))

/** What a policy rule asks for stays as it is: its cases say whether it matches, and nothing of what follows. */
export const mutateLadder = (ladder: Ladder): ReadonlyArray<Mutant> => {
  switch (ladder.kind) {
    case "factor": {
      const { rules } = ladder
      const changes = [...mutateRules(rules), ...mutateSeverities(rules), ...mutateHazards(rules)]
      return mutants(changes, ladder, (rules) => ({ ...ladder, rules }))
    }
    case "typology": {
      const changes = [...mutateRules(ladder.rules), ...mutateFloors(ladder.rules)]
      return mutants(changes, ladder, (rules) => ({ ...ladder, rules }))
    }
    case "policy":
      return mutants(mutateRules(ladder.rules), ladder, (rules) => ({ ...ladder, rules }))
  }
}
