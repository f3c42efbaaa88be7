/** Clients that send seeded random requests to a service without a break, and record the answers. */

import { setTimeout as sleep } from "node:timers/promises"
import type { FaultedService } from "./FaultedService.ts"
import type { Told } from "./historyChecker.ts"

/** Deterministic numbers in [0, 1): mulberry32. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const bodyOf = (call: string, records: number) =>
  JSON.stringify({
    action_type: "customer.update",
    environment: "staging",
    agent_id: `agent ${records % 3}`,
    destination: `d${records % 4}.example`,
    entities_affected: records,
    metadata: { call }
  })

/** Sends one assessment, named `call`; with a `key` it may be sent again. */
export const assessOnce = async (
  service: Pick<FaultedService, "ask">,
  call: string,
  records: number,
  key?: string
): Promise<Told> => {
  const { body, status } = await service.ask("/actions/assess", {
    method: "POST",
    body: bodyOf(call, records),
    headers: key === undefined ? {} : { "idempotency-key": key }
  })
  if (status === 200) return { call, outcome: "ok", body }
  // No server is listening just now: retrying without a pause would only load the machine.
  if (status === null) await sleep(20)
  return { call, outcome: status !== null && status < 500 ? "refused" : "unknown", body: "" }
}

/** Asks until it is stopped, `atOnce` at a time: new requests, repeats under their key, and others under a used key. */
export const runClients = (service: Pick<FaultedService, "ask">, random: () => number, atOnce: number) => {
  const told: Array<Told> = []
  const stopping = new AbortController()
  let calls = 0
  const client = async () => {
    while (!stopping.signal.aborted) {
      const number = Math.floor(random() * (calls + 20))
      const records = number % 12
      const kind = random()
      if (kind < 0.6) told.push(await assessOnce(service, `call ${calls++}`, records))
      else if (kind < 0.95) told.push(await assessOnce(service, `key ${number}`, records, `key ${number}`))
      else told.push(await assessOnce(service, `other ${number} ${calls++}`, records, `key ${number}`))
    }
  }
  const clients = Promise.all(Array.from({ length: atOnce }, client))
  return {
    told,
    stop: async () => {
      stopping.abort()
      await clients
    }
  }
}
