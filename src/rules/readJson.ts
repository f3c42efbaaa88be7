/** Reads one rule file as JSON, strictly: what another reader could take for something else is refused. */

import { Result } from "effect"
import { problemsToldMax, ruleFileBytesMax } from "../Limits.ts"
import type { Problem } from "./Problem.ts"
import { explainSyntax } from "./readJson/explainSyntax.ts"
import { readBytes } from "./readJson/readBytes.ts"
import { refuseEncoding } from "./readJson/refuseEncoding.ts"
import { refuseKeys } from "./readJson/refuseKeys.ts"
import { refuseValues } from "./readJson/refuseValues.ts"
import { scan } from "./readJson/scan.ts"

type ReadJson = Result.Result<unknown, ReadonlyArray<Problem>>

const refuse = (message: string, offset = 0): ReadJson =>
  Result.fail([{ rule: "unreadable-file", path: [], offset, message }])

const parse = (text: string): Result.Result<unknown, Problem> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => explainSyntax(text) })

export const parseJson = (bytes: Buffer): ReadJson => {
  const text = bytes.toString("utf8")
  const encoding = refuseEncoding(bytes, text)
  if (encoding !== null) return refuse(encoding.message, encoding.offset)
  // Invariant: nothing that recurses over the value or the text runs before its depth is known to be small.
  const { keys, tooDeepAt } = scan(text)
  if (tooDeepAt !== null) return refuse("is nested deeper than any rule file needs to be", tooDeepAt)
  const json = parse(text)
  if (Result.isFailure(json)) return Result.fail([json.failure])
  const problems = [
    ...refuseKeys(json.success, text, keys),
    ...refuseValues(json.success).slice(0, problemsToldMax)
  ]
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(json.success)
}

export const readJson = (path: string): ReadJson => {
  const bytes = readBytes(path, ruleFileBytesMax)
  return typeof bytes === "string" ? refuse(bytes) : parseJson(bytes)
}
