/** What two rulebooks differ in that could let a score fall, apart from what a walk through all facts can settle. */

import { isDeepStrictEqual } from "node:util"
import { whole } from "../../scoring/basisPoints.ts"
import type { FactName } from "../../scoring/Facts.ts"
import type { Model, Numbers } from "../../scoring/Model.ts"
import { isRecord } from "../isRecord.ts"
import type { Rulebook } from "../Rulebook.ts"
import type { Side } from "./Side.ts"
import { completions, vigilance } from "./figures/completions.ts"
import { cheaperCurrencies, dearerCurrencies, isSameMoney } from "./figures/currencies.ts"
import { endings } from "./figures/endings.ts"
import { fallen } from "./figures/Figure.ts"
import { someAsk } from "./Ladder.ts"
import { unansweredAtLast } from "./lastQuestion.ts"
import { silenced } from "./rising.ts"

/** Figures that are no risk by themselves, so that any change may lower something. */
const settings = ({
  behavior,
  classes,
  cumulativeSteps
}: Numbers): ReadonlyArray<readonly [string, unknown]> => [
  ["behavior.window_days", behavior.windowDays],
  ["behavior.established_days_min", behavior.establishedDaysMin],
  ["behavior.established_hours_min", behavior.establishedHoursMin],
  ["cumulative_steps", cumulativeSteps],
  ...Object.entries(classes).map(([name, { category }]) => [`classes.${name}.category`, category] as const)
]

const changedSettings = (from: Numbers, to: Numbers): ReadonlyArray<string> => {
  const after = settings(to)
  return settings(from).flatMap(([what, value], i) => (isDeepStrictEqual(value, after[i]?.[1]) ? [] : [what]))
}

export const completing = (numbers: Numbers) => [...completions(numbers), ...vigilance(numbers)]

/** Whether missing or contradicted fields, or amounts of money, may be taken for more than before. */
export const rises = (from: Model, to: Model): boolean =>
  !isDeepStrictEqual(completing(from.numbers), completing(to.numbers)) || !isSameMoney(from, to)

/** Facts that hold an amount against those of history. */
const besidePast: ReadonlySet<FactName> = new Set<FactName>([
  "financial_value_multiplier_x100",
  "destination_step_up"
])

const asksPast = ({ ladders }: Side): boolean =>
  ladders.some(({ rungs }) => rungs.some(({ term }) => someAsk(term, ({ fact }) => besidePast.has(fact))))

const neverSingleIn = ({ release }: Rulebook): unknown => {
  const words = release.files.lexicon.find(({ name }) => name === "words")?.json
  return isRecord(words) ? words["never_single"] : undefined
}

const inRuleset = (what: string): string => `ruleset.${what}`

/** Hazard beyond certainty would make the score fall as hazards rise. */
const overflows = ({ actionRisk }: Numbers): boolean =>
  actionRisk.hazardBaseBp + actionRisk.hazardBlastRadiusBp > whole

/** By the names that a diff tells them under. */
export const doubts = (
  from: Rulebook,
  to: Rulebook,
  sides: { readonly from: Side; readonly to: Side }
): ReadonlyArray<string> => {
  const [before, after] = [from.release.model, to.release.model]
  const list = [
    ...[
      ...fallen(completing(before.numbers), completing(after.numbers)).map(({ what }) => what),
      ...fallen(endings(before.numbers), endings(after.numbers)).map(({ what }) => what),
      ...changedSettings(before.numbers, after.numbers),
      ...(overflows(after.numbers) ? ["action_risk.hazard_base_bp"] : [])
    ].map(inRuleset),
    ...cheaperCurrencies(before, after).map((code) => `currencies.${code}`),
    ...(asksPast(sides.from) ? dearerCurrencies(before, after).map((code) => `currencies.${code}`) : []),
    // It widens what a missing count may hide, for every name that the lexicon reads, and no sample tries them all.
    ...(isDeepStrictEqual(neverSingleIn(from), neverSingleIn(to)) ? [] : ["lexicon.words"]),
    ...unansweredAtLast(sides.from, sides.to),
    ...(rises(before, after) ? silenced(sides.to) : []),
    ...[...from.policies.findings, ...to.policies.findings].map(({ file }) => file)
  ]
  return [...new Set(list)]
}
