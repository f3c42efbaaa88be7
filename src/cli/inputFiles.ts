/** The files that commands read: a request, the history of a case, and files of lines. */

import { Effect, FileSystem, type PlatformError, Result, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { createReadStream } from "node:fs"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import { bodyBytesMax, historyBlockBytes, inputLinesAtOnce, ruleFileBytesMax } from "../limits.ts"
import { findingLine } from "../rules/Finding.ts"
import { HistoryFile } from "../rules/files/caseFiles.ts"
import { decodeFile } from "../rules/files/decodeFile.ts"
import { type LineBlock, wholeLines } from "../rules/history/wholeLines.ts"
import { pathFlag } from "./flags.ts"
import { readJsonFile, refuseFile } from "./operatorFiles.ts"

/** `-` is standard input. */
export const readRequestFile = Effect.fnUntraced(function* (file: string) {
  const json = yield* readJsonFile(file, bodyBytesMax)
  const request = readActionRequest(json.value, json.holdsNul)
  if (Result.isFailure(request)) return yield* refuseFile(file, everyProblem(request.failure))
  return request.success
})

export const everyProblem = (problems: Parameters<typeof validationFailed>[0]): string =>
  validationFailed(problems)
    .details.map(({ field, message }) => `${field} ${message}`)
    .join("; ")

/** `--history <file>`: earlier requests of the organization in the form of a case file: `{now, earlier: [{at, request}]}`. */
export const historyFlag = pathFlag("history", "history.json").pipe(
  Flag.withDescription("Earlier requests, in the form of a case file: {now, earlier: [{at, request}]}"),
  Flag.withDefault(null)
)

/** Undefined without a file: the organization has no earlier requests. */
export const readHistoryFile = Effect.fnUntraced(function* (file: string | null) {
  if (file === null) return undefined
  const { value } = yield* readJsonFile(file, ruleFileBytesMax)
  const read = decodeFile(HistoryFile, { file, name: file, folder: "", json: value })
  if (Result.isSuccess(read)) return read.success
  return yield* refuseFile(
    file,
    read.failure.map((finding) => findingLine(finding).slice(file.length + 2)).join("; ")
  )
})

/** A file of lines while it is open. */
export interface OpenInput {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Null where the size is unknown before the end: pipes and the database. */
  readonly totalBytes: number | null
  /** The name of the input in findings. */
  readonly name: string
}

export type UseInput<A, E, R> = (input: OpenInput) => Effect.Effect<A, E, R>

const fromStandardInput = Effect.fnUntraced(function* <A, E, R>(use: UseInput<A, E, R>) {
  const { stdin } = yield* Stdio.Stdio
  const bytes = yield* Stream.toAsyncIterableEffect(stdin)
  return yield* use({ bytes, totalBytes: null, name: "standard input" })
})

const fromFile = Effect.fnUntraced(function* <A, E, R>(path: string, use: UseInput<A, E, R>) {
  const refuse = ({ reason }: PlatformError.PlatformError) =>
    refuseFile(
      path,
      `cannot be read: ${reason._tag === "NotFound" ? "there is no such file" : reason.message}`
    )
  const info = yield* FileSystem.FileSystem.use((files) => files.stat(path)).pipe(Effect.catch(refuse))
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
  /** Without its line break. A line over `bodyBytesMax` may be cut, and is still over it. */
  readonly bytes: Uint8Array
}

export interface InputLines {
  readonly lines: ReadonlyArray<InputLine>
  /** The bytes of the input that were read until these lines were complete. */
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

/** Gives lines as soon as they are read, also from a pipe that stays open. The last line may lack its line break. */
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
