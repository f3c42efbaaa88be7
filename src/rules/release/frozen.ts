/** Frozen documents: each is written once, in canonical form, with the digest of its content. The lock lists them all. */

import { Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { unreadableReason } from "../../json/jsonText.ts"
import { canonicalForm, digestOf } from "../../json/canonical.ts"
import { type Finding, type LintId, type LocatedFinding, type Read, reasonOf } from "../Finding.ts"
import { entriesOf, type Root } from "../files/readTree.ts"
import { Sha256Hex } from "../files/vocabulary.ts"
import { locateFinding } from "../files/locate.ts"

export const withDigest = <Content extends object>(
  content: Content
): Content & { readonly digest: string } => ({
  ...content,
  digest: digestOf(content)
})

/** The first member of that name in canonical form. Content cannot contain its own digest, so no earlier match can be equal to it. */
const digestMember = /"digest":"([0-9a-f]{64})",/

const refusal = (file: string, message: string): ReadonlyArray<Finding> => [
  { rule: "edited-release", file, path: [], message }
]

export const readFrozen = (root: Root, file: string): Read<Buffer> =>
  Result.try({
    try: () => readFileSync(join(root, file)),
    catch: (cause) => refusal(file, unreadableReason(cause))
  })

/**
 * The digest of a document. Fails if any byte changed since it was frozen. Computed over the bytes without the digest member: a frozen
 * document is already canonical, so it need not be canonicalized again.
 */
const frozenDigest = (file: string, bytes: Buffer): Read<string> => {
  // Latin-1 maps each byte to one character, so offsets in the text are offsets in the bytes.
  const found = digestMember.exec(bytes.toString("latin1"))
  const [member = "", digest = ""] = found ?? []
  const at = found?.index ?? 0
  const actual = createHash("sha256")
    .update(bytes.subarray(0, at))
    .update(bytes.subarray(at + member.length))
    .digest("hex")
  return digest === actual
    ? Result.succeed(digest)
    : Result.fail(
        refusal(file, "its digest does not match its content: it was edited or damaged after it was frozen")
      )
}

export const parseFrozen = (file: string, bytes: Buffer): Read<unknown> =>
  Result.flatMap(frozenDigest(file, bytes), () =>
    Result.try({
      try: () => JSON.parse(bytes.toString("utf8")) as unknown,
      catch: (cause) => refusal(file, `cannot be read: ${reasonOf(cause)}`)
    })
  )

export const openFrozen = (root: Root, file: string): Read<unknown> =>
  Result.flatMap(readFrozen(root, file), (bytes) => parseFrozen(file, bytes))

export type ReleaseKind = "rules" | "policies"

/**
 * The lock of all releases: the digest of each by its name, `1.0.0` or `starter@1.0.0`, newest first. An edited or lost release no longer
 * agrees with the lock. Invariant: a release adds one line at the top. No code rewrites a line, so a changed line in a diff was edited by
 * hand.
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

const lockFinding = (rule: LintId, file: string, message: string): LocatedFinding =>
  locateFinding(() => ({ line: 1, column: 1 }), { rule, file, path: [], message })

/** The problem of a frozen document with this name and digest; null if the lock has the same digest. */
export const lockProblem = (digests: Digests, name: string, digest: string): string | null => {
  if (!Object.hasOwn(digests, name)) return "is not in the lock: `release` did not freeze it"
  return digests[name] === digest
    ? null
    : "does not have the digest in the lock: it was edited and frozen again after its release"
}

const checkFrozen = (root: Root, file: string, name: string, digests: Digests) =>
  Result.match(
    Result.flatMap(readFrozen(root, file), (bytes) => frozenDigest(file, bytes)),
    {
      onFailure: (findings) => findings.map(({ message }) => message),
      onSuccess: (digest) => lockProblem(digests, name, digest) ?? []
    }
  )

/** Reports frozen documents that were edited or lost, and a lock that cannot be read. Before the first release, there is no lock. */
export const checkDigests = (root: Root, kind: ReleaseKind): ReadonlyArray<LocatedFinding> =>
  entriesOf(join(root, kind, "releases")).length === 0 ? [] : checkAgainstLock(root, kind)

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
        ...files.flatMap((name) => {
          const file = `${folder}/${name}.json`
          return [checkFrozen(root, file, name, digests)]
            .flat()
            .map((message) => lockFinding("edited-release", file, message))
        }),
        ...lost.map((name) =>
          lockFinding("missing-release", lockFile(kind), `\`${name}\` was released, but its file is missing`)
        )
      ]
    }
  })

interface ReleaseName {
  readonly root: Root
  readonly kind: ReleaseKind
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
}

export interface FrozenRelease {
  readonly file: string
  readonly digest: string
  readonly releasedAt: string
}

const temporary = (file: string): string => `${file}.new`

/** Creates a file that only one process can create. False if another release is in progress. */
const acquireReleaseLock = (path: string): boolean => {
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(temporary(path), "", { flag: "wx" })
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

/**
 * Writes both files under temporary names and then renames them. The lock comes last: a release that is not in the lock was interrupted.
 */
const writeRelease = (
  { root, kind, name }: ReleaseName,
  content: { readonly released_at: string }
): Result.Result<FrozenRelease, string> => {
  const [file, lock] = [`${kind}/releases/${name}.json`, lockFile(kind)]
  return Result.gen(function* () {
    const digests = yield* existsSync(join(root, lock)) ? readDigests(root, kind) : Result.succeed({})
    if (existsSync(join(root, file)) || Object.hasOwn(digests, name)) {
      return yield* Result.fail(`${file}: \`${name}\` is released, and a release never changes`)
    }
    const document = withDigest(content)
    const texts = { [file]: canonicalForm(document), [lock]: addDigest(digests, name, document.digest) }
    for (const [path, text] of Object.entries(texts)) {
      writeFileSync(join(root, temporary(path)), text, { flush: true })
    }
    for (const path of Object.keys(texts)) renameSync(join(root, temporary(path)), join(root, path))
    return { file, digest: document.digest, releasedAt: content.released_at }
  })
}

/** Writes a release: the document in canonical form with its digest, and its line in the lock. Fails with the reason. */
export const freeze = (
  release: ReleaseName,
  content: { readonly released_at: string }
): Result.Result<FrozenRelease, string> => {
  const { kind, name, root } = release
  const lock = lockFile(kind)
  return Result.try({
    try: () => {
      if (!acquireReleaseLock(join(root, lock))) {
        const remedy =
          "another release is in progress, or one was interrupted: remove the file if none is in progress"
        return Result.fail(`\`${temporary(lock)}\` exists: ${remedy}`)
      }
      try {
        return writeRelease(release, content)
      } finally {
        for (const file of [`${kind}/releases/${name}.json`, lock])
          rmSync(join(root, temporary(file)), { force: true })
      }
    },
    catch: reasonOf
  }).pipe(Result.flatMap((written) => written))
}
