import fc from "fast-check"
import { controlRank } from "../../../src/rules/ScoreAndControl.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { backtestFallsMax, backtestMoversMax, historyUnreadableMax } from "../../../src/limits.ts"
import { openRulebook } from "../../../src/rules/Rulebook.ts"
import type { BacktestSides } from "../../../src/rules/backtest/BacktestSides.ts"
import { packageRoot } from "../../../src/rules/files/readTree.ts"
import { loadPolicyVersion } from "../../../src/rules/policies/loadPolicySet.ts"
import { question } from "../../support/arbitrary/question.ts"
import { changedRules } from "../../support/changedRules.ts"
import { newestVersion } from "../../support/newestRelease.ts"
import { backtestOf, runOver } from "../../support/backtestOf.ts"
import { seed } from "../../support/depth.ts"
import { historyLine, type Told } from "../../support/historyLine.ts"
import { read } from "../../support/read.ts"
import { score } from "../../../src/scoring/score.ts"

const root = changedRules()
const first = read(openRulebook(root, newestVersion))
const draft = read(openRulebook(root, "draft"))
const starter = read(loadPolicyVersion(packageRoot, "starter", "1.0.0")).policySet

const rules: BacktestSides["of"] = { kind: "rules", policies: null }
const toDraft = { root, from: newestVersion, to: "draft", of: rules }

const questions: ReadonlyArray<Told> = fc
  .sample(question(), { numRuns: 600, seed })
  .map(({ action, behavior }) => ({ action, behavior }))
const lines = questions.map((one, i) => historyLine(one, i, first.release.model, starter))

const opinions = questions.map(({ action, behavior }) => ({
  before: score(action, behavior, first.release.model, starter),
  after: score(action, behavior, draft.release.model, starter)
}))
const present = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("nothing is there to be looked at")
  return value
}
const ranks = ["low", "moderate", "high", "critical"] as const

describe(`a backtest (seed ${seed})`, () => {
  it("of a release against itself moves nothing", async () => {
    const { counts, transitions, ...moved } = await backtestOf(lines, { ...toDraft, from: "draft" })
    expect(counts).toMatchObject({
      records: 600,
      unchanged: 600,
      falls: 0,
      rises: 0,
      weakened: 0,
      strengthened: 0
    })
    expect([moved.falls, moved.movers, moved.factors, moved.scoreChanges]).toStrictEqual([[], [], [], []])
    const onDiagonal = ranks.reduce((sum, level) => sum + transitions[level][level], 0)
    expect(onDiagonal).toBe(600)
  })

  it("moves exactly the records whose two opinions differ", async () => {
    const backtest = await backtestOf(lines, toDraft)
    for (const from of ranks) {
      for (const to of ranks) {
        const expected = opinions.filter(
          ({ after, before }) => before.actionRisk.level === from && after.actionRisk.level === to
        )
        expect([from, to, backtest.transitions[from][to]]).toStrictEqual([from, to, expected.length])
      }
    }
    const changes = opinions.map(({ after, before }) => after.actionRisk.score - before.actionRisk.score)
    expect(backtest.scoreChanges).toStrictEqual(
      [...new Set(changes)]
        .filter((by) => by !== 0)
        .toSorted((a, b) => a - b)
        .map((by) => ({ by, records: changes.filter((change) => change === by).length }))
    )
    const steps = opinions.map(
      ({ after, before }) =>
        controlRank(after.recommendedControl.type) - controlRank(before.recommendedControl.type)
    )
    expect([backtest.counts.weakened, backtest.counts.strengthened]).toEqual([
      steps.filter((step) => step < 0).length,
      steps.filter((step) => step > 0).length
    ])
  })

  it("reports each mover with both scores, its request and the changed factors", async () => {
    const { movers } = await backtestOf(lines, toDraft)
    expect(movers.length).toBeGreaterThan(0)
    expect(movers.length).toBeLessThanOrEqual(backtestMoversMax)
    const points = movers.map(({ from, to }) => Math.abs(to.score - from.score))
    expect(points).toStrictEqual(points.toSorted((a, b) => b - a))
    for (const { factors, from, line, request, to } of movers) {
      const { after, before } = present(opinions[line - 1])
      expect([from.score, to.score]).toStrictEqual([before.actionRisk.score, after.actionRisk.score])
      expect(request["action_type"]).toBe(questions[line - 1]?.action.actionType)
      for (const { code, from: was, to: is } of factors.filter(
        (one) => one.code !== "CUSTOMER_POLICY_MATCH"
      )) {
        expect(before.riskFactors.find((factor) => factor.code === code)?.severity ?? null).toBe(was)
        expect(after.riskFactors.find((factor) => factor.code === code)?.severity ?? null).toBe(is)
      }
    }
  })

  it("gives the same for every size of block and every number of jobs", async () => {
    const whole = await backtestOf(lines, toDraft)
    for (const blockBytes of [1, 10_000, 100_000]) {
      expect(await backtestOf(lines, toDraft, { blockBytes })).toStrictEqual(whole)
    }
    expect(await backtestOf(lines, toDraft, { blockBytes: 20_000, jobs: 3 })).toStrictEqual(whole)
  }, 60_000)

  it("counts every fall and keeps the first", async () => {
    const december = readFileSync(join(packageRoot, "examples/history/december.ndjson"), "utf8").split("\n")
    const { falls: known } = await backtestOf(december, toDraft)
    const one = present(december[present(known[0]).line - 1])
    const many = Array.from({ length: 3 * backtestFallsMax }, () => one)
    const { counts, falls } = await backtestOf(many, toDraft, { blockBytes: 50_000 })
    expect(counts.falls).toBe(many.length)
    expect(falls.map(({ line }) => line)).toStrictEqual(
      Array.from({ length: backtestFallsMax }, (_, i) => i + 1)
    )
  })

  it("scores a record without a snapshot with history at its worst, and counts it", async () => {
    const unread: Told = {
      action: { actionType: "invoice.send", environment: "production" },
      behavior: "unavailable"
    }
    const line = historyLine(unread, 1, first.release.model, starter)
    expect((await backtestOf([line], toDraft)).counts).toMatchObject({ records: 1, incomplete: 1 })
  })

  it("reports its progress", async () => {
    const seen: Array<number> = []
    await backtestOf(lines, toDraft, { blockBytes: 100_000, onProgress: (records) => seen.push(records) })
    expect(seen.at(-1)).toBe(600)
    expect(seen).toStrictEqual(seen.toSorted((a, b) => a - b))
  })
})

