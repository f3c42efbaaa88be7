/** `action-risk outcomes report`: how often each level and factor was right, judged by what happened afterwards. */

import { Effect, Result, Schema, Stream } from "effect"
import type { Action } from "../../domain/Action.ts"
import { actionRiskLevels } from "../../domain/Opinion.ts"
import { outcomeEventTypes } from "../../domain/OutcomeEvent.ts"
import { type ToldAssessment, toldAssessments } from "../../evidence/outcomeHistory.ts"
import { type LevelOutcomes, makeOutcomeReport, type OutcomeReport } from "../../evidence/outcomeReport.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { suggestedCallsMax } from "../../limits.ts"
import { readRecordedRequest } from "../../rules/history/recordedInput.ts"
import { suggestEntries } from "../../rules/policies/suggestEntries.ts"
import { organizationOf, Stores } from "../Stores.ts"
import { lines, printable, table, type Terminal } from "../Terminal.ts"
import { databaseSettings, ownerFlags, sinceFlag } from "../flags.ts"
import { int, list, members, nullOr, objects, ownerFields } from "../jsonShapes.ts"
import { withProgress } from "../progress.ts"
import { servedRulebook } from "../rules/rulebooks.ts"
import { counted, figure } from "../texts.ts"
import { verb } from "../verb.ts"

const Level = Schema.Struct({
  assessments: int("Assessments at this level with at least one event."),
  events: Schema.Record(Schema.Literals(outcomeEventTypes), Schema.Int).annotate({
    description: "Assessments with at least one event of the type."
  }),
  understated: int("Assessments whose observed figures exceed the assessed ones.")
})

const askedFields = {
  questions: int("Assessments about which a person was asked."),
  agreed: Schema.Int,
  declined: Schema.Int,
  absent: int("Questions that no person answered.")
}

const sessionFields = {
  sessions: int("Runs of agents in which a person was asked."),
  in_sessions: int("The questions whose request states the run.")
}

export const outcomesReportShape = members({
  ...ownerFields,
  since: nullOr(Schema.String, "From this date-time on; null: no limit."),
  levels: Schema.Struct({ low: Level, moderate: Level, high: Level, critical: Level }),
  factors: objects("Factors with the most assessments first.", {
    code: Schema.String,
    assessments: Schema.Int,
    grave: int("How many of them were declined, reverted, an incident or a near miss.")
  }),
  asked: Schema.Struct({
    ...askedFields,
    ...sessionFields,
    most_in_a_session: int("The most questions in one of them."),
    agents: Schema.Array(
      Schema.Struct({ agent_id: Schema.NullOr(Schema.String), ...askedFields, ...sessionFields })
    ),
    tools: objects(null, {
      tool: Schema.String,
      ...askedFields,
      entry: nullOr(
        Schema.Record(Schema.String, Schema.Unknown),
        "The catalogue entry that would answer them, as from `policies suggest`; null if none would, or if a person declined one."
      )
    })
  }).annotate({
    description: "How often agents interrupted a person, with up to ten agents and tools that did so most."
  }),
  harmsAtLow: list(
    Schema.String,
    "The first assessments at level low that caused an incident or a near miss."
  )
})

export const reportOutcomes = verb({
  about: "Count reported outcomes by level and by factor",
  takes: { ...ownerFlags, since: sinceFlag },
  prints: outcomesReportShape,
  fails: "there is no such organization",
  reads: databaseSettings,
  examples: {
    "--org acme --mode live --since 2026-12-01":
      "December: incidents at level low, and factors that people confirm",
    "--org acme --mode live --json": "For scripts"
  },
  run: Effect.fnUntraced(function* ({ mode, org, since }) {
    const { id, policySet } = yield* organizationOf(org)
    const { add, report } = makeOutcomeReport()
    const questions = countQuestions()
    let read = 0
    yield* withProgress({ title: "outcomes report", unit: "assessments" }, (progress) =>
      Stream.runForEach(toldAssessments({ organizationId: id, mode }, since), (told) =>
        Effect.sync(() => {
          add(told)
          questions.add(told)
          progress.at(++read, null)
        })
      )
    )
    const found = report()
    const asked = yield* withEntries(questions.counts(), policySet)
    return {
      json: () => ({ ...found, organization: org, mode, since, asked }),
      text: (screen: Terminal) =>
        [render(screen, found), ...renderAsked(screen, asked, `--org ${org} --mode ${mode}`)].join("\n")
    }
  }, Effect.provide(Stores))
})

type AskedJson = (typeof outcomesReportShape.Type)["asked"]

/** The first catalogue entry that would answer the questions about a tool. No entry may lower what a person declined. */
const withEntries = Effect.fnUntraced(function* (
  { tools, ...asked }: ReturnType<ReturnType<typeof countQuestions>["counts"]>,
  policySet: string
) {
  if (tools.length === 0) return { ...asked, tools: [] }
  const { policies, release } = yield* servedRulebook(null, policySet)
  const entryOf = (calls: ReadonlyArray<Action>) =>
    suggestEntries(calls, release.model, policies.policySet)[0]?.entry ?? null
  return {
    ...asked,
    tools: tools.map(({ answers, calls, tool }) => ({
      tool,
      ...answers,
      entry: answers.declined > 0 ? null : entryOf(calls)
    }))
  }
})

const answersText = ({ agreed, questions }: Answers): string =>
  `agreed to ${figure(agreed)} of ${figure(questions)} (${Math.round((100 * agreed) / questions)} %)`

const sessionsText = (of: Pick<AskedJson, keyof typeof sessionFields>): string =>
  of.sessions === 0
    ? ""
    : `${Math.round((10 * of.in_sessions) / of.sessions) / 10} in each of ${counted(of.sessions, "session")}`

