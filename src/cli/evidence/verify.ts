/** `action-risk evidence verify`: verifies that stored or exported evidence is unchanged since it was sealed, or names the first broken row. */

import { Console, Effect, Layer, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import type { Mode } from "../../domain/Caller.ts"
import { SealedEvidence } from "../../evidence/SealedEvidence.ts"
import { Seals, sealUnsealed } from "../../evidence/Seals.ts"
import type { Verification } from "../../evidence/chain.ts"
import { verifyDatabase } from "../../evidence/verifyDatabase.ts"
import { verifyExport } from "../../evidence/verifyExport.ts"
import { verifyOutcomes } from "../../evidence/verifyOutcomes.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { organizationOf, Stores } from "../Stores.ts"
import { currentTerminal } from "../Terminal.ts"
import { FindingsExit, wrongUsage } from "../commandFailures.ts"
import { jsonFlag, ownerFlags, pathArgument, pathFlag } from "../flags.ts"
import { withHistory } from "./recordedHistory.ts"
import { refuseFile } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import {
  anyKey,
  keyOfInstallation,
  keyOfInstallationIfAny,
  keysInFile,
  readCheckpoint
} from "./checkpoint.ts"
import { isWhole, renderVerification, verificationJson, type Verified } from "./verifyView.ts"

interface Keys {
  readonly checkpoint: string | null
  readonly publicKey: string | null
}

const work = { title: "verify", unit: "entries" }

/** For the page about evidence in the console. A copy of a database may be one that nobody can write to. */
const note = Effect.fnUntraced(function* (owner: Owner, { broken, sealed }: Verification) {
  if (sealed === 0) return
  const { noteVerification } = yield* SealedEvidence
  const found = { whole: true, first: 1, last: sealed, problem: broken?.problem ?? null }
  yield* Effect.ignore(noteVerification(owner, found))
})

const inDatabase = Effect.fnUntraced(
  function* (slug: string, mode: Mode, { checkpoint: file, publicKey }: Keys) {
    const { id } = yield* organizationOf(slug)
    const owner = { organizationId: id, mode }
    const keys =
      publicKey !== null
        ? yield* keysInFile(publicKey)
        : file === null
          ? yield* keyOfInstallationIfAny
          : yield* keyOfInstallation
    const trusted = file === null ? null : yield* readCheckpoint(file, keys)
    if (file !== null && (trusted?.checkpoint.organizationId !== id || trusted.checkpoint.mode !== mode))
      return yield* refuseFile(file, `is a checkpoint of another organization or mode than ${slug}, ${mode}`)
    // The service seals within a second. Sealing here covers a service that was stopped right after an answer.
    yield* sealUnsealed(mode)
    const verification = yield* withProgress(work, ({ at }) =>
      verifyDatabase(owner, trusted?.checkpoint ?? null, keys.keys, at)
    )
    yield* note(owner, verification)
    const verified: Verified = {
      verification,
      outcomes: yield* verifyOutcomes(owner),
      checkpoint: trusted,
      keysFrom: keys.from,
      file: null,
      organization: slug,
      mode
    }
    return verified
  },
  (effect) =>
    Effect.provide(effect, Layer.mergeAll(SealedEvidence.layer, Seals.layer).pipe(Layer.provideMerge(Stores)))
)

const inExport = Effect.fnUntraced(function* (file: string, { checkpoint, publicKey }: Keys) {
  const keys = publicKey === null ? anyKey : yield* keysInFile(publicKey)
  const trusted = checkpoint === null ? null : yield* readCheckpoint(checkpoint, keys)
  const source = { history: file, org: Option.none(), mode: Option.none(), since: Option.none() }
  const verification = yield* withHistory("evidence verify", source, ({ bytes, totalBytes }) =>
    withProgress(work, ({ at }) =>
      Effect.promise(() =>
        verifyExport(bytes, trusted?.checkpoint ?? null, keys.keys, (entries, readBytes) =>
          at(entries, totalBytes === null ? null : readBytes / totalBytes)
        )
      )
    )
  )
  const verified: Verified = {
    verification,
    outcomes: null,
    checkpoint: trusted,
    keysFrom: keys.from,
    file,
    organization: null,
    mode: null
  }
  return verified
})

export const verifyCommand = Command.make(
  "verify",
  {
    file: pathArgument("export.ndjson").pipe(
      Argument.withDescription("An export to verify, - for standard input; without it the database"),
      Argument.optional
    ),
    ...ownerFlags("Of the database"),
    checkpoint: pathFlag("checkpoint", "checkpoint.json").pipe(
      Flag.withDescription(
        "A file from `evidence checkpoint`: detects entries that were cut off, and a rewritten chain"
      ),
      Flag.optional
    ),
    publicKey: pathFlag("public-key", "evidence.pem").pipe(
      Flag.withDescription(
        "The key that must have signed the checkpoint and the erasures (default for the database: the key of this installation)"
      ),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* (options) {
    const { file, mode, org } = options
    const keys = {
      checkpoint: Option.getOrNull(options.checkpoint),
      publicKey: Option.getOrNull(options.publicKey)
    }
    let verified: Verified
    if (Option.isSome(file)) {
      if (Option.isSome(org) || Option.isSome(mode))
        return yield* wrongUsage("evidence verify", eitherOr(file.value))
      verified = yield* inExport(file.value, keys)
    } else {
      if (Option.isNone(org) || Option.isNone(mode)) return yield* wrongUsage("evidence verify", needsSubject)
      verified = yield* inDatabase(org.value, mode.value, keys)
    }
    yield* Console.log(
      options.json
        ? JSON.stringify(verificationJson(verified))
        : renderVerification(currentTerminal(), verified)
    )
    if (!isWhole(verified)) return yield* new FindingsExit()
  })
).pipe(
  Command.withDescription(
    "Verify that evidence is unchanged since it was sealed, or name the first broken row"
  ),
  Command.withExamples([
    {
      command: "action-risk evidence verify --org acme --mode live",
      description: "The evidence in the database"
    },
    {
      command: "action-risk evidence verify --org acme --mode live --checkpoint acme-2026-12-01.json",
      description: "And that the entries of that day are still there"
    },
    {
      command:
        "action-risk evidence verify export.ndjson --checkpoint acme-2026-12-01.json --public-key evidence.pem --json",
      description: "A file, without any database, for scripts"
    }
  ])
)

const needsSubject = new CliError.InvalidValue({
  option: "org",
  value: "",
  expected: "used together with --mode, or give an export to verify",
  kind: "flag"
})

const eitherOr = (file: string) =>
  new CliError.InvalidValue({
    option: "export.ndjson",
    value: file,
    expected: "given without --org and --mode, which are of the database",
    kind: "argument"
  })
