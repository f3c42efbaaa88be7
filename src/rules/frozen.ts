/** Frozen documents: written once in canonical form, carrying the digest of their own content. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { canonicalForm, digestOf } from "./canonicalForm.ts"
import { isRecord } from "./isRecord.ts"
import type { Finding } from "./Problem.ts"
import type { Read } from "./Read.ts"
import { unreadable } from "./readJson/readBytes.ts"
import { scan } from "./readJson/scan.ts"
import type { Root } from "./readTree.ts"
import { reasonOf } from "./reasonOf.ts"

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
    catch: (cause) => refusal(unreadable(cause))
  }).pipe(
    Result.flatMap((text) => {
      // Invariant: digest and canonical form recurse, so neither sees a document that is nested without bound.
      if (scan(text).tooDeepAt !== null) return refuse("is nested deeper than any release: it was edited")
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
