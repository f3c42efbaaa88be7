/** Follows acts that were let through until the editor or the agent reports how they ended. */

import { setBounded } from "../../boundedMap.ts"
import { isRecord } from "../../json/json.ts"
import { followedCallsMax } from "../../limits.ts"
import type { Asked } from "../askAbout.ts"
import { isId, type Message } from "../mcp/messageLines.ts"
import { type AgentAct, callKey } from "./requests.ts"

type Tell = (asked: Asked, ended: "executed" | "failed") => void

/** For each request whose answer can say how a terminal's command ended: where the answer says it. */
const exitIn: Readonly<Record<string, (result: Message) => unknown>> = {
  "terminal/output": ({ exitStatus }) => exitStatus,
  "terminal/wait_for_exit": (result) => result
}

export class FollowedActs {
  private readonly tell: Tell
  /** Calls that the agent performs itself, so only the agent reports how they end. */
  private readonly calls = new Map<string, Asked>()
  private readonly terminals = new Map<string, Asked>()
  /** Requests that the editor has, each with the handler for its answer. */
  private readonly requests = new Map<string | number, (answer: Message) => void>()

  constructor(tell: Tell) {
    this.tell = tell
  }

  followCall({ sessionId, toolCallId }: AgentAct, asked: Asked): void {
    if (toolCallId !== undefined)
      setBounded(this.calls, followedCallsMax, callKey(sessionId, toolCallId), asked)
  }

  /** The editor answers with a terminal before the command in it ends. */
  followRequest(id: string | number, { sessionId }: AgentAct, asked: Asked): void {
    this.hearAnswer(id, ({ result }) => {
      const terminal = isRecord(result) ? result["terminalId"] : undefined
      if (typeof terminal === "string")
        setBounded(this.terminals, followedCallsMax, callKey(sessionId, terminal), asked)
      else this.tell(asked, result === undefined ? "failed" : "executed")
    })
  }

  hearAgent({ id, method, params }: Message): void {
    if (!isRecord(params)) return
    const { sessionId, terminalId, update } = params
    if (method === "session/update" && isRecord(update)) {
      const { status, toolCallId } = update
      if (status === "completed" || status === "failed")
        this.end(this.calls, callKey(sessionId, toolCallId), status === "completed")
      return
    }
    const exitOf = typeof method === "string" && Object.hasOwn(exitIn, method) ? exitIn[method] : undefined
    const terminal = callKey(sessionId, terminalId)
    if (exitOf === undefined || !isId(id) || !this.terminals.has(terminal)) return
    this.hearAnswer(id, ({ result }) => {
      const exit = isRecord(result) ? exitOf(result) : undefined
      if (!isRecord(exit)) return
      const { exitCode, signal } = exit
      this.end(this.terminals, terminal, (exitCode ?? 0) === 0 && (signal ?? null) === null)
    })
  }

  hearEditor({ id, method, ...answer }: Message): void {
    if (method !== undefined || !isId(id)) return
    const hear = this.requests.get(id)
    this.requests.delete(id)
    hear?.(answer)
  }

  private hearAnswer(id: string | number, hear: (answer: Message) => void): void {
    setBounded(this.requests, followedCallsMax, id, hear)
  }

  private end(of: Map<string, Asked>, key: string, isWell: boolean): void {
    const asked = of.get(key)
    of.delete(key)
    if (asked !== undefined) this.tell(asked, isWell ? "executed" : "failed")
  }
}
