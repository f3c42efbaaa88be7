/** `action-risk keys`: API keys are issued and revoked by the operator alone. */

import { Command } from "effect/cli"
import { createKey } from "./keys/create.ts"
import { listKeys } from "./keys/list.ts"
import { revokeKey } from "./keys/revoke.ts"

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys"),
  Command.withSubcommands([createKey, listKeys, revokeKey])
)
