/**
 * Searches the numbers of `rules/ruleset.json` against labelled calls, and prints what it traded.
 *
 *     npm run tune -- labels/calls.ndjson            tunes on one half and reports on the other, both ways round
 *     npm run tune -- labels/calls.ndjson --write    then tunes on all of them and writes the ruleset
 *
 * The numbers of both halves should be about as good: where the half that was not tuned on is much worse, the search has learned
 * the calls and not the model. A candidate counts only if the ruleset's own schema accepts it, so that every scale stays monotone.
 * Run the tests after `--write`: named cases and theorems are held there.
 */

import { NodeServices } from "@effect/platform-node"
import { Effect, Result } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Labels, readLabelFiles } from "../../src/cli/rules/labelFiles.ts"
import { actionRiskLevels } from "../../src/domain/Opinion.ts"
import { costs } from "../../src/rules/agreement/Agreement.ts"
import type { AnsweredCall, LabelledCall } from "../../src/rules/agreement/AnsweredCall.ts"
import { measureAgreement, roundedValue } from "../../src/rules/agreement/measures.ts"
import { snapshotOf } from "../../src/rules/cases/Situation.ts"
import { RulesetFile } from "../../src/rules/files/RulesetFile.ts"
import { decodeFile } from "../../src/rules/files/decodeFile.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { loadPolicySet } from "../../src/rules/policies/loadPolicySet.ts"
import { loadDraft } from "../../src/rules/release/loadRelease.ts"
import { type Knob, knobs } from "./knobs.ts"
import type { RiskModel } from "../../src/scoring/Model.ts"
import { readCall } from "../../src/scoring/reading/readCall.ts"
import { scoreSummary } from "../../src/scoring/scoreSummary.ts"

type Json = Record<string, unknown>

const file = join(packageRoot, "rules/ruleset.json")
const { model } = Result.getOrThrow(loadDraft(packageRoot))
const { policySet } = loadPolicySet(packageRoot, "none")

const modelWith = (json: Json): RiskModel | undefined => {
  const { $schema: _, ...rest } = json
  const decoded = decodeFile(RulesetFile, { file, name: "ruleset", folder: "rules", json: rest })
  if (Result.isFailure(decoded)) return undefined
  const { version: __, ...numbers } = decoded.success
  return { ...model, numbers }
}

/** Readings and history do not depend on the numbers, so they are read once. */
const prepareCall = (call: LabelledCall) => ({
  call,
  reading: readCall(call.action, model.lexicon),
  behavior: snapshotOf({ request: call.action }, model)
})
type PreparedCall = ReturnType<typeof prepareCall>

const answerWith = (ours: RiskModel, { behavior, call, reading }: PreparedCall): AnsweredCall => {
  const {
    category: _,
    class: own,
    level,
    score
  } = scoreSummary(call.action, behavior, ours, policySet, reading)
  return { ...call, score, level, confidence: 0, type: "", class: own, factor: null }
}

/** The first score of each level, and how much it costs a call to lie a point outside the level of its label. */
const firstScores = [1, 40, 70, 90]
const lastScores = [39, 69, 89, 100]
const costOfPoint = 0.05
const pointsMax = 20

/** A wrong level costs what `rules agree` says; the distance breaks ties, so that the search sees a slope. */
const costOf = ({ label, level, score, second }: AnsweredCall): number => {
  const at = actionRiskLevels.indexOf(label)
  const outside = Math.max(0, (firstScores[at] ?? 0) - score, score - (lastScores[at] ?? 100))
  return costs[label][level] / (second.includes(level) ? 2 : 1) + costOfPoint * Math.min(outside, pointsMax)
}

const lossOf = (ours: RiskModel, calls: ReadonlyArray<PreparedCall>): number =>
  calls.reduce((sum, call) => sum + costOf(answerWith(ours, call)), 0)

const gainMin = 0.5
const roundsMax = 6
const strides = [1, -1, 3, -3]

/** One knob after the other, as long as a round still finds something. */
const tune = (start: Json, calls: ReadonlyArray<PreparedCall>): Json => {
  let best = structuredClone(start)
  let loss = lossOf(modelWith(best) ?? model, calls)
  const tryKnob = ({ read, step, write }: Knob): boolean => {
    for (const stride of strides) {
      const candidate = structuredClone(best)
      write(candidate, read(candidate) + stride * step)
      const ours = modelWith(candidate)
      if (ours === undefined) continue
      const one = lossOf(ours, calls)
      if (one > loss - gainMin) continue
      best = candidate
      loss = one
      return true
    }
    return false
  }
  for (let round = 0; round < roundsMax; round++) {
    process.stderr.write(`round ${round + 1}, cost ${loss.toFixed(1)}\n`)
    if (knobs.map(tryKnob).every((moved) => !moved)) break
  }
  return best
}

const report = (
  title: string,
  json: Json,
  calls: ReadonlyArray<PreparedCall>,
  pairs: Labels["pairs"]
): void => {
  const ours = modelWith(json) ?? model
  const answered = calls.map((call) => answerWith(ours, call))
  const byId = new Map(answered.map((call) => [call.id, call]))
  const known = pairs.flatMap(([a, b]) => {
    const [first, second] = [byId.get(a), byId.get(b)]
    return first === undefined || second === undefined ? [] : [[first, second] as const]
  })
  console.log(`\n${title}: ${calls.length} calls, cost ${lossOf(ours, calls).toFixed(1)}`)
  for (const { count, name, of, title: says } of measureAgreement({ calls: answered, pairs: known }))
    if (!name.startsWith("confident"))
      console.log(`  ${says.padEnd(38)}${roundedValue({ count, of }, 3) ?? "-"}`)
}

/** Every second call by a hash of its id, so that both halves hold calls of every kind. */
const isFirstHalf = ({ call: { id } }: PreparedCall): boolean => {
  let hash = 7
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) % 1_000_003
  return hash % 2 === 0
}

const [labels, flag] = process.argv.slice(2)
if (labels === undefined) {
  console.error("which labels? npm run tune -- labels/calls.ndjson [--write]")
  process.exit(2)
}
const { calls, pairs } = await Effect.runPromise(
  readLabelFiles(labels, null).pipe(Effect.provide(NodeServices.layer))
)
const all = calls.map(prepareCall)
const halves = [all.filter(isFirstHalf), all.filter((call) => !isFirstHalf(call))] as const
const start = JSON.parse(readFileSync(file, "utf8")) as Json

report("as it is", start, all, pairs)
for (const [tuned, other] of [halves, halves.toReversed()]) {
  if (tuned === undefined || other === undefined) continue
  const found = tune(start, tuned)
  report("the half that was tuned on", found, tuned, pairs)
  report("the other half", found, other, pairs)
}
if (flag === "--write") {
  const found = tune(start, all)
  report("tuned on all", found, all, pairs)
  for (const { name, read } of knobs)
    if (read(found) !== read(start)) console.log(`  ${name}: ${read(start)} → ${read(found)}`)
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
  console.log("\nwritten; now run the tests, and `npm run format`")
}
