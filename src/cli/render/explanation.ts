/** Which rules hold for a request and which came near, each with what it asked and saw. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { severities } from "../../domain/RiskFactor.ts"
import { byNearness, type ExplainedRule } from "../../rules/explain/explainRules.ts"
import { lacking } from "../../rules/explain/nearness.ts"
import type { Asked } from "./assessment.ts"
import { renderHeadline } from "./assessment/headline.ts"
import { conditionTree, mark, shortText } from "./conditionTree.ts"
import type { Sheet, Style } from "./Sheet.ts"
import { styleOf } from "./styleOf.ts"

export interface Explanation {
  readonly asked: Asked
  readonly response: AssessmentResponse
  readonly rules: ReadonlyArray<ExplainedRule>
}

const given = ({ gives, kind }: ExplainedRule): { readonly text: string; readonly style: Style } => {
  const severity = severities.find((one) => one === gives)
  if (severity !== undefined) return { text: severity, style: styleOf[severity] }
  return kind === "typology"
    ? { text: `at least ${gives}`, style: "alarm" }
    : { text: String(gives), style: "cyan" }
}

/** `1 short of the threshold`; nothing where the rule did not come near. */
const shortage = ({ near, tree }: ExplainedRule): string => {
  const [only] = lacking(tree)
  return near && only?.shortBy !== undefined
    ? `${shortText(only.atom.fact, only.shortBy)} of the threshold`
    : ""
}

const renderRule = (sheet: Sheet, rule: ExplainedRule): ReadonlyArray<string> => {
  const { style, text } = given(rule)
  const short = shortage(rule)
  const head = `${mark(sheet, rule.tree.result)} ${sheet.ink("bold", rule.name)}  ${sheet.ink(style, text)}`
  const fits = `✔ ${rule.name}  ${text}  ${short}`.length <= sheet.width
  const heads = fits
    ? [`${head}  ${sheet.ink("yellow", short)}`.trimEnd()]
    : [head, `    ${sheet.ink("yellow", short)}`]
  return [...(short === "" ? [head] : heads), ...conditionTree(sheet, rule.tree, 4)]
}

export const renderExplanation = (
  sheet: Sheet,
  { asked, response, rules }: Explanation,
  everything: boolean
): string => {
  const section = (title: string, own: ReadonlyArray<ExplainedRule>) =>
    own.length === 0 ? [] : ["", sheet.ink("bold", title), ...own.flatMap((rule) => renderRule(sheet, rule))]
  const held = rules.filter(({ tree }) => tree.result)
  const missed = rules.filter(({ tree }) => !tree.result).toSorted(byNearness)
  const [near, far] = [missed.filter((rule) => rule.near), missed.filter((rule) => !rule.near)]
  return [
    ...renderHeadline(sheet, asked, response),
    ...section("Rules that hold", held),
    ...section("Near misses, nearest first", near),
    ...(everything ? section("Rules that do not hold, nearest first", far) : []),
    "",
    sheet.ink(
      "dim",
      `${held.length} of ${rules.length} rules hold, ${near.length} came near${everything || far.length === 0 ? "" : "; --all shows the others"}`
    )
  ].join("\n")
}
