/** The policy sets of this installation, reloaded when their files change. */

import { Cause, Effect, Layer } from "effect"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { policyVersionOf } from "../../domain/versionNames.ts"
import { policyPollMs } from "../../limits.ts"
import { policyReloadFailed } from "../../metrics.ts"
import { type LintId, reasonOf, RulesRefused } from "../Finding.ts"
import { keepCompiled, openCompiled } from "../compiled/compiledFiles.ts"
import { packageRoot, type Root } from "../files/readTree.ts"
import { verifyPolicies } from "../language/verify.ts"
import { PolicySets } from "../servedRules.ts"
import { type PreparedPolicySet, unreadablePolicySet } from "./PreparedPolicySet.ts"
import { frozenFolder, loadPolicySet, newestFrozen } from "./loadPolicySet.ts"

interface PolicyFolder {
  /** The newest frozen version; null if the set has only a working folder. */
  readonly frozen: string | null
  /** Changes whenever a file of the set is added, removed or written. */
  readonly fingerprint: string
}

const fingerprintFile = async (folder: string, name: string): Promise<string> => {
  const { ctimeMs, ino, mtimeMs, size } = await stat(join(folder, name))
  return [name, ino, size, mtimeMs, ctimeMs].join(" ")
}

const fingerprintFolder = async (folder: string): Promise<string> => {
  const names = (await readdir(folder, { recursive: true })).toSorted()
  return (await Promise.all(names.map((name) => fingerprintFile(folder, name)))).join("\n")
}

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
}

/** The folders of all policy sets, by name. Fails if `policies/` itself is unreadable. */
const fingerprintFolders = async (root: Root): Promise<ReadonlyMap<string, PolicyFolder>> => {
  const policies = join(root, "policies")
  const names = await namesIn(policies)
  const releases = join(policies, frozenFolder)
  const frozen = newestFrozen(names.includes(`${frozenFolder}/`) ? await namesIn(releases) : [])
  const working = names.flatMap((name) => (name.endsWith("/") ? [name.slice(0, -1)] : []))
  const sets = new Set([...frozen.keys(), ...working.filter((name) => name !== frozenFolder)])
  const folders = [...sets].map(async (set): Promise<readonly [string, PolicyFolder]> => {
    const version = frozen.get(set) ?? null
    const fingerprint =
      version === null
        ? fingerprintFolder(join(policies, set))
        : fingerprintFile(releases, `${set}@${version}.json`)
    // A set that is unreadable, or that was just deleted, stays in the list: opening it reports the reason.
    return [set, { frozen: version, fingerprint: await fingerprint.catch(reasonOf) }]
  })
  return new Map(await Promise.all(folders))
}

/** A set that counts as the worst case, for this reason. */
const brokenSet = (name: string, rule: LintId, message: string): PreparedPolicySet =>
  unreadablePolicySet(name, [{ rule, file: `policies/${name}`, path: [], message }])

/**
 * Loads a policy set and verifies that both evaluators agree on each rule, unless that is already known. Never fails: `findings` lists
 * problems, which count as the worst case.
 */
const openPolicySet = Effect.fn("openPolicySet")(function* (root: Root, name: string) {
  const prepared = yield* Effect.try({ try: () => loadPolicySet(root, name), catch: reasonOf }).pipe(
    Effect.catch((message) => Effect.succeed(brokenSet(name, "unreadable-file", message)))
  )
  const { digest } = prepared.policySet
  if (openCompiled("verified", digest) === true) return prepared
  const differing: Array<string> = []
  for (const rule of prepared.rules) {
    // Yields between rules, because a set may be opened while requests are being served.
    yield* Effect.yieldNow
    differing.push(...(yield* Effect.promise(() => verifyPolicies([rule], prepared.policySet.match))))
  }
  if (differing.length > 0) {
    const message = `the compiled and the reference evaluator differ on ${differing.join(", ")}`
    return brokenSet(name, "evaluators-differ", message)
  }
  if (isGood(prepared) && root === packageRoot) keepCompiled("verified", digest, true)
  return prepared
})

const isGood = ({ findings }: PreparedPolicySet): boolean => findings.length === 0

interface ServedSet {
  readonly set: PreparedPolicySet
  readonly folder: PolicyFolder
}

const fingerprintOf = (folder: PolicyFolder | undefined): string => folder?.fingerprint ?? ""

