/** One run of a hook: turns the host's description of a tool call into an answer in the host's format, or into a report of how the call ended. */

import { isRecord, type JsonObject } from "../../json/json.ts"
import { parseStrictly } from "../../json/jsonReader.ts"
import { hookInputBytesMax } from "../../limits.ts"
import { askAbout, readable, today } from "../askAbout.ts"
import { isAsked } from "../GateFile.ts"
import { reportOutcome } from "../outcomeReports.ts"
import { questionOf } from "../questionOfCall.ts"
import { gateFileName, readOwnerSettings, toolsFileName } from "../settings.ts"
import { rememberCall, takeCall } from "./askedCalls.ts"
import { type HookCall, type HookReply, type Host, type HostName, hosts } from "./hosts.ts"

export interface HookSurroundings {
  /** The folder of the owner's files. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Never rejects: a failure becomes an objection that names it. */
export const runHook = async (
  name: HostName,
  input: AsyncIterable<Uint8Array>,
  surroundings: HookSurroundings
): Promise<HookReply> => {
  const host: Host = hosts[name]
  try {
    const json = await readInput(input)
    const call = isRecord(json) ? host.readCall(json as JsonObject) : undefined
    if (call !== undefined) return await answerCall(name, host, call, surroundings)
    const { gate } = await readOwnerSettings(surroundings.folder, undefined, surroundings.env)
    return host.reply(gate.noOpinion, "no risk opinion: the call was not understood")
  } catch (cause) {
    return host.reply(
      "ask_person",
      readable(`no risk opinion: ${cause instanceof Error ? cause.message : String(cause)}`)
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

const answerCall = async (
  name: HostName,
  host: Host,
  call: HookCall,
  { env, folder }: HookSurroundings
): Promise<HookReply> => {
  const owner = await readOwnerSettings(folder, call.folder, env)
  const day = today()
  // The host's name without the words after it: `generic --reply exit2`.
  const [agentId = name] = name.split(" ")
  const guarded = touchesOwnFiles(host, call, folder)
  if (!guarded && owner.problems.length === 0 && !isAsked(owner.gate, call.tool, day))
    return host.reply("no_objection", "")
  const { assessmentId, reason, step } = await askAbout(owner, {
    question: questionOf(call, {
      mapping: owner.mapping,
      ownTools: host.ownTools,
      agentId,
      session: call.session,
      day,
      extent: owner.gate.extent
    }),
    names: call.callId === undefined ? undefined : [name, call.session, call.callId],
    objections: guarded ? ["the call touches the files of the hook itself"] : []
  })
  if (owner.outcomesKey !== "" && assessmentId !== null && step !== "refuse")
    rememberOrSay(() => rememberCall(env, name, call, assessmentId))
  return host.reply(step, reason, call)
}

/** A call whose end cannot be reported is still answered like any other. */
const rememberOrSay = (remember: () => void): void => {
  try {
    remember()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${readable(`the outcome of this call will not be reported: ${why}`)}\n`)
  }
}

/** The hook after a call: passes the host's report to the service, prints no answer, and never fails. */
export const runEndHook = async (
  name: HostName,
  input: AsyncIterable<Uint8Array>,
  { env, folder }: HookSurroundings
): Promise<HookReply> => {
  const quiet = (stderr: string): HookReply => ({ stdout: "", stderr, exitCode: 0 })
  try {
    const host: Host = hosts[name]
    const json = await readInput(input)
    const ended = isRecord(json) ? host.readEnd?.(json as JsonObject) : undefined
    if (ended === undefined) return quiet("")
    const owner = await readOwnerSettings(folder, undefined, env)
    const problem = await reportOutcome(owner, takeCall(env, name, ended.call), ended.type)
    return quiet(problem === undefined ? "" : `${readable(problem)}\n`)
  } catch (cause) {
    return quiet(`${readable(cause instanceof Error ? cause.message : String(cause))}\n`)
  }
}

const settingsOfHosts =
  /(?:^|["'\s=/\\])(?:\.(?:claude|cline|codex|copilot|cursor|factory|gemini|github|qwen|windsurf)[/\\](?:settings[\w.]*\.json|(?:config[/\\])?hooks|config\.toml)|\.codeium[/\\]windsurf[/\\]hooks|\.kiro[/\\]agents|\.agents[/\\]plugins|\.?opencode[/\\](?:plugins?|opencode\.jsonc?)\b)/

/** Matches the hook's program (by its name, its installed file and its rules), the owner's files, and the program's state. */
const ownProgram =
  /action-risk-agent|(?:^|[/\\])dist[/\\]agent\.js|\.config[/\\]action-risk|(?:\.local[/\\]state|node_modules)[/\\]action-risk(?![\w-])/

/** Whether a call touches the hook's own files or a host's settings. Tools that only read may do so. */
const touchesOwnFiles = (host: Host, call: HookCall, folder: string): boolean => {
  if (/^(?:read|view|grep|glob|rg|ls|list|search)/i.test(call.tool)) return false
  const own = Object.hasOwn(host.ownTools, call.tool) ? host.ownTools[call.tool] : null
  const telling = own === null || own === undefined || own === "patch" ? null : own.key
  const text = JSON.stringify(telling === null ? call.arguments : (call.arguments[telling] ?? null))
  return (
    text.includes(gateFileName) ||
    text.includes(toolsFileName) ||
    text.includes(folder) ||
    settingsOfHosts.test(text) ||
    ownProgram.test(text)
  )
}
