/** `action-risk orgs`: the operator creates and lists organizations and changes their policy sets. The API has no endpoint for this. */

import { Effect, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { IsoMillisDate } from "../../api/Scalars.ts"
import { keyCacheMs, organizationNameMax } from "../../limits.ts"
import { packageRoot } from "../../rules/files/readTree.ts"
import { didYouMean } from "../../rules/nearestName.ts"
import { listPolicySets } from "../../rules/policies/loadPolicySet.ts"
import { Organizations } from "../../storage/Organizations.ts"
import { NewStores, refuseUnknownOrganization, Stores } from "../Stores.ts"
import { headings, table } from "../Terminal.ts"
import { list, members, string } from "../jsonShapes.ts"
import { CommandRefused, refuse } from "../commandFailures.ts"
import { verb } from "../verb.ts"
import { databaseSettings, flagOr, textFlag } from "../flags.ts"

const organizationShape = members(
  {
    slug: string("The slug."),
    name: Schema.String,
    policySet: string("The policy set that adds to its opinions; `none` has no rules."),
    createdAt: IsoMillisDate
  },
  { slug: "organization", policySet: "policies" }
)

const listShape = members({
  organizations: list(organizationShape, "By slug.")
})

/** Refuses an unknown policy set, with the nearest known name. */
const knownPolicySet = (set: string): Effect.Effect<string, CommandRefused> => {
  const known = listPolicySets(packageRoot)
  if (known.includes(set)) return Effect.succeed(set)
  const { hint } = didYouMean(set, known)
  const instead = hint === "" ? `: give one of ${known.join(", ")}` : hint
  return refuse(`there is no policy set \`${set}\`${instead}`)
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
  Flag.withDescription("Display name (default: the slug)"),
  Flag.withSchema(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => [...text.trim()].length > 0 && [...text].length <= organizationNameMax,
        { message: `Expected 1 to ${organizationNameMax} characters` }
      )
    )
  ),
  Flag.withDefault(null)
)

const newPolicySet = flagOr(textFlag("policies", "set"), "none", "Policy set: a folder under policies/")

export const createOrganization = verb({
  about: "Create an organization",
  takes: { slug: newSlug, name: newName, policies: newPolicySet },
  prints: organizationShape,
  fails: "the organization exists already, or there is no such policy set",
  reads: databaseSettings,
  examples: {
    "acme --name 'Acme Inc.' --policies starter": "With the starter policies",
    "acme --json": "For scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const policySet = yield* knownPolicySet(options.policies)
    const { name, slug } = options
    const created = yield* Organizations.use(({ create }) =>
      create({ slug, name: name ?? slug, policySet })
    ).pipe(
      Effect.catchTag("OrganizationExists", () => refuse(`the organization \`${slug}\` exists already`)),
      Effect.provide(NewStores)
    )
    return {
      json: () => created,
      text: () => `organization ${created.slug} created, with policies ${created.policySet}`
    }
  })
})

export const listOrganizations = verb({
  about: "List the organizations",
  takes: {},
  prints: listShape,
  fails: "the database does not answer",
  reads: databaseSettings,
  examples: {
    "--json": "For scripts"
  },
  run: Effect.fnUntraced(function* () {
    const organizations = yield* Organizations.use(({ list }) => list).pipe(Effect.provide(Stores))
    const rows = organizations.map((one) => [one.slug, one.name, one.policySet, one.createdAt.toISOString()])
    const head = headings("organization", "name", "policies", "created")
    return {
      json: () => ({ organizations }),
      text: (screen) =>
        rows.length === 0
          ? "no organizations yet: action-risk orgs create <slug>"
          : table(screen, [head, ...rows], 0).join("\n")
    }
  })
})

export const setPolicies = verb({
  about: "Change an organization's policy set",
  takes: {
    slug: Argument.String("slug").pipe(Argument.withDescription("The organization")),
    set: Argument.String("set").pipe(
      Argument.withDescription("A policy set: a folder under policies/; none has no rules")
    )
  },
  prints: organizationShape,
  fails: "there is no such organization, or no such policy set",
  reads: databaseSettings,
  examples: {
    "acme starter": "The starter policies",
    "acme none --json": "No policies, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const policySet = yield* knownPolicySet(options.set)
    const changed = yield* Organizations.use((organizations) =>
      organizations.setPolicySet(options.slug, policySet)
    ).pipe(refuseUnknownOrganization(options.slug), Effect.provide(Stores))
    return {
      json: () => changed,
      text: () =>
        `organization ${changed.slug} gets policies ${changed.policySet} within ${keyCacheMs / 1_000} seconds`
    }
  })
})
