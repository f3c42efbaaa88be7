/** Files that the operator names: reads JSON strictly, and writes files completely or not at all. */

import { Effect, FileSystem, Option, type PlatformError, Result, Sink, Stdio, Stream } from "effect"
import { dirname } from "node:path"
import { strictJson } from "../json/strictJson.ts"
import { CommandRefused } from "./commandFailures.ts"
import { figure } from "./texts.ts"

export const refuseFile = (file: string, problem: string) =>
  Effect.fail(new CommandRefused({ message: `${file === "-" ? "standard input" : file}: ${problem}` }))

/** `-` is standard input. */
export const readJsonFile = Effect.fnUntraced(function* (file: string, bytesMax: number) {
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

/** Where the output goes. A regular file is replaced, also behind a link. A pipe or a terminal is written to. */
const placeOf = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const type = yield* Effect.option(Effect.map(files.stat(path), (about) => about.type))
    if (Option.isNone(type)) return { path, isReplaced: true }
    if (type.value === "BlockDevice") return yield* refuseFile(path, "cannot be written: it is a device")
    const isReplaced = type.value !== "CharacterDevice" && type.value !== "FIFO"
    return {
      path: isReplaced ? yield* Effect.orElseSucceed(files.realPath(path), () => path) : path,
      isReplaced
    }
  })

/** Writes a draft in the same folder, so that the rename is atomic, and syncs the draft to disk before the rename. */
const toFile = <E, R>(path: string, bytes: Bytes<E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const place = yield* placeOf(path)
    const into = (written: string, flag: FileSystem.OpenFlag) =>
      Effect.tap(files.open(written, { flag }).pipe(Effect.catch(refuse(path))), (file) =>
        Stream.runForEachArray(bytes, (chunks) =>
          file.writeAll(Buffer.concat(chunks)).pipe(Effect.catch(refuse(path)))
        )
      )
    // Appends, because a pipe has no position to write at.
    if (!place.isReplaced) return yield* Effect.asVoid(Effect.scoped(into(place.path, "a")))
    const draft = `${place.path}.${process.pid}.partial`
    yield* Effect.scoped(
      Effect.flatMap(into(draft, "wx"), (file) => file.sync.pipe(Effect.catch(refuse(path))))
    ).pipe(
      Effect.andThen(files.rename(draft, place.path).pipe(Effect.catch(refuse(path)))),
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
 * `null` is standard output, where only the exit code and one line on standard error show that the output is incomplete.
 */
export const writeWhole = <E, R>(
  path: string | null,
  bytes: Bytes<E, R>
): Effect.Effect<void, E | CommandRefused, R | FileSystem.FileSystem | Stdio.Stdio> =>
  path === null ? toStandardOutput(bytes) : toFile(path, bytes)
