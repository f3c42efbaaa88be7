/** Reads recorded assessments from the lines of an export, and reports lines that are not recorded assessments. */

import { Result } from "effect"
import { isUtf8 } from "node:buffer"
import { isRecord, type Json, type JsonObject } from "../../json/json.ts"
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

/** How an export's line about an erased assessment begins. */
const erased = '{"erased":'

/** A UTF-16 code unit takes at most three bytes in UTF-8, so most lines need no exact count. */
const isTooLong = (text: string, start: number, end: number): boolean =>
  (end - start) * 3 > historyLineBytesMax && Buffer.byteLength(text.slice(start, end)) > historyLineBytesMax

const readLines = (text: string, firstLine: number, consumer: RecordConsumer): void => {
  let line = firstLine
  for (let start = 0; start < text.length; line++) {
    const found = text.indexOf("\n", start)
    const lineEnd = found === -1 ? text.length : found
    const end = text.charCodeAt(lineEnd - 1) === 0x0d ? lineEnd - 1 : lineEnd
    // Skips empty lines, because most files end with one, and lines about erased assessments.
    if (end > start && !text.startsWith(erased, start)) {
      if (isTooLong(text, start, end)) consumer.unreadable(tooLong, line)
      else {
        const read = readRecord(text, start, end)
        if (Result.isSuccess(read)) consumer.record(read.success, line)
        else consumer.unreadable(read.failure, line)
      }
    }
    start = lineEnd + 1
  }
}

const newline = 0x0a

/** Decodes a block with invalid UTF-8 line by line, so that its other lines are still read. */
const readBlockWithBrokenLine = ({ bytes, firstLine }: LineBlock, consumer: RecordConsumer): void => {
  let line = firstLine
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found === -1 ? bytes.length : found + 1
    const lineBytes = bytes.subarray(start, end)
    if (isUtf8(lineBytes)) readLines(toText(lineBytes), line, consumer)
    else consumer.unreadable(lineBytes.length - 1 > historyLineBytesMax ? tooLong : "is not UTF-8", line)
    start = end
  }
}

const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

export const readBlock = (block: LineBlock, consumer: RecordConsumer): void =>
  isUtf8(block.bytes)
    ? readLines(toText(block.bytes), block.firstLine, consumer)
    : readBlockWithBrokenLine(block, consumer)

/** A stored assessment as exported: the request, the behavior snapshot, and the policy version that scored it. */
export interface RecordedAssessment {
  readonly assessmentId: string
  /** `<policy set>@<version>+<8 hex>` */
  readonly policyVersion: string
  /** The recorded request, unchanged. */
  readonly request: JsonObject
  readonly action: Action
  /** `unavailable` if no snapshot was stored: the assessment was incomplete and assumed the worst history. */
  readonly behavior: Behavior
}

/** Returns the same parts as `sliceRecord`, but parses the whole line. */
const parseRecord = (line: string): Result.Result<RecordParts, string> => {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    return Result.fail("is not JSON")
  }
  if (!isRecord(json)) return Result.fail("is not a JSON object")
  const { assessment_id: assessmentId, evidence, input, policy_version: policyVersion } = json
  if (typeof assessmentId !== "string") return Result.fail("has no assessment_id")
  if (typeof policyVersion !== "string") return Result.fail("has no policy_version")
  if (!isRecord(evidence)) return Result.fail("has no evidence")
  return Result.succeed({ assessmentId, policyVersion, input, snapshot: evidence["behavior_snapshot"] })
}

/** Reads the line from `start` to `end` in `text`, without its line break. */
export const readRecord = (
  text: string,
  start: number,
  end: number
): Result.Result<RecordedAssessment, string> => {
  const cut = sliceRecord(text, start, end)
  const parts = cut === undefined ? parseRecord(text.slice(start, end)) : Result.succeed(cut)
  if (Result.isFailure(parts)) return Result.fail(parts.failure)
  const { assessmentId, input, policyVersion, snapshot } = parts.success
  if (!isRecord(input)) return Result.fail("has no input")
  // Invariant: `input` and `snapshot` come from JSON.parse, so they are JSON.
  const request = input as JsonObject
  const action = readRecordedRequest(request)
  if (Result.isFailure(action)) return Result.fail(action.failure)
  if (snapshot === undefined) return Result.fail("has no evidence.behavior_snapshot")
  const behavior: Result.Result<Behavior, string> =
    snapshot === null ? Result.succeed("unavailable") : readRecordedSnapshot(snapshot as Json)
  if (Result.isFailure(behavior)) return Result.fail(behavior.failure)
  return Result.succeed({
    assessmentId,
    policyVersion,
    request,
    action: action.success,
    behavior: behavior.success
  })
}

/** The parts of an exported line that a backtest needs. */
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
    // The body of `GET /assessments/{id}` has no seal, so it is optional.
    `(?:,"seal":\\{"organization_id":"[0-9a-f-]{36}","created_at":"[0-9TZ:.-]+","salt":"[0-9a-f]{32}",` +
    `"input_leaf":${digestOrNull},"result_leaf":${digestOrNull},"snapshot_leaf":${digestOrNull}\\})?\\}`,
  "y"
)

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Cuts the parts out of the line from `start` to `end`, without parsing the response, which makes up most of the line.
 * Undefined if the line is spelled differently from an export's; such a line must be parsed whole.
 *
 * For a valid JSON line the result equals that of parsing the whole line, because `evidence` and `input` are members of
 * the root. `evidence`: `beforeSnapshot`, the snapshot that parses and `afterSnapshot` together are one or two whole
 * members before the line's last brace. `input`: the text between `,"input":` and `,"evidence":` parses as one
 * object, so it starts and ends on the same level. Neither key can be inside a string, which would escape its quotes.
 * JSON does not define the meaning of a repeated name.
 */
export const sliceRecord = (text: string, start: number, end: number): RecordParts | undefined => {
  const [, policyVersion, assessmentId] = matchAt(head, text, start) ?? []
  if (policyVersion === undefined || assessmentId === undefined) return undefined
  const input = text.indexOf(inputKey, head.lastIndex)
  const evidence = input === -1 ? -1 : text.indexOf(evidenceKey, input)
  if (evidence === -1 || matchAt(beforeSnapshot, text, evidence) === null) return undefined
  const snapshot = beforeSnapshot.lastIndex
  const rest = text.indexOf(afterSnapshotKey, snapshot)
  // Invariant: `afterSnapshot` ends at `end`, so every part is inside this line, although the searches are unbounded.
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
    // Either a nested object has a key of the same name, or the line is not JSON: parse the whole line to decide.
    return undefined
  }
}
