/** Files named by the operator: reads JSON strictly and lines as they arrive, and writes files completely or not at all. */

import { Effect, FileSystem, Option, type PlatformError, Result, Sink, Stdio, Stream } from "effect"
import { createReadStream } from "node:fs"
import { dirname } from "node:path"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import { isRecord } from "../json/json.ts"
import { strictJson } from "../json/strictJson.ts"
import { requestIn } from "../rules/policies/suggestEntries.ts"
import {
  bodyBytesMax,
  historyBlockBytes,
  historyLineBytesMax,
  inputLinesAtOnce,
  ruleFileBytesMax
} from "../limits.ts"
import { findingLine } from "../rules/Finding.ts"
import { HistoryFile } from "../rules/files/caseFiles.ts"
import { decodeFile } from "../rules/files/decodeFile.ts"
import { type LineBlock, wholeLines } from "../rules/history/wholeLines.ts"
import { CommandRefused, refuse } from "./commandFailures.ts"
import { elseNull, pathFlag } from "./flags.ts"
import { withoutNotice } from "./progress.ts"
import { figure } from "./texts.ts"

export const refuseFile = (file: string, problem: string) =>
  refuse(`${file === "-" ? "standard input" : file}: ${problem}`)

/** `-` means standard input. */
export const readJsonFile = Effect.fnUntraced(function* (file: string, bytesMax: number) {
  const bytes = yield* bytesOf(file, bytesMax).pipe(Effect.catchTag("PlatformError", unreadable(file)))
  if (bytes.length > bytesMax) return yield* refuseFile(file, `larger than ${figure(bytesMax)} bytes`)
  const json = strictJson(bytes)
  if (Result.isFailure(json)) return yield* refuseFile(file, json.failure)
  return json.success
})

/** Reads at most one byte beyond the limit, which suffices to reject the input. */
const standardInput = Effect.fnUntraced(function* (bytesMax: number) {
  yield* withoutNotice
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

/** Rejects folders, which have no content, and devices, some of which never end, like /dev/zero. */
const fileBytes = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const { type } = yield* files.stat(file)
  if (type === "Directory") return yield* refuseFile(file, "cannot be read: it is a folder")
  if (type === "CharacterDevice" || type === "BlockDevice")
    return yield* refuseFile(file, "cannot be read: it is a device")
  return yield* files.readFile(file)
})

const bytesOf = Effect.fnUntraced(function* (file: string, bytesMax: number) {
  return file === "-" ? yield* standardInput(bytesMax) : yield* fileBytes(file)
})

const unreadable =
  (file: string) =>
  ({ reason }: PlatformError.PlatformError) =>
    refuseFile(
      file,
      `cannot be read: ${reason._tag === "NotFound" ? "there is no such file" : reason.message}`
    )

const unwritable =
  (path: string) =>
  ({ reason }: PlatformError.PlatformError) => {
    const why = reason._tag === "NotFound" ? `there is no folder ${dirname(path)}` : reason.message
    return refuse(`${path} cannot be written: ${why}`)
  }

type Bytes<E, R> = Stream.Stream<Uint8Array, E, R>

/** How to write the output. A regular file is replaced, even through a link. A pipe or a terminal is written to. */
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

/** Writes a draft in the same folder, so that renaming it is atomic, and syncs it to disk before the rename. */
const toFile = <E, R>(path: string, bytes: Bytes<E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const place = yield* placeOf(path)
    const into = (written: string, flag: FileSystem.OpenFlag) =>
      Effect.tap(files.open(written, { flag }).pipe(Effect.catch(unwritable(path))), (file) =>
        Stream.runForEachArray(bytes, (chunks) =>
          file.writeAll(Buffer.concat(chunks)).pipe(Effect.catch(unwritable(path)))
        )
      )
    // Appends, because a pipe has no write position.
    if (!place.isReplaced) return yield* Effect.asVoid(Effect.scoped(into(place.path, "a")))
    const draft = `${place.path}.${process.pid}.partial`
    yield* Effect.scoped(
      Effect.flatMap(into(draft, "wx"), (file) => file.sync.pipe(Effect.catch(unwritable(path))))
    ).pipe(
      Effect.andThen(files.rename(draft, place.path).pipe(Effect.catch(unwritable(path)))),
      Effect.onError(() => Effect.ignore(files.remove(draft, { force: true })))
    )
  })

