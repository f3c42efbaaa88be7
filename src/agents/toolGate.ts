/** The gate for programs: asks about one tool call, and always returns a step and a reason. */

import { setBounded } from "../boundedMap.ts"
import { isRecord, type JsonObject } from "../json/json.ts"
import { parseStrictly } from "../json/jsonReader.ts"
import { answeredCallsMax } from "../limits.ts"
import { askAbout, readable, today } from "./askAbout.ts"
import { isAsked, type Step } from "./GateFile.ts"
import { questionOf } from "./questionOfCall.ts"
import { ownerFolder, type ProcessEnvironment, processEnvironment, readOwnerSettings } from "./settings.ts"

export interface ToolGateOptions {
  /** The name of the agent, unless the mapping states one. */
  readonly agentId: string
  /** The folder of the owner's files. Default: `~/.config/action-risk`. */
  readonly folder?: string
  /** Used instead of the process's variables. */
  readonly env?: ProcessEnvironment
}

export interface GatedCall {
  /** The name used in mappings. */
  readonly tool: string
  /** An object, or its JSON text. */
  readonly input: unknown
  /** Identifies the call, so that asking about it again is the same question. */
  readonly callId?: string | undefined
}

interface GateAnswer {
  readonly step: Step
  /** For a person. Empty if no question was asked. */
  readonly reason: string
}

export interface ToolGate {
  /** Never rejects. A call that has been answered is not asked about again: agents that wait for a person run their steps twice. */
  readonly check: (call: GatedCall) => Promise<GateAnswer>
}

const argumentsOf = (input: unknown): JsonObject | undefined => {
  const text = typeof input === "string" ? input : JSON.stringify(input)
  const parsed = text === undefined ? undefined : parseStrictly(text)
  return parsed !== undefined && "value" in parsed && isRecord(parsed.value)
    ? (parsed.value as JsonObject)
    : undefined
}

export const toolGate = ({
  agentId,
  env = processEnvironment,
  folder = ownerFolder(env)
}: ToolGateOptions): ToolGate => {
  const session = crypto.randomUUID()
  const answered = new Map<string, Promise<GateAnswer>>()

  const ask = async ({ callId, input, tool }: GatedCall): Promise<GateAnswer> => {
    try {
      const given = argumentsOf(input)
      if (given === undefined)
        return { step: "ask_person", reason: "no risk opinion: the call was not understood" }
      const owner = await readOwnerSettings(folder, undefined, env)
      const day = today()
      if (owner.problems.length === 0 && !isAsked(owner.gate, tool, day))
        return { step: "no_objection", reason: "" }
      const call = { tool, name: tool, arguments: given }
      return await askAbout(owner, {
        question: questionOf(call, {
          mapping: owner.mapping,
          ownTools: {},
          agentId,
          session,
          day,
          extent: owner.gate.extent
        }),
        names: callId === undefined ? undefined : [agentId, session, tool, callId, JSON.stringify(given)],
        objections: []
      })
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      return { step: "ask_person", reason: readable(`no risk opinion: ${why}`) }
    }
  }

  return {
    check: (call) => {
      if (call.callId === undefined) return ask(call)
      const name = JSON.stringify([call.tool, call.callId, call.input])
      const answer = answered.get(name) ?? ask(call)
      setBounded(answered, answeredCallsMax, name, answer)
      return answer
    }
  }
}
