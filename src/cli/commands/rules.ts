/** `action-risk rules`: what auditors ask of the rule files and their releases. */

import { Command } from "effect/cli"
import { shadowReport } from "./rules/shadow-report.ts"
import { backtestRules } from "./rules/backtest.ts"
import { checkRuleFiles } from "./rules/check.ts"
import { diffRules } from "./rules/diff.ts"
import { explainRules } from "./rules/explain.ts"
import { listFacts } from "./rules/facts.ts"
import { listRules } from "./rules/list.ts"
import { mutateRules } from "./rules/mutate.ts"
import { releaseRules } from "./rules/release.ts"
import { reportRules } from "./rules/report.ts"
import { proveRulesNotLower } from "./rules/prove-not-lower.ts"
import { showRule } from "./rules/show.ts"
import { testRules } from "./rules/test.ts"

export const rules = Command.make("rules").pipe(
  Command.withDescription("Read, check, compare and release the rule files"),
  Command.withSubcommands([
    listFacts,
    listRules,
    showRule,
    checkRuleFiles,
    testRules,
    explainRules,
    diffRules,
    mutateRules,
    proveRulesNotLower,
    backtestRules,
    shadowReport,
    reportRules,
    releaseRules
  ])
)
