/** The files that commands read: a request, the history of a case, recorded assessments, and lines of requests. */

import { Effect, FileSystem, Layer, Option, type PlatformError, Result, Stdio, Stream } from "effect"
import { CliError, type Command, Flag } from "effect/cli"
import { createReadStream } from "node:fs"
import { readActionRequest } from "../api/AssessmentRequest.ts"
import { validationFailed } from "../api/validation.ts"
import { type Mode, modes } from "../domain/Caller.ts"
import { exportEvidence } from "../evidence/exportEvidence.ts"
import {
  backtestJobsMax,
  bodyBytesMax,
  historyBlockBytes,
  inputLinesAtOnce,
  ruleFileBytesMax
} from "../limits.ts"
import { findingLine } from "../rules/Finding.ts"
import { HistoryFile } from "../rules/files/caseFiles.ts"
import { decodeFile } from "../rules/files/decodeFile.ts"
import { type LineBlock, wholeLines } from "../rules/history/wholeLines.ts"
import { AssessmentRecords } from "../storage/assessments/AssessmentRecords.ts"
import { organizationOf, Stores } from "./Stores.ts"
import { wrongUsage } from "./commandFailures.ts"
import { pathFlag } from "./flags.ts"
import { readJsonFile, refuseFile } from "./operatorFiles.ts"

/** `-` is standard input. */
export const readRequestFile = Effect.fn("assess.readRequest")(function* (file: string) {
  const json = yield* readJsonFile(file, bodyBytesMax)
  const request = readActionRequest(json.value, json.holdsNul)
  if (Result.isFailure(request)) return yield* refuseFile(file, everyProblem(request.failure))
  return request.success
})

const everyProblem = (problems: Parameters<typeof validationFailed>[0]): string =>
  validationFailed(problems)
    .details.map(({ field, message }) => `${field} ${message}`)
    .join("; ")

/** `--history <file>`: earlier requests of the organization in the form of a case file: `{now, earlier: [{at, request}]}`. */
export const historyFlag = pathFlag("history", "history.json").pipe(
  Flag.withDescription("Earlier requests, in the form of a case file: {now, earlier: [{at, request}]}"),
  Flag.withDefault(null)
)

/** Undefined without a file: the organization has no earlier requests. */
export const readHistoryFile = Effect.fn("cli.readHistory")(function* (file: string | null) {
  if (file === null) return undefined
  const { value } = yield* readJsonFile(file, ruleFileBytesMax)
  const read = decodeFile(HistoryFile, { file, name: file, folder: "", json: value })
  if (Result.isSuccess(read)) return read.success
  return yield* refuseFile(
    file,
    read.failure.map((finding) => findingLine(finding).slice(file.length + 2)).join("; ")
  )
})

/**
 * `--history`: opens recorded assessments from a file, from standard input or from the database.
 * The value of `--history` for the assessments in the database.
 */
const databaseHistory = "database"

export const historyFlags = {
  history: pathFlag("history", "history.ndjson|database|-").pipe(
    Flag.withDescription(
      "Recorded assessments: a file from `evidence export`, - for standard input, or database together with --org and --mode"
    )
  ),
  org: Flag.String("org").pipe(
    Flag.withDescription("With --history database: the organization's slug"),
    Flag.withMetavar("slug"),
    Flag.optional
  ),
  mode: Flag.Literals("mode", modes).pipe(
    Flag.withDescription("With --history database: live or test assessments"),
    Flag.optional
  ),
  jobs: Flag.Int("jobs").pipe(
    Flag.withDescription("Threads that score; the result does not depend on it (default: one per core)"),
    Flag.filter(
      (jobs) => jobs >= 1 && jobs <= backtestJobsMax,
      (jobs) => `expected 1 to ${backtestJobsMax} jobs, not ${jobs}`
    ),
    Flag.optional
  )
}

type HistoryOptions = Command.Command.Config.Infer<typeof historyFlags>

export interface History {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Null where the size is unknown before the end: pipes and the database. */
  readonly totalBytes: number | null
  /** The name of the history in findings. */
  readonly name: string
}

type Use<A, E, R> = (history: History) => Effect.Effect<A, E, R>

const lineBreak = Buffer.from("\n")

/** The same bytes that `evidence export` writes. */
const fromDatabase = Effect.fnUntraced(
  function* <A, E, R>(slug: string, mode: Mode, use: Use<A, E, R>) {
    const { id } = yield* organizationOf(slug)
    const lines = exportEvidence({ organizationId: id, mode }, { since: null, until: null }).pipe(
      Stream.mapArray((bodies) => [Buffer.concat(bodies.flatMap((body) => [body, lineBreak]))])
    )
    const bytes = yield* Stream.toAsyncIterableEffect(lines)
    return yield* use({ bytes, totalBytes: null, name: databaseHistory })
  },
  (effect) => Effect.provide(effect, AssessmentRecords.layer.pipe(Layer.provideMerge(Stores)))
)

const fromStandardInput = Effect.fnUntraced(function* <A, E, R>(use: Use<A, E, R>) {
  const { stdin } = yield* Stdio.Stdio
  const bytes = yield* Stream.toAsyncIterableEffect(stdin)
  return yield* use({ bytes, totalBytes: null, name: "standard input" })
})

const fromFile = Effect.fnUntraced(function* <A, E, R>(path: string, use: Use<A, E, R>) {
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
export const withInput = Effect.fnUntraced(function* <A, E, R>(path: string, use: Use<A, E, R>) {
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

const ownerRequired = new CliError.InvalidValue({
  option: "history",
  value: databaseHistory,
  expected: "used together with --org and --mode",
  kind: "flag"
})

/** Opens the history that the flags name, and closes it after `use`. `command`: its words below the root, for messages. */
export const withHistory = <A, E, R>(
  command: string,
  options: Omit<HistoryOptions, "jobs">,
  use: Use<A, E, R>
) =>
  Effect.gen(function* () {
    const { history, mode, org } = options
    if (history === databaseHistory) {
      // Checked before anything starts, so that a wrong call fails at once.
      if (Option.isNone(org) || Option.isNone(mode)) return yield* wrongUsage(command, ownerRequired)
      return yield* fromDatabase(org.value, mode.value, use)
    }
    return yield* withInput(history, use)
  })
