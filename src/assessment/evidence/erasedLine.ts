/** A line of an export about an erased assessment: its entry of the chain and who erased it, in this one spelling. */

import { Schema } from "effect"
import { modes } from "../../domain/Mode.ts"
import { hex } from "../../storage/evidence/chain.ts"
import { type Erasure, erasureReasons } from "../../storage/evidence/Erasure.ts"
import { Digest, Plain } from "./exportFields.ts"

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** Without its line break. `erased` comes first, so that a reader of histories knows at once that there is none. */
export const erasedLine = (erasure: Erasure): Uint8Array => {
  const { entryDigest, inputLeaf, policyDigest, previousDigest, resultLeaf, rulesDigest, snapshotLeaf } =
    erasure
  const line: typeof Line.Encoded = {
    erased: {
      at: erasure.erasedAt,
      reason: erasure.reason,
      public_key: base64(erasure.publicKey),
      signature: base64(erasure.signature)
    },
    assessment_id: erasure.assessmentId,
    environment_mode: erasure.mode,
    evidence: {
      rules_digest: hex(rulesDigest),
      policy_digest: hex(policyDigest),
      sequence: erasure.sequence,
      previous_digest: hex(previousDigest),
      entry_digest: hex(entryDigest)
    },
    seal: {
      organization_id: erasure.organizationId,
      created_at: erasure.createdAt,
      input_leaf: hex(inputLeaf),
      result_leaf: hex(resultLeaf),
      snapshot_leaf: hex(snapshotLeaf)
    }
  }
  return Buffer.from(JSON.stringify(line))
}

const Line = Schema.Struct({
  erased: Schema.Struct({
    at: Plain,
    reason: Schema.Literals(erasureReasons),
    public_key: Schema.String,
    signature: Schema.String
  }),
  assessment_id: Plain,
  environment_mode: Schema.Literals(modes),
  evidence: Schema.Struct({
    rules_digest: Digest,
    policy_digest: Digest,
    sequence: Schema.Int.check(Schema.isGreaterThan(0)),
    previous_digest: Digest,
    entry_digest: Digest
  }),
  seal: Schema.Struct({
    organization_id: Plain,
    created_at: Plain,
    input_leaf: Digest,
    result_leaf: Digest,
    snapshot_leaf: Digest
  })
})

const readLine = Schema.decodeUnknownSync(Line, { onExcessProperty: "error" })

const fromHex = (digits: string): Uint8Array => Buffer.from(digits, "hex")

const beginning = Buffer.from('{"erased":')

export const isErasedLine = (bytes: Uint8Array): boolean =>
  Buffer.compare(bytes.subarray(0, beginning.length), beginning) === 0

/** Throws where it is none. */
export const readErasedLine = (bytes: Uint8Array): Erasure => {
  const { assessment_id, environment_mode, erased, evidence, seal } = readLine(
    JSON.parse(Buffer.from(bytes).toString())
  )
  const erasure: Erasure = {
    organizationId: seal.organization_id,
    mode: environment_mode,
    sequence: evidence.sequence,
    previousDigest: fromHex(evidence.previous_digest),
    entryDigest: fromHex(evidence.entry_digest),
    assessmentId: assessment_id,
    createdAt: seal.created_at,
    inputLeaf: fromHex(seal.input_leaf),
    resultLeaf: fromHex(seal.result_leaf),
    snapshotLeaf: fromHex(seal.snapshot_leaf),
    rulesDigest: fromHex(evidence.rules_digest),
    policyDigest: fromHex(evidence.policy_digest),
    erasedAt: erased.at,
    reason: erased.reason,
    publicKey: Buffer.from(erased.public_key, "base64"),
    signature: Buffer.from(erased.signature, "base64")
  }
  // Any other spelling could say to one reader what it does not say to another.
  if (Buffer.compare(erasedLine(erasure), bytes) !== 0) throw new Error("it is spelled in another way")
  return erasure
}
