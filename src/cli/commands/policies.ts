/** `action-risk policies`: the same questions about the policy sets of customers. */

import { Command } from "effect/cli"
import { backtestPolicies } from "./policies/backtest.ts"
import { checkPolicyFiles } from "./policies/check.ts"
import { diffPolicies } from "./policies/diff.ts"
import { explainPolicies } from "./policies/explain.ts"
import { listPolicies } from "./policies/list.ts"
import { mutatePolicies } from "./policies/mutate.ts"
import { releasePolicies } from "./policies/release.ts"
import { reportPolicies } from "./policies/report.ts"
import { provePoliciesNotLower } from "./policies/prove-not-lower.ts"
import { showPolicy } from "./policies/show.ts"
import { testPolicies } from "./policies/test.ts"

export const policies = Command.make("policies").pipe(
  Command.withDescription("Read, check, compare and release the policy sets"),
  Command.withSubcommands([
    listPolicies,
    showPolicy,
    checkPolicyFiles,
    testPolicies,
    explainPolicies,
    diffPolicies,
    mutatePolicies,
    provePoliciesNotLower,
    backtestPolicies,
    reportPolicies,
    releasePolicies
  ])
)
