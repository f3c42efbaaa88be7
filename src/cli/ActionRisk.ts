/** The command tree of `action-risk`. */

import { Command } from "effect/cli"
import { assess } from "./commands/assess.ts"
import { demo } from "./commands/demo.ts"
import { evidence } from "./commands/evidence.ts"
import { keys } from "./commands/keys.ts"
import { migrateDatabase } from "./commands/migrate.ts"
import { orgs } from "./commands/orgs.ts"
import { policies } from "./commands/policies.ts"
import { rules } from "./commands/rules.ts"
import { serve } from "./commands/serve.ts"
import { status } from "./commands/status.ts"
import { webhooks } from "./commands/webhooks.ts"

export const actionRisk = Command.make("action-risk").pipe(
  Command.withDescription("Ask how risky an action is before an AI agent takes it"),
  Command.withSubcommands([
    serve,
    migrateDatabase,
    status,
    orgs,
    keys,
    assess,
    demo,
    rules,
    policies,
    evidence,
    webhooks
  ])
)