/** Opens the set that is in `folder` now. `served`: the set currently served. */
const openCurrent = Effect.fnUntraced(function* (
  root: Root,
  name: string,
  folder: PolicyFolder | undefined,
  served: ServedSet | undefined
) {
  if (folder === undefined) return brokenSet(name, "missing-release", "the policy set is missing")
  if (folder.frozen === null && served !== undefined && served.folder.frozen !== null) {
    const message = "its frozen versions are missing, and the working folder does not replace them"
    return brokenSet(name, "missing-release", message)
  }
  return yield* openPolicySet(root, name)
})

/** Invariant: only a good set replaces a good set, so that no edit can break what is served. */
const replaceServed = Effect.fnUntraced(function* (
  served: Map<string, ServedSet>,
  name: string,
  folder: PolicyFolder | undefined,
  set: PreparedPolicySet
) {
  const before = served.get(name)?.set
  const isKept = before !== undefined && isGood(before) && !isGood(set)
  const instead = isKept ? `is still served as ${policyVersionOf(before.policySet)}` : "is taken at its worst"
  if (!isGood(set)) {
    policyReloadFailed()
    yield* Effect.logWarning(`policy set ${name} ${instead}: ${RulesRefused.of(set.findings).message}`)
  }
  if (isKept || folder === undefined) return
  served.set(name, { set, folder })
  const isNew = before !== undefined && before.policySet.digest !== set.policySet.digest
  if (isNew && isGood(set))
    yield* Effect.logInfo(`policy set ${name} is served as ${policyVersionOf(set.policySet)} from now on`)
})

/** Logs a failure once and continues. After a success, the next failure is logged again. */
const makeFailureLog = () => {
  let lastProblem = ""
  return (effect: Effect.Effect<void>): Effect.Effect<void> =>
    effect.pipe(
      Effect.tap(() => Effect.sync(() => (lastProblem = ""))),
      Effect.catchCause((cause) => {
        const problem = reasonOf(Cause.squash(cause))
        if (problem === lastProblem) return Effect.void
        lastProblem = problem
        return Effect.logWarning(`the policy sets cannot be read: ${problem}`)
      })
    )
}

/** The served policy sets. A good new version replaces the old one; a broken one does not. */
interface PolicyRegistry {
  readonly get: (name: string) => PreparedPolicySet | undefined
  /** Replaces the sets whose files changed. Never fails: logs one warning per problem. */
  readonly refresh: Effect.Effect<void>
}

export const makePolicyRegistry = Effect.fn("makeShelf")(function* (
  root: Root
): Effect.fn.Return<PolicyRegistry> {
  const served = new Map<string, ServedSet>()
  /** The fingerprints at the last refresh, and those that have already been opened once. */
  const seen = new Map<string, string>()
  const tried = new Map<string, string>()
  const logFailure = makeFailureLog()
  const fingerprints = Effect.promise(() => fingerprintFolders(root))

  const refresh = Effect.gen(function* () {
    const folders = yield* fingerprints
    for (const name of new Set([...served.keys(), ...folders.keys()])) {
      const folder = folders.get(name)
      const fingerprint = fingerprintOf(folder)
      // A change is opened after two refreshes with the same fingerprint, and only once.
      const isStable = seen.get(name) === fingerprint
      seen.set(name, fingerprint)
      const isServed = fingerprint === fingerprintOf(served.get(name)?.folder)
      if (isServed || fingerprint === tried.get(name) || !isStable) continue
      const set = yield* openCurrent(root, name, folder, served.get(name))
      // If a file was written while the set was read, the set may be half old and half new.
      if (fingerprintOf((yield* fingerprints).get(name)) !== fingerprint) continue
      tried.set(name, fingerprint)
      yield* replaceServed(served, name, folder, set)
    }
  })

  /** At startup no set is served, so every set is taken immediately. */
  const fill = Effect.gen(function* () {
    for (const [name, folder] of yield* fingerprints) {
      yield* replaceServed(served, name, folder, yield* openCurrent(root, name, folder, undefined))
    }
  })
  yield* logFailure(fill)
  return { get: (name) => served.get(name)?.set, refresh: logFailure(refresh) }
})

/** The policy sets below a folder, including changes made while the service runs. */
export const policySetsAt = (root: Root, pollMs: number = policyPollMs) =>
  Layer.effect(
    PolicySets,
    Effect.gen(function* () {
      const registry = yield* makePolicyRegistry(root)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(registry.refresh, pollMs)))
      return {
        get: (name) => registry.get(name) ?? brokenSet(name, "unreadable-file", "there is no such policy set")
      }
    })
  )
