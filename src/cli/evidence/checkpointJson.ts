/** A checkpoint on its way to a file and back. */

import { Effect, Schema } from "effect"
import { checkpointBytesMax } from "../../Limits.ts"
import { type Checkpoint, isSigned, publicKeyText } from "../../storage/evidence/checkpoint.ts"
import { readJsonFile, refuseFile } from "../readJsonFile.ts"
import { evidenceCheckpointShape } from "../shapes/evidence/checkpoint.ts"
import type { TrustedKeys } from "./trustedKeys.ts"

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

export interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly keyFrom: "file" | "settings" | "checkpoint"
}

/** A checkpoint whose signature holds: by one of the keys, or without any by the key that it names itself. */
export const readCheckpoint = Effect.fn("cli.readCheckpoint")(function* (
  file: string,
  { from, keys }: TrustedKeys
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
  const key = keys?.find((one) => isSigned(named, one)) ?? null
  if (keys === null ? !isSigned(named) : key === null) {
    const whose = { file: "that was given", settings: "of this installation", itself: "that it names" }[from]
    return yield* refuseFile(file, `was not signed with the key ${whose}, or was changed since`)
  }
  const trusted: TrustedCheckpoint = {
    checkpoint: key === null ? named : { ...named, publicKey: publicKeyText(key) },
    keyFrom: from === "itself" ? "checkpoint" : from
  }
  return trusted
})
