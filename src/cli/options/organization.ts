/** `--org <slug>`: which organization a command is about. */

import { Effect } from "effect"
import { Flag } from "effect/cli"
import { OrganizationNotFound, Organizations } from "../../storage/Organizations.ts"
import { Refused } from "../Refused.ts"

export const org = Flag.String("org").pipe(
  Flag.withDescription("The organization's slug"),
  Flag.withMetavar("slug")
)

/** Says the same wherever a slug names nobody. */
export const orNoSuchOrganization =
  (slug: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | OrganizationNotFound, R>) =>
    Effect.catchIf(
      effect,
      (error) => error instanceof OrganizationNotFound,
      () =>
        Effect.fail(
          new Refused({ message: `there is no organization \`${slug}\`: see action-risk orgs list` })
        )
    )

export const organizationOf = (slug: string) =>
  Organizations.use(({ bySlug }) => bySlug(slug)).pipe(orNoSuchOrganization(slug))
