/** Writes a release for good: the document in canonical form with its digest, and the digest's line in the lock. */

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Result } from "effect"
import { canonicalForm } from "../canonicalForm.ts"
import { addDigest, lockFile, readDigests } from "../digests.ts"
import { withDigest } from "../frozen.ts"
import { reasonOf } from "../reasonOf.ts"
import type { Candidate } from "./Candidate.ts"
import type { Frozen } from "./ReleaseReport.ts"

type Named = Pick<Candidate, "root" | "kind" | "name">
interface Content {
  readonly released_at: string
}

const temporary = (file: string): string => `${file}.new`

/** Whether this process alone releases now: of two at once the second finds the file there. */
const begin = (path: string): boolean => {
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
const write = ({ root, kind, name }: Named, content: Content): Result.Result<Frozen, string> => {
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
export const freeze = (named: Named, content: Content): Result.Result<Frozen, string> => {
  const { kind, name, root } = named
  const lock = lockFile(kind)
  return Result.try({
    try: () => {
      if (!begin(join(root, lock))) {
        const remedy = "another release is under way, or one was cut short: remove it if none is"
        return Result.fail(`\`${temporary(lock)}\` is there: ${remedy}`)
      }
      try {
        return write(named, content)
      } finally {
        for (const file of [`${kind}/releases/${name}.json`, lock])
          rmSync(join(root, temporary(file)), { force: true })
      }
    },
    catch: reasonOf
  }).pipe(Result.flatMap((written) => written))
}
