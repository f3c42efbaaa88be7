/** A policy set for people: who answers for it and what each rule asks for; or one of its rules. */

import { asksFor, type CataloguedPolicy, whenOf } from "../../../rules/catalogue/policyCatalogue.ts"
import { casesSummary } from "../../../rules/catalogue/casesSummary.ts"
import type { CaseFile } from "../../../rules/cases/Case.ts"
import type { PolicySetFile } from "../../../rules/files/PolicySetFile.ts"
import { casesText, renderExhibit } from "../exhibit.ts"
import type { Sheet } from "../Sheet.ts"
import { type Row, table } from "../table.ts"
import { wrap } from "../wrap.ts"

export interface ShownSet {
  readonly described: typeof PolicySetFile.Type
  readonly frozen: ReadonlyArray<string>
  readonly rules: ReadonlyArray<CataloguedPolicy>
  readonly suite: ReadonlyArray<CaseFile>
}

const whenAndThen = (policy: CataloguedPolicy): ReadonlyArray<Row> => [
  [{ text: "when", style: "dim" }, whenOf(policy)],
  ...policy.rules.map(({ match }): Row => [{ text: "then", style: "dim" }, asksFor(match)])
]

export const renderPolicySet = (sheet: Sheet, { described, frozen, rules }: ShownSet): string => {
  const { description, name, owner, version } = described
  return [
    `${sheet.ink("bold", name)}  ${sheet.ink("dim", `version ${version}, ${owner}`)}`,
    ...wrap(description, sheet.width),
    "",
    ...rules.flatMap((rule) => [
      `  ${sheet.ink("cyan", rule.code)}  ${sheet.ink("dim", rule.described.owner)}`,
      ...table(sheet, whenAndThen(rule), 4)
    ]),
    "",
    sheet.ink("dim", `frozen: ${frozen.length === 0 ? "none" : frozen.join(", ")}`)
  ].join("\n")
}

export const renderPolicyRule = (
  sheet: Sheet,
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
