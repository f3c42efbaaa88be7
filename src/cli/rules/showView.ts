/** One rule file or one policy set for people: what it is, when each of its rules holds, and what is known about it. */

import type { CaseFile } from "../../rules/cases/Case.ts"
import {
  casesSummary,
  type CataloguedPolicy,
  describeEffect,
  describePolicyCondition,
  hazardsOf,
  type RuleFileDetails
} from "../../rules/explain/catalogue.ts"
import { describeCondition } from "../../rules/explain/describeCondition.ts"
import type { PolicySetFile } from "../../rules/files/policyFiles.ts"
import { levelStyle, type Row, table, type Terminal, wrap } from "../Terminal.ts"
import { hazardText } from "./list.ts"

const releasesText = ({ releases }: RuleFileDetails): string =>
  releases.length === 0
    ? "not released yet"
    : releases.map(({ same, version }) => (same ? version : `${version} (differs)`)).join(", ")

const rulesOf = (one: RuleFileDetails): ReadonlyArray<Row> =>
  one.kind === "factor"
    ? one.rules.map(({ condition, match: { severity } }) => [
        { text: severity, style: levelStyle[severity] },
        `when ${describeCondition(condition)}`
      ])
    : one.rules.map(({ condition, match }) => [
        { text: `at least ${match.floor}`, style: "alarm" },
        `when ${describeCondition(condition)}`
      ])

export const renderExhibitedRule = (sheet: Terminal, one: RuleFileDetails): string => {
  const { lifecycle, message, misses, why } = one.described
  const hazard = one.kind === "factor" ? hazardText(hazardsOf(one)) : ""
  const recommends = one.kind === "factor" ? one.described.recommendations.join(", ") : ""
  return renderExhibit(sheet, {
    name: one.code,
    aside: `${one.kind === "factor" ? one.described.category : "typology"}, ${lifecycle}`,
    sentence: message,
    rules: rulesOf(one),
    notes: [
      ["why", why],
      ["misses", misses],
      ...(recommends === "" ? [] : [["recommends", recommends] as const]),
      ...(hazard === "" ? [] : [["hazard", hazard] as const]),
      ["cases", casesText(one.cases)],
      ["releases", releasesText(one)],
      ["file", one.file]
    ]
  })
}

/** A policy set for people: who answers for it and what each rule asks for; or one of its rules. */
export interface ShownSet {
  readonly described: typeof PolicySetFile.Type
  readonly frozen: ReadonlyArray<string>
  readonly rules: ReadonlyArray<CataloguedPolicy>
  readonly suite: ReadonlyArray<CaseFile>
}

const whenAndThen = (policy: CataloguedPolicy): ReadonlyArray<Row> => [
  [{ text: "when", style: "dim" }, describePolicyCondition(policy)],
  ...policy.rules.map(({ match }): Row => [{ text: "then", style: "dim" }, describeEffect(match)])
]

export const renderPolicySet = (sheet: Terminal, { described, frozen, rules }: ShownSet): string => {
  const { description, name, owner, version } = described
  return [
    `${sheet.color("bold", name)}  ${sheet.color("dim", `version ${version}, ${owner}`)}`,
    ...wrap(description, sheet.width),
    "",
    ...rules.flatMap((rule) => [
      `  ${sheet.color("cyan", rule.code)}  ${sheet.color("dim", rule.described.owner)}`,
      ...table(sheet, whenAndThen(rule), 4)
    ]),
    "",
    sheet.color("dim", `frozen: ${frozen.length === 0 ? "none" : frozen.join(", ")}`)
  ].join("\n")
}

export const renderPolicyRule = (
  sheet: Terminal,
  rule: CataloguedPolicy,
  suite: ReadonlyArray<CaseFile>
): string => {
  const { description, misses, owner, why } = rule.described
  return renderExhibit(sheet, {
    name: rule.code,
    aside: owner,
    sentence: description,
    rules: whenAndThen(rule),
    notes: [
      ["why", why],
      ...(misses === undefined ? [] : [["misses", misses] as const]),
      ["cases", casesText(casesSummary(suite, rule.code))],
      ["file", rule.file]
    ]
  })
}

/** One rule file for people: what it is, when each of its rules holds, and what is known about it. */
interface ShownFile {
  readonly name: string
  /** A few words beside the name. */
  readonly aside: string
  readonly sentence: string
  /** When it holds, and what it gives then. */
  readonly rules: ReadonlyArray<Row>
  readonly notes: ReadonlyArray<readonly [label: string, text: string]>
}

const renderExhibit = (sheet: Terminal, { aside, name, notes, rules, sentence }: ShownFile): string =>
  [
    `${sheet.color("bold", name)}  ${sheet.color("dim", aside)}`,
    ...wrap(sentence, sheet.width),
    "",
    ...table(sheet, rules),
    "",
    ...table(
      sheet,
      notes.map(([label, text]) => [{ text: label, style: "dim" }, text])
    )
  ].join("\n")

const casesText = (
  cases: { readonly total: number; readonly expecting: Readonly<Record<string, number>> } | null
): string => {
  if (cases === null) return "none beside it"
  const each = Object.entries(cases.expecting).map(([outcome, count]) => `${count} expecting ${outcome}`)
  return `${cases.total}: ${each.join(", ")}`
}
