/** `action-risk rules` and `action-risk policies`: the same questions about the rule files and about the policy sets of customers. */

import { Command } from "effect/cli"
import { reportPolicies, reportRules } from "../report/reportCommand.ts"
import { backtestPolicies, backtestRules } from "./backtest.ts"
import { checkPolicyFiles, checkRuleFiles } from "./check.ts"
import { diffPolicies, diffRules } from "./diff.ts"
import { explainPoliciesCommand, explainRulesCommand } from "./explain.ts"
import { listFacts } from "./facts.ts"
import { listPolicies, listRules } from "./list.ts"
import { mutatePolicies, mutateRules } from "./mutate.ts"
import { provePoliciesNotLower, proveRulesNotLower } from "./proveNotLower.ts"
import { releasePolicies, releaseRules } from "./release.ts"
import { shadowReport } from "./shadowReport.ts"
import { showPolicy, showRule } from "./show.ts"
import { testPolicies, testRules } from "./test.ts"

export const rulesCommand = Command.make("rules").pipe(
  Command.withDescription("Read, check, compare and release the rule files"),
  Command.withSubcommands([
    listFacts,
    listRules,
    showRule,
    checkRuleFiles,
    testRules,
    explainRulesCommand,
    diffRules,
    mutateRules,
    proveRulesNotLower,
    backtestRules,
    shadowReport,
    reportRules,
    releaseRules
  ])
)

/** `action-risk policies`: the same questions about the policy sets of customers. */
export const policiesCommand = Command.make("policies").pipe(
  Command.withDescription("Read, check, compare and release the policy sets"),
  Command.withSubcommands([
    listPolicies,
    showPolicy,
    checkPolicyFiles,
    testPolicies,
    explainPoliciesCommand,
    diffPolicies,
    mutatePolicies,
    provePoliciesNotLower,
    backtestPolicies,
    reportPolicies,
    releasePolicies
  ])
)
