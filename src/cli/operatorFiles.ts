/** Files that the operator names: reads JSON strictly, and writes files completely or not at all. */

import { Effect, FileSystem, type PlatformError, Result, Sink, Stdio, Stream } from "effect"
import { dirname } from "node:path"
import { strictJson } from "../json/strictJson.ts"
import { CommandRefused } from "./commandFailures.ts"
import { figure } from "./texts.ts"

export const refuseFile = (file: string, problem: string) =>
  Effect.fail(new CommandRefused({ message: `${file === "-" ? "standard input" : file}: ${problem}` }))

/** `-` is standard input. */
export const readJsonFile = Effect.fn("cli.readJsonFile")(function* (file: string, bytesMax: number) {
  const bytes = yield* bytesOf(file, bytesMax).pipe(
    Effect.catchTag("PlatformError", (error) => refuseFile(file, `cannot be read: ${reasonOf(error)}`))
  )
  if (bytes.length > bytesMax) return yield* refuseFile(file, `larger than ${figure(bytesMax)} bytes`)
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return yield* refuseFile(file, json.failure)
  return json.success
})

/** Reads at most one byte more than the limit: one byte too many is enough to refuse the input. */
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

/** Refuses folders, which have no content, and devices, because one like /dev/zero never ends. */
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
): Effect.Effect<
  Uint8Array,
  PlatformError.PlatformError | CommandRefused,
  FileSystem.FileSystem | Stdio.Stdio
> => (file === "-" ? standardInput(bytesMax) : fileBytes(file))

const reasonOf = ({ reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound" ? "there is no such file" : reason.message

const refuse =
  (path: string) =>
  ({ reason }: PlatformError.PlatformError) => {
    const why = reason._tag === "NotFound" ? `there is no folder ${dirname(path)}` : reason.message
    return Effect.fail(new CommandRefused({ message: `${path} cannot be written: ${why}` }))
  }

type Bytes<E, R> = Stream.Stream<Uint8Array, E, R>

/** Writes a draft in the same folder, so that the rename is atomic, and syncs the draft to disk before the rename. */
const toFile = <E, R>(path: string, bytes: Bytes<E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const draft = `${path}.${process.pid}.partial`
    const write = Effect.gen(function* () {
      const file = yield* files.open(draft, { flag: "wx" }).pipe(Effect.catch(refuse(path)))
      yield* Stream.runForEachArray(bytes, (chunks) =>
        file.writeAll(Buffer.concat(chunks)).pipe(Effect.catch(refuse(path)))
      )
      yield* file.sync.pipe(Effect.catch(refuse(path)))
    })
    yield* Effect.scoped(write).pipe(
      Effect.andThen(files.rename(draft, path).pipe(Effect.catch(refuse(path)))),
      Effect.onError(() => Effect.ignore(files.remove(draft, { force: true })))
    )
  })

const toStandardOutput = <E, R>(bytes: Bytes<E, R>) =>
  Effect.gen(function* () {
    const { stdout } = yield* Stdio.Stdio
    const sink = Sink.mapError(stdout({ endOnDone: false }), cutShort)
    yield* Stream.run(
      Stream.mapArray(bytes, (chunks) => [Buffer.concat(chunks)]),
      sink
    )
  })

/** The reader of a pipe has ended, or the disk behind a redirection is full. */
const cutShort = () =>
  new CommandRefused({ message: "standard output was closed before everything was written" })

/**
 * Writes all bytes to the file, which exists only when it is complete.
 * `null` is standard output, where only the exit code and one line on standard error tell that the output is incomplete.
 */
export const writeWhole = <E, R>(
  path: string | null,
  bytes: Bytes<E, R>
): Effect.Effect<void, E | CommandRefused, R | FileSystem.FileSystem | Stdio.Stdio> =>
  path === null ? toStandardOutput(bytes) : toFile(path, bytes)
