#!/usr/bin/env node
/**
 * Verifies an export of evidence with nothing but Node 20 or newer: read it, then run it.
 *
 *     node verify-evidence.mjs export.ndjson [--checkpoint checkpoint.json] [--public-key evidence.pem]
 *
 * Every assessment that is sealed has an entry in a chain. The entry's digest covers the digest of the entry before it and
 * salted digests of what was asked, what was answered and what was known of history, so that no byte of them can change,
 * and no entry go, come or move, without the chain breaking there. A signed checkpoint shows in addition that the end was not
 * cut off, and that the whole was not written anew, since it was signed. What was erased leaves its entry, and a signed
 * record of who erased it, when and why. The file of public keys may hold several, one below the other.
 *
 * Exit code: 0 where everything is whole, 1 where a row is broken (the first one is named), 2 where it was called wrongly.
 */

import { createHash, createPublicKey, verify } from "node:crypto"
import { createReadStream, readFileSync } from "node:fs"

/** Entries that may come before their place: an export is ordered by time, a chain by commit. */
const strayMax = 100_000
/** An entry is sealed within a second or two. */
const waitMs = 60_000
const lineBytesMax = 1_048_576

const sha256 = (...parts) => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}

const fromHex = (digits) => Buffer.from(digits ?? "", "hex")

/** The members of a JSON object in its bytes: name, where it begins (its comma or the brace), and its value's place. */
const membersOf = (bytes) => {
  const members = []
  let [depth, from, start, name] = [0, 0, 0, null]
  const close = (end) => {
    if (name !== null) members.push({ name, from, value: bytes.subarray(start, end) })
    name = null
    from = end
  }
  for (let at = 0; at < bytes.length; at++) {
    const sign = String.fromCharCode(bytes[at])
    if (sign === '"') {
      let end = at + 1
      while (end < bytes.length && bytes[end] !== 0x22) end += bytes[end] === 0x5c ? 2 : 1
      if (depth === 1 && name === null) name = bytes.subarray(at + 1, end).toString()
      at = end
    } else if (sign === "{" || sign === "[") depth++
    else if (sign === "}" || sign === "]") {
      if (depth === 1) close(at)
      depth--
    } else if (depth === 1 && sign === ":") start = at + 1
    else if (depth === 1 && sign === ",") close(at)
  }
  if (new Set(members.map((member) => member.name)).size < members.length)
    throw new Error("a name stands twice")
  return members
}

/** The text whose SHA-256 is the entry's digest: RFC 8785 JSON. */
const entryText = ({ assessment_id, environment_mode, evidence, seal }) =>
  `{"assessment_id":"${assessment_id}","created_at":"${seal.created_at}","input_leaf":"${seal.input_leaf}"` +
  `,"mode":"${environment_mode}","organization_id":"${seal.organization_id}"` +
  `,"policy_digest":"${evidence.policy_digest}","previous_digest":"${evidence.previous_digest}"` +
  `,"result_leaf":"${seal.result_leaf}","rules_digest":"${evidence.rules_digest}"` +
  `,"sequence":${evidence.sequence},"snapshot_leaf":"${seal.snapshot_leaf}"}`

const evidenceNames =
  "input_digest result_digest behavior_snapshot rules_digest policy_digest sequence previous_digest entry_digest sealed_at"
const sealNames = "organization_id created_at salt input_leaf result_leaf snapshot_leaf"

/** What is wrong with a sealed line by itself; null where nothing is. */
const lineProblem = (bytes, line) => {
  const members = membersOf(bytes)
  const [input, evidence, seal] = members.slice(-3)
  const namesOf = (member) => membersOf(member.value).map(({ name }) => name)
  if (
    `${input?.name} ${evidence?.name} ${seal?.name}` !== "input evidence seal" ||
    namesOf(evidence).join(" ") !== evidenceNames ||
    namesOf(seal).join(" ") !== sealNames
  )
    return "it is not a line that an export with seals writes"
  // The response, as it was sent, ends where `input` was put in, with the brace that was taken off.
  const response = Buffer.concat([bytes.subarray(0, input.from), Buffer.from("}")])
  const snapshot = membersOf(evidence.value).find(({ name }) => name === "behavior_snapshot").value
  const { input_digest, result_digest } = line.evidence
  if (sha256(input.value) !== input_digest) return "its input is not the one that was digested"
  if (sha256(response) !== result_digest) return "its response is not the one that was digested"
  const salt = fromHex(line.seal.salt)
  const leafOf = (digest) => sha256(salt, fromHex(digest))
  if (leafOf(input_digest) !== line.seal.input_leaf)
    return "its input or its salt is not the one that was sealed"
  if (leafOf(result_digest) !== line.seal.result_leaf) return "its response is not the one that was sealed"
  const snapshotDigest = sha256(snapshot.toString() === "null" ? "" : snapshot)
  if (leafOf(snapshotDigest) !== line.seal.snapshot_leaf)
    return "its behaviour snapshot is not the one that was sealed"
  return sha256(entryText(line)) === line.evidence.entry_digest
    ? null
    : "its entry digest is not that of its entry: an id, an instant, a digest or a leaf was changed"
}

