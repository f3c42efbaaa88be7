/** Opens the recorded assessments that `--history` names for as long as something works on them. */

import { Effect, FileSystem, Layer, Option, type PlatformError, Stdio, Stream } from "effect"
import { CliError } from "effect/cli"
import { createReadStream } from "node:fs"
import type { Mode } from "../../domain/Mode.ts"
import { exportEvidence } from "../../assessment/exportEvidence.ts"
import { historyBlockBytes } from "../../Limits.ts"
import { AssessmentRecords } from "../../storage/AssessmentRecords.ts"
import { organizationOf } from "../options/organization.ts"
import { refuseFile } from "../readJsonFile.ts"
import { Stores } from "../Stores.ts"
import { wrongUsage } from "../wrongUsage.ts"
import { database, type HistoryOptions } from "./historyFlags.ts"

export interface History {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Null where nobody knows before the end. */
  readonly totalBytes: number | null
  /** What a finding calls it. */
  readonly name: string
}

type Use<A, E, R> = (history: History) => Effect.Effect<A, E, R>

const lineBreak = Buffer.from("\n")

/** The very bytes that an export would write. */
const fromDatabase = Effect.fnUntraced(
  function* <A, E, R>(slug: string, mode: Mode, use: Use<A, E, R>) {
    const { id } = yield* organizationOf(slug)
    const lines = exportEvidence({ organizationId: id, mode }, { since: null, until: null }).pipe(
      Stream.mapArray((bodies) => [Buffer.concat(bodies.flatMap((body) => [body, lineBreak]))])
    )
    const bytes = yield* Stream.toAsyncIterableEffect(lines)
    return yield* use({ bytes, totalBytes: null, name: database })
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

const needsOwner = new CliError.InvalidValue({
  option: "history",
  value: database,
  expected: "used together with --org and --mode",
  kind: "flag"
})

export const withHistory = <A, E, R>(
  command: string,
  options: Omit<HistoryOptions, "jobs">,
  use: Use<A, E, R>
) =>
  Effect.gen(function* () {
    const { history, mode, org } = options
    if (history === database) {
      // Before anything is started: a wrong call costs nothing.
      if (Option.isNone(org) || Option.isNone(mode)) return yield* wrongUsage(command, needsOwner)
      return yield* fromDatabase(org.value, mode.value, use)
    }
    return yield* history === "-" ? fromStandardInput(use) : fromFile(history, use)
  })
