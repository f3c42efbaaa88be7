/** One line of an export, back in the words of a chain: a link, an erasure, or an assessment that was not sealed yet. */

import { Schema } from "effect"
import { modes } from "../../domain/Mode.ts"
import type { Erasure } from "../../storage/evidence/Erasure.ts"
import type { Link } from "../../storage/evidence/Link.ts"
import { isErasedLine, readErasedLine } from "./erasedLine.ts"
import { Digest, Plain } from "./exportFields.ts"
import { type Member, membersOf } from "./membersOf.ts"

const Head = Schema.Struct({
  assessment_id: Plain,
  environment_mode: Schema.Literals(modes),
  evidence: Schema.Unknown,
  seal: Schema.Unknown
})

const Digests = { input_digest: Digest, result_digest: Digest, rules_digest: Digest, policy_digest: Digest }
const SealedEvidence = Schema.Struct({
  ...Digests,
  behavior_snapshot: Schema.Unknown,
  sequence: Schema.Int.check(Schema.isGreaterThan(0)),
  previous_digest: Digest,
  entry_digest: Digest,
  sealed_at: Schema.String
})

const Basis = {
  organization_id: Plain,
  created_at: Plain,
  salt: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)))
}
const Leaves = Schema.Struct({ ...Basis, input_leaf: Digest, result_leaf: Digest, snapshot_leaf: Digest })
const NoLeaves = Schema.Struct({
  ...Basis,
  input_leaf: Schema.Null,
  result_leaf: Schema.Null,
  snapshot_leaf: Schema.Null
})

const readHead = Schema.decodeUnknownSync(Head)
// Members that nobody digests would say what nobody has said.
const readEvidence = Schema.decodeUnknownSync(SealedEvidence, { onExcessProperty: "error" })
const readLeaves = Schema.decodeUnknownSync(Leaves, { onExcessProperty: "error" })
const readNoLeaves = Schema.decodeUnknownSync(NoLeaves, { onExcessProperty: "error" })

export interface Unsealed extends Pick<Link, "organizationId" | "mode" | "assessmentId" | "createdAt"> {
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

const fromHex = (digits: string): Uint8Array => Buffer.from(digits, "hex")

const readLine = (bytes: Uint8Array): Link | Unsealed => {
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
export const readExportLine = (bytes: Uint8Array): Link | Erasure | Unsealed | undefined => {
  try {
    return isErasedLine(bytes) ? readErasedLine(bytes) : readLine(bytes)
  } catch {
    return undefined
  }
}
