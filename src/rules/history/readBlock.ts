/** Reads recorded assessments from the lines of an export, and reports the lines that are none. */

import { Result } from "effect"
import { isUtf8 } from "node:buffer"
import type { Json, JsonObject } from "../../json/json.ts"
import type { Action } from "../../domain/Action.ts"
import type { Behavior } from "../../domain/Behavior.ts"
import { historyLineBytesMax } from "../../limits.ts"
import { readRecordedRequest, readRecordedSnapshot } from "./recordedInput.ts"
import type { LineBlock } from "./wholeLines.ts"

interface RecordConsumer {
  readonly record: (record: RecordedAssessment, line: number) => void
  readonly unreadable: (message: string, line: number) => void
}

const tooLong = `is longer than ${historyLineBytesMax.toLocaleString("en-US")} bytes`

/** How an export begins a line about an erased assessment. */
const erased = '{"erased":'

/** UTF-8 takes at most three bytes for what is one code unit here. */
const isTooLong = (text: string, start: number, end: number): boolean =>
  (end - start) * 3 > historyLineBytesMax && Buffer.byteLength(text.slice(start, end)) > historyLineBytesMax

const readLines = (text: string, firstLine: number, reader: RecordConsumer): void => {
  let line = firstLine
  for (let start = 0; start < text.length; line++) {
    const found = text.indexOf("\n", start)
    const lineEnd = found === -1 ? text.length : found
    const end = text.charCodeAt(lineEnd - 1) === 0x0d ? lineEnd - 1 : lineEnd
    // An empty line says nothing, most files end with one; and what was erased says nothing any more.
    if (end > start && !text.startsWith(erased, start)) {
      if (isTooLong(text, start, end)) reader.unreadable(tooLong, line)
      else {
        const read = readRecord(text, start, end)
        if (Result.isSuccess(read)) reader.record(read.success, line)
        else reader.unreadable(read.failure, line)
      }
    }
    start = lineEnd + 1
  }
}

const newline = 0x0a

/** Only a block with a broken byte is taken line by line, so that the others of its lines can be read. */
const readBlockWithBrokenLine = ({ bytes, firstLine }: LineBlock, reader: RecordConsumer): void => {
  let line = firstLine
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found + 1
    const one = bytes.subarray(start, end)
    if (isUtf8(one)) readLines(toText(one), line, reader)
    else reader.unreadable(one.length - 1 > historyLineBytesMax ? tooLong : "is not UTF-8", line)
    start = end
  }
}

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

export const readBlock = (block: LineBlock, reader: RecordConsumer): void =>
  isUtf8(block.bytes)
    ? readLines(toText(block.bytes), block.firstLine, reader)
    : readBlockWithBrokenLine(block, reader)

/** A stored assessment as a history tells it: what was asked, what history said then, and the policies that it was scored with. */
export interface RecordedAssessment {
  readonly assessmentId: string
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** As it was recorded. */
  readonly request: JsonObject
  readonly action: Action
  /** `unavailable` where no snapshot was stored: the assessment was incomplete, with history at its worst. */
  readonly behavior: Behavior
}

/** One line of a history as a recorded assessment, or why it is none. */
const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The same parts out of the line read whole. */
const parseRecord = (line: string): Result.Result<RecordParts, string> => {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return Result.fail("is not JSON")
  }
  if (!isObject(json)) return Result.fail("is no JSON object")
  const { assessment_id: assessmentId, evidence, input, policy_version: policyVersion } = json
  if (typeof assessmentId !== "string") return Result.fail("has no assessment_id")
  if (typeof policyVersion !== "string") return Result.fail("has no policy_version")
  if (!isObject(evidence)) return Result.fail("has no evidence")
  return Result.succeed({ assessmentId, policyVersion, input, snapshot: evidence["behavior_snapshot"] })
}