const toStandardOutput = <E, R>(bytes: Bytes<E, R>) =>
  Effect.gen(function* () {
    yield* withoutNotice
    const { stdout } = yield* Stdio.Stdio
    const sink = Sink.mapError(stdout({ endOnDone: false }), cutShort)
    yield* Stream.run(
      Stream.mapArray(bytes, (chunks) => [Buffer.concat(chunks)]),
      sink
    )
  })

/** The reader of a pipe has ended, or the disk behind a redirection is full. */
const cutShort = () => refuse("standard output was closed before everything was written")

/**
 * Writes all bytes to a file that exists only when it is complete. `null` means standard output, where only the exit code and one line on
 * standard error show that output is incomplete.
 */
export const writeWhole = <E, R>(
  path: string | null,
  bytes: Bytes<E, R>
): Effect.Effect<void, E | CommandRefused, R | FileSystem.FileSystem | Stdio.Stdio> =>
  path === null ? toStandardOutput(bytes) : toFile(path, bytes)

const lineBreak = Buffer.from("\n")
export const withLineBreak = (line: Uint8Array): Uint8Array => Buffer.concat([line, lineBreak])

/** `-` means standard input. */
export const readRequestFile = Effect.fnUntraced(function* (file: string) {
  const json = yield* readJsonFile(file, bodyBytesMax)
  const request = readActionRequest(json.value, json.holdsNul)
  if (Result.isFailure(request)) return yield* refuseFile(file, everyProblem(request.failure))
  return request.success
})

type InvalidFields = Parameters<typeof validationFailed>[0]

export const fieldProblems = (problems: InvalidFields): ReadonlyArray<string> =>
  validationFailed(problems).details.map(({ field, message }) => `${field} ${message}`)

export const everyProblem = (problems: InvalidFields): string => fieldProblems(problems).join("; ")

/** `--history <file>`: earlier requests of the organization in the format of a case file: `{now, earlier: [{at, request}]}`. */
export const historyFlag = elseNull(
  pathFlag("history", "history.json"),
  "Earlier requests, in the form of a case file: {now, earlier: [{at, request}]}"
)

/** Undefined without a file: the organization has no earlier requests. */
export const readHistoryFile = Effect.fnUntraced(function* (file: string | null) {
  return file === null ? undefined : yield* readShapedFile(HistoryFile, file)
})

/** Reads a JSON file of one shape, or refuses it with the first `problemsMax` problems. */
export const readShapedFile = Effect.fnUntraced(function* <S extends Parameters<typeof decodeFile>[0]>(
  shape: S,
  file: string,
  problemsMax?: number
) {
  const { value } = yield* readJsonFile(file, ruleFileBytesMax)
  const read = decodeFile(shape, { file, name: file, folder: "", json: value })
  if (Result.isSuccess(read)) return read.success
  const problems = read.failure.slice(0, problemsMax)
  return yield* refuseFile(
    file,
    problems.map((finding) => findingLine(finding).slice(file.length + 2)).join("; ")
  )
})

/** An open file of lines. */
export interface OpenInput {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Null if the size is unknown in advance: for pipes and the database. */
  readonly totalBytes: number | null
  /** The name of the input in findings. */
  readonly name: string
}

export type UseInput<A, E, R> = (input: OpenInput) => Effect.Effect<A, E, R>

const fromStandardInput = Effect.fnUntraced(function* <A, E, R>(use: UseInput<A, E, R>) {
  yield* withoutNotice
  const { stdin } = yield* Stdio.Stdio
  const bytes = yield* Stream.toAsyncIterableEffect(stdin)
  return yield* use({ bytes, totalBytes: null, name: "standard input" })
})

