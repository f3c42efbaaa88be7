/** Asks the service or this program about one call, for a hook or a gate, and returns the next step with a readable reason. */

import { createHash } from "node:crypto"
import { actionRisk } from "../client/actionRisk.ts"
import { type Answer, noOpinion } from "../client/Answer.ts"
import type { ProposedAction } from "../client/Assessment.ts"
import { isoDay } from "../domain/Day.ts"
import { isRecord } from "../json/json.ts"
import { onOneLine, quoted, shownName } from "../foreignText.ts"
import { agentAskMs, quotedTextMax, reasonCharactersMax } from "../limits.ts"
import { severerStep, type Step } from "./GateFile.ts"
import { maskSecrets } from "../domain/maskSecrets.ts"
import { nextStep, unreadArguments } from "./nextStep.ts"
import type { Question } from "./questionOfCall.ts"
import type { OwnerSettings } from "./settings.ts"

interface Call {
  readonly question: Question
  /** Identifies the call, with its session: asking again with the same names is the same question. Undefined: every question is new. */
  readonly names: ReadonlyArray<string | undefined> | undefined
  /** Reasons to ask a person at least, whatever the opinion is. */
  readonly objections: ReadonlyArray<string>
  /** Reasons to ask a person if the service knows the tool only by the words of its name. */
  readonly warnings?: ReadonlyArray<string>
}

export interface NextStep {
  readonly step: Step
  readonly reason: string
  /** Null if there is no opinion. */
  readonly assessmentId: string | null
}

/** A question and its answer, with the owner's files as they were at that time. */
export interface Asked extends NextStep {
  readonly owner: OwnerSettings
}

/** Today in UTC, such as 2027-06-30. */
export const today = (): string => isoDay(Date.now())

export const askAbout = async (owner: OwnerSettings, call: Call): Promise<NextStep> => {
  const { question } = call
  const answer = await ask(owner, question, call.names)
  const objections = [
    ...(await ownObjection(answer, owner, question)),
    ...call.objections,
    ...(isKnown(answer) ? [] : (call.warnings ?? []))
  ]
  const steps: ReadonlyArray<Step> = [
    nextStep(answer, owner.gate, question),
    objections.length > 0 ? "ask_person" : "no_objection",
    owner.problems.length > 0 ? owner.gate.noOpinion : "no_objection"
  ]
  const step = owner.gate.mode === "observe" ? "no_objection" : steps.reduce(severerStep)
  return {
    step,
    reason: reasonOf(answer, question, owner, [
      ...(step === "refuse"
        ? ["refused by the gate file: its owner can run the call, or change the file"]
        : []),
      ...objections
    ]),
    assessmentId: answer.opinion === "none" ? null : answer.assessment.assessment_id
  }
}

/**
 * Whether the answer rests on more than the tool's name: a provider's catalogue, the organization's catalogue, or a command that was read.
 */
const isKnown = (answer: Answer): boolean =>
  answer.opinion !== "none" && (answer.assessment.reading?.by ?? "name") !== "name"

/** Answers a question. Never rejects: a failure means that there is no opinion. */
type Answerer = (question: ProposedAction, questionId: string | undefined) => Promise<Answer>

const byService =
  (baseUrl: string, key: string): Answerer =>
  async (question, questionId) =>
    key === ""
      ? noOpinion("MISSING_API_KEY", "no API key: set ACTION_RISK_KEY")
      : actionRisk({ baseUrl, key, deadlineMs: agentAskMs }).ask(question, { questionId })

/** Questions do not share answers here. Loads the rules on the first question, because a hook is a new process for every call. */
const byThisProgram =
  (opinionsFile: string | null): Answerer =>
  async (question) =>
    (await import("../local/localAnswers.ts")).answerLocally(question, opinionsFile)

const ask = (owner: OwnerSettings, { action }: Question, names: Call["names"]): Promise<Answer> => {
  const { key, opinionsFile, serviceUrl } = owner
  const answer = serviceUrl === null ? byThisProgram(opinionsFile) : byService(serviceUrl, key)
  // Hashed, because ids of different sessions may be equal, and hosts may use characters that are invalid in a header.
  const questionId =
    names === undefined ? undefined : createHash("sha256").update(JSON.stringify(names)).digest("hex")
  return answer(action, questionId)
}

/** If the owner's service gave no opinion, adds this program's own objection as a further reason. It does not change the step. */
const ownObjection = async (
  answer: Answer,
  { gate, serviceUrl }: OwnerSettings,
  { action }: Question
): Promise<ReadonlyArray<string>> => {
  if (answer.opinion !== "none" || serviceUrl === null) return []
  // If this program cannot answer either, it adds nothing.
  const own = await byThisProgram(null)(action, undefined).catch(() => answer)
  return nextStep(own, gate, { mapped: true, whole: true }) === "no_objection" || own.opinion === "none"
    ? []
    : [`the rules installed here say: ${opinionText(own)}`]
}

const reasonOf = (
  answer: Answer,
  question: Question,
  owner: OwnerSettings,
  objections: ReadonlyArray<string>
): string => {
  const { action_type: type, destination, metadata, target_resource: target } = question.action
  const done = metadata?.["command"] ?? target ?? destination ?? argumentsIn(metadata?.["tool_call"])
  const unread = unreadArguments(answer)
  return readable(
    [
      opinionText(answer),
      ...(answer.opinion === "none"
        ? []
        : answer.assessment.safer_alternatives.map((one) => `safer: ${one}`)),
      ...objections,
      ...(question.mapped || owner.gate.unmappedTool === "no_objection"
        ? []
        : ["action-risk.tools.json does not name the tool"]),
      ...(question.whole ? [] : ["an argument could not be handed over whole"]),
      ...(unread.length === 0 ? [] : [`not understood: ${quoted(unread.join(", "), quotedTextMax)}`]),
      `call: ${shownName(type, quotedTextMax)}${done === undefined ? "" : ` ${quoted(String(done), quotedTextMax)}`}`,
      ...whereToLook(answer, owner),
      // Comes last, because a long text is cut and the agent controls files of the workspace.
      ...owner.problems
    ].join("; ")
  )
}

const argumentsIn = (call: unknown): string | undefined =>
  isRecord(call) ? JSON.stringify(call["arguments"]) : undefined

/**
 * Where a person can look: the page in the console; without a console, the address that a key with the scope `read` can get; without a
 * service, the line in the opinions file.
 */
const whereToLook = (answer: Answer, { consoleUrl, serviceUrl }: OwnerSettings): ReadonlyArray<string> => {
  if (answer.opinion === "none") return []
  const { assessment_id: id, environment_mode: mode } = answer.assessment
  if (serviceUrl === null) return [`opinion ${id}`]
  return consoleUrl === null
    ? [`evidence: ${serviceUrl}/api/v1/assessments/${id}`]
    : [`details: ${consoleUrl}/${mode}/assessments/${id}`]
}

const opinionText = (answer: Answer): string => {
  if (answer.opinion === "none") return `no risk opinion (${answer.code}): ${answer.message}`
  const { action_risk: risk, recommended_control: control } = answer.assessment
  const partial = answer.opinion === "partial" ? " (a part of the evaluation failed)" : ""
  return `action risk ${risk.level}, ${risk.score} of 100${partial}; ${control.type}: ${control.because[0] ?? ""}`
}

/** On one line, with hidden characters escaped, and with secrets masked once more. */
export const readable = (text: string): string =>
  maskSecrets([...onOneLine(text)].slice(0, reasonCharactersMax).join(""))
