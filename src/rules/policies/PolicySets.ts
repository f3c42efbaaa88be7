/** The policy sets of this installation, reloaded when their files change. A broken set never stops the service and never lowers a score. */

import { Cause, Context, Effect, Layer } from "effect"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { policyPollMs } from "../../limits.ts"
import { policyReloadFailed } from "../../metrics.ts"
import { reasonOf, RulesRefused } from "../Finding.ts"
import { packageRoot, type Root } from "../files/readTree.ts"
import { verifyPolicies } from "../language/verify.ts"
import { type PreparedPolicySet, unreadablePolicySet } from "./PreparedPolicySet.ts"
import { frozenFolder, loadPolicySet, newestFrozen } from "./loadPolicySet.ts"

interface PolicyFolder {
  /** The newest frozen version; null where the working folder is all there is. */
  readonly frozen: string | null
  /** Another text where a file was added, removed or written since. */
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

/** Fails where `policies/` itself cannot be looked into. */
const fingerprintFolders = async (root: Root): Promise<ReadonlyMap<string, PolicyFolder>> => {
  const policies = join(root, "policies")
  const names = await namesIn(policies)
  const releases = join(policies, frozenFolder)
  const frozen = newestFrozen(names.includes(`${frozenFolder}/`) ? await namesIn(releases) : [])
  const working = names.flatMap((name) => (name.endsWith("/") ? [name.slice(0, -1)] : []))
  const sets = new Set([...frozen.keys(), ...working.filter((name) => name !== frozenFolder)])
  const looks = [...sets].map(async (set): Promise<readonly [string, PolicyFolder]> => {
    const version = frozen.get(set) ?? null
    const print =
      version === null
        ? fingerprintFolder(join(policies, set))
        : fingerprintFile(releases, `${set}@${version}.json`)
    // What cannot be looked at, or vanishes under the look, is still there for the reading to say why.
    return [set, { frozen: version, fingerprint: await print.catch(reasonOf) }]
  })
  return new Map(await Promise.all(looks))
}

/**
 * Opens a policy set for serving: loaded whole, and believed once both evaluators say the same of each of its rules.
 * Never fails: what is wrong stands in `findings`, and counts at its worst.
 */
const openPolicySet = Effect.fn("openPolicySet")(function* (root: Root, name: string) {
  const unreadable = (rule: "unreadable-file" | "evaluators-differ", message: string) =>
    unreadablePolicySet(name, [{ rule, file: `policies/${name}`, path: [], message }])
  const prepared = yield* Effect.try({ try: () => loadPolicySet(root, name), catch: reasonOf }).pipe(
    Effect.catch((message) => Effect.succeed(unreadable("unreadable-file", message)))
  )
  const differing: Array<string> = []
  for (const rule of prepared.rules) {
    // One rule at a time: a set may be opened while requests are answered.
    yield* Effect.yieldNow
    differing.push(...(yield* Effect.promise(() => verifyPolicies([rule], prepared.policySet.match))))
  }
  return differing.length === 0
    ? prepared
    : unreadable(
        "evaluators-differ",
        `the compiled and the reference evaluator differ on ${differing.join(", ")}`
      )
})

/** The policy sets as they are served: replaced whole when a good version appears, kept when a broken one does. */
interface PolicyRegistry {
  readonly get: (name: string) => PreparedPolicySet | undefined
  /** Looks for changes and takes over what is good. Never fails; what it could not take over is a warning, once. */
  readonly refresh: Effect.Effect<void>
}

interface ServedSet {
  readonly set: PreparedPolicySet
  readonly folder: PolicyFolder
}

const isGood = ({ findings }: PreparedPolicySet): boolean => findings.length === 0

const versionOf = ({ policySet: { digest, name, version } }: PreparedPolicySet): string =>
  `${name}@${version}+${digest.slice(0, 8)}`

const fingerprintOf = (look: PolicyFolder | undefined): string => look?.fingerprint ?? ""

const missingPolicySet = (name: string, message: string): PreparedPolicySet =>
  unreadablePolicySet(name, [{ rule: "missing-release", file: `policies/${name}`, path: [], message }])

export const makePolicyRegistry = Effect.fn("makeShelf")(function* (
  root: Root
): Effect.fn.Return<PolicyRegistry> {
  const shelf = new Map<string, ServedSet>()
  /** What the last look saw, and what was tried already: a change is taken over once it holds still, and tried once. */
  const seen = new Map<string, string>()
  const tried = new Map<string, string>()
  /** Why the last look saw nothing. */
  let problem = ""

  const open = Effect.fnUntraced(function* (name: string, look: PolicyFolder | undefined) {
    const served = shelf.get(name)
    if (look === undefined) return missingPolicySet(name, "the policy set is gone")
    if (look.frozen === null && served !== undefined && served.folder.frozen !== null) {
      return missingPolicySet(
        name,
        "its frozen versions are gone, and the working folder does not take their place"
      )
    }
    return yield* openPolicySet(root, name)
  })

  /** Invariant: a good set is only ever replaced by a good one, so that no edit can break what is served. */
  const take = Effect.fnUntraced(function* (
    name: string,
    look: PolicyFolder | undefined,
    set: PreparedPolicySet
  ) {
    const before = shelf.get(name)?.set
    const isKept = before !== undefined && isGood(before) && !isGood(set)
    const instead = isKept ? `is still served as ${versionOf(before)}` : "is taken at its worst"
    if (!isGood(set)) {
      policyReloadFailed()
      yield* Effect.logWarning(`policy set ${name} ${instead}: ${RulesRefused.of(set.findings).message}`)
    }
    if (isKept || look === undefined) return
    shelf.set(name, { set, folder: look })
    const isNew = before !== undefined && before.policySet.digest !== set.policySet.digest
    if (isNew && isGood(set))
      yield* Effect.logInfo(`policy set ${name} is served as ${versionOf(set)} from now on`)
  })

  const look = Effect.promise(() => fingerprintFolders(root))

  const refresh = Effect.gen(function* () {
    const looks = yield* look
    for (const name of new Set([...shelf.keys(), ...looks.keys()])) {
      const print = fingerprintOf(looks.get(name))
      const holdsStill = seen.get(name) === print
      seen.set(name, print)
      if (print === fingerprintOf(shelf.get(name)?.folder) || print === tried.get(name) || !holdsStill)
        continue
      const set = yield* open(name, looks.get(name))
      // Read while it was being written, it may be half of the old and half of the new.
      if (fingerprintOf((yield* look).get(name)) !== print) continue
      tried.set(name, print)
      yield* take(name, looks.get(name), set)
    }
    problem = ""
  })

  /** At start there is nothing to keep, so whatever is there is taken at once. */
  const fill = Effect.gen(function* () {
    for (const [name, seenNow] of yield* look) yield* take(name, seenNow, yield* open(name, seenNow))
  })
  const orStay = Effect.catchCause((cause) => {
    const before = problem
    problem = reasonOf(Cause.squash(cause))
    return problem === before
      ? Effect.void
      : Effect.logWarning(`the policy sets cannot be looked at: ${problem}`)
  })
  yield* orStay(fill)
  return { get: (name) => shelf.get(name)?.set, refresh: orStay(refresh) }
})

/** The policy sets of this installation; a broken one never stops the service and never lowers a score. */
const unknownPolicySet = (name: string): PreparedPolicySet =>
  unreadablePolicySet(name, [
    { rule: "unreadable-file", file: `policies/${name}`, path: [], message: "there is no such policy set" }
  ])

export class PolicySets extends Context.Service<
  PolicySets,
  {
    /** A set that is not there is an unreadable one: every opinion under it is incomplete and at its worst. */
    readonly get: (name: string) => PreparedPolicySet
  }
>()("action-risk/rules/PolicySets") {
  /** Takes over what is frozen or edited while it runs. */
  static readonly layerAt = (root: Root, lookMs: number = policyPollMs) =>
    Layer.effect(
      PolicySets,
      Effect.gen(function* () {
        const shelf = yield* makePolicyRegistry(root)
        yield* Effect.forkScoped(Effect.forever(Effect.delay(shelf.refresh, lookMs)))
        return { get: (name) => shelf.get(name) ?? unknownPolicySet(name) }
      })
    )
  static readonly layer = PolicySets.layerAt(packageRoot)
}
