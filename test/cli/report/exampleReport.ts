/** A report in which every part has content, for the tests of its formats. */

import type { ScoreAndControl } from "../../../src/rules/ScoreAndControl.ts"
import type { Report } from "../../../src/cli/report/Report.ts"
import type { Move } from "../../../src/rules/backtest/Backtest.ts"

const reported = (score: number): ScoreAndControl => ({
  score,
  control: score >= 50 ? "HUMAN_REVIEW_RECOMMENDED" : "ENHANCED_LOGGING_RECOMMENDED"
})

const move = (line: number, actionType: string, from: number, to: number, over: Partial<Move> = {}): Move => {
  const level = (score: number) =>
    score >= 75 ? "critical" : score >= 50 ? "high" : score >= 25 ? "moderate" : "low"
  const position = (score: number) => ({ ...reported(score), level: level(score), complete: true }) as const
  return {
    line,
    assessmentId: `01a1f84a-95c0-71a1-b5c0-a48fe21060${String(line).padStart(2, "0")}`,
    request: { action_type: actionType, environment: "production", entities_affected: 700 },
    from: position(from),
    to: position(to),
    factors: [],
    ...over
  }
}

const row = (low: number, moderate: number, high: number, critical: number) => ({
  low,
  moderate,
  high,
  critical
})

