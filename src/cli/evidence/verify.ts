/** `action-risk evidence verify`: verifies that stored or exported evidence is unchanged since it was sealed, or names the first broken row. */

import { Effect, Layer, Schema } from "effect"
import { type Mode, modes } from "../../domain/Caller.ts"
import { SealedEvidence } from "../../evidence/SealedEvidence.ts"
import { Seals, sealUnsealed } from "../../evidence/Seals.ts"
import type { Verification } from "../../evidence/chain.ts"
import { verifyDatabase } from "../../evidence/verifyDatabase.ts"
import { verifyExport } from "../../evidence/verifyExport.ts"
import { type OutcomesVerification, verifyOutcomes } from "../../evidence/verifyOutcomes.ts"
import type { Owner } from "../../storage/assessments/AssessmentRecord.ts"
import { hex } from "../../storage/sha256.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { lines, type Terminal } from "../Terminal.ts"
import { wrongArgument, wrongFlag } from "../commandFailures.ts"
import { databaseSettings, elseNull, optionalOwnerFlags, pathArgument, pathFlag } from "../flags.ts"
import { refuseFile, withInput } from "../operatorFiles.ts"
import { int, literals, members, nullOr, string } from "../jsonShapes.ts"
import { withProgress } from "../progress.ts"
import { counted, figure } from "../texts.ts"
import {
  anyKey,
  keyOfInstallation,
  keyOfInstallationIfAny,
  keysInFile,
  readCheckpoint,
  type TrustedCheckpoint,
  type TrustedKeys
} from "./checkpoint.ts"
import { verb } from "../verb.ts"

const Broken = members({
  sequence: nullOr(Schema.Int, "The position in the chain; null if the row has none."),
  assessmentId: nullOr(Schema.String, "Null if it is unknown."),
  line: nullOr(Schema.Int, "The line of the export; null in a database."),
  problem: string("The problem with the row, in one sentence.")
})

const Checkpoint = members({
  sequence: Schema.Int,
  at: Schema.String,
  publicKey: string("The key that signed it, SubjectPublicKeyInfo in base64."),
  keyFrom: literals(
    ["file", "settings", "checkpoint"],
    "The source of that key: `--public-key`, this installation, or the checkpoint itself, which proves nothing about who signed."
  )
})

export const evidenceVerifyShape = members({
  ok: Schema.Boolean,
  export: nullOr(Schema.String, "The file; null if the database was verified."),
  organization: nullOr(Schema.String, "The slug; null for an export."),
  mode: nullOr(Schema.Literals(modes), "Null for an export."),
  sealed: int("Unbroken entries, counted from the first."),
  erased: Schema.Struct({
    entries: int("How many of them belong to an erased assessment, with a signed record."),
    key_from: nullOr(
      Schema.Literals(["file", "settings", "itself"]),
      "The source of the key that signed the records: `--public-key`, this installation, or the record itself, which proves nothing about who erased; null if nothing was erased."
    )
  }),
  waiting: int("Assessments without a seal: the newest ones may not have one yet."),
  entryDigest: nullOr(Schema.String, "The digest of the last unbroken entry; null if there is none."),
  checkpoint: Schema.NullOr(Checkpoint),
  outcomes: nullOr(
    members({
      sealed: int("Unbroken entries, counted from the first."),
      erased: int("How many of them belong to an event that was erased with its assessment."),
      broken: Schema.NullOr(
        members({
          sequence: Schema.NullOr(Schema.Int),
          assessmentId: Schema.String,
          problem: Schema.String
        })
      )
    }),
    "The chain of outcome events; null for an export."
  ),
  broken: nullOr(Broken, "The first broken row; null if no row is broken.")
})

interface Keys {
  readonly checkpoint: string | null
  readonly publicKey: string | null
}

const work = { title: "verify", unit: "entries" }

/** Stores the result for the console's page about evidence. Ignores a failure, because a copy of a database may be read-only. */
const note = Effect.fnUntraced(function* (owner: Owner, { broken, sealed }: Verification) {
  if (sealed === 0) return
  const { noteVerification } = yield* SealedEvidence
  const found = { whole: true, first: 1, last: sealed, problem: broken?.problem ?? null }
  yield* Effect.ignore(noteVerification(owner, found))
})

const inDatabase = Effect.fnUntraced(
  function* (slug: string, mode: Mode, { checkpoint: file, publicKey }: Keys) {
    const owner = yield* ownerOf(slug, mode)
    const installed = file === null ? keyOfInstallationIfAny : keyOfInstallation
    const keys = yield* publicKey === null ? installed : keysInFile(publicKey)
    const trusted = file === null ? null : yield* readCheckpoint(file, keys)
    if (
      file !== null &&
      (trusted?.checkpoint.organizationId !== owner.organizationId || trusted.checkpoint.mode !== mode)
    )
      return yield* refuseFile(file, `is a checkpoint of another organization or mode than ${slug}, ${mode}`)
    // The service seals within a second. Sealing here covers a service that was stopped right after an answer.
    yield* sealUnsealed(mode)
    const verification = yield* withProgress(work, ({ at }) =>
      verifyDatabase(owner, trusted?.checkpoint ?? null, keys.keys, at)
    )
    yield* note(owner, verification)
    const outcomes = yield* verifyOutcomes(owner)
    return printed(verification, outcomes, trusted, keys.from, { export: null, organization: slug, mode })
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
  return printed(verification, null, trusted, keys.from, { export: file, organization: null, mode: null })
})

