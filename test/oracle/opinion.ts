/** The oracle: scoring.md and ADR 2 once more, naively, to be held against the scorer. */

import { type ActionRiskLevel, type Level, severities } from "../../src/domain/Opinion.ts"
import type { Question } from "./Question.ts"
import { percent } from "./arithmetic.ts"
import { categoryOf, type Found, recommendedBy } from "./catalogue.ts"
import { controlOf } from "./control.ts"
import { evaluate } from "./evaluate.ts"
import { multipliersOf } from "./history.ts"
import { assumptionsOf, missingFieldsOf, withField } from "./missing.ts"
import { numbers } from "./numbers.ts"
import { read, type Reading, type Stage } from "./read.ts"

export const levelOf = (score: number): Level => {
  const reached = (Object.entries(numbers.levels) as Array<[Level, number]>).filter(
    ([, from]) => score >= from
  )
  return reached.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "minimal"
}
const riskLevelOf = (score: number): ActionRiskLevel => {
  const level = levelOf(score)
  return level === "minimal" ? "low" : level
}

const evaluateAt = (question: Question, stage: Stage) => evaluate(question, read(question, stage), false)

/** The score that is reported: gated, and lifted by what is known only then. */
const judge = (question: Question) => {
  const middle = evaluateAt(question, "reference")
  const ceiling = evaluateAt(question, "ceiling")
  const broken = question.policies.some((policy) => policy.broken)
  const incomplete = question.behavior === "unavailable" || broken

  const gate = (high: number): number =>
    Math.max(
      0,
      ...numbers.gates
        .filter(
          ({ high_from, production_only }) =>
            high >= high_from && (!production_only || middle.reading.production)
        )
        .map(({ floor }) => floor)
    )
  // A policy's floor does not make missing information known: the gate counts where it lifts with or without policies.
  const gated = gate(ceiling.ownScore) > middle.ownScore || gate(ceiling.score) > middle.score
  const last: Array<Found> = []
  if (gated) last.push({ code: "INSUFFICIENT_CONTEXT", severity: "high" })
  if (incomplete) last.push({ code: "ASSESSMENT_DEGRADED", severity: "high" })
  if (broken) last.push({ code: "POLICY_EVALUATION_INCOMPLETE", severity: "high" })

  const floors = last.map(({ severity }) => numbers.severity_floors[severity])
  if (incomplete) floors.push(numbers.incomplete_score_min)
  return {
    middle,
    ceiling,
    gated,
    incomplete,
    last,
    score: Math.max(middle.score, gate(ceiling.score), ...floors)
  }
}

/** Percent. */
const confidenceOf = (width: number, { contradictions }: Reading, incomplete: boolean): number => {
  const { percent_min, percent_max, contradiction_percent, incomplete_percent_max } = numbers.confidence
  const contradicted = Object.values(contradictions).filter(Boolean).length
  const open = Math.min(percent_max, Math.max(percent_min, 100 - width))
  const confidence = Math.floor((open * contradiction_percent ** contradicted) / 100 ** contradicted)
  return incomplete ? Math.min(confidence, incomplete_percent_max) : confidence
}

export const opinion = (question: Question) => {
  const { middle, ceiling, gated, incomplete, last, score } = judge(question)
  const least = evaluateAt(question, "least")
  const confidence = confidenceOf(ceiling.ownScore - least.ownScore, middle.reading, incomplete)
  if (!gated && confidence < numbers.confidence.sufficient_percent)
    last.push({ code: "INSUFFICIENT_CONTEXT", severity: "moderate" })
  const shown = evaluate(question, middle.reading, true, last)
  const level = riskLevelOf(score)
  const factors = shown.factors.toSorted(
    (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity) || (a.code < b.code ? -1 : 1)
  )
  const control = controlOf(
    { level, confidence, incomplete, typology: shown.typology, factors },
    shown.policies
  )
  const recommended = [
    ...factors.flatMap(recommendedBy),
    ...shown.policies.flatMap(({ recommendations }) => recommendations),
    ...(control.type === "SECONDARY_APPROVAL_RECOMMENDED" ? ["REQUEST_SECOND_APPROVER"] : [])
  ]
  const missingInformation = missingFieldsOf(question, middle.reading).map((field) => ({
    field,
    couldRaiseTo: Math.max(score, judge(withField(question, middle.reading, field, "ceiling")).score),
    couldLowerTo: Math.min(score, judge(withField(question, middle.reading, field, "least")).score)
  }))

  const blastRadius = percent(shown.blastRadius)
  return {
    complete: !incomplete,
    actionCategory: numbers.classes[question.words.class].category,
    actionRisk: {
      score,
      level,
      confidence: confidence / 100,
      range: { low: least.score, high: Math.max(ceiling.score, score) }
    },
    blastRadius: {
      score: blastRadius,
      level: levelOf(blastRadius),
      dimensions: Object.fromEntries(
        Object.entries(shown.dimensions).map(([name, bp]) => [name, percent(bp)])
      )
    },
    riskFactors: factors.map((factor) => ({
      code: factor.code,
      severity: factor.severity,
      category: categoryOf(factor)
    })),
    recommendedControl: control,
    recommendations: [...new Set(recommended)].toSorted(),
    behavioralContext: behavioralContext(question, middle.reading),
    policyContext: shown.policies.map(({ id, effect }) => ({ rule: id, effect })),
    assumptions: assumptionsOf(question, middle.reading),
    missingInformation: missingInformation.toSorted(
      (a, b) =>
        b.couldRaiseTo - a.couldRaiseTo || a.couldLowerTo - b.couldLowerTo || (a.field < b.field ? -1 : 1)
    )
  }
}

const behavioralContext = (question: Question, reading: Reading) => {
  const { action, behavior } = question
  if (behavior === "unavailable" || behavior.sampleSize === 0) {
    return {
      historicalComparisonAvailable: false,
      baselineScope: "organization",
      sampleSize: 0,
      windowDays: behavior === "unavailable" ? numbers.behavior.window_days : behavior.windowDays,
      entityVolumeMultiplier: null,
      financialValueMultiplier: null,
      velocityMultiplier: null,
      destinationSeenBefore: behavior !== "unavailable" && (behavior.destination?.days ?? 0) > 0,
      actionTypeSeenBefore: behavior !== "unavailable" && behavior.actionTypeSeen
    }
  }
  const multipliers = multipliersOf(question, reading.entities, reading.usdCents)
  const hundredths = (multiplier: number | null) => (multiplier === null ? null : multiplier / 100)
  return {
    historicalComparisonAvailable: true,
    baselineScope: "organization",
    sampleSize: behavior.sampleSize,
    windowDays: behavior.windowDays,
    entityVolumeMultiplier: action.entitiesAffected === undefined ? null : hundredths(multipliers.entity),
    financialValueMultiplier: action.financialValue === undefined ? null : hundredths(multipliers.value),
    velocityMultiplier: hundredths(multipliers.velocity),
    destinationSeenBefore: (behavior.destination?.days ?? 0) > 0,
    actionTypeSeenBefore: behavior.actionTypeSeen
  }
}
