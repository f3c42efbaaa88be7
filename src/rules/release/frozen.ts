/** Frozen documents: written once in canonical form, carrying the digest of their own content. */

import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { scanJsonText, unreadableReason } from "../../json/jsonText.ts"
import { canonicalForm } from "../../json/canonical.ts"
import { digestOf } from "../../json/digest.ts"
import { isRecord } from "../../json/json.ts"
import { type Finding, type LocatedFinding, type Read, reasonOf } from "../Finding.ts"
import { entriesOf, type Root } from "../files/readTree.ts"
import { statedText } from "../files/releaseDocument.ts"
import { Sha256Hex } from "../files/vocabulary.ts"

export const withDigest = <Content extends object>(
  content: Content
): Content & { readonly digest: string } => ({
  ...content,
  digest: digestOf(content)
})

/** The document at `file` below `root`, if not a byte of it changed since it was frozen. */
export const openFrozen = (root: Root, file: string): Read<unknown> => {
  const refusal = (message: string): ReadonlyArray<Finding> => [
    { rule: "edited-release", file, path: [], message }
  ]
  const refuse = (message: string): Read<never> => Result.fail(refusal(message))
  return Result.try({
    try: () => readFileSync(join(root, file), "utf8"),
    catch: (cause) => refusal(unreadableReason(cause))
  }).pipe(
    Result.flatMap((text) => {
      // Invariant: digest and canonical form recurse, so neither sees a document that is nested without bound.
      if (scanJsonText(text).tooDeepAt !== null)
        return refuse("is nested deeper than any release: it was edited")
      return Result.try({
        try: () => ({ text, json: JSON.parse(text) as unknown }),
        catch: (cause) => refusal(`cannot be read: ${reasonOf(cause)}`)
      })
    }),
    Result.flatMap(({ json, text }) => {
      if (!isRecord(json)) return refuse("is no frozen document")
      const { digest, ...content } = json
      if (digest !== digestOf(content)) {
        return refuse("its digest is not that of its content: it was edited or damaged after it was frozen")
      }
      // Also catches what parsing forgives: white space, repeated keys, other spellings of a number.
      return text === canonicalForm(json)
        ? Result.succeed(json)
        : refuse("is not in canonical form: it was edited")
    })
  )
}

/** The lock of everything that was ever frozen: the digest of each release, so that none is edited or lost unseen. */
export type ReleaseKind = "rules" | "policies"

/**
 * By name, `1.0.0` or `starter@1.0.0`, the newest first: a release adds one line at the top and changes no other.
 * Invariant: nothing in this package rewrites a line, so a changed one was changed by hand, and shows as that in a diff.
 */
export type Digests = Readonly<Record<string, string>>

export const lockFile = (kind: ReleaseKind): string => `${kind}/releases/digests.json`

const readLock = Schema.decodeUnknownResult(Schema.Record(Schema.String, Sha256Hex))

export const readDigests = (root: Root, kind: ReleaseKind): Result.Result<Digests, string> =>
  Result.try({
    try: (): unknown => JSON.parse(readFileSync(join(root, lockFile(kind)), "utf8")),
    catch: reasonOf
  }).pipe(Result.flatMap((json) => Result.mapError(readLock(json), ({ message }) => message)))

export const addDigest = (digests: Digests, name: string, digest: string): string =>
  `${JSON.stringify({ [name]: digest, ...digests }, null, 2)}\n`

const lockFinding = (rule: string, file: string, message: string): LocatedFinding => ({
  rule,
  severity: "error",
  file,
  line: 1,
  column: 1,
  message
})

/** What the lock has against a frozen document of that name and digest; null where it is the one that was released. */
export const lockProblem = (digests: Digests, name: string, digest: string): string | null => {
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
    onFailure: (findings) => findings.map(({ message }) => lockFinding("edited-release", file, message)),
    onSuccess: (json) => {
      const problem = lockProblem(digests, name, statedText(json, "digest"))
      return problem === null ? [] : [lockFinding("edited-release", file, problem)]
    }
  })

/** Before the first release there is no lock either. */
const nothingFrozen = (root: Root, kind: ReleaseKind): boolean =>
  entriesOf(join(root, kind, "releases")).length === 0

/** Whether everything frozen is as it was frozen, and all of it is there. */
export const checkDigests = (root: Root, kind: ReleaseKind): ReadonlyArray<LocatedFinding> =>
  nothingFrozen(root, kind) ? [] : checkAgainstLock(root, kind)

const checkAgainstLock = (root: Root, kind: ReleaseKind): ReadonlyArray<LocatedFinding> =>
  Result.match(readDigests(root, kind), {
    onFailure: (message) => [lockFinding("missing-release", lockFile(kind), `cannot be read: ${message}`)],
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
          lockFinding("missing-release", lockFile(kind), `\`${name}\` was released and its file is gone`)
        )
      ]
    }
  })