/** `owner`: the flags that name the organization. */
const renderAsked = (
  screen: Terminal,
  { agents, tools, ...all }: AskedJson,
  owner: string
): ReadonlyArray<string> => {
  if (all.questions === 0) return []
  const rows = (named: ReadonlyArray<readonly [name: string, Answers, about: string]>) =>
    table(
      screen,
      named.map(([name, answers, about]) => [
        { text: figure(answers.questions), align: "right" },
        { text: printable(name), style: "bold" },
        answersText(answers),
        about
      ])
    )
  const most = all.sessions === 0 ? "" : `; ${sessionsText(all)}, at most ${figure(all.most_in_a_session)}`
  const entryText = (entry: object | null) => (entry === null ? "none" : printable(JSON.stringify(entry)))
  return [
    "",
    `A person was asked ${counted(all.questions, "time")}, and ${answersText(all)}${most}`,
    ...rows(agents.map((agent) => [agent.agent_id ?? "no agent stated", agent, sessionsText(agent)])),
    "",
    "By tool, with the entry that would answer the questions",
    ...rows(tools.map((tool) => [tool.tool, tool, entryText(tool.entry)])),
    screen.color(
      "dim",
      `An entry goes into the catalogue; action-risk policies suggest <set> database ${owner} shows others`
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
  if (told === 0) return "no outcomes were reported"
  const grave = factors.filter((factor) => factor.grave > 0)
  const end = "declined, reverted, an incident or a near miss"
  return lines(
    `${counted(told, "assessment")} with reported outcomes`,
    "",
    color("dim", row("", ["assessed", ...columns.map(([title]) => title), "understated"])),
    actionRiskLevels.map((level) => row(level, cellsOf(levels[level]))),
    "",
    grave.length === 0
      ? `No factor was in an assessment that was ${end}`
      : `Factors, and in how many of their assessments it was ${end}`,
    grave
      .slice(0, factorsShown)
      .map((one) => `  ${figure(one.grave).padStart(7)} of ${figure(one.assessments).padEnd(7)} ${one.code}`),
    harmsAtLow.length > 0 && ["", color("red", "Harm after level low"), ...harmsAtLow.map((id) => `  ${id}`)]
  ).join("\n")
}

/** The number of assessments about which a person was asked, and the answers. Both kinds of events count once each. */
type Answers = Pick<AskedJson, keyof typeof askedFields>

const noAnswers: Answers = { questions: 0, agreed: 0, declined: 0, absent: 0 }

const withAnswer = (so: Answers, { types }: ToldAssessment): Answers => ({
  questions: so.questions + 1,
  agreed: so.agreed + Number(types.includes("person_agreed")),
  declined: so.declined + Number(types.includes("person_declined")),
  absent: so.absent + Number(types.includes("person_absent"))
})

/** The counts for one agent, one tool, or all of them. */
interface Counted {
  readonly answers: Answers
  /** Runs of agents that interrupted a person, if they are stated, with the number of questions each. */
  readonly sessions: Map<string, number>
  /** The newest calls. */
  readonly calls: Array<Action>
}

const none = (): Counted => ({ answers: noAnswers, sessions: new Map(), calls: [] })

const sessionsIn = ({ sessions }: Counted) => ({
  sessions: sessions.size,
  in_sessions: [...sessions.values()].reduce((sum, questions) => sum + questions, 0)
})

/** The tool's name in mappings, if the calling program stated it; otherwise the action type. */
const toolOf = ({ action_type: type, metadata }: JsonObject): string =>
  textIn(metadata, "tool") ?? String(type)

const textIn = (object: unknown, name: string): string | null => {
  const value = isRecord(object) ? object[name] : undefined
  return typeof value === "string" ? value : null
}

const counting = (
  { answers, calls, sessions }: Counted,
  told: ToldAssessment,
  input: JsonObject
): Counted => {
  const session = textIn(input["context"], "session")
  if (session !== null) sessions.set(session, (sessions.get(session) ?? 0) + 1)
  Result.map(readRecordedRequest(input), (action) => calls.push(action))
  if (calls.length > suggestedCallsMax) calls.shift()
  return { answers: withAnswer(answers, told), sessions, calls }
}

const shown = 10

const mostFirst = <K>(counts: ReadonlyMap<K, Counted>): ReadonlyArray<readonly [K, Counted]> =>
  [...counts].toSorted(([, a], [, b]) => b.answers.questions - a.answers.questions).slice(0, shown)

const countQuestions = () => {
  let all = none()
  const agents = new Map<string | null, Counted>()
  const tools = new Map<string, Counted>()
  return {
    add: (told: ToldAssessment): void => {
      if (!told.types.some((type) => type.startsWith("person_"))) return
      const input: JsonObject = JSON.parse(Buffer.from(told.input).toString())
      const agent = textIn(input, "agent_id")
      const tool = toolOf(input)
      all = counting(all, told, input)
      agents.set(agent, counting(agents.get(agent) ?? none(), told, input))
      tools.set(tool, counting(tools.get(tool) ?? none(), told, input))
    },
    /** The agents and tools that interrupted people most. */
    counts: () => ({
      ...all.answers,
      ...sessionsIn(all),
      most_in_a_session: Math.max(0, ...all.sessions.values()),
      agents: mostFirst(agents).map(([agent_id, counted]) => ({
        agent_id,
        ...counted.answers,
        ...sessionsIn(counted)
      })),
      tools: mostFirst(tools).map(([tool, { answers, calls }]) => ({ tool, answers, calls }))
    })
  }
}
