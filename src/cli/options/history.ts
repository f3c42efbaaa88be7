/** `--history <file>`: what an organization asked before, as a case file spells it: `{now, earlier: [{at, request}]}`. */

import { Effect, Result } from "effect"
import { Flag } from "effect/cli"
import { ruleFileBytesMax } from "../../Limits.ts"
import { decodeFile } from "../../rules/decodeFile.ts"
import { HistoryFile } from "../../rules/files/CasesFile.ts"
import { renderFinding } from "../../rules/Problem.ts"
import { readJsonFile, refuseFile } from "../readJsonFile.ts"
import { pathFlag } from "./path.ts"

export const history = pathFlag("history", "history.json").pipe(
  Flag.withDescription("What was asked before, as a case file states it: {now, earlier: [{at, request}]}"),
  Flag.withDefault(null)
)

/** Undefined where no file is named: an organization that has never asked before. */
export const readHistory = Effect.fn("cli.readHistory")(function* (file: string | null) {
  if (file === null) return undefined
  const { value } = yield* readJsonFile(file, ruleFileBytesMax)
  const read = decodeFile(HistoryFile, { file, name: file, folder: "", json: value })
  if (Result.isSuccess(read)) return read.success
  return yield* refuseFile(
    file,
    read.failure.map((finding) => renderFinding(finding).slice(file.length + 2)).join("; ")
  )
})
