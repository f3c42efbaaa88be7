/** One call of a hook: from what the host says of a tool call to the host's own word for the next step. */

import { createHash } from "node:crypto"
import { actionRisk } from "../../client/actionRisk.ts"
import { type Answer, noOpinion } from "../../client/Answer.ts"
import { isRecord, type JsonObject } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { hookAskMs, hookInputBytesMax, hookReasonMax } from "../../limits.ts"
import { isAsked, type Step } from "../GateFile.ts"
import { maskSecrets } from "../maskSecrets.ts"
import { nextStep, severerStep } from "../nextStep.ts"
import { type Question, questionOf } from "../questionOfCall.ts"
import { gateFileName, type OwnerSettings, readOwnerSettings, toolsFileName } from "../settings.ts"
import { type HookCall, type HookReply, type Host, type HostName, hosts } from "./hosts.ts"

export interface HookSurroundings {
  /** The folder of the owner's files. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Never rejects: what goes wrong is an objection that says what. */
export const runHook = async (
  name: HostName,
  input: AsyncIterable<Uint8Array>,
  surroundings: HookSurroundings
): Promise<HookReply> => {
  const host: Host = hosts[name]
  try {
    const json = await readInput(input)
    const call = isRecord(json) ? host.readCall(json as JsonObject) : undefined
    if (call === undefined) return host.reply("ask_person", "no risk opinion: the call was not understood")
    return await answerCall(name, host, call, surroundings)
  } catch (cause) {
    return host.reply(
      "ask_person",
      shown(`no risk opinion: ${cause instanceof Error ? cause.message : String(cause)}`)
    )
  }
}

const readInput = async (input: AsyncIterable<Uint8Array>): Promise<unknown> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > hookInputBytesMax) throw new Error(`the call has more than ${hookInputBytesMax} bytes`)
    chunks.push(chunk)
  }
  const parsed = parseStrictly(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)))
  return "value" in parsed ? parsed.value : undefined
}

const dayCharacters = "2027-06-30".length

const answerCall = async (
  name: HostName,
  host: Host,
  call: HookCall,
  { env, folder }: HookSurroundings
): Promise<HookReply> => {
  const owner = await readOwnerSettings(folder, call.folder, env)
  const day = new Date().toISOString().slice(0, dayCharacters)
  const guarded = touchesOwnFiles(host, call)
  if (!guarded && owner.problems.length === 0 && !isAsked(owner.gate, call.tool, day))
    return host.reply("no_objection", "")
  const asked = questionOf(call, { mapping: owner.mapping, ownTools: host.ownTools, agentId: name, day })
  const question = masked(asked)
  const answer = await ask(name, owner, call, question)
  const steps: ReadonlyArray<Step> = [
    nextStep(answer, owner.gate, question),
    guarded ? "ask_person" : "no_objection",
    owner.problems.length > 0 ? owner.gate.noOpinion : "no_objection"
  ]
  const step = owner.gate.mode === "observe" ? "no_objection" : steps.reduce(severerStep)
  return host.reply(step, reasonOf(answer, question, owner, guarded))
}

const masked = (question: Question): Question => {
  const { destination, target_resource: target } = question.action
  return {
    ...question,
    action: {
      ...question.action,
      ...(target !== undefined && { target_resource: maskSecrets(target) }),
      ...(destination !== undefined && { destination: maskSecrets(destination) })
    }
  }
}

const ask = (name: HostName, owner: OwnerSettings, call: HookCall, { action }: Question): Promise<Answer> => {
  if (owner.key === "")
    return Promise.resolve(noOpinion("MISSING_API_KEY", "no key to ask with: set ACTION_RISK_KEY"))
  const client = actionRisk({ baseUrl: owner.serviceUrl, key: owner.key, deadlineMs: hookAskMs })
  // Ids of different sessions may be the same, and a host may use characters that no header takes.
  const questionId =
    call.callId === undefined
      ? undefined
      : createHash("sha256")
          .update(JSON.stringify([name, call.session, call.callId]))
          .digest("hex")
  return client.ask(action, { questionId })
}

const settingsOfHosts =
  /(?:^|[/\\])\.(?:claude|codex|copilot|gemini)[/\\](?:settings[\w.]*\.json|hooks|config\.toml)/

/** What the hook itself rests on. A tool that only reads may look at it. */
const touchesOwnFiles = (host: Host, call: HookCall): boolean => {
  if (/^(?:read|view|grep|glob|rg|ls|list|search)/i.test(call.tool)) return false
  const own = Object.hasOwn(host.ownTools, call.tool) ? host.ownTools[call.tool] : null
  const text = JSON.stringify(own?.key === undefined ? call.arguments : (call.arguments[own.key] ?? null))
  return text.includes(gateFileName) || text.includes(toolsFileName) || settingsOfHosts.test(text)
}

const reasonOf = (answer: Answer, question: Question, owner: OwnerSettings, guarded: boolean): string => {
  const { action_type: type, destination, target_resource: target } = question.action
  const opinion =
    answer.opinion === "none"
      ? `no risk opinion (${answer.code}): ${answer.message}`
      : [
          `action risk ${answer.assessment.action_risk.level}, ${answer.assessment.action_risk.score} of 100`,
          answer.opinion === "partial" ? " (a part of the evaluation failed)" : "",
          `; ${answer.assessment.recommended_control.type}: ${answer.assessment.recommended_control.because[0] ?? ""}`
        ].join("")
  const evidence =
    answer.opinion === "none"
      ? []
      : [`evidence: ${owner.serviceUrl}/api/v1/assessments/${answer.assessment.assessment_id}`]
  return shown(
    [
      opinion,
      ...owner.problems,
      ...(guarded ? ["the call touches the files that ask for an opinion"] : []),
      ...(question.mapped ? [] : ["the tool stands in no action-risk.tools.json"]),
      ...(question.whole ? [] : ["an argument could not be handed over whole"]),
      `call: ${[type, target ?? destination].filter((part) => part !== undefined).join(" ")}`,
      ...evidence
    ].join("; ")
  )
}

/** On one line, without characters that hide or reverse a word, and masked once more. */
const shown = (text: string): string =>
  maskSecrets([...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")].slice(0, hookReasonMax).join(""))