export const exampleReport: Report = {
  of: "rules",
  from: { label: "1.0.0", version: "1.0.0", digest: "82ce5ec6".repeat(8) },
  to: { label: "draft", version: "1.1.0", digest: "0d15ea5e".repeat(8) },
  date: "2026-11-20",
  check: {
    ok: false,
    files: 134,
    findings: [
      {
        rule: "unknown-fact",
        severity: "error",
        file: "rules/factors/volume/HIGH_ENTITY_COUNT.json",
        line: 15,
        column: 37,
        message: "there is no fact `entities_afected`",
        suggestion: "entities_affected"
      },
      {
        rule: "boundary-without-case",
        severity: "warning",
        file: "rules/factors/volume/HIGH_RECORD_COUNT.json",
        line: 22,
        column: 9,
        message: "no case stands directly below 10,000 records"
      }
    ]
  },
  cases: {
    ok: false,
    cases: { total: 612, failed: 1 },
    findings: [
      {
        rule: "failing-case",
        severity: "error",
        file: "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json",
        line: 12,
        column: 7,
        message: "`a thousand contacts` expects high and is moderate: 1 short of the threshold"
      }
    ],
    groups: [
      {
        of: "HIGH_ENTITY_COUNT",
        file: "rules/factors/volume/HIGH_ENTITY_COUNT.cases.json",
        cases: 9,
        failed: 1
      }
    ],
    coverage: {
      codes: [
        { code: "HIGH_ENTITY_COUNT", file: "x", reachable: 9, reached: 9, percent: 100 },
        { code: "REVERSIBILITY_CLAIM_INCONSISTENT", file: "x", reachable: 12, reached: 10, percent: 83 }
      ],
      gaps: [
        {
          kind: "boundary",
          code: "REVERSIBILITY_CLAIM_INCONSISTENT",
          rule: "REVERSIBILITY_CLAIM_INCONSISTENT.high",
          file: "x",
          path: [],
          message: "no case has reversibility_rank 2, directly below its threshold"
        }
      ],
      reachable: 21,
      reached: 19,
      percent: 90
    }
  },
  diff: {
    from: "1.0.0",
    to: "draft",
    changes: [
      {
        code: "HIGH_ENTITY_COUNT",
        kind: "stricter",
        file: "rules/factors/volume/HIGH_ENTITY_COUNT.json",
        summary: "high from 500 entities, was 1,000",
        details: ["HIGH_ENTITY_COUNT.high: entities_affected is at least 500, was 1,000"],
        witness: {
          request: {
            action_type: "salesforce.contacts.update",
            environment: "production",
            entities_affected: 500
          },
          from: reported(41),
          to: reported(52)
        }
      },
      {
        code: "LOOKALIKE_DESTINATION",
        kind: "looser",
        file: "rules/factors/destination/LOOKALIKE_DESTINATION.json",
        summary: "no longer raised where the destination itself is established",
        details: ["asks also: the destination is not established"],
        witness: {
          request: {
            action_type: "stripe.payouts.create",
            environment: "production",
            destination: "acct-4413",
            financial_value: 2500,
            currency: "USD"
          },
          history: {
            now: "2026-06-30T12:00:00Z",
            earlier: [
              {
                at: "2026-06-20T12:00:00Z",
                request: {
                  action_type: "stripe.payouts.create",
                  environment: "production",
                  destination: "acct-4412"
                }
              }
            ]
          },
          from: reported(78),
          to: reported(61)
        }
      },
      {
        code: "NOVEL_DESTINATION",
        file: "rules/factors/destination/NOVEL_DESTINATION.json",
        kind: "moved",
        summary: "moderate for small payments, high from 100 entities",
        details: [],
        witness: {
          request: { action_type: "stripe.refunds.create", environment: "production", destination: "cus_7" },
          from: reported(70),
          to: reported(52)
        },
        risingWitness: {
          request: { action_type: "contacts.export", environment: "production", entities_affected: 100 },
          from: reported(44),
          to: reported(71)
        }
      },
      {
        code: "CUMULATIVE_VOLUME",
        kind: "text",
        file: "rules/factors/volume/CUMULATIVE_VOLUME.json",
        summary: "another message",
        details: ["message"]
      }
    ]
  },
  proof: {
    holds: false,
    covers: "All 44 factors and 7 typologies were compared over every combination of their thresholds.",
    witness: {
      request: { action_type: "stripe.payouts.create", environment: "production", destination: "acct-4413" },
      from: reported(78),
      to: reported(61)
    }
  },
  backtest: {
    history: "examples/history/december.ndjson",
    result: {
      from: "1.0.0",
      to: "draft",
      counts: {
        records: 12480,
        falls: 4,
        rises: 214,
        lowered: 31,
        raised: 702,
        unchanged: 11747,
        incomplete: 3,
        weakened: 7,
        strengthened: 183,
        unreadable: 1
      },
      transitions: {
        low: row(7200, 140, 3, 0),
        moderate: row(3, 3100, 61, 0),
        high: row(0, 1, 1500, 10),
        critical: row(0, 0, 0, 462)
      },
      scoreChanges: [
        { by: -17, records: 4 },
        { by: -3, records: 27 },
        { by: 2, records: 320 },
        { by: 5, records: 210 },
        { by: 11, records: 160 },
        { by: 24, records: 12 }
      ],
      weakened: [move(812, "stripe.payouts.create", 78, 61)],
      falls: [move(812, "stripe.payouts.create", 78, 61), move(90, "crm.contacts.export", 52, 47)],
      actions: [],
      movers: [
        move(4100, "drive.files.share", 30, 54, {
          factors: [{ code: "HIGH_ENTITY_COUNT", from: null, to: "high" }]
        }),
        move(812, "stripe.payouts.create", 78, 61, {
          factors: [{ code: "LOOKALIKE_DESTINATION", from: "high", to: null }]
        })
      ],
      factors: [
        { code: "HIGH_ENTITY_COUNT", appeared: 610, vanished: 0, severityRaised: 61, severityLowered: 0 },
        { code: "NOVEL_DESTINATION", appeared: 14, vanished: 0, severityRaised: 0, severityLowered: 27 },
        { code: "LOOKALIKE_DESTINATION", appeared: 0, vanished: 4, severityRaised: 0, severityLowered: 0 }
      ],
      categories: [
        {
          name: "communication",
          records: 2900,
          falls: 0,
          rises: 40,
          lowered: 0,
          raised: 150,
          weakened: 0,
          strengthened: 2
        },
        {
          name: "data",
          records: 6100,
          falls: 1,
          rises: 160,
          lowered: 11,
          raised: 540,
          weakened: 0,
          strengthened: 2
        },
        {
          name: "financial",
          records: 3480,
          falls: 3,
          rises: 14,
          lowered: 20,
          raised: 12,
          weakened: 0,
          strengthened: 2
        }
      ],
      classes: [],
      controls: [],
      unreadable: [{ line: 77, message: "not JSON" }],
      policies: []
    }
  },
  changelog: {
    version: "1.1.0",
    line: 5,
    items: [
      { text: "HIGH_ENTITY_COUNT is high from 500 entities.", moves: true, line: 7 },
      { text: "CUMULATIVE_VOLUME says what it counts.", moves: false, line: 8 }
    ]
  }
}
