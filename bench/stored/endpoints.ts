/** Webhook endpoints as an organization makes them, over HTTP with a key for them; and many endpoints whose receivers never answer. */

import { join } from "node:path"
import { startChild } from "./child.ts"
import type { OwnDatabase } from "./database.ts"
import type { Stage } from "./openStage.ts"
import { runCommand } from "./service.ts"

const path = "/api/v1/webhook-endpoints"

interface NewEndpoint {
  readonly url: string
  readonly events: ReadonlyArray<string>
}

/** Manages the webhook endpoints of the organization `demo` at a service. */
export const manageEndpoints = async (database: OwnDatabase, serviceUrl: string) => {
  const args = ["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "webhooks", "--json"]
  const { key } = JSON.parse(await runCommand(database, args)) as { readonly key: string }
  const ask = async (method: "PATCH" | "POST", below: string, body: object) => {
    const answer = await fetch(serviceUrl + path + below, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`an endpoint was answered ${await answer.text()}`)
    return (await answer.json()) as { readonly id: string; readonly secret: string }
  }
  return {
    create: (endpoint: NewEndpoint) => ask("POST", "", endpoint),
    change: (id: string, changes: Partial<NewEndpoint>) => ask("PATCH", `/${id}`, changes)
  }
}

/** Their addresses: one refuses, one hangs, one drips. */
export const startDeadReceivers = async () => {
  const child = await startChild([join(import.meta.dirname, "deadReceivers.ts")], {})
  return { urls: Object.values(child.said), [Symbol.asyncDispose]: child[Symbol.asyncDispose] }
}

export interface DeadEndpoints extends AsyncDisposable {
  /** The events that all of them receive from now on. */
  readonly want: (events: ReadonlyArray<string>) => Promise<void>
}

/** Every dead receiver has a third of them. The receivers end with what this gives. */
export const startDeadEndpoints = async (
  stage: Stage,
  count: number,
  events: ReadonlyArray<string>
): Promise<DeadEndpoints> => {
  const { urls, ...receivers } = await startDeadReceivers()
  const { change, create } = await manageEndpoints(stage.database, stage.service.url)
  const ids: Array<string> = []
  for (let i = 0; i < count; i++) {
    const { id } = await create({ url: `${urls[i % urls.length]}/${i}`, events })
    ids.push(id)
  }
  return {
    ...receivers,
    want: async (changed) => {
      for (const id of ids) await change(id, { events: changed })
    }
  }
}
