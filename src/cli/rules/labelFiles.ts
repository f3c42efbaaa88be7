/** Reads a file of labelled calls and the pairs next to it, or refuses it and names the wrong lines. */

import { Effect, FileSystem, Result } from "effect"
import { dirname, join } from "node:path"
import { readActionRequest } from "../../api/AssessmentRequest.ts"
import { isRecord, type Json } from "../../json/json.ts"
import { strictJson } from "../../json/strictJson.ts"
import { bodyBytesMax, historyLineBytesMax, labelledCallsMax, labelProblemsShown } from "../../limits.ts"
import { findingLine } from "../../rules/Finding.ts"
import type { LabelledCall } from "../../rules/agreement/AnsweredCall.ts"
import { decodeFile } from "../../rules/files/decodeFile.ts"
import { LabelLine, PairsFile } from "../../rules/files/labelFiles.ts"
import {
  type InputLine,
  inputLines,
  isTooLong,
  fieldProblems,
  readShapedFile,
  refuseFile,
  withInput
} from "../operatorFiles.ts"
import { counted, figure } from "../texts.ts"

export interface Labels {
  readonly calls: ReadonlyArray<LabelledCall>
  readonly pairs: ReadonlyArray<readonly [string, string]>
}

type Problems = ReadonlyArray<string>

const tooLong = `longer than ${figure(bodyBytesMax)} bytes`

/** A recorded assessment counts as labelled with its answered level, until a person changes the label. */
const labelOfRecorded = (line: Json): object | undefined =>
  isRecord(line) && isRecord(line["input"]) && isRecord(line["action_risk"])
    ? { id: line["assessment_id"], request: line["input"], level: line["action_risk"]["level"] }
    : undefined

/** The call on the line, or every problem of the line. */
const readLabel = (line: InputLine): Result.Result<LabelledCall, Problems> => {
  const json = line.bytes.length > historyLineBytesMax ? Result.fail(tooLong) : strictJson(line.bytes)
  if (Result.isFailure(json)) return Result.fail([json.failure.replace("the body", "it")])
  const { holdsNul, value } = json.success
  const recorded = labelOfRecorded(value)
  if (recorded === undefined && isTooLong(line)) return Result.fail([tooLong])
  const label = decodeFile(LabelLine, { file: "", name: "", folder: "", json: recorded ?? value })
  if (Result.isFailure(label))
    return Result.fail(label.failure.map((finding) => findingLine(finding).slice(": ".length)))
  const { completeness = null, id, level, request, second = [] } = label.success
  const read = readActionRequest(request, holdsNul)
  if (Result.isFailure(read))
    return Result.fail(fieldProblems(read.failure).map((problem) => `request.${problem}`))
  const { action, body } = read.success
  const others = second.filter((other) => other !== null)
  return Result.succeed({ id, completeness, request: body, action, label: level, second: others })
}

/** Skips empty lines, because people write such files by hand. `wrong`: the first of the `wrongLines`. */
const readLabels = async (bytes: AsyncIterable<Uint8Array>) => {
  const calls: Array<LabelledCall> = []
  const lineOfId = new Map<string, number>()
  const wrong: Array<string> = []
  let wrongLines = 0
  const add = (line: InputLine): void => {
    const read = readLabel(line)
    const before = Result.isSuccess(read) ? lineOfId.get(read.success.id) : undefined
    if (Result.isSuccess(read) && before === undefined) {
      lineOfId.set(read.success.id, line.number)
      calls.push(read.success)
      return
    }
    const problems = Result.isFailure(read) ? read.failure : [`has the same id as line ${before}`]
    if (wrongLines++ < labelProblemsShown) wrong.push(`line ${line.number}: ${problems.join(", ")}`)
  }
  for await (const { lines } of inputLines(bytes)) {
    for (const line of lines) if (line.bytes.length > 0) add(line)
    if (calls.length > labelledCallsMax) break
  }
  return { calls, wrong, wrongLines }
}

const readCalls = Effect.fnUntraced(function* (file: string) {
  const { calls, wrong, wrongLines } = yield* withInput(file, ({ bytes }) =>
    Effect.promise(() => readLabels(bytes))
  )
  if (calls.length > labelledCallsMax)
    return yield* refuseFile(file, `has more than ${figure(labelledCallsMax)} calls`)
  const more = wrongLines - wrong.length
  const rest = more > 0 ? [`${counted(more, "more line")} ${more === 1 ? "is" : "are"} wrong`] : []
  if (wrongLines > 0) return yield* refuseFile(file, [...wrong, ...rest].join("; "))
  if (calls.length === 0) return yield* refuseFile(file, "has no labelled calls")
  return calls
})

const readPairs = Effect.fnUntraced(function* (file: string, ids: ReadonlySet<string>) {
  const pairs = yield* readShapedFile(PairsFile, file, labelProblemsShown)
  for (const [at, [riskier, lessRisky]] of pairs.entries()) {
    const unknown = [riskier, lessRisky].find((id) => !ids.has(id))
    if (unknown !== undefined)
      return yield* refuseFile(file, `pair ${at + 1} names \`${unknown}\`, which has no label`)
    if (riskier === lessRisky) return yield* refuseFile(file, `pair ${at + 1} names \`${riskier}\` twice`)
  }
  return pairs
})

/** The file named by `--pairs`, or `pairs.json` next to the labels if it exists. */
const pairsFileOf = Effect.fnUntraced(function* (labels: string, pairs: string | null) {
  if (pairs !== null || labels === "-") return pairs
  const beside = join(dirname(labels), "pairs.json")
  const exists = yield* FileSystem.FileSystem.use((files) => files.exists(beside)).pipe(
    Effect.orElseSucceed(() => false)
  )
  return exists ? beside : null
})

/** `labels`: a file, or `-` for standard input. */
export const readLabelFiles = Effect.fnUntraced(function* (labels: string, pairs: string | null) {
  const calls = yield* readCalls(labels)
  const file = yield* pairsFileOf(labels, pairs)
  return { calls, pairs: file === null ? [] : yield* readPairs(file, new Set(calls.map(({ id }) => id))) }
})
