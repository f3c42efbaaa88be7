/** A request file as the API would read it: the same strict JSON, the same schema, every problem at once. */

import { Effect, Result } from "effect"
import { readActionRequest } from "../../../api/ActionRequest.ts"
import { bodyBytesMax } from "../../../Limits.ts"
import { validationFailed } from "../../../server/validationFailed.ts"
import { readJsonFile, refuseFile } from "../../readJsonFile.ts"

/** `-` is standard input. */
export const readRequest = Effect.fn("assess.readRequest")(function* (file: string) {
  const json = yield* readJsonFile(file, bodyBytesMax)
  const request = readActionRequest(json.value, json.holdsNul)
  if (Result.isFailure(request)) return yield* refuseFile(file, everyProblem(request.failure))
  return request.success
})

const everyProblem = (problems: Parameters<typeof validationFailed>[0]): string =>
  validationFailed(problems)
    .details.map(({ field, message }) => `${field} ${message}`)
    .join("; ")
