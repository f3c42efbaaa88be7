/** A checkpoint on its way to a file and back. */

import { Effect, FileSystem, Schema } from "effect"
import { createPublicKey, type KeyObject } from "node:crypto"
import { checkpointBytesMax } from "../../Limits.ts"
import { type Checkpoint, isSigned, publicKeyText } from "../../storage/evidence/checkpoint.ts"
import { readJsonFile, refuseFile } from "../readJsonFile.ts"
import { evidenceCheckpointShape } from "../shapes/evidence/checkpoint.ts"

type CheckpointJson = typeof evidenceCheckpointShape.Type

export const checkpointJson = (checkpoint: Checkpoint): CheckpointJson => ({
  organization_id: checkpoint.organizationId,
  mode: checkpoint.mode,
  sequence: checkpoint.sequence,
  entry_digest: checkpoint.entryDigest,
  at: checkpoint.at,
  public_key: checkpoint.publicKey,
  signature: checkpoint.signature
})

const isCheckpoint = Schema.is(evidenceCheckpointShape)

const readPublicKey = Effect.fnUntraced(function* (file: string) {
  const text = yield* FileSystem.FileSystem.use((files) => files.readFileString(file)).pipe(
    Effect.catch(() => refuseFile(file, "cannot be read"))
  )
  return yield* Effect.try(() => createPublicKey(text)).pipe(
    Effect.catch(() => refuseFile(file, "is no public key: action-risk evidence public-key prints one"))
  )
})

export interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly keyFrom: "file" | "settings" | "checkpoint"
}

/** A checkpoint whose signature holds: by the key in `keyFile`, else by `ownKey`, else by the key that it names itself. */
export const readCheckpoint = Effect.fn("cli.readCheckpoint")(function* (
  file: string,
  keyFile: string | null,
  ownKey: KeyObject | null
) {
  const { value } = yield* readJsonFile(file, checkpointBytesMax)
  if (!isCheckpoint(value)) return yield* refuseFile(file, "is no checkpoint")
  const named: Checkpoint = {
    organizationId: value.organization_id,
    mode: value.mode,
    sequence: value.sequence,
    entryDigest: value.entry_digest,
    at: value.at,
    publicKey: value.public_key,
    signature: value.signature
  }
  const key = keyFile === null ? ownKey : yield* readPublicKey(keyFile)
  if (!isSigned(named, key ?? undefined)) {
    const whose =
      keyFile === null ? (ownKey === null ? "that it names" : "of this installation") : `in ${keyFile}`
    return yield* refuseFile(file, `was not signed with the key ${whose}, or was changed since`)
  }
  const trusted: TrustedCheckpoint = {
    checkpoint: key === null ? named : { ...named, publicKey: publicKeyText(key) },
    keyFrom: keyFile === null ? (ownKey === null ? "checkpoint" : "settings") : "file"
  }
  return trusted
})