/** `outcomes`: null for an export. */
const printed = (
  verification: Verification,
  outcomes: OutcomesVerification | null,
  trusted: TrustedCheckpoint | null,
  keysFrom: TrustedKeys["from"],
  place: Pick<typeof evidenceVerifyShape.Type, "export" | "organization" | "mode">
) => {
  const { broken, erased, head } = verification
  const ok = broken === null && (outcomes?.broken ?? null) === null
  return {
    json: () => ({
      ...place,
      ...verification,
      ok,
      outcomes,
      erased: { entries: erased, key_from: erased === 0 ? null : keysFrom },
      entryDigest: head.sequence === 0 ? null : hex(head.entryDigest),
      checkpoint: trusted && { ...trusted.checkpoint, keyFrom: trusted.keyFrom }
    }),
    text: (screen: Terminal) =>
      lines(
        renderAssessments(screen, verification, trusted, keysFrom),
        // Omits the chain of outcome events if it is empty.
        outcomes !== null &&
          outcomes.sealed + Number(outcomes.broken !== null) > 0 &&
          renderOutcomes(screen, outcomes)
      ).join("\n"),
    ok
  }
}

export const verify = verb({
  about: "Verify that evidence is unchanged since it was sealed, or name the first broken row",
  takes: {
    file: elseNull(
      pathArgument("export.ndjson"),
      "An export to verify, - for standard input; without it the database"
    ),
    ...optionalOwnerFlags("Of the database"),
    checkpoint: elseNull(
      pathFlag("checkpoint", "checkpoint.json"),
      "A file from `evidence checkpoint`: detects entries that were cut off, and a rewritten chain"
    ),
    publicKey: elseNull(
      pathFlag("public-key", "evidence.pem"),
      "The key that must have signed the checkpoint and the erasures (default for the database: the key of this installation)"
    )
  },
  prints: evidenceVerifyShape,
  fails:
    "a row is broken, a checkpoint was not signed by the key or contradicts the chain, or nothing can be read",
  reads: `of a database: ${databaseSettings}; with \`--checkpoint\` and without \`--public-key\`, \`EVIDENCE_KEY\` too`,
  examples: {
    "--org acme --mode live": "The evidence in the database",
    "--org acme --mode live --checkpoint acme-2026-12-01.json":
      "And check that the entries of that day still exist",
    "export.ndjson --checkpoint acme-2026-12-01.json --public-key evidence.pem --json":
      "A file, without any database, for scripts"
  },
  run: Effect.fnUntraced(function* (options) {
    const { file, mode, org } = options
    if (file === null) {
      if (org === null || mode === null)
        return yield* wrongFlag("org", "", "used together with --mode, unless an export is given")
      return yield* inDatabase(org, mode, options)
    }
    if (org !== null || mode !== null)
      return yield* wrongArgument("export.ndjson", file, "given without --org and --mode of a database")
    return yield* inExport(file, options)
  })
})

const signedBy = {
  file: "signed with the given key",
  settings: "signed with the key of this installation",
  checkpoint:
    "signed with the key that the checkpoint itself names: use --public-key to verify whose key it is"
}

const erasedBy = {
  file: "on record, signed with the given key",
  settings: "on record, signed with the key of this installation",
  itself:
    "on record, signed with keys that the records themselves name: use --public-key to verify whose keys they are"
}

const renderOutcomes = ({ color }: Terminal, { broken, erased, sealed }: OutcomesVerification): string => {
  const events = counted(sealed, "outcome event")
  if (broken !== null) {
    const at = broken.sequence === null ? "" : `, entry ${figure(broken.sequence)}`
    return `${color("red", "✗")} outcome event${at} of assessment ${broken.assessmentId}: ${broken.problem}`
  }
  return `${color("green", "✓")} ${events}, each as it was sealed${erased === 0 ? "" : `, ${figure(erased)} erased`}`
}

const renderAssessments = (
  { color }: Terminal,
  { broken, erased, head, sealed, waiting }: Verification,
  trusted: TrustedCheckpoint | null,
  keysFrom: TrustedKeys["from"]
): ReadonlyArray<string> => {
  const entries = counted(sealed, "entry", "entries")
  if (broken !== null) {
    const row = lines(
      broken.line !== null && `line ${broken.line}`,
      broken.sequence !== null && `entry ${figure(broken.sequence)}`,
      broken.assessmentId !== null && `assessment ${broken.assessmentId}`
    )
    return [
      `${color("red", "✗")} ${row.join(", ")}: ${broken.problem}`,
      color("dim", `  ${entries} before it ${sealed === 1 ? "is" : "are"} whole`)
    ]
  }
  return lines(
    `${color("green", "✓")} ${entries}, each as it was sealed`,
    sealed > 0 && color("dim", `  the last one is ${hex(head.entryDigest)}`),
    erased > 0 &&
      `  ${counted(erased, "of them is", "of them are")} of an erased assessment, ${erasedBy[keysFrom]}`,
    waiting > 0 && `  ${counted(waiting, "assessment waits for its", "assessments wait for their")} seal`,
    trusted !== null &&
      `  entry ${figure(trusted.checkpoint.sequence)} is the one of the checkpoint of ${trusted.checkpoint.at}, ${signedBy[trusted.keyFrom]}`
  )
}
