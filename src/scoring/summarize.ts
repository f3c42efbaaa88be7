/** One paragraph about an opinion, from templates: figures of the result only, never the caller's words. */

import { type Dimensions, impactDimensions } from "../domain/BlastRadius.ts"
import type { Opinion } from "../domain/Opinion.ts"
import type { Claims } from "./Claims.ts"

const namedFactorsMax = 3

const spaced = (camelCase: string): string =>
  camelCase.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const spacedDimensions = impactDimensions.map((name) => ({ name, words: spaced(name) }))

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

/** The first of the largest. */
const leading = (dimensions: Dimensions): string => {
  let led = ""
  let most = -1
  for (const { name, words } of spacedDimensions) {
    if (dimensions[name] > most) {
      most = dimensions[name]
      led = words
    }
  }
  return `${led} (${most})`
}

const factorsSentence = ({ riskFactors }: Omit<Opinion, "summary">): string => {
  if (riskFactors.length === 0) return "No risk factor applies."
  const named = [...new Set(riskFactors.map(({ code }) => code))].slice(0, namedFactorsMax).join(", ")
  return riskFactors.length === 1
    ? `One risk factor applies: ${named}.`
    : `${riskFactors.length} risk factors apply, first ${named}.`
}

const missingSentence = ({ actionRisk: { score }, missingInformation }: Omit<Opinion, "summary">): string => {
  const [most] = missingInformation
  if (most === undefined) return "Everything that is scored was stated."
  const count = missingInformation.length
  const alone = count === 1
  const unmoved = `stating ${alone ? "it" : "any one of them alone"} would not move the score`
  const moves = most.couldRaiseTo > score || most.couldLowerTo < score
  return `${alone ? "One field was" : `${count} fields were`} not stated and counted at a worst plausible reading; ${moves ? `${most.field} matters most` : unmoved}.`
}

export const summarize = (opinion: Omit<Opinion, "summary">, claims: Claims): string => {
  const { actionRisk, blastRadius, recommendedControl } = opinion
  return [
    `Action risk is ${actionRisk.level} (${actionRisk.score} of 100, between ${actionRisk.range.low} and ${actionRisk.range.high}) for ${article(claims.normalized.class)} action in ${claims.environment}.`,
    `Blast radius is ${blastRadius.level} (${blastRadius.score}), led by ${leading(blastRadius.dimensions)}.`,
    factorsSentence(opinion),
    missingSentence(opinion),
    ...(opinion.complete
      ? []
      : ["A part of the evaluation failed and was taken at its worst, so this opinion is incomplete."]),
    `Recommended control: ${recommendedControl.type}, priority ${recommendedControl.priority}.`
  ].join(" ")
}
