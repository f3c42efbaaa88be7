/** What a report is about: two rulebooks and the files that the second of them came from. */

import type { Sides } from "../../rules/backtest/Sides.ts"
import { runCases, runPolicyCases } from "../../rules/cases/runCases.ts"
import type { CasesReport } from "../../rules/cases/CasesReport.ts"
import { checkPolicies } from "../../rules/check/checkPolicies.ts"
import { checkRules } from "../../rules/check/checkRules.ts"
import type { CheckReport } from "../../rules/check/CheckReport.ts"
import { openPolicyRulebook, openRulebook } from "../../rules/openRulebook.ts"
import { packageRoot } from "../../rules/packageRoot.ts"
import type { Read } from "../../rules/Read.ts"
import type { Rulebook } from "../../rules/Rulebook.ts"
import type { Edition, Report } from "../render/report/Report.ts"

export interface Subject {
  readonly of: Report["of"]
  /** The words of the command. */
  readonly command: string
  readonly sides: Omit<Sides, "root">
  readonly open: (version: string) => Read<Rulebook>
  readonly edition: (rulebook: Rulebook) => Edition
  readonly check: () => CheckReport
  readonly test: (rulebook: Rulebook) => CasesReport
  readonly changelog: string
}

export const ruleSubject = (from: string, to: string): Subject => ({
  of: "rules",
  command: "rules report",
  sides: { from, to, of: { kind: "rules", policies: null } },
  open: (version) => openRulebook(packageRoot, version),
  edition: ({ label, release: { model } }) => ({ label, version: model.version, digest: model.digest }),
  check: () => checkRules(packageRoot),
  test: (rulebook) => runCases(packageRoot, rulebook, { coverage: true }),
  changelog: "rules/CHANGELOG.md"
})

export const policySubject = (set: string, from: string, to: string): Subject => ({
  of: "policies",
  command: "policies report",
  sides: { from, to, of: { kind: "policies", set } },
  open: (version) => openPolicyRulebook(packageRoot, set, version),
  edition: ({ label, policies: { policySet } }) => ({
    label,
    version: policySet.version,
    digest: policySet.digest
  }),
  check: () => checkPolicies(packageRoot, set),
  test: (rulebook) => runPolicyCases(packageRoot, rulebook, { coverage: true }),
  changelog: `policies/${set}/CHANGELOG.md`
})
