/** The export format: writes one line per assessment, erased or not, and reads lines back strictly. */

import { Schema } from "effect"
import { encodeEvidence } from "../assessment/encode.ts"
import { modes } from "../domain/Caller.ts"
import type { SealableEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { hex } from "../storage/sha256.ts"
import { type Erasure, erasureReasons } from "./Erasure.ts"
import type { SealedLink } from "./chain.ts"

const hexOrNull = (bytes: Uint8Array | null): string | null => (bytes === null ? null : hex(bytes))

/** The line of a stored assessment, without a line break. */
export const encodeExportLine = (stored: SealableEvidence): Uint8Array => {
  const seal = {
    organization_id: stored.organizationId,
    created_at: stored.createdAt,
    salt: hex(stored.salt),
    input_leaf: hexOrNull(stored.inputLeaf),
    result_leaf: hexOrNull(stored.resultLeaf),
    snapshot_leaf: hexOrNull(stored.snapshotLeaf)
  }
  return Buffer.concat([
    encodeEvidence(stored).subarray(0, -1),
    Buffer.from(`,"seal":${JSON.stringify(seal)}}`)
  ])
}

/** Hex SHA-256. */
const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** Text that the entry contains without escaping. */
const PlainText = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z:.-]{1,64}$/))

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/**
 * The line of an erased assessment, without a line break. `erased` comes first, so that history readers notice immediately that the line
 * has no request.
 */
