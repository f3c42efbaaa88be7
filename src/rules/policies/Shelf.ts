/** The policy sets as they are served: replaced whole when a good version appears, kept when a broken one does. */

import { Cause, Effect } from "effect"
import { policyReloadFailed } from "../../Metrics.ts"
import type { Root } from "../readTree.ts"
import { reasonOf } from "../reasonOf.ts"
import { RulesRefused } from "../RulesRefused.ts"
import { type Look, lookAround } from "./lookAround.ts"
import { openPolicySet } from "./openPolicySet.ts"
import { type PreparedPolicySet, unreadablePolicySet } from "./PreparedPolicySet.ts"

export interface Shelf {
  readonly get: (name: string) => PreparedPolicySet | undefined
  /** Looks for changes and takes over what is good. Never fails; what it could not take over is a warning, once. */
  readonly refresh: Effect.Effect<void>
}

interface Served {
  readonly set: PreparedPolicySet
  readonly look: Look
}

const isGood = ({ findings }: PreparedPolicySet): boolean => findings.length === 0

const versionOf = ({ policySet: { digest, name, version } }: PreparedPolicySet): string =>
  `${name}@${version}+${digest.slice(0, 8)}`

const printOf = (look: Look | undefined): string => look?.print ?? ""

const gone = (name: string, message: string): PreparedPolicySet =>
  unreadablePolicySet(name, [{ rule: "missing-release", file: `policies/${name}`, path: [], message }])

export const makeShelf = Effect.fn("makeShelf")(function* (root: Root): Effect.fn.Return<Shelf> {
  const shelf = new Map<string, Served>()
  /** What the last look saw, and what was tried already: a change is taken over once it holds still, and tried once. */
  const seen = new Map<string, string>()
  const tried = new Map<string, string>()
  /** Why the last look saw nothing. */
  let problem = ""

  const open = Effect.fnUntraced(function* (name: string, look: Look | undefined) {
    const served = shelf.get(name)
    if (look === undefined) return gone(name, "the policy set is gone")
    if (look.frozen === null && served !== undefined && served.look.frozen !== null) {
      return gone(name, "its frozen versions are gone, and the working folder does not take their place")
    }
    return yield* openPolicySet(root, name)
  })

  /** Invariant: a good set is only ever replaced by a good one, so that no edit can break what is served. */
  const take = Effect.fnUntraced(function* (name: string, look: Look | undefined, set: PreparedPolicySet) {
    const before = shelf.get(name)?.set
    const isKept = before !== undefined && isGood(before) && !isGood(set)
    const instead = isKept ? `is still served as ${versionOf(before)}` : "is taken at its worst"
    if (!isGood(set)) {
      policyReloadFailed()
      yield* Effect.logWarning(`policy set ${name} ${instead}: ${RulesRefused.of(set.findings).message}`)
    }
    if (isKept || look === undefined) return
    shelf.set(name, { set, look })
    const isNew = before !== undefined && before.policySet.digest !== set.policySet.digest
    if (isNew && isGood(set))
      yield* Effect.logInfo(`policy set ${name} is served as ${versionOf(set)} from now on`)
  })

  const look = Effect.promise(() => lookAround(root))

  const refresh = Effect.gen(function* () {
    const looks = yield* look
    for (const name of new Set([...shelf.keys(), ...looks.keys()])) {
      const print = printOf(looks.get(name))
      const holdsStill = seen.get(name) === print
      seen.set(name, print)
      if (print === printOf(shelf.get(name)?.look) || print === tried.get(name) || !holdsStill) continue
      const set = yield* open(name, looks.get(name))
      // Read while it was being written, it may be half of the old and half of the new.
      if (printOf((yield* look).get(name)) !== print) continue
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
