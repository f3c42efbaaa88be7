/** Writes a stream of bytes to a file that appears whole or not at all, or to standard output. */

import { Effect, FileSystem, type PlatformError, Sink, Stdio, Stream } from "effect"
import { Refused } from "./Refused.ts"

const refuse = (where: string) => (error: PlatformError.PlatformError) =>
  Effect.fail(new Refused({ message: `${where} cannot be written: ${error.reason.message}` }))

type Bytes<E, R> = Stream.Stream<Uint8Array, E, R>

/** Beside its place, so that renaming it is one step; on the disk before it has its name. */
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

/** Its reader has gone, or what it leads to is full. */
const cutShort = () => new Refused({ message: "standard output was closed before everything was written" })

/** `null` is standard output, where a reader sees by the exit code and one line on standard error that it was cut short. */
export const writeWhole = <E, R>(
  path: string | null,
  bytes: Bytes<E, R>
): Effect.Effect<void, E | Refused, R | FileSystem.FileSystem | Stdio.Stdio> =>
  path === null ? toStandardOutput(bytes) : toFile(path, bytes)
