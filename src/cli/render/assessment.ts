/** An assessment for people: what the API answers, on one screen. */

import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import { renderBlastRadius } from "./assessment/blastRadius.ts"
import { renderControl } from "./assessment/control.ts"
import { renderFactors } from "./assessment/factors.ts"
import { renderHeadline } from "./assessment/headline.ts"
import { renderMissing } from "./assessment/missing.ts"
import { renderPolicies } from "./assessment/policies.ts"
import type { Sheet } from "./Sheet.ts"
import { wrap } from "./wrap.ts"

export interface Asked {
  readonly actionType: string
  readonly environment: string
}

export const renderAssessment = (sheet: Sheet, asked: Asked, response: AssessmentResponse): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", sheet.ink("bold", title), ...lines]
  return [
    ...renderHeadline(sheet, asked, response),
    ...section("Blast radius", renderBlastRadius(sheet, response.blast_radius)),
    ...section("Risk factors", renderFactors(sheet, response.risk_factors)),
    ...section("Customer policy", renderPolicies(sheet, response.policy_context)),
    ...section("Recommended control", renderControl(sheet, response)),
    ...section("Missing information", renderMissing(sheet, response)),
    ...section("Summary", indented(wrap(response.summary, sheet.width - 2))),
    "",
    ...wrap(response.disclaimer, sheet.width).map((line) => sheet.ink("dim", line)),
    sheet.ink("dim", `risk engine ${response.risk_engine_version}, policy ${response.policy_version}`)
  ].join("\n")
}

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)
