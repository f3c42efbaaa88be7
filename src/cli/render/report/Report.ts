/** Everything a reviewer asks of a pull request on rules or on a policy set, answered: what a report shows. */

import type { Backtest } from "../../../rules/backtest/Backtest.ts"
import type { CasesReport } from "../../../rules/cases/CasesReport.ts"
import type { ChangelogEntry } from "../../../rules/changelog.ts"
import type { CheckReport } from "../../../rules/check/CheckReport.ts"
import type { Diff } from "../../../rules/diff/Diff.ts"
import type { Proof } from "../../../rules/proof/Proof.ts"

/** One of the two that are compared. */
export interface Edition {
  /** What the reviewer called it: `1.0.0`, `draft`, `starter@1.0.0`. */
  readonly label: string
  /** The version its files state. */
  readonly version: string
  /** SHA-256 in hex over what it says. */
  readonly digest: string
}

export interface Report {
  readonly of: "rules" | "policies"
  readonly from: Edition
  readonly to: Edition
  /** When it was made, as ISO 8601 writes a day; null leaves it out. */
  readonly date: string | null
  /** Of the working files, which is what can still be changed. */
  readonly check: CheckReport
  /** The working cases, tried on `to`. */
  readonly cases: CasesReport
  readonly diff: Diff
  readonly proof: Proof
  /** Null where no history was given. */
  readonly backtest: { readonly history: string; readonly result: Backtest } | null
  /** What the changelog says of `to`; null where it says nothing yet. */
  readonly changelog: ChangelogEntry | null
}
