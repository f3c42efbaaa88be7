/** Frozen documents: written once in canonical form, carrying the digest of their own content. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { canonicalForm, digestOf } from "./canonicalForm.ts"
import type { Read } from "./Read.ts"
import type { Root } from "./readTree.ts"

export const withDigest = <Content extends object>(
  content: Content
): Content & { readonly digest: string } => ({
  ...content,
  digest: digestOf(content)
})

const because = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The document at `file` below `root`, if not a byte of it changed since it was frozen. */
export const openFrozen = (root: Root, file: string): Read<unknown> => {
  const refuse = (message: string) => Result.fail([{ file, path: [], message }])
  return Result.try({
    try: () => {
      const text = readFileSync(join(root, file), "utf8")
      return { text, json: JSON.parse(text) as unknown }
    },
    catch: (cause) => [{ file, path: [], message: `cannot be read: ${because(cause)}` }]
  }).pipe(
    Result.flatMap(({ json, text }) => {
      if (!isObject(json)) return refuse("is no frozen document")
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