const fromFile = Effect.fnUntraced(function* <A, E, R>(path: string, use: UseInput<A, E, R>) {
  const info = yield* FileSystem.FileSystem.use((files) => files.stat(path)).pipe(
    Effect.catch(unreadable(path))
  )
  if (info.type === "Directory") return yield* refuseFile(path, "is a folder")
  // A pipe has no size.
  const totalBytes = info.type === "File" ? Number(info.size) : null
  return yield* Effect.acquireUseRelease(
    Effect.sync(() => createReadStream(path, { highWaterMark: historyBlockBytes })),
    (bytes) => use({ bytes, totalBytes, name: path }),
    (bytes) => Effect.sync(() => bytes.destroy())
  )
})

/** Opens a file of lines, or standard input for `-`, and closes it after `use`. */
export const withInput = Effect.fnUntraced(function* <A, E, R>(path: string, use: UseInput<A, E, R>) {
  return yield* path === "-" ? fromStandardInput(use) : fromFile(path, use)
})

export interface InputLine {
  /** From 1. */
  readonly number: number
  /** Without its line break. A line over `bodyBytesMax` may be cut, but stays longer than the limit. */
  readonly bytes: Uint8Array
}

export interface InputLines {
  readonly lines: ReadonlyArray<InputLine>
  /** The bytes read from the input until these lines were complete. */
  readonly readBytes: number
}

export const isTooLong = ({ bytes }: InputLine): boolean => bytes.length > bodyBytesMax

const newline = 0x0a
const carriageReturn = 0x0d

function* linesOf({ bytes, firstLine }: LineBlock): Generator<InputLine> {
  let number = firstLine
  for (let start = 0; start < bytes.length; number++) {
    const found = bytes.indexOf(newline, start)
    const lineEnd = found === -1 ? bytes.length : found
    const end = lineEnd > start && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    yield { number, bytes: bytes.subarray(start, end) }
    start = lineEnd + 1
  }
}

/** Yields lines as soon as they are read, even from a pipe that stays open. The last line may lack its line break. */
export async function* inputLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<InputLines> {
  for await (const block of wholeLines(source, 1)) {
    let lines: Array<InputLine> = []
    for (const line of linesOf(block)) {
      lines.push(line)
      if (lines.length < inputLinesAtOnce) continue
      yield { lines, readBytes: block.readBytes }
      lines = []
    }
    if (lines.length > 0) yield { lines, readBytes: block.readBytes }
  }
}

/** The nonempty lines of a file. Refuses more than `max` of them. */
export const filledLines = (path: string, max: number) =>
  withInput(path, ({ bytes }) =>
    Effect.promise(async () => {
      const lines: Array<InputLine> = []
      for await (const read of inputLines(bytes)) {
        lines.push(...read.lines.filter((line) => line.bytes.length > 0))
        if (lines.length > max) break
      }
      return lines
    })
  ).pipe(
    Effect.filterOrElse(
      (lines) => lines.length <= max,
      () => refuseFile(path, `has more than ${figure(max)} lines`)
    )
  )

/** The request in a line: the line itself, or the `input` of a recorded assessment. Null for a line about an erased assessment. */
export const readRequestLine = (bytes: Uint8Array) =>
  Result.map(
    bytes.length > historyLineBytesMax ? Result.fail("is too long") : strictJson(bytes),
    ({ holdsNul, value }) =>
      isRecord(value) && "erased" in value ? null : { holdsNul, request: requestIn(value) }
  )

/** The values that `read` returns for the lines, without nulls. Refuses the first line for which it fails. */
export const readEachLine = Effect.fnUntraced(function* <A>(
  path: string,
  lines: ReadonlyArray<InputLine>,
  read: (bytes: Uint8Array) => Result.Result<A | null, string>
) {
  const found: Array<A> = []
  for (const { bytes, number } of lines) {
    const one = read(bytes)
    if (Result.isFailure(one)) return yield* refuseFile(path, `line ${figure(number)}: ${one.failure}`)
    if (one.success !== null) found.push(one.success)
  }
  return found
})
