/** Answers the requests in some lines, in this thread. */

import { Clock, Effect, Result } from "effect"
import { isAscii } from "node:buffer"
import { type AcceptedAction, readActionRequest } from "../../api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../../api/AssessmentResponse.ts"
import {
  AssessmentUnavailable,
  errorEnvelope,
  type Failure,
  MalformedJson,
  PayloadTooLarge
} from "../../api/Failures.ts"
import { validationFailed } from "../../api/validation.ts"
import type { Scorer, ScoringFailed } from "../../assessment/Scorer.ts"
import { AppConfig } from "../../config.ts"
import { questionAboutTool } from "../../client/toolQuestion.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { strictJson } from "../../json/strictJson.ts"
import { batchRetriesMax } from "../../limits.ts"
import { escapeInvisible } from "../../foreignText.ts"
import { requestId } from "../../assessment/requestId.ts"
import { assessOffline, type Offline } from "../assessOffline.ts"
import { type InputLine, isTooLong } from "../operatorFiles.ts"

/** The request in a line, or the failure with which the API would answer this body. */
const readRequest = (line: InputLine): Result.Result<AcceptedAction, Failure> => {
  if (isTooLong(line)) return Result.fail(new PayloadTooLarge())
  const json = strictJson(line.bytes)
  if (Result.isFailure(json)) return Result.fail(new MalformedJson({ message: json.failure }))
  const { holdsNul, value } = json.success
  return Result.mapError(readActionRequest(requestOfLine(value), holdsNul), validationFailed)
}

/** A line may contain `{"tool": …, "arguments": …}` in place of a request, optionally with other fields of a request. */
const requestOfLine = (json: Json): Json => {
  if (!isRecord(json) || typeof json["tool"] !== "string" || "action_type" in json) return json
  const { tool, ...rest } = json
  // Invariant: the members are JSON, and the request reader checks them.
  return questionAboutTool({ ...rest, name: tool }) as unknown as Json
}

const assessLine = (
  line: InputLine,
  offline: Offline
): Effect.Effect<AssessmentResponse, Failure, Scorer> => {
  const request = readRequest(line)
  if (Result.isFailure(request)) return Effect.fail(request.failure)
  const assessed = assessOffline(request.success.action, offline)
  return Effect.catchTag(assessed, "ScoringFailed", () => assessedAgain(assessed))
}

/** Retries, because the machine may have paused this process for longer than a score may take, and no caller is waiting. */
const assessedAgain = <A, R>(assessed: Effect.Effect<A, ScoringFailed, R>) =>
  assessed.pipe(
    Effect.retry({ times: batchRetriesMax - 1 }),
    Effect.catchTag("ScoringFailed", () => Effect.fail(new AssessmentUnavailable()))
  )

const del = 0x7f

/** JSON already escapes most invisible characters. Within ASCII only DEL remains, so only other text is searched for them. */
const printed = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  return isAscii(bytes) && !bytes.includes(del) ? bytes : Buffer.from(escapeInvisible(text))
}

/** The object `error` of the API's answer. Its link starts with PUBLIC_URL if that is set, otherwise with `/`. */
const refusalOf = Effect.fnUntraced(function* (line: InputLine, failure: Failure) {
  const { publicUrl } = yield* AppConfig
  const id = requestId(yield* Clock.currentTimeMillis)
  return { line: line.number, error: errorEnvelope(failure, id, publicUrl ?? "").error }
})

/** The answers to consecutive lines, one line each. Plain data, which can be sent between threads. */
export interface AnsweredLines {
  readonly bytes: Uint8Array
  readonly lines: number
  readonly refused: number
  readonly firstRefused?: { readonly line: number; readonly code: Failure["_tag"] }
}

export const answerLines = Effect.fnUntraced(function* (lines: ReadonlyArray<InputLine>, offline: Offline) {
  let text = ""
  let refused = 0
  let firstRefused: AnsweredLines["firstRefused"]
  for (const line of lines) {
    const answer = yield* assessLine(line, offline).pipe(
      Effect.catch((failure) => {
        refused++
        firstRefused ??= { line: line.number, code: failure._tag }
        return refusalOf(line, failure)
      })
    )
    text += `${JSON.stringify(answer)}\n`
  }
  const answered = { bytes: printed(text), lines: lines.length, refused }
  return (firstRefused === undefined ? answered : { ...answered, firstRefused }) satisfies AnsweredLines
})
