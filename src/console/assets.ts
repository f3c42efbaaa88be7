/** The style sheet, script and icon of the console, under names that change with their content. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../rules/files/readTree.ts"
import type { HttpResponse } from "../server/Exchange.ts"
import { hex, sha256 } from "../storage/sha256.ts"

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml" }

type Kind = keyof typeof types

const load = (kind: Kind) => {
  const body = readFileSync(join(packageRoot, "console", `console.${kind}`))
  return { kind, body, path: `/assets/console-${hex(sha256(body)).slice(0, 16)}.${kind}` }
}

type Assets = Readonly<Record<Kind, ReturnType<typeof load>>>

let read: Assets | undefined

/** Read when the first page is requested. */
const loaded = (): Assets => (read ??= { css: load("css"), js: load("js"), svg: load("svg") })

export const assetPath = (kind: Kind): string => loaded()[kind].path

/** Null if no file has that name. */
export const assetResponse = (path: string): HttpResponse | null => {
  const file = Object.values(loaded()).find((one) => one.path === path)
  if (file === undefined) return null
  return {
    status: 200,
    headers: {
      "content-type": types[file.kind],
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin"
    },
    body: file.body
  }
}
