/** Writes a release for good, and the report of the gates before it. */

import { Result } from "effect"
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { canonicalForm } from "../../json/canonical.ts"
import { type LocatedFinding, reasonOf } from "../Finding.ts"
import type { ReleaseCandidate } from "./Candidate.ts"
import { addDigest, lockFile, readDigests, withDigest } from "./frozen.ts"

/** In the order in which they are passed. */
export const gateNames = ["version", "changelog", "check", "evaluators", "test", "prove"] as const
export type GateName = (typeof gateNames)[number]

export interface Gate {
  readonly name: GateName
  /** - `not run`: an earlier gate left nothing that could be looked at. */
  readonly outcome: "passed" | "failed" | "not run"
  readonly ms: number
  /** What it looked at, or what it made of it: a few words. */
  readonly says: string
  /** None where it passed, but for warnings. */
  readonly findings: ReadonlyArray<LocatedFinding>
}

interface Frozen {
  readonly file: string
  readonly digest: string
  readonly releasedAt: string
}

export interface ReleaseReport {
  /** Every gate is passed. */
  readonly ok: boolean
  /** `1.1.0`, `starter@1.1.0` */
  readonly name: string
  /** The newest release before; null where this is the first. */
  readonly from: string | null
  readonly gates: ReadonlyArray<Gate>
  /** What was written; null at a failed gate and where it was only tried. */
  readonly frozen: Frozen | null
}

/** Writes a release for good: the document in canonical form with its digest, and the digest's line in the lock. */
type ReleaseToFreeze = Pick<ReleaseCandidate, "root" | "kind" | "name">
interface DocumentContent {
  readonly released_at: string
}

const temporary = (file: string): string => `${file}.new`

/** Whether this process alone releases now: of two at once the second finds the file there. */
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

/** Both files whole, beside their places, then in them; the lock last, since a release that it does not name was cut short. */
const writeRelease = (
  { root, kind, name }: ReleaseToFreeze,
  content: DocumentContent
): Result.Result<Frozen, string> => {
  const [file, lock] = [`${kind}/releases/${name}.json`, lockFile(kind)]
  return Result.gen(function* () {
    const digests = yield* existsSync(join(root, lock)) ? readDigests(root, kind) : Result.succeed({})
    if (existsSync(join(root, file)) || Object.hasOwn(digests, name)) {
      return yield* Result.fail(`${file}: \`${name}\` is released, and what is released never changes`)
    }
    const document = withDigest(content)
    const texts = { [file]: canonicalForm(document), [lock]: addDigest(digests, name, document.digest) }
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(root, temporary(name)), text, { flush: true })
    }
    for (const name of Object.keys(texts)) renameSync(join(root, temporary(name)), join(root, name))
    return { file, digest: document.digest, releasedAt: content.released_at }
  })
}

/** Fails with the reason; then nothing is released. */
export const freeze = (named: ReleaseToFreeze, content: DocumentContent): Result.Result<Frozen, string> => {
  const { kind, name, root } = named
  const lock = lockFile(kind)
  return Result.try({
    try: () => {
      if (!acquireReleaseLock(join(root, lock))) {
        const remedy = "another release is under way, or one was cut short: remove it if none is"
        return Result.fail(`\`${temporary(lock)}\` is there: ${remedy}`)
      }
      try {
        return writeRelease(named, content)
      } finally {
        for (const file of [`${kind}/releases/${name}.json`, lock])
          rmSync(join(root, temporary(file)), { force: true })
      }
    },
    catch: reasonOf
  }).pipe(Result.flatMap((written) => written))
}
