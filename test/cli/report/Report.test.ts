import { describe, expect, it } from "vitest"
import { answersOf, type Report, type ReportAnswer } from "../../../src/cli/report/Report.ts"
import type { Change } from "../../../src/rules/diff/Diff.ts"
import { exampleReport } from "./exampleReport.ts"

const answer = (section: ReportAnswer["section"], over: Partial<Report>): string => {
  const found = answersOf({ ...exampleReport, ...over }).find((one) => one.section === section)
  return `${found?.state}: ${found?.statement}`
}

const change = (kind: Change["kind"]): Change => ({ code: kind, kind, file: "x", summary: "", details: [] })
const counts = exampleReport.backtest?.result.counts
const witness = {
  request: { action_type: "a.b", environment: "staging" as const },
  from: { score: 40, control: "HUMAN_CONFIRMATION_RECOMMENDED" } as const,
  to: { score: 28, control: "HUMAN_CONFIRMATION_RECOMMENDED" } as const
}

const backtest = (over: Partial<NonNullable<typeof counts>>): Report["backtest"] => {
  if (exampleReport.backtest === null || counts === undefined) throw new Error("the example has a backtest")
  const none = { falls: 0, rises: 0, lowered: 0, raised: 0, weakened: 0, strengthened: 0, unreadable: 0 }
  const { history, result } = exampleReport.backtest
  return { history, result: { ...result, counts: { ...counts, ...none, ...over } } }
}

describe("an answer", () => {
  it.each<[ReportAnswer["section"], Partial<Report>, string]>([
    [
      "check",
      { check: { ok: true, findings: [], files: 134 } },
      "good: Yes: nothing was found in 134 files."
    ],
    ["check", {}, "bad: 1 error and 1 warning in 134 files."],
    [
      "check",
      { check: { ...exampleReport.check, findings: exampleReport.check.findings.slice(1) } },
      "look: 1 warning in 134 files."
    ],
    ["cases", {}, "bad: No: of today's 612 cases, checked against draft, 1 fails."],
    [
      "cases",
      { cases: { ok: true, findings: [], groups: [], cases: { total: 612, failed: 0 } } },
      "good: Yes: all 612 cases hold."
    ],
    [
      "cases",
      { cases: { ...exampleReport.cases, cases: { total: 612, failed: 0 } } },
      "look: Yes: all 612 cases hold. They reach 90 % of what the rules test."
    ],
    [
      "cases",
      { cases: { ok: false, findings: [], groups: [], cases: { total: 0, failed: 0 } } },
      "bad: There are no cases."
    ],
    ["changes", { diff: { from: "a", to: "b", changes: [] } }, "good: Neither: both are equivalent."],
    [
      "changes",
      { diff: { from: "a", to: "b", changes: [change("stricter"), change("text"), change("stricter")] } },
      "good: 3 changes: 2 stricter and 1 in words only."
    ],
    ["changes", { diff: { from: "a", to: "b", changes: [change("looser")] } }, "look: 1 change: 1 looser."],
    [
      "proof",
      { proof: { holds: true, covers: "" } },
      "good: No: proven for every possible request, but only the score if a request does several things."
    ],
    [
      "proof",
      { proof: { holds: true, covers: "", sampled: { requests: 20_000 } } },
      "good: No: proven for all thresholds, and tested on 20,000 requests whose text decides."
    ],
    [
      "proof",
      { proof: { holds: false, covers: "" } },
      "look: Undecided; the section says how far the proof got."
    ],
    [
      "proof",
      { proof: { holds: false, covers: "", witness } },
      "bad: Yes: a request scored 40 and now scores 28."
    ],
    [
      "proof",
      {
        proof: { holds: false, covers: "", witness },
        changelog: {
          version: "1.1.0",
          line: 1,
          items: [{ text: "", moves: true, line: 2, accepted: { code: "NOVEL_DESTINATION", reason: "r" } }]
        }
      },
      "look: Yes: a request scored 40 and now scores 28. The changelog accepts it for NOVEL_DESTINATION."
    ],
    [
      "backtest",
      {
        backtest: backtest({ lowered: 1, falls: 1 }),
        changelog: {
          version: "1.1.0",
          line: 1,
          items: [{ text: "", moves: true, line: 2, accepted: { code: "NOVEL_DESTINATION", reason: "r" } }]
        }
      },
      "look: Out of 12,480 recorded assessments, 1 would fall to a lower level and none would rise to a higher one."
    ],
    ["backtest", { backtest: null }, "none: Unknown: no history was given (`--history`)."],
    [
      "backtest",
      { backtest: backtest({}) },
      "good: Nothing: out of 12,480 recorded assessments, all keep their score and control."
    ],
    [
      "backtest",
      { backtest: backtest({ raised: 12 }) },
      "look: Out of 12,480 recorded assessments, all keep their level; none would score lower and 12 higher."
    ],
    [
      "backtest",
      { backtest: backtest({ weakened: 5 }) },
      "bad: Out of 12,480 recorded assessments, all keep their level; none would score lower and none higher. The recommended control would be weaker for 5 and stronger for none."
    ],
    [
      "backtest",
      { backtest: backtest({ raised: 12, rises: 3 }) },
      "look: Out of 12,480 recorded assessments, none would fall to a lower level and 3 would rise to a higher one."
    ],
    [
      "backtest",
      { backtest: backtest({ lowered: 1, falls: 1 }) },
      "bad: Out of 12,480 recorded assessments, 1 would fall to a lower level and none would rise to a higher one."
    ]
  ])("about %s of %j", (section, over, expected) => {
    expect(answer(section, over)).toBe(expected)
  })
})
