/** The rule releases of this installation: frozen documents that open into models, or refuse to. */

import { Context, Effect, Layer, Result } from "effect"
import { listReleases, loadDraft, loadRelease } from "./loadRelease.ts"
import { packageRoot } from "./packageRoot.ts"
import type { Prepared } from "./prepareModel.ts"
import type { Root } from "./readTree.ts"
import { RulesRefused } from "./RulesRefused.ts"
import { verifyRules } from "./verify.ts"

/** A version, the newest one released, or the working files. */
export type Wanted = string | "newest" | "draft"

const refuse = (file: string, message: string) => RulesRefused.of([{ file, path: [], message }])

/** Invariant: no rule set scores before both evaluators have agreed on it. */
const verified = Effect.fn("RuleReleases.verify")(function* (file: string, prepared: Prepared) {
  const differing = yield* Effect.promise(() => verifyRules(prepared.rules, prepared.model.match))
  if (differing.length > 0) {
    return yield* refuse(file, `the compiled and the reference evaluator differ on ${differing.join(", ")}`)
  }
  return prepared
})

const open = Effect.fn("RuleReleases.open")(function* (root: Root, wanted: Wanted) {
  const released = listReleases(root)
  const version = wanted === "newest" ? released.at(-1) : wanted
  if (version === undefined) return yield* refuse("rules/releases", "nothing is released yet")
  if (version !== "draft" && !released.includes(version)) {
    return yield* refuse(
      `rules/releases/${version}.json`,
      `there is no such release; RULES_VERSION or --rules must be one of ${released.join(", ") || "none yet"}`
    )
  }
  const read = version === "draft" ? loadDraft(root) : loadRelease(root, version)
  const prepared = yield* Effect.fromResult(Result.mapError(read, RulesRefused.of))
  return yield* verified(version === "draft" ? "rules" : `rules/releases/${version}.json`, prepared)
})

export class RuleReleases extends Context.Service<
  RuleReleases,
  {
    readonly open: (wanted: Wanted) => Effect.Effect<Prepared, RulesRefused>
  }
>()("action-risk/rules/RuleReleases") {
  static readonly layerAt = (root: Root) =>
    Layer.succeed(RuleReleases, {
      open: (wanted) => open(root, wanted)
    })
  static readonly layer = RuleReleases.layerAt(packageRoot)
}
