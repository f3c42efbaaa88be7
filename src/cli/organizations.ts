/** `action-risk orgs`: the operator creates and lists organizations and changes their policy set. */

import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { IsoMillis } from "../api/Scalars.ts"
import { keyCacheMs, organizationNameMax } from "../limits.ts"
import { packageRoot } from "../rules/files/readTree.ts"
import { didYouMean } from "../rules/nearestName.ts"
import { listPolicySets } from "../rules/policies/loadPolicySet.ts"
import { type Organization, Organizations } from "../storage/Organizations.ts"
import { NewStores, refuseUnknownOrganization, Stores } from "./Stores.ts"
import { currentTerminal, headings, table } from "./Terminal.ts"
import { CommandRefused } from "./commandFailures.ts"
import { jsonFlag } from "./flags.ts"

export const organizationSchema = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  name: Schema.String,
  policies: Schema.String.annotate({
    description: "The policy set that adds to its opinions; `none` has no rules."
  }),
  created_at: IsoMillis
})

/** What `action-risk orgs list --json` prints. */
export const orgsListSchema = Schema.Struct({
  organizations: Schema.Array(organizationSchema).annotate({ description: "By slug." })
})

/** Refuses an unknown policy set, with the nearest known name. */
const knownPolicySet = (set: string): Effect.Effect<string, CommandRefused> => {
  const known = listPolicySets(packageRoot)
  if (known.includes(set)) return Effect.succeed(set)
  const { hint } = didYouMean(set, known)
  const instead = hint === "" ? `: give one of ${known.join(", ")}` : hint
  return Effect.fail(new CommandRefused({ message: `there is no policy set \`${set}\`${instead}` }))
}

const newSlug = Argument.String("slug").pipe(
  Argument.withDescription("Short name: lower-case letters, digits and hyphens"),
  Argument.withSchema(
    Schema.String.check(
      Schema.isPattern(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
        message: "Expected 1 to 63 lower-case letters, digits and inner hyphens"
      })
    )
  )
)

const newName = Flag.String("name").pipe(
  Flag.withDescription("Display name; without it the slug"),
  Flag.withSchema(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => [...text.trim()].length > 0 && [...text].length <= organizationNameMax,
        {
          message: `Expected 1 to ${organizationNameMax} characters`
        }
      )
    )
  ),
  Flag.optional
)

const newPolicySet = Flag.String("policies").pipe(
  Flag.withDescription("Policy set: a folder under policies/"),
  Flag.withMetavar("set"),
  Flag.withDefault("none")
)

const createOrganization = Command.make(
  "create",
  { slug: newSlug, name: newName, policies: newPolicySet, json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const policySet = yield* knownPolicySet(options.policies)
    const created = yield* Effect.flatMap(Organizations, (organizations) =>
      organizations.create({
        slug: options.slug,
        name: Option.getOrElse(options.name, () => options.slug),
        policySet
      })
    ).pipe(
      Effect.catchTag("OrganizationExists", () =>
        Effect.fail(new CommandRefused({ message: `the organization \`${options.slug}\` exists already` }))
      ),
      Effect.provide(NewStores)
    )
    yield* Console.log(
      options.json
        ? JSON.stringify(organizationJson(created))
        : `organization ${created.slug} created, with policies ${created.policySet}`
    )
  })
).pipe(
  Command.withDescription("Create an organization"),
  Command.withExamples([
    {
      command: "action-risk orgs create acme --name 'Acme Inc.' --policies starter",
      description: "With the starter policies"
    },
    { command: "action-risk orgs create acme --json", description: "For scripts" }
  ])
)

const organizationJson = ({ createdAt, name, policySet, slug }: Organization) => ({
  organization: slug,
  name,
  policies: policySet,
  created_at: createdAt.toISOString()
})

const listOrganizations = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const organizations = yield* Organizations.use(({ list }) => list).pipe(Effect.provide(Stores))
    if (options.json) {
      return yield* Console.log(JSON.stringify({ organizations: organizations.map(organizationJson) }))
    }
    if (organizations.length === 0)
      return yield* Console.log("no organizations yet: action-risk orgs create <slug>")
    const rows = organizations.map(({ createdAt, name, policySet, slug }) => [
      slug,
      name,
      policySet,
      createdAt.toISOString()
    ])
    const head = headings("organization", "name", "policies", "created")
    yield* Console.log(table(currentTerminal(), [head, ...rows], 0).join("\n"))
  })
).pipe(
  Command.withDescription("List the organizations"),
  Command.withExamples([{ command: "action-risk orgs list --json", description: "For scripts" }])
)

const organizationSlug = Argument.String("slug").pipe(Argument.withDescription("The organization"))

const otherPolicySet = Argument.String("set").pipe(
  Argument.withDescription("A policy set: a folder under policies/; none has no rules")
)

const setPolicies = Command.make(
  "set-policies",
  { slug: organizationSlug, set: otherPolicySet, json: jsonFlag },
  Effect.fnUntraced(function* (options) {
    const policySet = yield* knownPolicySet(options.set)
    const changed = yield* Organizations.use((organizations) =>
      organizations.setPolicySet(options.slug, policySet)
    ).pipe(refuseUnknownOrganization(options.slug), Effect.provide(Stores))
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

/** Only the operator creates organizations; the API has no endpoint for it. */
export const orgsCommand = Command.make("orgs").pipe(
  Command.withDescription("Create and list organizations, and change their policy sets"),
  Command.withSubcommands([createOrganization, listOrganizations, setPolicies])
)
