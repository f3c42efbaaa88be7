/** `action-risk assess --batch`: scores the requests of an NDJSON file; each line gets one line, in order. */

import { Clock, Effect, Result, Stream } from "effect"
import { isAscii } from "node:buffer"
import { type AcceptedAction, readActionRequest } from "../api/AssessmentRequest.ts"
import type { AssessmentResponse } from "../api/AssessmentResponse.ts"
import {
  AssessmentUnavailable,
  errorEnvelope,
  type Failure,
  MalformedJson,
  PayloadTooLarge
} from "../api/Failures.ts"
import { validationFailed } from "../api/validation.ts"
import type { Scorer, ScoringFailed } from "../assessment/Scorer.ts"
import { AppConfig } from "../config.ts"
import { strictJson } from "../json/strictJson.ts"
import { batchRetriesMax } from "../limits.ts"
import { requestId } from "../server/Exchange.ts"
import { assessOffline, type Offline } from "./assessOffline.ts"
import { CommandRefused } from "./commandFailures.ts"
import { type InputLine, inputLines, isTooLong, withInput } from "./inputFiles.ts"
import { writeWhole } from "./operatorFiles.ts"
import { withProgress } from "./progress.ts"
import { escapeInvisible } from "../markup.ts"
import { counted, figure } from "./texts.ts"

/** The request of a line, or the failure with which the API would answer such a body. */
const readRequest = (line: InputLine): Result.Result<AcceptedAction, Failure> => {
  if (isTooLong(line)) return Result.fail(new PayloadTooLarge())
  const json = strictJson(line.bytes)
  if (Result.isFailure(json)) return Result.fail(new MalformedJson({ message: json.failure }))
  const { holdsNul, value } = json.success
  return Result.mapError(readActionRequest(value, holdsNul), validationFailed)
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

/** The machine may have paused this process for longer than a score may take. No caller waits for this answer, so it is tried again. */
const assessedAgain = <A, R>(assessed: Effect.Effect<A, ScoringFailed, R>) =>
  assessed.pipe(
    Effect.retry({ times: batchRetriesMax - 1 }),
    Effect.catchTag("ScoringFailed", () => Effect.fail(new AssessmentUnavailable()))
  )

const del = 0x7f

/** The bytes of a text of JSON, which spells most invisible characters itself. In a text of ASCII only DEL is left. */
const printed = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  return isAscii(bytes) && !bytes.includes(del) ? bytes : Buffer.from(escapeInvisible(text))
}

/** The object `error` of the API's answer. Its link starts at PUBLIC_URL where that is set, and else at the root. */
const refusalOf = Effect.fnUntraced(function* (line: InputLine, failure: Failure) {
  const { publicUrl } = yield* AppConfig
  const id = requestId(yield* Clock.currentTimeMillis)
  return { line: line.number, error: errorEnvelope(failure, id, publicUrl ?? "").error }
})

/** Whoever pastes the names of tools learns here what a line is. */
const lineShape = `; a line is a request such as {"action_type": "list_issues", "environment": "production"}`

/** Answers every line of the input, and fails at the end where one of them was refused. */
export const assessBatch = Effect.fn("assess.batch")(function* (file: string, offline: Offline) {
  let [lines, refused, firstRefused] = [0, 0, 0]
  let hint = ""
  const answer = (line: InputLine) =>
    assessLine(line, offline).pipe(
      Effect.catch((failure) => {
        if (refused++ === 0) {
          firstRefused = line.number
          if (failure._tag === "MalformedJson") hint = lineShape
        }
        return refusalOf(line, failure)
      }),
      Effect.map((answered) => `${JSON.stringify(answered)}\n`)
    )
  yield* withProgress({ title: "assess", unit: "requests" }, (progress) =>
    withInput(file, ({ bytes, totalBytes }) =>
      writeWhole(
        null,
        Stream.fromAsyncIterable(inputLines(bytes), (cause) => cause).pipe(
          Stream.orDie,
          Stream.mapEffect((read) =>
            Effect.gen(function* () {
              const answers = yield* Effect.forEach(read.lines, answer)
              lines += read.lines.length
              // A bar between the lines of a terminal could not be read, nor could the lines.
              if (!process.stdout.isTTY)
                progress.at(lines, totalBytes === null ? null : read.readBytes / totalBytes)
              return printed(answers.join(""))
            })
          )
        )
      )
    )
  )
  if (refused === 0) return
  return yield* new CommandRefused({
    message: `${figure(refused)} of ${counted(lines, "line")} ${refused === 1 ? "was" : "were"} refused, first line ${figure(firstRefused)}: see \`error\` in the answers${hint}`
  })
})
