/** `evidence checkpoint` signs the end of a chain; `evidence public-key` prints the key that verifies the signature. */

import { Clock, Console, Effect, FileSystem, Layer, Result, Schema, Stream } from "effect"
import { createPublicKey, type KeyObject } from "node:crypto"
import { AppConfig } from "../../config.ts"
import { modes } from "../../domain/Caller.ts"
import { EvidenceKey } from "../../evidence/EvidenceKey.ts"
import { SealedEvidence } from "../../evidence/SealedEvidence.ts"
import { Seals, sealUnsealed } from "../../evidence/Seals.ts"
import { type Checkpoint, isCheckpointSigned, publicKeyText, signCheckpoint } from "../../evidence/chain.ts"
import { checkpointBytesMax } from "../../limits.ts"
import { hex } from "../../storage/sha256.ts"
import { ownerOf, Stores } from "../Stores.ts"
import { refuse } from "../commandFailures.ts"
import { databaseSettings, outFlag, ownerFlags } from "../flags.ts"
import { documentOf, members, string } from "../jsonShapes.ts"
import { readJsonFile, refuseFile, writeWhole } from "../operatorFiles.ts"
import { figure } from "../texts.ts"
import { verb } from "../verb.ts"

const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

export const evidenceCheckpointShape = members({
  organizationId: matching(/^[0-9a-f-]{36}$/),
  mode: Schema.Literals(modes),
  sequence: Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "The number of entries in the chain."
  }),
  entryDigest: matching(/^[0-9a-f]{64}$/).annotate({ description: "The digest of the last entry." }),
  at: matching(/^[0-9TZ:.-]{20,30}$/).annotate({ description: "When it was signed." }),
  publicKey: string("Ed25519, SubjectPublicKeyInfo in base64: the body of a PEM file."),
  signature: string(
    "Ed25519, base64: of the members `at`, `entry_digest`, `mode`, `organization_id` and `sequence` as RFC 8785 JSON."
  )
})

/** A checkpoint proves something only if it is kept where the owner of the database cannot change it. */
export const checkpoint = verb({
  about:
    "Sign the current end of a chain of evidence, to detect later that entries were cut off or the chain was rewritten",
  takes: {
    ...ownerFlags,
    out: outFlag("checkpoint.json")
  },
  prints: evidenceCheckpointShape,
  fails: "there is no such organization, it has no sealed assessment yet, or the file cannot be written",
  reads: `${databaseSettings} and \`EVIDENCE_KEY\``,
  examples: {
    "--org acme --mode live --out acme-2026-12-01.json":
      "Every day, to storage that the database's owner cannot change",
    "--org acme --mode live | mail auditor@example.com": "To the auditor who will verify later"
  },
  run: Effect.fnUntraced(
    function* ({ mode, org, out }) {
      const key = yield* EvidenceKey
      const owner = yield* ownerOf(org, mode)
      yield* sealUnsealed(mode)
      const head = yield* SealedEvidence.use((evidence) => evidence.head(owner))
      if (head.sequence === 0) return yield* refuse(`${org} has no sealed assessment in ${mode} mode yet`)
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      const entryDigest = hex(head.entryDigest)
      const signed = signCheckpoint({ ...owner, sequence: head.sequence, entryDigest, at }, key)
      const line = JSON.stringify(documentOf(evidenceCheckpointShape, signed))
      if (out !== null) yield* writeWhole(out, Stream.make(Buffer.from(`${line}\n`)))
      return {
        json: () => signed,
        text: () =>
          out === null ? line : `${figure(head.sequence)} entries of ${org}, ${mode}, signed in ${out}`
      }
    },
    Effect.provide(
      Layer.mergeAll(EvidenceKey.layer, SealedEvidence.layer, Seals.layer).pipe(Layer.provideMerge(Stores))
    )
  )
})

export const publicKey = verb({
  about: "Print the public key that checkpoints are verified with, in PEM",
  takes: {},
  fails: "the key cannot be read",
  reads: "`EVIDENCE_KEY`, `DATA_DIR`",
  examples: {
    "> evidence.pem": "Once, for the auditors, by a different channel than the checkpoints",
    "action-risk evidence public-key | openssl pkey -pubin -noout -text": "To inspect it"
  },
  run: Effect.fnUntraced(function* () {
    const { publicKey } = yield* EvidenceKey
    yield* Console.log(publicKey.export({ format: "pem", type: "spki" }).toString().trimEnd())
  }, Effect.provide(EvidenceKey.layer))
})

const decodeCheckpoint = Schema.decodeUnknownResult(evidenceCheckpointShape)

export interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly keyFrom: "file" | "settings" | "checkpoint"
}

/** Reads a checkpoint and verifies its signature with one of the keys, or with the key in the checkpoint if no keys are given. */
export const readCheckpoint = Effect.fnUntraced(function* (file: string, { from, keys }: TrustedKeys) {
  const { value } = yield* readJsonFile(file, checkpointBytesMax)
  const read = decodeCheckpoint(value)
  if (Result.isFailure(read)) return yield* refuseFile(file, "is not a checkpoint")
  const named: Checkpoint = read.success
  const key = keys?.find((candidate) => isCheckpointSigned(named, candidate)) ?? null
  if (keys === null ? !isCheckpointSigned(named) : key === null) {
    const whose = { file: "that was given", settings: "of this installation", itself: "that it names" }[from]
    return yield* refuseFile(file, `was not signed with the key ${whose}, or was changed afterwards`)
  }
  const trusted: TrustedCheckpoint = {
    checkpoint: key === null ? named : { ...named, publicKey: publicKeyText(key) },
    keyFrom: from === "itself" ? "checkpoint" : from
  }
  return trusted
})

/** The keys whose signatures a verification accepts: from a file, from this installation, or from the signed documents themselves. */
export interface TrustedKeys {
  readonly from: "file" | "settings" | "itself"
  /** Null for `itself`: each signature is verified with the key stated in its document. */
  readonly keys: ReadonlyArray<KeyObject> | null
}

const pem = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g

/** A file may contain several keys one after another, such as those from before a key change. */
export const keysInFile = Effect.fnUntraced(function* (file: string) {
  const text = yield* FileSystem.FileSystem.use((files) => files.readFileString(file)).pipe(
    Effect.catch(() => refuseFile(file, "cannot be read"))
  )
  const keys = yield* Effect.try(() => (text.match(pem) ?? []).map((block) => createPublicKey(block))).pipe(
    Effect.orElseSucceed(() => [])
  )
  if (keys.length === 0)
    return yield* refuseFile(file, "is not a public key: action-risk evidence public-key prints one")
  return { from: "file", keys } satisfies TrustedKeys
})

export const anyKey: TrustedKeys = { from: "itself", keys: null }

export const keyOfInstallation = EvidenceKey.pipe(
  Effect.map(({ publicKey }): TrustedKeys => ({ from: "settings", keys: [publicKey] })),
  Effect.provide(EvidenceKey.layer)
)

/**
 * An operator may verify an external database (`databaseUrl`) without a configured key. Each erasure's signature is then verified with the
 * key in its own record.
 */
export const keyOfInstallationIfAny = Effect.flatMap(AppConfig, ({ databaseUrl, evidenceKey }) =>
  databaseUrl !== null && evidenceKey === null ? Effect.succeed(anyKey) : keyOfInstallation
)