describe("lines that cannot be read", () => {
  it("are counted and reported, and the others are scored", async () => {
    const { counts, unreadable } = await backtestOf(["nonsense", ...lines.slice(0, 5), "{}"], toDraft)
    expect(counts).toMatchObject({ records: 5, unreadable: 2 })
    expect(unreadable).toStrictEqual([
      { line: 1, message: "is not JSON" },
      { line: 7, message: "has no assessment_id" }
    ])
  })

  it("end it when they are too many, at the same line for every number of jobs", async () => {
    const nonsense = Array.from({ length: historyUnreadableMax + 1 }, () => "nonsense")
    for (const jobs of [1, 2]) {
      const outcome = await runOver([...lines.slice(0, 3), ...nonsense], toDraft, { jobs, blockBytes: 500 })
      expect(outcome).toStrictEqual({ kind: "stopped", first: { line: 4, message: "is not JSON" } })
    }
    expect((await runOver(nonsense.slice(1), toDraft)).kind).toBe("done")
  }, 60_000)
})

describe("the policies of a record", () => {
  const [line = ""] = lines
  const named = (policyVersion: string) =>
    line.replace(/"policy_version":"[^"]*"/, `"policy_version":"${policyVersion}"`)
  const recorded = `starter@1.0.0+${starter.digest.slice(0, 8)}`

  it("are those that it names, where this installation has them", async () => {
    const { policies } = await backtestOf([line], toDraft)
    expect(policies).toStrictEqual([{ recorded, scoredWith: recorded, exact: true, records: 1 }])
  })

  it.each(["starter@0.0.9+00000000", "starter@1.0.0+00000000"])(
    "are the newest of the set where it names %s, and it says so",
    async (version) => {
      const { policies } = await backtestOf([named(version)], toDraft)
      expect(policies).toMatchObject([{ recorded: version, exact: false, records: 1 }])
      expect(policies[0]?.scoredWith).toMatch(/^starter@/)
    }
  )

  it.each(["gone@1.0.0+00000000", "../../etc@1.0.0+00000000", "nothing"])(
    "are none where it names %s, and it says so",
    async (version) => {
      const { policies } = await backtestOf([named(version)], toDraft)
      expect(policies).toMatchObject([{ recorded: version, exact: false }])
      expect(policies[0]?.scoredWith).toMatch(/^none@/)
    }
  )

  it("are given for all records where the reviewer says so", async () => {
    const { policies } = await backtestOf([line], { ...toDraft, of: { kind: "rules", policies: "none" } })
    expect(policies).toMatchObject([{ recorded, exact: false, scoredWith: expect.stringMatching(/^none@/) }])
  })

  it("differ between the sides when policies are compared", async () => {
    const of = { kind: "policies", set: "starter" } as const
    const { counts, from, to } = await backtestOf(lines, { from: "1.0.0", to: "draft", of })
    expect([from, to, counts.records]).toStrictEqual(["starter@1.0.0", "starter@draft", 600])
  })
})
