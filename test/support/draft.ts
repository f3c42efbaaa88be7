/** The working rule files, ready to score, so that tuning a number is tested before it is frozen. */

import { Result } from "effect"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadDraft } from "../../src/rules/release/loadRelease.ts"

export const { model, rules } = Result.getOrThrowWith(
  loadDraft(packageRoot),
  (findings) => new Error(`the working rule files cannot be read:\n${JSON.stringify(findings, null, 2)}`)
)
