/** `action-risk outcomes report`: how often each level and each factor was right, by what happened afterwards. */

import { Effect, Schema, Stream } from "effect"
import { modes } from "../../domain/Caller.ts"
import { outcomeEventTypes } from "../../domain/OutcomeEvent.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { toldAssessments } from "../../evidence/outcomeHistory.ts"
import { type LevelOutcomes, makeOutcomeReport, type OutcomeReport } from "../../evidence/outcomeReport.ts"
import { organizationOf, orgFlag, Stores } from "../Stores.ts"
import { currentTerminal, type Terminal } from "../Terminal.ts"
import { modeFlag, sinceFlag, databaseSettings } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"

const Level = Schema.Struct({
  assessments: Schema.Int.annotate({ description: "Assessments at this level with any event." }),
  events: Schema.Record(Schema.Literals(outcomeEventTypes), Schema.Int).annotate({
    description: "Assessments with at least one event of the type."
  }),
  understated: Schema.Int.annotate({ description: "Of which more was observed than was assessed." })
})

export const outcomesReportSchema = Schema.Struct({
  organization: Schema.String.annotate({ description: "The slug." }),
  mode: Schema.Literals(modes),
  since: Schema.NullOr(Schema.String).annotate({ description: "From this date-time on; null for all." }),
  levels: Schema.Struct({ low: Level, moderate: Level, high: Level, critical: Level }),
  factors: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      assessments: Schema.Int,
      grave: Schema.Int.annotate({
        description: "Those of them that were declined, reverted, an incident or nearly one."
      })
    })
  ).annotate({ description: "Those of most assessments first." }),
  harms_at_low: Schema.Array(Schema.String).annotate({
    description: "The first assessments at level low that caused an incident, or nearly."
  })
})

export const reportOutcomes = verb({
  about: "Count what happened after the answers, by level and by factor",
  takes: { org: orgFlag, mode: modeFlag, since: sinceFlag },
  prints: outcomesReportSchema,
  fails: "there is no such organization",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live --since 2026-12-01":
      "December: incidents at low, and factors that people find right",
    "--org acme --mode live --json": "For scripts"
  },
  run: Effect.fnUntraced(function* ({ mode, org, since }) {
    const { id } = yield* organizationOf(org)
    const { add, report } = makeOutcomeReport()
    let read = 0
    yield* withProgress({ title: "outcomes report", unit: "assessments" }, (progress) =>
      Stream.runForEach(toldAssessments({ organizationId: id, mode }, since), (told) =>
        Effect.sync(() => {
          add(told)
          progress.at(++read, null)
        })
      )
    )
    const { factors, harmsAtLow, levels } = report()
    return {
      json: () => ({ organization: org, mode, since, levels, factors, harms_at_low: harmsAtLow }),
      text: () => render(currentTerminal(), report())
    }
  }, Effect.provide(Stores))
})

const columns = [
  ["agreed", "person_agreed"],
  ["declined", "person_declined"],
  ["executed", "executed"],
  ["not", "not_executed"],
  ["reverted", "reverted"],
  ["incident", "incident"],
  ["near miss", "near_miss"]
] as const

const row = (name: string, cells: ReadonlyArray<string>): string =>
  `  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(12)).join("")}`

const cellsOf = ({ assessments, events, understated }: LevelOutcomes): ReadonlyArray<string> =>
  [assessments, ...columns.map(([, type]) => events[type]), understated].map((count) =>
    count === 0 ? "·" : figure(count)
  )

const factorsShown = 20

const render = ({ color }: Terminal, { factors, harmsAtLow, levels }: OutcomeReport): string => {
  const told = actionRiskLevels.reduce((sum, level) => sum + levels[level].assessments, 0)
  if (told === 0) return "nothing was reported about any assessment"
  const grave = factors.filter((factor) => factor.grave > 0)
  return [
    `${counted(told, "assessment")} of which something was reported`,
    "",
    color("dim", row("", ["assessed", ...columns.map(([title]) => title), "understated"])),
    ...actionRiskLevels.map((level) => row(level, cellsOf(levels[level]))),
    "",
    ...(grave.length === 0
      ? ["No factor was in an assessment that was declined, reverted, an incident or nearly one"]
      : [
          "Factors, and in how many of their assessments it was declined, reverted, an incident or nearly one"
        ]),
    ...grave
      .slice(0, factorsShown)
      .map(
        ({ assessments, code, grave }) =>
          `  ${figure(grave).padStart(7)} of ${figure(assessments).padEnd(7)} ${code}`
      ),
    ...(harmsAtLow.length === 0
      ? []
      : ["", color("red", "Harm after an answer of low"), ...harmsAtLow.map((id) => `  ${id}`)])
  ].join("\n")
}
