/** One rule file or one policy set for people: its purpose, when each of its rules holds, and notes about it. */

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

export const renderRuleFile = (screen: Terminal, one: RuleFileDetails): string => {
  const { lifecycle, message, misses, why } = one.described
  const hazard = one.kind === "factor" ? hazardText(hazardsOf(one)) : ""
  const recommends = one.kind === "factor" ? one.described.recommendations.join(", ") : ""
  return renderShownFile(screen, {
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

export const renderPolicySet = (screen: Terminal, { described, frozen, rules }: ShownSet): string => {
  const { description, name, owner, version } = described
  return [
    `${screen.color("bold", name)}  ${screen.color("dim", `version ${version}, ${owner}`)}`,
    ...wrap(description, screen.width),
    "",
    ...rules.flatMap((rule) => [
      `  ${screen.color("cyan", rule.code)}  ${screen.color("dim", rule.described.owner)}`,
      ...table(screen, whenAndThen(rule), 4)
    ]),
    "",
    screen.color("dim", `frozen: ${frozen.length === 0 ? "none" : frozen.join(", ")}`)
  ].join("\n")
}

export const renderPolicyRule = (
  screen: Terminal,
  rule: CataloguedPolicy,
  suite: ReadonlyArray<CaseFile>
): string => {
  const { description, misses, owner, why } = rule.described
  return renderShownFile(screen, {
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

interface ShownFile {
  readonly name: string
  /** A few words next to the name. */
  readonly aside: string
  readonly sentence: string
  /** For each rule its condition and its effect. */
  readonly rules: ReadonlyArray<Row>
  readonly notes: ReadonlyArray<readonly [label: string, text: string]>
}

const renderShownFile = (screen: Terminal, { aside, name, notes, rules, sentence }: ShownFile): string =>
  [
    `${screen.color("bold", name)}  ${screen.color("dim", aside)}`,
    ...wrap(sentence, screen.width),
    "",
    ...table(screen, rules),
    "",
    ...table(
      screen,
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
