/** Are the files sound? */

import { counted } from "../figures.ts"
import { type Markup, markup } from "../markup.ts"
import type { Report } from "../Report.ts"
import { findingsList } from "./findings.ts"
import { section } from "./section.ts"

const lead =
  "The working files were parsed, typed and linted: unknown names, conditions that never or always hold, rules that other rules hide, thresholds without cases on both sides, and releases that were edited."

export const checkSection = ({ check }: Report): Markup =>
  section("check", "Check", lead, [
    check.findings.length === 0 ? markup`<p>Nothing was found in ${counted(check.files, "file")}.</p>` : null,
    findingsList(check.findings)
  ])
