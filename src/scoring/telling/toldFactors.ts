/** Decides which factors an opinion reports and in which words. All raised factors count towards the score; `countedFactors` selects those for the control and the recommendations. */

import { type ActionRiskLevel, type RiskFactor, severities } from "../../domain/Opinion.ts"
import type { Evaluation, Matches } from "../evaluate.ts"
import type { Facts } from "../Facts.ts"
import type { RuleMatches, TypologyMatch } from "../Model.ts"
import type { StatedCall } from "../StatedCall.ts"
import type { Impact } from "../reading/Act.ts"
import { renderMessage } from "../renderMessage.ts"

/** By UTF-16 units, so that the locale has no influence. */
const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const policyFactorCode = "CUSTOMER_POLICY_MATCH"

/** For factors of the model, `message` and `assumedMessage` are still templates. */
type RaisedFactor = RiskFactor & {
  readonly byPolicy: boolean
  readonly assumedMessage: string | undefined
  readonly about: string | undefined
  readonly statedOnly: boolean
}

/** The factors of an opinion: those of the model, then those added by customer policies. */
const raisedFactors = ({ policies, rules }: Matches): ReadonlyArray<RaisedFactor> => [
  ...rules.factors.map(
    ({ about, assumedMessage, category, code, message, severity, statedOnly = false }) => ({
      code,
      category,
      severity,
      message,
      assumedMessage,
      about,
      statedOnly,
      byPolicy: false
    })
  ),
  ...policies.matched.flatMap(({ factor }): ReadonlyArray<RaisedFactor> =>
    factor === undefined
      ? []
      : [
          {
            code: policyFactorCode,
            category: "policy",
            ...factor,
            assumedMessage: undefined,
            about: undefined,
            statedOnly: false,
            byPolicy: true
          }
        ]
  )
]

const rankOf = ({ severity }: Pick<RiskFactor, "severity">): number => severities.indexOf(severity)

/** The evaluations that reveal whether a factor rests on an assumption. */
interface Compared {
  /** Includes the facts about the outcome of the evaluation. */
  readonly evaluation: Evaluation
  /** With every missing field at its reference value. */
  readonly reference: Evaluation
  /** With every missing field at its mildest plausible value. */
  readonly mildest: Evaluation
}

const raises = ({ matches }: Pick<Evaluation, "matches">, factor: RaisedFactor): boolean =>
  matches.rules.factors.some((one) => one.code === factor.code && rankOf(one) >= rankOf(factor))

/**
 * Whether a factor rests on an assumption: with the mildest plausible values for missing fields, it is not raised or is less severe.
 * Factors about the evaluation itself (a fault, low confidence) never rest on one.
 */
const restsOnAssumption = (factor: RaisedFactor, { mildest, reference }: Compared): boolean =>
  !factor.byPolicy && raises(reference, factor) && !raises(mildest, factor)

type CountedFactor = Omit<RaisedFactor, "assumed"> & { readonly assumed: boolean }

const graveImpacts: ReadonlySet<Impact> = new Set<Impact>(["high", "critical"])

/** In production, an act that is grave by its kind and small only by its figures: a person should see what those figures rest on. */
const isGrave = ({ production, reading }: Pick<StatedCall, "production" | "reading">): boolean =>
  graveImpacts.has(reading.impact) && (production || reading.anywhere)

/**
 * The factors that decide the control and the recommendations. In a low opinion, some assumed factors do not count, because no person has
 * to look at them: all of them if the act is harmless by nature or small, otherwise those about a missing field. A factor that also rests
 * on history, such as a sum, counts. An assumed factor about the caller's statements never counts, because the caller did not make them.
 */
export const countedFactors = (
  compared: Compared,
  stated: Pick<StatedCall, "class" | "production" | "reading">,
  level: ActionRiskLevel
): ReadonlyArray<CountedFactor> => {
  const isLow = level === "low"
  const isOrdinary = isLow && (stated.class.harmless || stated.reading.impact === "low")
  const isQuiet = isLow && !isGrave(stated)
  return raisedFactors(compared.evaluation.matches).flatMap((factor) => {
    const assumed = restsOnAssumption(factor, compared)
    const untold = isOrdinary || factor.statedOnly || (isQuiet && factor.about !== undefined)
    return assumed && untold ? [] : [{ ...factor, assumed }]
  })
}

/** Whether `a` is the stronger of two factors about one subject: the more severe one, then the stated one, then the later code. */
const saysMore = (a: CountedFactor, b: CountedFactor): boolean =>
  (rankOf(a) - rankOf(b) || Number(b.assumed) - Number(a.assumed) || ascending(a.code, b.code)) > 0

/** One factor per subject, so that no two messages repeat each other about one field. Factors without a subject are all reported. */
export const toldFactors = (counted: ReadonlyArray<CountedFactor>): ReadonlyArray<CountedFactor> =>
  counted.filter(
    (factor) =>
      factor.about === undefined ||
      !counted.some((other) => other.about === factor.about && saysMore(other, factor))
  )

/** One typology per subject: the one with the highest floor, or the first by name if several are equal. */
export const toldTypologies = ({ typologies }: RuleMatches): ReadonlyArray<TypologyMatch> =>
  typologies.filter(
    ({ about, floor }, at) =>
      about === undefined ||
      !typologies.some(
        (other, i) => other.about === about && (other.floor > floor || (other.floor === floor && i < at))
      )
  )

const messageOf = (
  { assumed, assumedMessage, byPolicy, message }: CountedFactor,
  facts: Facts,
  money: string
): string => {
  if (byPolicy) return message
  const text = renderMessage(assumed ? (assumedMessage ?? message) : message, facts, money)
  return !assumed || text.includes("assumed") ? text : `Assumed: ${text}`
}

/** Stated factors first, then by descending severity, then by code. */
export const listRiskFactors = (
  told: ReadonlyArray<CountedFactor>,
  facts: Facts,
  money: string
): ReadonlyArray<RiskFactor> =>
  told
    .map((factor): RiskFactor => {
      const { assumed, category, code, severity } = factor
      const message = messageOf(factor, facts, money)
      return assumed ? { code, category, severity, message, assumed } : { code, category, severity, message }
    })
    .toSorted(
      (a, b) =>
        Number(a.assumed === true) - Number(b.assumed === true) ||
        rankOf(b) - rankOf(a) ||
        ascending(a.code, b.code) ||
        ascending(a.message, b.message)
    )

/** Moves factors with such a code to the end. Otherwise keeps the order. */
export const toldLast = (
  factors: ReadonlyArray<RiskFactor>,
  codes: ReadonlyArray<string>
): ReadonlyArray<RiskFactor> =>
  factors.toSorted((a, b) => Number(codes.includes(a.code)) - Number(codes.includes(b.code)))
