/** The lock of everything that was ever frozen: the digest of each release, so that none is edited or lost unseen. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Result, Schema } from "effect"
import { Digest } from "./files/vocabulary.ts"
import { openFrozen } from "./frozen.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"
import { entriesOf, type Root } from "./readTree.ts"
import { stated } from "./releaseDocument.ts"
import { reasonOf } from "./reasonOf.ts"

export type ReleaseKind = "rules" | "policies"

/**
 * By name, `1.0.0` or `starter@1.0.0`, the newest first: a release adds one line at the top and changes no other.
 * Invariant: nothing in this package rewrites a line, so a changed one was changed by hand, and shows as that in a diff.
 */
export type Digests = Readonly<Record<string, string>>

export const lockFile = (kind: ReleaseKind): string => `${kind}/releases/digests.json`

const readLock = Schema.decodeUnknownResult(Schema.Record(Schema.String, Digest))

export const readDigests = (root: Root, kind: ReleaseKind): Result.Result<Digests, string> =>
  Result.try({
    try: (): unknown => JSON.parse(readFileSync(join(root, lockFile(kind)), "utf8")),
    catch: reasonOf
  }).pipe(Result.flatMap((json) => Result.mapError(readLock(json), ({ message }) => message)))

export const addDigest = (digests: Digests, name: string, digest: string): string =>
  `${JSON.stringify({ [name]: digest, ...digests }, null, 2)}\n`

const finding = (rule: string, file: string, message: string): LocatedFinding => ({
  rule,
  severity: "error",
  file,
  line: 1,
  column: 1,
  message
})

/** What the lock has against a frozen document of that name and digest; null where it is the one that was released. */
export const lockedOut = (digests: Digests, name: string, digest: string): string | null => {
  if (!Object.hasOwn(digests, name)) return "stands in no lock: it was not frozen by `release`"
  return digests[name] === digest
    ? null
    : "has another digest than the lock: it was edited and frozen again after its release"
}

const checkFrozen = (
  root: Root,
  file: string,
  name: string,
  digests: Digests
): ReadonlyArray<LocatedFinding> =>
  Result.match(openFrozen(root, file), {
    onFailure: (findings) => findings.map(({ message }) => finding("edited-release", file, message)),
    onSuccess: (json) => {
      const problem = lockedOut(digests, name, stated(json, "digest"))
      return problem === null ? [] : [finding("edited-release", file, problem)]
    }
  })

/** Before the first release there is no lock either. */
const nothingFrozen = (root: Root, kind: ReleaseKind): boolean =>
  entriesOf(join(root, kind, "releases")).length === 0

/** Whether everything frozen is as it was frozen, and all of it is there. */
export const checkDigests = (root: Root, kind: ReleaseKind): ReadonlyArray<LocatedFinding> =>
  nothingFrozen(root, kind) ? [] : lockedAgainst(root, kind)

const lockedAgainst = (root: Root, kind: ReleaseKind): ReadonlyArray<LocatedFinding> =>
  Result.match(readDigests(root, kind), {
    onFailure: (message) => [finding("missing-release", lockFile(kind), `cannot be read: ${message}`)],
    onSuccess: (digests) => {
      const folder = `${kind}/releases`
      const files = entriesOf(join(root, folder))
        .filter(({ name }) => name.endsWith(".json") && `${folder}/${name}` !== lockFile(kind))
        .map(({ name }) => name.slice(0, -".json".length))
        .toSorted()
      const lost = Object.keys(digests).filter((name) => !files.includes(name))
      return [
        ...files.flatMap((name) => checkFrozen(root, `${folder}/${name}.json`, name, digests)),
        ...lost.map((name) =>
          finding("missing-release", lockFile(kind), `\`${name}\` was released and its file is gone`)
        )
      ]
    }
  })
