/** The format of an export: one line for each assessment, erased or not, written and strictly read back. */

import { Schema } from "effect"
import { encodeEvidence } from "../assessment/encode.ts"
import { modes } from "../domain/Caller.ts"
import type { SealableEvidence } from "../storage/assessments/AssessmentRecord.ts"
import { type Erasure, erasureReasons } from "./Erasure.ts"
import { hex, type SealedLink } from "./chain.ts"

const hexOrNull = (bytes: Uint8Array | null): string | null => (bytes === null ? null : hex(bytes))

/** Without its line break. */
export const encodeExportLine = (stored: SealableEvidence): Uint8Array => {
  const seal = {
    organization_id: stored.organizationId,
    created_at: stored.createdAt,
    salt: hexOrNull(stored.salt),
    input_leaf: hexOrNull(stored.inputLeaf),
    result_leaf: hexOrNull(stored.resultLeaf),
    snapshot_leaf: hexOrNull(stored.snapshotLeaf)
  }
  return Buffer.concat([
    encodeEvidence(stored).subarray(0, -1),
    Buffer.from(`,"seal":${JSON.stringify(seal)}}`)
  ])
}

/**
 * What stands in lines of an export, as they are read back.
 * SHA-256 in hexadecimal digits.
 */
const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** What an entry's text holds unescaped. */
const PlainText = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z:.-]{1,64}$/))

/** A line of an export about an erased assessment: its entry of the chain and who erased it, in this one spelling. */
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/** Without its line break. `erased` comes first, so that a reader of histories knows at once that there is none. */
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

/** Throws where it is none. */
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
  // Any other spelling could say to one reader what it does not say to another.
  if (Buffer.compare(encodeErasedLine(erasure), bytes) !== 0) throw new Error("it is spelled in another way")
  return erasure
}

/** One line of an export, back in the words of a chain: a link, an erasure, or an assessment that was not sealed yet. */
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
  salt: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)))
}
const Leaves = Schema.Struct({ ...SealBasis, input_leaf: Digest, result_leaf: Digest, snapshot_leaf: Digest })
const NoLeaves = Schema.Struct({
  ...SealBasis,
  input_leaf: Schema.Null,
  result_leaf: Schema.Null,
  snapshot_leaf: Schema.Null
})

const readHead = Schema.decodeUnknownSync(LineHead)
// Members that nobody digests would say what nobody has said.
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

/** Each name once: of two, one reader takes the first and another the last. */
const distinctMembers = (bytes: Uint8Array): ReadonlyArray<Member> => {
  const members = membersOf(bytes)
  if (new Set(members.map(({ name }) => name)).size !== members.length) throw new NoExportLine()
  return members
}

/** The exact bytes of the parts; `input`, `evidence` and `seal` are the last members, in this order. */
const partsOf = (bytes: Uint8Array) => {
  const [input, evidence, seal] = distinctMembers(bytes).slice(-3)
  if (input?.name !== "input" || evidence?.name !== "evidence" || seal?.name !== "seal")
    throw new NoExportLine()
  const evidenceBytes = bytes.subarray(evidence.start, evidence.end)
  const snapshot = distinctMembers(evidenceBytes).find(({ name }) => name === "behavior_snapshot")
  const snapshotBytes = evidenceBytes.subarray(snapshot?.start, snapshot?.end)
  return {
    input: bytes.subarray(input.start, input.end),
    // The response ends where `input` was put in, with the brace that was taken off.
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
    salt: seal.salt === null ? null : fromHex(seal.salt),
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

/** Undefined where the line is not one that an export writes. */
export const readExportLine = (bytes: Uint8Array): SealedLink | Erasure | UnsealedLine | undefined => {
  try {
    return isErasedLine(bytes) ? readErasedLine(bytes) : readAssessmentLine(bytes)
  } catch {
    return undefined
  }
}

/** Where the members of a JSON object stand in its bytes, so that digests can be taken of parts as they are. */
interface Member {
  readonly name: string
  /** Of the comma in front of it, or of the object's first brace. */
  readonly from: number
  /** Of its value: the first byte, and the one behind the last. */
  readonly start: number
  readonly end: number
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The quote that ends the string which begins at `at`. */
const endOfString = (bytes: Uint8Array, at: number): number => {
  let end = at + 1
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  return end
}

/** In their order. For bytes that parse as a JSON object without white space around it; of others it means nothing. */
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
