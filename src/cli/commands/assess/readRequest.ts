/** A request file as the API would read it: the same strict JSON, the same schema, every problem at once. */

import { Effect, FileSystem, type PlatformError, Result, Stdio, Stream } from "effect"
import { readActionRequest } from "../../../api/ActionRequest.ts"
import { bodyBytesMax } from "../../../Limits.ts"
import { strictJson } from "../../../server/strictJson.ts"
import { validationFailed } from "../../../server/validationFailed.ts"
import { Refused } from "../../Refused.ts"

/** `-` is standard input. */
export const readRequest = Effect.fn("assess.readRequest")(function* (file: string) {
  const name = file === "-" ? "standard input" : file
  const refuse = (problem: string) => Effect.fail(new Refused({ message: `${name}: ${problem}` }))
  const bytes = yield* bytesOf(file).pipe(
    Effect.catch((error) => refuse(`cannot be read: ${reasonOf(error)}`))
  )
  if (bytes.length > bodyBytesMax)
    return yield* refuse(`larger than ${bodyBytesMax.toLocaleString("en-US")} bytes`)
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return yield* refuse(json.failure)
  const request = readActionRequest(json.success.value, json.success.holdsNul)
  if (Result.isFailure(request)) return yield* refuse(everyProblem(request.failure))
  return request.success
})

/** At most one byte more than a request may have: that much is enough to refuse it. */
const standardInput = Effect.gen(function* () {
  const { stdin } = yield* Stdio.Stdio
  const bytes: Array<number> = []
  yield* Stream.runForEachWhile(stdin, (chunk) =>
    Effect.sync(() => {
      bytes.push(...chunk.subarray(0, bodyBytesMax + 1 - bytes.length))
      return bytes.length <= bodyBytesMax
    })
  )
  return Uint8Array.from(bytes)
})

const bytesOf = (
  file: string
): Effect.Effect<Uint8Array, PlatformError.PlatformError, FileSystem.FileSystem | Stdio.Stdio> =>
  file === "-" ? standardInput : FileSystem.FileSystem.use((files) => files.readFile(file))

const reasonOf = ({ reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound" ? "there is no such file" : reason.message

const everyProblem = (problems: Parameters<typeof validationFailed>[0]): string =>
  validationFailed(problems)
    .details.map(({ field, message }) => `${field} ${message}`)
    .join("; ")
