/** The request file and the history file that a command scores, read as the API and a case file would be. */

import { Effect, Result } from "effect"
import { Flag } from "effect/cli"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import { bodyBytesMax, ruleFileBytesMax } from "../limits.ts"
import { findingLine } from "../rules/Finding.ts"
import { HistoryFile } from "../rules/files/caseFiles.ts"
import { decodeFile } from "../rules/files/decodeFile.ts"
import { pathFlag } from "./flags.ts"
import { readJsonFile, refuseFile } from "./operatorFiles.ts"

/** `-` is standard input. */
export const readRequestFile = Effect.fn("assess.readRequest")(function* (file: string) {
  const json = yield* readJsonFile(file, bodyBytesMax)
  const request = readActionRequest(json.value, json.holdsNul)
  if (Result.isFailure(request)) return yield* refuseFile(file, everyProblem(request.failure))
  return request.success
})

const everyProblem = (problems: Parameters<typeof validationFailed>[0]): string =>
  validationFailed(problems)
    .details.map(({ field, message }) => `${field} ${message}`)
    .join("; ")

/** `--history <file>`: what an organization asked before, as a case file spells it: `{now, earlier: [{at, request}]}`. */
export const historyFlag = pathFlag("history", "history.json").pipe(
  Flag.withDescription("What was asked before, as a case file states it: {now, earlier: [{at, request}]}"),
  Flag.withDefault(null)
)

/** Undefined where no file is named: an organization that has never asked before. */
export const readHistoryFile = Effect.fn("cli.readHistory")(function* (file: string | null) {
  if (file === null) return undefined
  const { value } = yield* readJsonFile(file, ruleFileBytesMax)
  const read = decodeFile(HistoryFile, { file, name: file, folder: "", json: value })
  if (Result.isSuccess(read)) return read.success
  return yield* refuseFile(
    file,
    read.failure.map((finding) => findingLine(finding).slice(file.length + 2)).join("; ")
  )
})
