/** `action-risk outcomes report`: how often each level and each factor was right, by what happened afterwards. */

import { Effect, Schema, Stream } from "effect"
import { modes } from "../../domain/Caller.ts"
import { outcomeEventTypes } from "../../domain/OutcomeEvent.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { toldAssessments, type ToldAssessment } from "../../evidence/outcomeHistory.ts"
import { type LevelOutcomes, makeOutcomeReport, type OutcomeReport } from "../../evidence/outcomeReport.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { organizationOf, orgFlag, Stores } from "../Stores.ts"
import { currentTerminal, printable, table, type Terminal } from "../Terminal.ts"
import { modeFlag, sinceFlag, databaseSettings } from "../flags.ts"
import { withProgress } from "../progress.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"

const Level = Schema.Struct({
  assessments: Schema.Int.annotate({ description: "Assessments at this level with any event." }),
  events: Schema.Record(Schema.Literals(outcomeEventTypes), Schema.Int).annotate({
    description: "Assessments with at least one event of the type."
  }),
  understated: Schema.Int.annotate({
    description: "Assessments for which more was observed than was assessed."
  })
})

const askedFields = {
  questions: Schema.Int.annotate({ description: "Assessments about which a person was asked." }),
  agreed: Schema.Int,
  declined: Schema.Int,
  absent: Schema.Int.annotate({ description: "No person answered." })
}

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
  ).annotate({ description: "The factors with most assessments first." }),
  asked: Schema.Struct({
    ...askedFields,
    agents: Schema.Array(Schema.Struct({ agent_id: Schema.NullOr(Schema.String), ...askedFields })),
    tools: Schema.Array(Schema.Struct({ tool: Schema.String, ...askedFields }))
  }).annotate({
    description:
      "How often agents interrupted a person, and the agents and tools that did so most, at most ten."
  }),
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
    const asked = countQuestions()
    let read = 0
    yield* withProgress({ title: "outcomes report", unit: "assessments" }, (progress) =>
      Stream.runForEach(toldAssessments({ organizationId: id, mode }, since), (told) =>
        Effect.sync(() => {
          add(told)
          asked.add(told)
          progress.at(++read, null)
        })
      )
    )
    const { factors, harmsAtLow, levels } = report()
    return {
      json: () => ({
        organization: org,
        mode,
        since,
        levels,
        factors,
        asked: asked.counts(),
        harms_at_low: harmsAtLow
      }),
      text: () =>
        [
          render(currentTerminal(), report()),
          ...renderAsked(currentTerminal(), asked.counts(), `--org ${org} --mode ${mode}`)
        ].join("\n")
    }
  }, Effect.provide(Stores))
})

type AskedJson = (typeof outcomesReportSchema.Encoded)["asked"]
type Answers = Pick<AskedJson, keyof typeof askedFields>

const askedShown = 10

const noAnswers: Answers = { questions: 0, agreed: 0, declined: 0, absent: 0 }

/** Adds an assessment about which a person was asked. Events of both kinds count once each. */
const withAnswer = (so: Answers, { types }: ToldAssessment): Answers => ({
  questions: so.questions + 1,
  agreed: so.agreed + Number(types.includes("person_agreed")),
  declined: so.declined + Number(types.includes("person_declined")),
  absent: so.absent + Number(types.includes("person_absent"))
})

/** The tool as mappings name it, if the calling program stated it; else the type of the action. */
const toolOf = ({ action_type: type, metadata }: JsonObject): string => {
  const named = isRecord(metadata) ? metadata["tool"] : undefined
  return typeof named === "string" ? named : String(type)
}

const mostFirst = <K>(counts: ReadonlyMap<K, Answers>): ReadonlyArray<readonly [K, Answers]> =>
  [...counts].toSorted(([, a], [, b]) => b.questions - a.questions).slice(0, askedShown)

/** How often a person was interrupted, by the events that hosts report of their questions. */
const countQuestions = () => {
  let all = noAnswers
  const agents = new Map<string | null, Answers>()
  const tools = new Map<string, Answers>()
  return {
    add: (told: ToldAssessment): void => {
      if (!told.types.some((type) => type.startsWith("person_"))) return
      const input: JsonObject = JSON.parse(Buffer.from(told.input).toString())
      const agent = typeof input["agent_id"] === "string" ? input["agent_id"] : null
      all = withAnswer(all, told)
      agents.set(agent, withAnswer(agents.get(agent) ?? noAnswers, told))
      const tool = toolOf(input)
      tools.set(tool, withAnswer(tools.get(tool) ?? noAnswers, told))
    },
    counts: (): AskedJson => ({
      ...all,
      agents: mostFirst(agents).map(([agent_id, answers]) => ({ agent_id, ...answers })),
      tools: mostFirst(tools).map(([tool, answers]) => ({ tool, ...answers }))
    })
  }
}

const answersText = ({ agreed, questions }: Answers): string =>
  `agreed to ${figure(agreed)} of ${figure(questions)} (${Math.round((100 * agreed) / questions)} %)`

/** `owner`: the flags that name the organization. Suggests the catalogue, because an entry there can answer the questions that people always agree to. */
const renderAsked = (
  screen: Terminal,
  { agents, tools, ...all }: AskedJson,
  owner: string
): ReadonlyArray<string> => {
  if (all.questions === 0) return []
  const rows = (named: ReadonlyArray<readonly [string, Answers]>) =>
    table(
      screen,
      named.map(([name, answers]) => [
        { text: figure(answers.questions), align: "right" },
        { text: printable(name), style: "bold" },
        answersText(answers)
      ])
    )
  return [
    "",
    `A person was asked ${counted(all.questions, "time")}, and ${answersText(all)}`,
    ...rows(agents.map(({ agent_id, ...answers }) => [agent_id ?? "no agent stated", answers])),
    "",
    "By tool",
    ...rows(tools.map(({ tool, ...answers }) => [tool, answers])),
    screen.color(
      "dim",
      `An entry of the catalogue can answer them: action-risk policies suggest <set> database ${owner}`
    )
  ]
}

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
