/** `action-risk orgs create`: a new organization with its policy set. */

import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { organizationNameMax } from "../../../Limits.ts"
import { type Organization, Organizations } from "../../../storage/Organizations.ts"
import { json } from "../../options/json.ts"
import { knownPolicySet } from "../../options/knownPolicySet.ts"
import { Refused } from "../../Refused.ts"
import { Stores } from "../../Stores.ts"

const slug = Argument.String("slug").pipe(
  Argument.withDescription("Short name: lower-case letters, digits and hyphens"),
  Argument.withSchema(
    Schema.String.check(
      Schema.isPattern(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
        message: "Expected 1 to 63 lower-case letters, digits and inner hyphens"
      })
    )
  )
)

const name = Flag.String("name").pipe(
  Flag.withDescription("Display name; the slug where left out"),
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

const policies = Flag.String("policies").pipe(
  Flag.withDescription("Policy set: a folder under policies/"),
  Flag.withMetavar("set"),
  Flag.withDefault("none")
)

export const createOrganization = Command.make(
  "create",
  { slug, name, policies, json },
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
        Effect.fail(new Refused({ message: `the organization \`${options.slug}\` exists already` }))
      ),
      Effect.provide(Stores)
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

/** An organization as `--json` prints it. */
export const organizationJson = ({ createdAt, name, policySet, slug }: Organization) => ({
  organization: slug,
  name,
  policies: policySet,
  created_at: createdAt.toISOString()
})
