/** `action-risk rules` and `action-risk policies`: the same verbs for the rule files and for the policy sets of customers. */

import { Command } from "effect/cli"
import { agree } from "../agreement/agree.ts"
import { reportCommand } from "../report/reportCommand.ts"
import { backtestCommand } from "./backtest.ts"
import { checkCommand } from "./check.ts"
import { diffCommand } from "./diff.ts"
import { explainCommand } from "./explain.ts"
import { listFacts } from "./facts.ts"
import { listPolicies, listRules } from "./list.ts"
import { mutateCommand } from "./mutate.ts"
import { proveNotLowerCommand } from "./proveNotLower.ts"
import { releaseCommand } from "./release.ts"
import { showPolicy, showRule } from "./show.ts"
import { suggestCommand } from "../suggest/suggest.ts"
import { testCommand } from "./test.ts"

export const rulesCommand = Command.make("rules").pipe(
  Command.withDescription("Read, check, compare and release the rule files"),
  Command.withSubcommands([
    listFacts,
    listRules,
    showRule,
    checkCommand("rules"),
    testCommand("rules"),
    explainCommand("rules"),
    agree,
    diffCommand("rules"),
    mutateCommand("rules"),
    proveNotLowerCommand("rules"),
    backtestCommand("rules"),
    reportCommand("rules"),
    releaseCommand("rules")
  ])
)

export const policiesCommand = Command.make("policies").pipe(
  Command.withDescription("Read, check, compare and release the policy sets"),
  Command.withSubcommands([
    listPolicies,
    showPolicy,
    checkCommand("policies"),
    testCommand("policies"),
    explainCommand("policies"),
    suggestCommand,
    diffCommand("policies"),
    mutateCommand("policies"),
    proveNotLowerCommand("policies"),
    backtestCommand("policies"),
    reportCommand("policies"),
    releaseCommand("policies")
  ])
)
