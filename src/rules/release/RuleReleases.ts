/** The rule releases of this installation, as a service. `installedRules.ts` has its layer. */

import { Context, type Effect } from "effect"
import type { RulesRefused } from "../Finding.ts"
import type { Prepared } from "./loadRelease.ts"

/** A version, the newest one released, or the working files. */
export type RequestedRelease = string | "newest" | "draft"

export class RuleReleases extends Context.Service<
  RuleReleases,
  {
    readonly open: (wanted: RequestedRelease) => Effect.Effect<Prepared, RulesRefused>
  }
>()("action-risk/rules/RuleReleases") {}
