/** A JSON file that an operator names, read as strictly as a request, or a refusal in one line. */

import { Effect, FileSystem, type PlatformError, Result, Stdio, Stream } from "effect"
import { strictJson } from "../server/strictJson.ts"
import { Refused } from "./Refused.ts"

export const refuseFile = (file: string, problem: string) =>
  Effect.fail(new Refused({ message: `${file === "-" ? "standard input" : file}: ${problem}` }))

/** `-` is standard input. */
export const readJsonFile = Effect.fn("cli.readJsonFile")(function* (file: string, bytesMax: number) {
  const bytes = yield* bytesOf(file, bytesMax).pipe(
    Effect.catchTag("PlatformError", (error) => refuseFile(file, `cannot be read: ${reasonOf(error)}`))
  )
  if (bytes.length > bytesMax)
    return yield* refuseFile(file, `larger than ${bytesMax.toLocaleString("en-US")} bytes`)
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return yield* refuseFile(file, json.failure)
  return json.success
})

/** At most one byte more than it may have: that much is enough to refuse it. */
const standardInput = Effect.fnUntraced(function* (bytesMax: number) {
  const { stdin } = yield* Stdio.Stdio
  const bytes: Array<number> = []
  yield* Stream.runForEachWhile(stdin, (chunk) =>
    Effect.sync(() => {
      bytes.push(...chunk.subarray(0, bytesMax + 1 - bytes.length))
      return bytes.length <= bytesMax
    })
  )
  return Uint8Array.from(bytes)
})

/** A folder has no content, and a device such as /dev/zero no end. */
const fileBytes = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const { type } = yield* files.stat(file)
  if (type === "Directory") return yield* refuseFile(file, "cannot be read: it is a folder")
  if (type === "CharacterDevice" || type === "BlockDevice")
    return yield* refuseFile(file, "cannot be read: it is a device")
  return yield* files.readFile(file)
})

const bytesOf = (
  file: string,
  bytesMax: number
): Effect.Effect<Uint8Array, PlatformError.PlatformError | Refused, FileSystem.FileSystem | Stdio.Stdio> =>
  file === "-" ? standardInput(bytesMax) : fileBytes(file)

const reasonOf = ({ reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound" ? "there is no such file" : reason.message
