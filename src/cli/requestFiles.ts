/** Reads the request file as the API reads a body, and the history file as the rules read a case file. */

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

/** `--history <file>`: earlier requests of the organization in the form of a case file: `{now, earlier: [{at, request}]}`. */
export const historyFlag = pathFlag("history", "history.json").pipe(
  Flag.withDescription("Earlier requests, in the form of a case file: {now, earlier: [{at, request}]}"),
  Flag.withDefault(null)
)

/** Undefined without a file: the organization has no earlier requests. */
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
