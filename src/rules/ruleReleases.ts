/** The rule releases below a folder: opens them, or fails with the reasons. */

import { Cache, Duration, Effect, Exit, Layer, Result } from "effect"
import { type LintId, reasonOf, RulesRefused } from "./Finding.ts"
import { keepCompiled, openCompiled } from "./compiled/compiledFiles.ts"
import { packageRoot, type Root } from "./files/readTree.ts"
import { verifyRules } from "./language/verify.ts"
import { type Digests, lockFile, readDigests } from "./release/frozen.ts"
import { listReleases, loadDraft, loadRelease, type Prepared, versionsIn } from "./release/loadRelease.ts"
import { RuleReleases } from "./servedRules.ts"

const refuse = (file: string, message: string, rule: LintId = "unreadable-file") =>
  RulesRefused.of([{ rule, file, path: [], message }])

/** Invariant: no rule set scores before both evaluators agree on it. An agreement is recorded, so that it is not checked again. */
const verifyPrepared = Effect.fn("RuleReleases.verify")(function* (
  root: Root,
  file: string,
  prepared: Prepared
) {
  const { digest } = prepared.model
  if (openCompiled<true>("verified", digest) === true) return prepared
  const differing = yield* Effect.promise(() => verifyRules(prepared.rules, prepared.model.match))
  if (differing.length > 0) {
    const message = `the compiled and the reference evaluator differ on ${differing.join(", ")}`
    return yield* refuse(file, message, "evaluators-differ")
  }
  if (root === packageRoot) keepCompiled("verified", digest, true)
  return prepared
})

const releases = "rules/releases"

const listInstalled = (root: Root) =>
  Effect.try({
    try: () => listReleases(root),
    catch: (cause) => refuse(releases, `cannot be read: ${reasonOf(cause)}`)
  })

/** Invariant: the lock counts too, so that a lost release file does not make an older release the newest one. */
const newestOf = (released: ReadonlyArray<string>, digests: Digests): string | undefined =>
  versionsIn([...Object.keys(digests), ...released].map((name) => `${name}.json`)).at(-1)

const openReleased = Effect.fn("RuleReleases.openReleased")(function* (root: Root, wanted: string) {
  const released = yield* listInstalled(root)
  const digests = yield* Effect.fromResult(
    Result.mapError(readDigests(root, "rules"), (message) =>
      released.length === 0
        ? refuse(releases, "nothing is released yet")
        : refuse(lockFile("rules"), `cannot be read: ${message}`, "missing-release")
    )
  )
  const version = wanted === "newest" ? newestOf(released, digests) : wanted
  if (version === undefined) return yield* refuse(releases, "nothing is released yet")
  const file = `${releases}/${version}.json`
  if (!released.includes(version)) {
    const others = `RULES_VERSION or --rules must be one of ${released.join(", ") || "none yet"}`
    return Object.hasOwn(digests, version)
      ? yield* refuse(file, "was released, but its file is missing", "missing-release")
      : yield* refuse(file, `there is no such release; ${others}`)
  }
  const prepared = yield* Effect.fromResult(Result.mapError(loadRelease(root, version), RulesRefused.of))
  return yield* verifyPrepared(root, file, prepared)
})

const openWorking = Effect.fn("RuleReleases.openWorking")(function* (root: Root) {
  const prepared = yield* Effect.fromResult(Result.mapError(loadDraft(root), RulesRefused.of))
  return yield* verifyPrepared(root, "rules", prepared)
})

/**
 * Opens each release only once, because that is slow and both the scorer and the console need the same one. After a failure, the next call
 * tries again.
 */
const openingOnce = (root: Root) =>
  Cache.makeWith((wanted: string) => openReleased(root, wanted), {
    // The number of installed releases is the limit.
    capacity: Infinity,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })

export const ruleReleasesAt = (root: Root) =>
  Layer.effect(
    RuleReleases,
    Effect.map(openingOnce(root), (opened) => ({
      root,
      open: (wanted) => (wanted === "draft" ? openWorking(root) : Cache.get(opened, wanted))
    }))
  )
