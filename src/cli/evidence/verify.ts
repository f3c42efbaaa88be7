/** `action-risk evidence verify`: verifies that stored or exported evidence is unchanged since it was sealed, or names the first broken row. */

import { Effect, Layer } from "effect"
import { Argument, Flag } from "effect/cli"
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
import { wrongArgument, wrongFlag } from "../commandFailures.ts"
import { ownerFlags, pathArgument, pathFlag, databaseSettings } from "../flags.ts"
import { withInput } from "../inputFiles.ts"
import { refuseFile } from "../operatorFiles.ts"
import { withProgress } from "../progress.ts"
import {
  anyKey,
  keyOfInstallation,
  keyOfInstallationIfAny,
  keysInFile,
  readCheckpoint
} from "./checkpoint.ts"
import {
  isWhole,
  renderVerification,
  verificationJson,
  type Verified,
  evidenceVerifySchema
} from "./verifyView.ts"
import { verb } from "../verb.ts"

interface Keys {
  readonly checkpoint: string | null
  readonly publicKey: string | null
}

const work = { title: "verify", unit: "entries" }

/** Notes the result for the console's page about evidence. Ignores a failure, because a copy of a database may be read-only. */
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
  const verification = yield* withInput(file, ({ bytes, totalBytes }) =>
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

const printed = (verified: Verified) => ({
  json: () => verificationJson(verified),
  text: () => renderVerification(currentTerminal(), verified),
  ok: isWhole(verified)
})

export const verify = verb({
  about: "Verify that evidence is unchanged since it was sealed, or name the first broken row",
  takes: {
    file: pathArgument("export.ndjson").pipe(
      Argument.withDescription("An export to verify, - for standard input; without it the database"),
      Argument.withDefault(null)
    ),
    ...ownerFlags("Of the database"),
    checkpoint: pathFlag("checkpoint", "checkpoint.json").pipe(
      Flag.withDescription(
        "A file from `evidence checkpoint`: detects entries that were cut off, and a rewritten chain"
      ),
      Flag.withDefault(null)
    ),
    publicKey: pathFlag("public-key", "evidence.pem").pipe(
      Flag.withDescription(
        "The key that must have signed the checkpoint and the erasures (default for the database: the key of this installation)"
      ),
      Flag.withDefault(null)
    )
  },
  prints: evidenceVerifySchema,
  fails:
    "a row is broken, a checkpoint was not signed by the key or contradicts the chain, or nothing can be read",
  reads: `of a database: ${databaseSettings}; with \`--checkpoint\` and without \`--public-key\`, \`EVIDENCE_KEY\` too`,
  examples: {
    "--org acme --mode live": "The evidence in the database",
    "--org acme --mode live --checkpoint acme-2026-12-01.json":
      "And that the entries of that day are still there",
    "export.ndjson --checkpoint acme-2026-12-01.json --public-key evidence.pem --json":
      "A file, without any database, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const { file, mode, org } = options
    if (file === null) {
      if (org === null || mode === null)
        return yield* wrongFlag("org", "", "used together with --mode, or give an export to verify")
      return printed(yield* inDatabase(org, mode, options))
    }
    if (org !== null || mode !== null)
      return yield* wrongArgument("export.ndjson", file, "given without --org and --mode of a database")
    return printed(yield* inExport(file, options))
  })
})
