/**
 * How many recorded assessments does a backtest score per second and core?
 *
 * Method: every calibration case as a line of an export is read and scored under two releases by one thread: cut, parsed,
 * checked, scored under both, compared and counted. The words of an action are read once for each lexicon and way of naming
 * it, and remembered, as agents repeat themselves; the block holds each case twice. One whole opinion is measured as well. The machine's other
 * cores, the disk and the merging of blocks take no part. Goal: ≥ 50,000 records per second.
 */

import { Result } from "effect"
import { openBacktestSides } from "../src/rules/backtest/BacktestSides.ts"
import { packageRoot } from "../src/rules/files/readTree.ts"
import { listReleases } from "../src/rules/release/loadRelease.ts"
import { historyLine } from "../test/support/historyLine.ts"
import type { Question } from "./Question.ts"
import { measure } from "./measure.ts"
import { score } from "../src/scoring/score.ts"
import { model, policySet, situations } from "./situations.ts"

const recordsPerSecondMin = 50_000
const repetitions = 2

const [first = "draft"] = listReleases(packageRoot)

const countBlockOf = (from: string, to: string) =>
  Result.getOrThrow(openBacktestSides({ root: packageRoot, of: { kind: "rules", policies: null }, from, to }))
    .countBlock

const lines = situations.map((situation, i) => historyLine(situation, i, model, policySet))
const bytes = Buffer.from(`${lines.join("\n")}\n`.repeat(repetitions))
const records = lines.length * repetitions
const block = { bytes, firstLine: 1, readBytes: bytes.length }

export const backtestQuestion: Question = {
  name: "backtest",
  asks: "One recorded assessment under two releases",
  answer: async () => {
    const changed = countBlockOf(first, "draft")
    const same = countBlockOf("draft", "draft")
    const tally = changed(block)
    if (tally.all.records !== records) throw new Error("a line of the bench's own history cannot be read")
    const rows = await measure([
      { subject: `${first} → draft`, run: () => changed(block), each: records },
      { subject: "draft → draft", run: () => same(block), each: records },
      {
        subject: "a whole opinion",
        run: () => situations.map(({ action, behavior }) => score(action, behavior, model, policySet)),
        each: situations.length
      }
    ])
    const perSecond = 1e6 / (rows[0]?.medianUs ?? Number.POSITIVE_INFINITY)
    return {
      rows,
      notes: [
        `${records} records of ${Math.round(bytes.length / records)} bytes each, ${Math.round(perSecond).toLocaleString("en-US")} a second on one core`
      ],
      goals: [
        {
          says: `≥ ${recordsPerSecondMin.toLocaleString("en-US")} recorded assessments per second and core`,
          met: perSecond >= recordsPerSecondMin
        }
      ]
    }
  }
}
