/** Webhook endpoints whose receivers never answer, made over HTTP as an organization makes them. */

import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { startChild } from "./child.ts"
import type { Stage } from "./openStage.ts"

const main = join(import.meta.dirname, "../../bin/action-risk.js")
const path = "/api/v1/webhook-endpoints"

const keyForWebhooks = async ({ database }: Stage): Promise<string> => {
  const args = ["keys", "create", "--org", "demo", "--mode", "test", "--scopes", "webhooks", "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
    env: { ...process.env, DATA_DIR: database.dataDirectory }
  })
  return JSON.parse(stdout).key
}

export interface DeadEndpoints extends AsyncDisposable {
  /** What all of them want from now on. */
  readonly want: (events: ReadonlyArray<string>) => Promise<void>
}

/** A third of them is refused, a third hangs, a third drips. Their receivers end with what it gives. */
export const startDeadEndpoints = async (
  stage: Stage,
  count: number,
  events: ReadonlyArray<string>
): Promise<DeadEndpoints> => {
  const receivers = await startChild([join(import.meta.dirname, "deadReceivers.ts")], {})
  const urls = Object.values(receivers.said)
  const key = await keyForWebhooks(stage)
  const ask = async (method: "PATCH" | "POST", below: string, body: object): Promise<string> => {
    const answer = await fetch(stage.service.url + path + below, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(`an endpoint was answered ${await answer.text()}`)
    const { id } = (await answer.json()) as { id: string }
    return id
  }
  const ids: Array<string> = []
  for (let i = 0; i < count; i++)
    ids.push(await ask("POST", "", { url: `${urls[i % urls.length]}/${i}`, events }))
  return {
    want: async (changed) => {
      for (const id of ids) await ask("PATCH", `/${id}`, { events: changed })
    },
    [Symbol.asyncDispose]: () => receivers[Symbol.asyncDispose]()
  }
}
