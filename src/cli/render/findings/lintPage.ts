/** Where a lint is explained: bad example, good example, why. */

import { isLint } from "../../../rules/Lint.ts"

/** Below the root of this package; null for findings that are no lint's. */
export const lintPage = (rule: string): string | null => (isLint(rule) ? `docs/lints/${rule}.md` : null)
