/** Says in plain words what a proof covers, and what it leaves open. */

import type { Survey } from "./survey.ts"
import type { WordSurvey } from "./surveyWords.ts"

const namedMax = 5

const listed = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, namedMax).map((name) => `\`${name}\``)
  const more = names.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

export const proven = ({ compared: { currencies, figures, ladders } }: Survey): string =>
  `every request with any history and any fields left out: ${ladders} factors, typologies and policy rules, ${figures} figures and ${currencies} currencies were compared exactly, at every threshold`

export const inWords = ({ readings, undecided }: WordSurvey): string =>
  `; the lexicons differ, so this is for words that both read alike, in the request and in its history, and for actions that state everything also for the ${readings} ${readings === 1 ? "pair" : "pairs"} of readings that the changed words were found to come to${undecided === 0 ? "" : `, but for ${undecided} that were only tried`}; other requests in changed words were tried, not proven`

export const fails = "one request that scores lower is enough"

const undecided = (why: string): string =>
  `not decided: ${why}; no request that scores lower was found, and none is ruled out`

export const leftOpen = ({ doubts, lower }: Survey): string => {
  if (doubts.length > 0) return undecided(`${listed(doubts)} could let a score fall`)
  return undecided(
    lower.length > 0
      ? "there are facts that score lower, but no request was found that has them"
      : "the comparison needs more steps than it may take"
  )
}

export const leftOpenInWords = ({ falls }: WordSurvey): string =>
  undecided(
    `${listed(falls.map(({ reading }) => reading.names.actionType))} is read as something that could score lower`
  )
