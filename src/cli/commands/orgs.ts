/** `action-risk orgs`: organizations are created by the operator alone. */

import { Command } from "effect/cli"
import { createOrganization } from "./orgs/create.ts"
import { listOrganizations } from "./orgs/list.ts"
import { setPolicies } from "./orgs/setPolicies.ts"

export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Create and list organizations, and say which policies they have"),
  Command.withSubcommands([createOrganization, listOrganizations, setPolicies])
)