export const encodeErasedLine = (erasure: Erasure): Uint8Array => {
  const { entryDigest, inputLeaf, policyDigest, previousDigest, resultLeaf, rulesDigest, snapshotLeaf } =
    erasure
  const line: typeof ErasedLine.Encoded = {
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

const ErasedLine = Schema.Struct({
  erased: Schema.Struct({
    at: PlainText,
    reason: Schema.Literals(erasureReasons),
    public_key: Schema.String,
    signature: Schema.String
  }),
  assessment_id: PlainText,
  environment_mode: Schema.Literals(modes),
  evidence: Schema.Struct({
    rules_digest: Digest,
    policy_digest: Digest,
    sequence: Schema.Int.check(Schema.isGreaterThan(0)),
    previous_digest: Digest,
    entry_digest: Digest
  }),
  seal: Schema.Struct({
    organization_id: PlainText,
    created_at: PlainText,
    input_leaf: Digest,
    result_leaf: Digest,
    snapshot_leaf: Digest
  })
})

const decodeErasedLine = Schema.decodeUnknownSync(ErasedLine, { onExcessProperty: "error" })

const fromHex = (digits: string): Uint8Array => Buffer.from(digits, "hex")

const erasedPrefix = Buffer.from('{"erased":')

const isErasedLine = (bytes: Uint8Array): boolean =>
  Buffer.compare(bytes.subarray(0, erasedPrefix.length), erasedPrefix) === 0

/** Throws if the bytes are not the line of an erased assessment. */
const readErasedLine = (bytes: Uint8Array): Erasure => {
  const { assessment_id, environment_mode, erased, evidence, seal } = decodeErasedLine(
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
  // Rejects other spellings, because two readers could understand them differently.
  if (Buffer.compare(encodeErasedLine(erasure), bytes) !== 0) throw new Error("it is not in canonical form")
  return erasure
}

/** The members that every line of an assessment has. */
const LineHead = Schema.Struct({
  assessment_id: PlainText,
  environment_mode: Schema.Literals(modes),
  evidence: Schema.Unknown,
  seal: Schema.Unknown
})

const Digests = { input_digest: Digest, result_digest: Digest, rules_digest: Digest, policy_digest: Digest }
const EvidenceFields = Schema.Struct({
  ...Digests,
  behavior_snapshot: Schema.Unknown,
  sequence: Schema.Int.check(Schema.isGreaterThan(0)),
  previous_digest: Digest,
  entry_digest: Digest,
  sealed_at: Schema.String
})

const SealBasis = {
  organization_id: PlainText,
  created_at: PlainText,
  salt: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/))
}
const Leaves = Schema.Struct({ ...SealBasis, input_leaf: Digest, result_leaf: Digest, snapshot_leaf: Digest })
const NoLeaves = Schema.Struct({
  ...SealBasis,
  input_leaf: Schema.Null,
  result_leaf: Schema.Null,
  snapshot_leaf: Schema.Null
})

const readHead = Schema.decodeUnknownSync(LineHead)
// Rejects unknown members: no digest covers them, so anyone could add some.
const readEvidence = Schema.decodeUnknownSync(EvidenceFields, { onExcessProperty: "error" })
const readLeaves = Schema.decodeUnknownSync(Leaves, { onExcessProperty: "error" })
const readNoLeaves = Schema.decodeUnknownSync(NoLeaves, { onExcessProperty: "error" })

export interface UnsealedLine extends Pick<
  SealedLink,
  "organizationId" | "mode" | "assessmentId" | "createdAt"
> {
  readonly sequence: null
}

class NoExportLine extends Error {}

/** Rejects repeated names: one reader would take the first member and another the last. */
const distinctMembers = (bytes: Uint8Array): ReadonlyArray<Member> => {
  const members = membersOf(bytes)
  if (new Set(members.map(({ name }) => name)).size !== members.length) throw new NoExportLine()
  return members
}

/** The bytes of the digested parts. The last members must be `input`, `evidence` and `seal`, in this order. */
const partsOf = (bytes: Uint8Array) => {
  const [input, evidence, seal] = distinctMembers(bytes).slice(-3)
  if (input?.name !== "input" || evidence?.name !== "evidence" || seal?.name !== "seal")
    throw new NoExportLine()
  const evidenceBytes = bytes.subarray(evidence.start, evidence.end)
  const snapshot = distinctMembers(evidenceBytes).find(({ name }) => name === "behavior_snapshot")
  const snapshotBytes = evidenceBytes.subarray(snapshot?.start, snapshot?.end)
  return {
    input: bytes.subarray(input.start, input.end),
    // The response is everything before `input`, plus the closing brace that the export omitted.
    response: Buffer.concat([bytes.subarray(0, input.from), Buffer.from("}")]),
    snapshot: Buffer.from(snapshotBytes).toString() === "null" ? null : snapshotBytes
  }
}

const readAssessmentLine = (bytes: Uint8Array): SealedLink | UnsealedLine => {
  const line = readHead(JSON.parse(Buffer.from(bytes).toString()))
  const row = { assessmentId: line.assessment_id, mode: line.environment_mode }
  const unsealed = Object(line.evidence).sequence === null
  if (unsealed) {
    const { created_at, organization_id } = readNoLeaves(line.seal)
    return { ...row, organizationId: organization_id, createdAt: created_at, sequence: null }
  }
  const seal = readLeaves(line.seal)
  const evidence = readEvidence(line.evidence)
  return {
    ...row,
    ...partsOf(bytes),
    organizationId: seal.organization_id,
    createdAt: seal.created_at,
    salt: fromHex(seal.salt),
    inputLeaf: fromHex(seal.input_leaf),
    resultLeaf: fromHex(seal.result_leaf),
    snapshotLeaf: fromHex(seal.snapshot_leaf),
    sequence: evidence.sequence,
    previousDigest: fromHex(evidence.previous_digest),
    entryDigest: fromHex(evidence.entry_digest),
    rulesDigest: fromHex(evidence.rules_digest),
    policyDigest: fromHex(evidence.policy_digest),
    inputDigest: fromHex(evidence.input_digest),
    resultDigest: fromHex(evidence.result_digest)
  }
}

/** Undefined for a line that no export writes. */
export const readExportLine = (bytes: Uint8Array): SealedLink | Erasure | UnsealedLine | undefined => {
  try {
    return isErasedLine(bytes) ? readErasedLine(bytes) : readAssessmentLine(bytes)
  } catch {
    return undefined
  }
}

/** The position of a member in the bytes of a JSON object, so that digests can be computed over the original bytes. */
interface Member {
  readonly name: string
  /** The index of the comma before the member, or of the object's opening brace. */
  readonly from: number
  /** The index of the value's first byte, and the index after its last byte. */
  readonly start: number
  readonly end: number
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The index of the quote that ends the string which starts at `at`. */
const endOfString = (bytes: Uint8Array, at: number): number => {
  let end = at + 1
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  return end
}

/** The members in order. The bytes must parse as a JSON object without surrounding white space. */
const membersOf = (bytes: Uint8Array): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  let depth = 0
  let from = 0
  let name: string | null = null
  let start = 0
  const close = (end: number): void => {
    if (name !== null) members.push({ name, from, start, end })
    name = null
    from = end
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = endOfString(bytes, at)
      if (depth === 1 && name === null) name = Buffer.from(bytes.subarray(at + 1, end)).toString()
      at = end
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 1) close(at)
      depth--
    } else if (depth === 1 && byte === colon) start = at + 1
    else if (depth === 1 && byte === comma) close(at)
  }
  return members
}
