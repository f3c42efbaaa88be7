/** T6: rules, policies and history only raise. T7: a fault gives an incomplete opinion that is no lower (scoring.md §5). */

import { visibleText } from "../../src/scoring/names/lookalike.ts"
import fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import type { Behavior } from "../../src/domain/Behavior.ts"
import { controlTypes, type Opinion, severities } from "../../src/domain/Opinion.ts"
import type { FactorMatch, RiskModel, RuleMatches, TypologyMatch } from "../../src/scoring/Model.ts"
import { factorFiles, typologyFiles } from "../oracle/files.ts"
import { behavior, familiar, noHistory, snapshot } from "../support/arbitrary/behavior.ts"
import { call } from "../support/arbitrary/call.ts"
import { policies, policy } from "../support/arbitrary/policies.ts"
import { model } from "../support/draft.ts"
import { opineCall } from "../support/opine.ts"
import { theorems } from "../support/theorem.ts"

const neverLower = (before: Opinion, after: Opinion): boolean =>
  before.actionRisk.score <= after.actionRisk.score &&
  before.actionRisk.range.low <= after.actionRisk.range.low &&
  before.actionRisk.range.high <= after.actionRisk.range.high &&
  isDeepStrictEqual(before.blastRadius, after.blastRadius)

const changing = (change: (matches: RuleMatches) => RuleMatches): RiskModel => ({
  ...model,
  match: (facts) => change(model.match(facts))
})

const control = ({ recommendedControl }: Opinion): number => controlTypes.indexOf(recommendedControl.type)

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

const ofHistory = new Set(
  factorFiles
    .filter(({ category }) => category === "behavior" || category === "destination")
    .map(({ code }) => code)
    .filter((code) => code !== "DESTINATION_UNSPECIFIED")
)

const theorem6 = call().chain((asked) =>
  fc.record({
    asked: fc.constant(asked),
    factor,
    typology,
    code: fc.constantFrom(...factorFiles.map(({ code }) => code)),
    name: fc.constantFrom(...typologyFiles.map(({ name }) => name)),
    policy: policy(),
    history: snapshot(asked.action)
  })
)

theorems(theorem6, ({ asked }) => opineCall(asked), {
  "T6: a new factor never lowers a score": (before, { asked, factor: extra }) =>
    neverLower(
      before,
      opineCall(
        asked,
        changing((matches) => ({
          ...matches,
          factors: [...matches.factors, extra].toSorted((a, b) => (a.code < b.code ? -1 : 1))
        }))
      )
    ),

  "T6: a new typology never lowers a score": (before, { asked, typology: extra }) =>
    neverLower(
      before,
      opineCall(
        asked,
        changing((matches) => ({ ...matches, typologies: [...matches.typologies, extra] }))
      )
    ),

  "T6: untrusted content that asks for an action never lowers its score, and makes a grave act high": (
    before,
    { asked }
  ) => {
    const context = { instruction_source: "untrusted_content" }
    const after = opineCall({ ...asked, action: { ...asked.action, context } })
    const isGrave = ["access", "communicate", "delete", "destroy", "export", "transact"].includes(
      after.reading.class
    )
    return (
      neverLower(before, after) &&
      control(before) <= control(after) &&
      (!isGrave || ["high", "critical"].includes(after.actionRisk.level))
    )
  },

  "T6: no factor and no typology of these rules lowers a score": (after, { asked, code, name }) => {
    const fewer = changing((matches) => ({
      factors: matches.factors.filter((match) => match.code !== code),
      typologies: matches.typologies.filter((match) => match.name !== name)
    }))
    return neverLower(opineCall(asked, fewer), after)
  },

  "T6: a new policy rule lowers neither score nor control": (before, { asked, policy: rule }) => {
    const after = opineCall({ ...asked, policies: [...asked.policies, { ...rule, id: "z-last" }] })
    return neverLower(before, after) && control(before) <= control(after)
  },

  "T6: any history scores at least what the same claims score without any novelty": (
    _,
    { asked, history }
  ) => {
    const having = (one: Behavior) => opineCall({ ...asked, policies: [], behavior: one })
    const quiet = having(familiar(asked.action))
    // A caller that hides its name is compared with a history. Without one, no caller is known.
    const isNamed = visibleText(asked.action.agentId ?? "") !== ""
    return [history, noHistory(asked.action)]
      .filter(({ sampleSize }) => isNamed || sampleSize >= 1)
      .every((one) => neverLower(quiet, having(one)))
  },

  "T6: without any novelty no factor tells of history, but that of a destination that is not stated": (
    _,
    { asked }
  ) => {
    const quiet = opineCall({ ...asked, policies: [], behavior: familiar(asked.action) })
    return quiet.riskFactors.every(({ assumed, code }) => assumed === true || !ofHistory.has(code))
  }
})

const theorem7 = call().chain((asked) =>
  fc.tuple(fc.constant(asked), behavior(asked.action), policies(), fc.nat(2))
)

const faulty = (healthy: Opinion, fault: Opinion): boolean =>
  !fault.complete &&
  neverLower(healthy, fault) &&
  control(fault) === controlTypes.length - 1 &&
  fault.actionRisk.confidence <= 0.3 &&
  fault.riskFactors.some(({ assumed, code }) => code === "ASSESSMENT_DEGRADED" && assumed !== true)

theorems(theorem7, ([asked]) => opineCall({ ...asked, behavior: "unavailable" }), {
  "T7: history that cannot be read scores no lower than any that could have been": (
    fault,
    [asked, history]
  ) => faulty(opineCall({ ...asked, behavior: history, policies: [] }), fault),

  "T7: a policy rule that fails scores no lower than it would have": (_, [asked, history, rules, which]) => {
    const healthy = rules.map((one) => ({ ...one, broken: false }))
    const broken = healthy.map((one, at) => (at === which % healthy.length ? { ...one, broken: true } : one))
    if (healthy.length === 0) return true
    const having = (policiesOf: typeof rules) =>
      opineCall({ ...asked, behavior: history, policies: policiesOf })
    const before = having(healthy)
    const after = having(broken)
    return (history === "unavailable" || before.complete) && faulty(before, after)
  },

  "T7: both faults together score no lower than either alone": (fault, [asked, , rules]) => {
    const broken = rules.map((one) => ({ ...one, broken: true }))
    return (
      broken.length === 0 ||
      neverLower(
        fault,
        opineCall({ ...asked, behavior: "unavailable", policies: [...asked.policies, ...broken] })
      )
    )
  }
})