/** The line from `start` to `end` in `text`, its line break not included. */
export const readRecord = (
  text: string,
  start: number,
  end: number
): Result.Result<RecordedAssessment, string> => {
  const cut = sliceRecord(text, start, end)
  const parts = cut === undefined ? parseRecord(text.slice(start, end)) : Result.succeed(cut)
  if (Result.isFailure(parts)) return Result.fail(parts.failure)
  const { assessmentId, input, policyVersion, snapshot } = parts.success
  if (!isObject(input)) return Result.fail("has no input")
  const action = readRecordedRequest(input)
  if (Result.isFailure(action)) return Result.fail(action.failure)
  if (snapshot === undefined) return Result.fail("has no evidence.behavior_snapshot")
  // Invariant: what JSON.parse gave is JSON.
  const behavior: Result.Result<Behavior, string> =
    snapshot === null ? Result.succeed("unavailable") : readRecordedSnapshot(snapshot as Json)
  if (Result.isFailure(behavior)) return Result.fail(behavior.failure)
  return Result.succeed({
    assessmentId,
    policyVersion,
    request: input,
    action: action.success,
    behavior: behavior.success
  })
}

/** Cuts the parts that a backtest needs out of an exported line, without parsing the response that makes most of it. */
interface RecordParts {
  readonly assessmentId: string
  readonly policyVersion: string
  readonly input: unknown
  readonly snapshot: unknown
}

const head =
  /\{"api_version":"v1","risk_engine_version":"[^"\\]*","policy_version":"([^"\\]*)","assessment_id":"([^"\\]*)",/y
const inputKey = `,"input":{`
const evidenceKey = `,"evidence":{"input_digest":"`
const beforeSnapshot =
  /,"evidence":\{"input_digest":"[0-9a-f]{64}","result_digest":"[0-9a-f]{64}","behavior_snapshot":/y
const afterSnapshotKey = `,"rules_digest":"`
const digestOrNull = `(?:null|"[0-9a-f]{64}")`
const afterSnapshot = new RegExp(
  `,"rules_digest":"[0-9a-f]{64}","policy_digest":"[0-9a-f]{64}","sequence":(?:null|[0-9]+),` +
    `"previous_digest":${digestOrNull},"entry_digest":${digestOrNull},"sealed_at":(?:null|"[^"\\\\]*")\\}` +
    // Exports from before it was written have no seal.
    `(?:,"seal":\\{"organization_id":"[0-9a-f-]{36}","created_at":"[0-9TZ:.-]+","salt":(?:null|"[0-9a-f]{32}"),` +
    `"input_leaf":${digestOrNull},"result_leaf":${digestOrNull},"snapshot_leaf":${digestOrNull}\\})?\\}`,
  "y"
)

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * The line from `start` to `end` in `text`; undefined where it is not spelled as an export spells it, which is no fault:
 * any JSON can be read whole.
 *
 * On a valid JSON line this gives what parsing all of it gives. `beforeSnapshot`, the snapshot that parses and
 * `afterSnapshot` are together one or two whole members in front of the line's last brace, so `evidence` is a member of
 * the root.
 * What stands between `,"input":` and `,"evidence":` parses as one object, so it begins on the level that it ends on,
 * and `input` is a member of the root too. Neither key can stand inside a string, where its quotes would be escaped. What
 * a repeated name means JSON leaves open.
 */
export const sliceRecord = (text: string, start: number, end: number): RecordParts | undefined => {
  const [, policyVersion, assessmentId] = matchAt(head, text, start) ?? []
  if (policyVersion === undefined || assessmentId === undefined) return undefined
  const input = text.indexOf(inputKey, head.lastIndex)
  const evidence = input === -1 ? -1 : text.indexOf(evidenceKey, input)
  if (evidence === -1 || matchAt(beforeSnapshot, text, evidence) === null) return undefined
  const snapshot = beforeSnapshot.lastIndex
  const rest = text.indexOf(afterSnapshotKey, snapshot)
  // Invariant: also what keeps every part inside this line, however far the searches went.
  if (rest === -1 || matchAt(afterSnapshot, text, rest) === null || afterSnapshot.lastIndex !== end)
    return undefined
  try {
    return {
      assessmentId,
      policyVersion,
      input: JSON.parse(text.slice(input + inputKey.length - 1, evidence)),
      snapshot: JSON.parse(text.slice(snapshot, rest))
    }
  } catch {
    // A key of the same name stood deeper inside, or the line is no JSON: reading it whole tells which.
    return undefined
  }
}
