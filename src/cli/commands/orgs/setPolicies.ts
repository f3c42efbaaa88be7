/** `action-risk orgs set-policies`: which policy set adds to an organization's opinions. */

import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { keyCacheMs } from "../../../Limits.ts"
import { Organizations } from "../../../storage/Organizations.ts"
import { json } from "../../options/json.ts"
import { orNoSuchOrganization } from "../../options/organization.ts"
import { knownPolicySet } from "../../options/knownPolicySet.ts"
import { Stores } from "../../Stores.ts"
import { organizationJson } from "./create.ts"

const slug = Argument.String("slug").pipe(Argument.withDescription("The organization"))

const set = Argument.String("set").pipe(
  Argument.withDescription("A policy set: a folder under policies/; none has no rules")
)

export const setPolicies = Command.make(
  "set-policies",
  { slug, set, json },
  Effect.fnUntraced(function* (options) {
    const policySet = yield* knownPolicySet(options.set)
    const changed = yield* Organizations.use((organizations) =>
      organizations.setPolicySet(options.slug, policySet)
    ).pipe(orNoSuchOrganization(options.slug), Effect.provide(Stores))
    yield* Console.log(
      options.json
        ? JSON.stringify(organizationJson(changed))
        : `organization ${changed.slug} has policies ${changed.policySet} within ${keyCacheMs / 1_000} seconds`
    )
  })
).pipe(
  Command.withDescription("Give an organization another policy set"),
  Command.withExamples([
    { command: "action-risk orgs set-policies acme starter", description: "The starter policies" },
    { command: "action-risk orgs set-policies acme none --json", description: "No policies, for scripts" }
  ])
)
