/** Masks secrets in a text before it leaves the machine, without hiding anything that a shell would act on. */

import { secretMask } from "./secretMask.ts"

/**
 * A run of characters that mean the same inside and outside of quotes and that no shell treats as special. Only such runs are masked: a
 * mask that followed a command's quotes could be tricked into hiding part of the command.
 */
const run = String.raw`(?![-./~])[\w+/=.:@%~-]{6,}`

const shapes: ReadonlyArray<RegExp> = [
  // TOKEN=…, --password=…, "apiKey": …
  new RegExp(
    String.raw`((?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["']?\s*[=:]\s*["']?)${run}`,
    "gi"
  ),
  new RegExp(
    String.raw`(--(?:[\w-]*-)?(?:token|secret|passw(?:or)?d|api-key|access-key|key)\s+["']?)${run}`,
    "gi"
  ),
  new RegExp(String.raw`(\b(?:bearer|basic)\s+)${run}`, "gi"),
  // The password in user:password@ of a URL
  /(:\/\/[^\s:/@'"`$\\]*:)[\w+=.%~-]+(?=@)/g,
  // Keys of well-known services, anywhere in a text
  /()\b(?:sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abp]-|AKIA|ASIA|svc_live_|svc_test_|eyJ)[\w.=-]{10,}/g
]

export const maskSecrets = (text: string): string =>
  shapes.reduce(
    (masked, shape) => masked.replace(shape, (_, before: string) => `${before}${secretMask}`),
    text
  )
