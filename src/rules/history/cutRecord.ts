/** Cuts the parts that a backtest needs out of an exported line, without parsing the response that makes most of it. */

export interface Cut {
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
export const cutRecord = (text: string, start: number, end: number): Cut | undefined => {
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