const erasedNames = "at reason public_key signature"
const erasedEvidenceNames = "rules_digest policy_digest sequence previous_digest entry_digest"
const erasedSealNames = "organization_id created_at input_leaf result_leaf snapshot_leaf"
const textOf = (key) => key.export({ format: "der", type: "spki" }).toString("base64")
const keyOf = (text) => createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" })

/** The same of a line about an erased assessment; `keys` null takes the key that the line names. */
const erasedProblem = (bytes, line, keys) => {
  const { assessment_id, environment_mode, erased, evidence, seal } = line
  const isPlain = (value) => /^[0-9A-Za-z:.+/=-]{1,120}$/.test(value)
  const isBase64 = (text) => Buffer.from(text, "base64").toString("base64") === text
  if (
    JSON.stringify(line) !== bytes.toString() ||
    Object.keys(line).join(" ") !== "erased assessment_id environment_mode evidence seal" ||
    Object.keys(erased).join(" ") !== erasedNames ||
    Object.keys(evidence).join(" ") !== erasedEvidenceNames ||
    Object.keys(seal).join(" ") !== erasedSealNames ||
    ![assessment_id, environment_mode, ...[erased, evidence, seal].flatMap(Object.values)].every(isPlain) ||
    ![erased.public_key, erased.signature].every(isBase64)
  )
    return "it is not a line that an export with seals writes"
  if (sha256(entryText(line)) !== evidence.entry_digest)
    return "its entry digest is not that of its entry: an id, an instant, a digest or a leaf was changed"
  const text =
    `{"assessment_id":"${assessment_id}","entry_digest":"${evidence.entry_digest}","erased_at":"${erased.at}"` +
    `,"mode":"${environment_mode}","organization_id":"${seal.organization_id}","reason":"${erased.reason}"}`
  if (!isSigned(text, erased.signature, erased.public_key))
    return "its erasure was not signed with the key that it names, or was changed since"
  return keys === null || keys.some((key) => textOf(key) === erased.public_key)
    ? null
    : "its erasure was signed with another key: it was taken away by hand, or the key has changed since"
}

const isSigned = (text, signature, publicKey) => {
  try {
    const key = keyOf(publicKey)
    return (
      key.asymmetricKeyType === "ed25519" &&
      verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"))
    )
  } catch {
    return false
  }
}

class Broken extends Error {}

const refuse = (where, problem) => {
  throw new Broken(`${where}: ${problem}`)
}

/** Lines with their numbers, of any file in little memory. */
async function* linesOf(file) {
  let [rest, number] = [Buffer.alloc(0), 0]
  for await (const chunk of createReadStream(file)) {
    let bytes = Buffer.concat([rest, chunk])
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a)) {
      yield { bytes: bytes.subarray(0, end), number: ++number }
      bytes = bytes.subarray(end + 1)
    }
    if (bytes.length > lineBytesMax)
      refuse(`line ${number + 1}`, "it is longer than a line of an export can be")
    rest = bytes
  }
  if (rest.length > 0) yield { bytes: rest, number: number + 1 }
}

const parse = (bytes, where) => {
  try {
    const line = JSON.parse(bytes.toString())
    if (line.evidence.sequence === null || line.seal.input_leaf !== null) return line
  } catch {
    // Said below, like everything else that is no such line.
  }
  return refuse(where, "it is not a line that an export with seals writes")
}

