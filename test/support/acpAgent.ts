/** An agent of the real ACP library, which asks its editor for what a prompt lists, and answers with the results. */

import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk"
import { Readable, Writable } from "node:stream"

interface Step {
  readonly method: string
  readonly params: object
}

const heard = (cause: unknown) => {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
  return { error: { code, message } }
}

agent({ name: "scripted" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: Number(process.argv[2] ?? 1),
    agentCapabilities: {}
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
  .onNotification(methods.agent.session.cancel, () => {})
  .onRequest(methods.agent.session.prompt, async ({ client, params: { prompt, sessionId } }) => {
    const [first] = prompt
    const steps = JSON.parse(first?.type === "text" ? first.text : "[]") as ReadonlyArray<Step>
    const answers: Array<unknown> = []
    for (const { method, params } of steps) {
      const sent = { ...params, sessionId }
      if (method === "session/update") await client.notify(method as string, sent)
      else answers.push(await client.request(method as string, sent).catch(heard))
    }
    const update = {
      sessionUpdate: "agent_message_chunk" as const,
      content: {
        type: "text" as const,
        text: JSON.stringify({ answers, key: process.env["ACTION_RISK_KEY"] ?? null })
      }
    }
    await client.notify(methods.client.session.update, { sessionId, update })
    return { stopReason: "end_turn" as const }
  })
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>)
  )
