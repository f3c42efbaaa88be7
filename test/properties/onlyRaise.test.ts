/** T6: rules, policies and history can only raise. */

import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Behavior } from "../../src/domain/Behavior.ts"
import { controlTypes, type Opinion, severities } from "../../src/domain/Opinion.ts"
import type { Edition } from "../../src/scoring/Edition.ts"
import type { FactorMatch, RuleMatches, TypologyMatch } from "../../src/scoring/Model.ts"
import { familiar, noHistory, snapshot } from "../support/arbitrary/behavior.ts"
import { policy } from "../support/arbitrary/policies.ts"
import { question } from "../support/arbitrary/question.ts"
import { edition, rules } from "../support/edition1.ts"
import { opine } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const neverLower = (before: Opinion, after: Opinion): boolean =>
  before.actionRisk.score <= after.actionRisk.score &&
  before.actionRisk.range.low <= after.actionRisk.range.low &&
  before.actionRisk.range.high <= after.actionRisk.range.high &&
  isDeepStrictEqual(before.blastRadius, after.blastRadius)

const changing = (change: (matches: RuleMatches) => RuleMatches): Edition =>
  edition.withMatch((facts) => change(edition.match(facts)))

const byCode = (a: FactorMatch, b: FactorMatch): number => (a.code < b.code ? -1 : 1)

const factor: fc.Arbitrary<FactorMatch> = fc.record({
  code: fc.constantFrom("AAA_FIRST", "MMM_MIDDLE", "ZZZ_LAST"),
  category: fc.constant("action"),
  severity: fc.constantFrom(...severities),
  message: fc.constant("A new rule says so."),
  recommendations: fc.constant([]),
  hazardBp: fc.constantFrom(0, 1, 800, 1500, 5000, 10_000)
})

const typology: fc.Arbitrary<TypologyMatch> = fc.record({
  name: fc.constant("new-combination"),
  message: fc.constant("A new combination."),
  floor: fc.constantFrom(1, 40, 69, 70, 90, 100)
})

const codes = [...new Set(rules.factors.map(({ match }) => match.code))]

const ofHistory = (code: string): boolean =>
  /DESTINATION$|BASELINE$|^CUMULATIVE_|^UNFAMILIAR_|^ELEVATED_VELOCITY$|^DESTINATION_STEP_UP$|^INSUFFICIENT_CONTEXT$/.test(
    code
  )

/** Factors that know nothing of history, nor of the confidence that depends on it. */
const others = ({ riskFactors }: Opinion) => riskFactors.filter(({ code }) => !ofHistory(code))

const control = ({ recommendedControl }: Opinion): number => controlTypes.indexOf(recommendedControl.type)

theorems(
  question().chain((asked) =>
    fc.record({
      asked: fc.constant(asked),
      factor,
      typology,
      code: fc.constantFrom(...codes),
      policy: policy(),
      history: snapshot(asked.action)
    })
  ),
  ({ asked }) => opine(asked),
  {
    "T6: a new factor never lowers a score": (before, { asked, factor: extra }) => {
      const more = changing((matches) => ({
        ...matches,
        factors: [...matches.factors, extra].toSorted(byCode)
      }))
      return neverLower(before, opine(asked, more))
    },

    "T6: a new typology never lowers a score": (before, { asked, typology: extra }) => {
      const more = changing((matches) => ({ ...matches, typologies: [...matches.typologies, extra] }))
      return neverLower(before, opine(asked, more))
    },

    "T6: no factor of this release lowers a score": (after, { asked, code }) => {
      const fewer = changing((matches) => ({
        ...matches,
        factors: matches.factors.filter((match) => match.code !== code)
      }))
      return neverLower(opine(asked, fewer), after)
    },

    "T6: a new policy rule lowers neither score nor control": (before, { asked, policy: rule }) => {
      const after = opine({ ...asked, policies: [...asked.policies, { ...rule, id: "z-last" }] })
      return neverLower(before, after) && control(before) <= control(after)
    },

    "T6: familiarity removes the novelty premium and nothing else": (_, { asked: { action }, history }) => {
      const having = (behavior: Behavior) => opine({ action, policies: [], behavior })
      const quiet = having(familiar(action))
      const other = having(history)
      return (
        neverLower(quiet, other) &&
        quiet.actionRisk.score <= having(noHistory(action)).actionRisk.score &&
        isDeepStrictEqual(others(quiet), others(other)) &&
        quiet.riskFactors.every(({ code }) => !ofHistory(code) || code === "INSUFFICIENT_CONTEXT")
      )
    }
  }
)
