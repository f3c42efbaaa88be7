/** How often a person was interrupted, by the events that hosts report of their questions. */

import { Result } from "effect"
import type { Action } from "../../domain/Action.ts"
import type { ToldAssessment } from "../../evidence/outcomeHistory.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { suggestedCallsMax } from "../../limits.ts"
import { readRecordedRequest } from "../../rules/history/recordedInput.ts"

/** Assessments about which a person was asked, and the answers. Events of both kinds count once each. */
export interface Answers {
  readonly questions: number
  readonly agreed: number
  readonly declined: number
  readonly absent: number
}

const noAnswers: Answers = { questions: 0, agreed: 0, declined: 0, absent: 0 }

const withAnswer = (so: Answers, { types }: ToldAssessment): Answers => ({
  questions: so.questions + 1,
  agreed: so.agreed + Number(types.includes("person_agreed")),
  declined: so.declined + Number(types.includes("person_declined")),
  absent: so.absent + Number(types.includes("person_absent"))
})

/** One agent, one tool, or all of them. */
interface Counted {
  readonly answers: Answers
  /** Runs of agents that interrupted a person, as far as they are stated, with the number of their questions. */
  readonly sessions: Map<string, number>
  /** The newest calls. */
  readonly calls: Array<Action>
}

const none = (): Counted => ({ answers: noAnswers, sessions: new Map(), calls: [] })

const sessionsIn = ({ sessions }: Counted) => ({
  sessions: sessions.size,
  in_sessions: [...sessions.values()].reduce((sum, questions) => sum + questions, 0)
})

/** The tool as mappings name it, if the calling program stated it; else the type of the action. */
const toolOf = ({ action_type: type, metadata }: JsonObject): string => {
  const named = isRecord(metadata) ? metadata["tool"] : undefined
  return typeof named === "string" ? named : String(type)
}

const sessionOf = ({ context }: JsonObject): string | null => {
  const named = isRecord(context) ? context["session"] : undefined
  return typeof named === "string" ? named : null
}

const counting = (
  { answers, calls, sessions }: Counted,
  told: ToldAssessment,
  input: JsonObject
): Counted => {
  const session = sessionOf(input)
  if (session !== null) sessions.set(session, (sessions.get(session) ?? 0) + 1)
  Result.map(readRecordedRequest(input), (action) => calls.push(action))
  if (calls.length > suggestedCallsMax) calls.shift()
  return { answers: withAnswer(answers, told), sessions, calls }
}

const shown = 10

const mostFirst = <K>(counts: ReadonlyMap<K, Counted>): ReadonlyArray<readonly [K, Counted]> =>
  [...counts].toSorted(([, a], [, b]) => b.answers.questions - a.answers.questions).slice(0, shown)

export const countQuestions = () => {
  let all = none()
  const agents = new Map<string | null, Counted>()
  const tools = new Map<string, Counted>()
  return {
    add: (told: ToldAssessment): void => {
      if (!told.types.some((type) => type.startsWith("person_"))) return
      const input: JsonObject = JSON.parse(Buffer.from(told.input).toString())
      const agent = typeof input["agent_id"] === "string" ? input["agent_id"] : null
      const tool = toolOf(input)
      all = counting(all, told, input)
      agents.set(agent, counting(agents.get(agent) ?? none(), told, input))
      tools.set(tool, counting(tools.get(tool) ?? none(), told, input))
    },
    /** The agents and tools that interrupted most. */
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
