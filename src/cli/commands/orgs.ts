/** `action-risk orgs`: organizations are created by the operator alone. */

import { Command } from "effect/cli"
import { createOrganization } from "./orgs/create.ts"
import { listOrganizations } from "./orgs/list.ts"

export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Create and list organizations"),
  Command.withSubcommands([createOrganization, listOrganizations])
)
