/** `--org <slug>`: which organization a command is about. */

import { Effect } from "effect"
import { Flag } from "effect/cli"
import { Organizations } from "../../storage/Organizations.ts"
import { Refused } from "../Refused.ts"

export const org = Flag.String("org").pipe(
  Flag.withDescription("The organization's slug"),
  Flag.withMetavar("slug")
)

export const organizationOf = (slug: string) =>
  Organizations.use(({ bySlug }) => bySlug(slug)).pipe(
    Effect.catchTag("OrganizationNotFound", () =>
      Effect.fail(new Refused({ message: `there is no organization \`${slug}\`: see action-risk orgs list` }))
    )
  )