const verifyExport = async (file, checkpoint, keys) => {
  let head = { sequence: 0, digest: "00".repeat(32) }
  let [owner, waiting] = [checkpoint && `${checkpoint.organization_id} ${checkpoint.mode}`, 0]
  let [newestMs, waitingSince, erased] = [0, null, 0]
  const early = new Map()

  const follow = ({ digest, previous, problem, sequence, where }) => {
    if (problem !== null) refuse(where, problem)
    if (previous !== head.digest)
      refuse(where, "it does not follow the entry before it: that one was replaced, or this one moved")
    if (sequence === checkpoint?.sequence && digest !== checkpoint.entry_digest)
      refuse(
        where,
        `it is not the entry that the checkpoint of ${checkpoint.at} has signed: the chain was rewritten`
      )
    head = { sequence, digest }
  }

  for await (const { bytes, number } of linesOf(file)) {
    if (bytes.length === 0) continue
    const line = parse(bytes, `line ${number}`)
    const { assessment_id, environment_mode, evidence, seal } = line
    owner ??= `${seal.organization_id} ${environment_mode}`
    if (owner !== `${seal.organization_id} ${environment_mode}`)
      refuse(
        `line ${number}`,
        "it is of another organization or mode than the checkpoint, or than the line before it"
      )
    const { sequence } = evidence
    const atMs = Date.parse(seal.created_at)
    newestMs = Math.max(newestMs, atMs)
    if (sequence === null) {
      waiting++
      waitingSince ??= { atMs, where: `line ${number}, assessment ${assessment_id}` }
      continue
    }
    const where = `line ${number}, entry ${sequence}, assessment ${assessment_id}`
    if (!Number.isSafeInteger(sequence) || sequence <= head.sequence || early.has(sequence))
      refuse(where, "its sequence number is taken by another entry")
    const problem = line.erased ? erasedProblem(bytes, line, keys) : lineProblem(bytes, line)
    if (line.erased) erased++
    early.set(sequence, {
      sequence,
      where,
      problem,
      digest: evidence.entry_digest,
      previous: evidence.previous_digest
    })
    for (let next = early.get(head.sequence + 1); next; next = early.get(head.sequence + 1)) {
      early.delete(next.sequence)
      follow(next)
    }
    if (early.size > strayMax) break
  }
  if (early.size > 0) refuse(`entry ${head.sequence + 1}`, "it is missing")
  if (checkpoint && head.sequence < checkpoint.sequence)
    refuse(
      `entry ${head.sequence + 1}`,
      `it is missing: the checkpoint of ${checkpoint.at} has signed ${checkpoint.sequence} entries, so the end was cut off`
    )
  if (waitingSince && newestMs - waitingSince.atMs > waitMs)
    refuse(waitingSince.where, "it has no seal, and others in this export are more than 60 s younger")
  return { ...head, erased, waiting }
}

const readKeys = (file) =>
  readFileSync(file, "utf8")
    .match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g)
    .map((pem) => createPublicKey(pem))

/** A checkpoint whose signature holds, by one of the given keys or else by the one that it names itself. */
const readCheckpoint = (file, keys) => {
  const checkpoint = JSON.parse(readFileSync(file, "utf8"))
  const { at, entry_digest, mode, organization_id, public_key, sequence, signature } = checkpoint
  const text = `{"at":"${at}","entry_digest":"${entry_digest}","mode":"${mode}","organization_id":"${organization_id}","sequence":${sequence}}`
  const signed = (keys?.map(textOf) ?? [public_key]).some((key) => isSigned(text, signature, key))
  return signed ? checkpoint : refuse(file, "was not signed with the key, or was changed since")
}

const optionOf = (args, name) => {
  const at = args.indexOf(name)
  return at === -1 ? undefined : args.splice(at, 2)[1]
}

const args = process.argv.slice(2)
const [checkpointFile, keyFile] = [optionOf(args, "--checkpoint"), optionOf(args, "--public-key")]
if (args.length !== 1 || args[0].startsWith("--")) {
  console.error(
    "usage: node verify-evidence.mjs export.ndjson [--checkpoint checkpoint.json] [--public-key evidence.pem]"
  )
  process.exit(2)
}
try {
  const keys = keyFile ? readKeys(keyFile) : null
  const checkpoint = checkpointFile ? readCheckpoint(checkpointFile, keys) : null
  const { digest, erased, sequence, waiting } = await verifyExport(args[0], checkpoint, keys)
  const whose = keyFile
    ? "signed with the given key"
    : "signed with the key that it names itself, whoever's that is"
  console.log(`${sequence} entries, each as it was sealed; the last one is ${digest}`)
  if (erased > 0) console.log(`${erased} of them are of erased assessments, on record, each ${whose}`)
  if (waiting > 0) console.log(`${waiting} assessments wait for their seal`)
  if (checkpoint)
    console.log(`entry ${checkpoint.sequence} is the one of the checkpoint of ${checkpoint.at}, ${whose}`)
} catch (error) {
  console.log(error instanceof Broken ? error.message : `cannot be verified: ${error.message}`)
  process.exitCode = 1
}
