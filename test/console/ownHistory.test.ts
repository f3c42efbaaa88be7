/** Two releases on an organization's own history, over sockets and a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import type { RuleComparison } from "../../src/api/Rules.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { laterReleases, rulesAt } from "../support/changedRules.ts"
import { assessed, consoleServiceOf, signedIn } from "../support/consoleVisitor.ts"
import { newKey, newOrganization } from "../support/fullService.ts"

const [from, to] = ["1.0.0", "1.1.0"] as const

const compare = Effect.fnUntraced(function* (key: string, method: "GET" | "POST") {
  const { url } = yield* ListeningServer
  const path = method === "POST" ? "comparisons" : `comparisons/${from}...${to}`
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}/api/v1/rules/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: JSON.stringify({ from, to }) } : {})
    })
    return (await answer.json()) as RuleComparison
  })
})

const comparePage = `/test/rules/compare?from=${from}&to=${to}`

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "")

const service = consoleServiceOf(rulesAt(laterReleases(to)))

layer(service, { excludeTestServices: true, timeout: "240 seconds" })("own history", (it) => {
  it.effect("is scored under both releases, for those who may read it", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
      const agent = yield* newKey(owner, "test", ["assess"])
      for (const action_type of ["newsletter.send", "calendar.events.list", "wms.slots.reshuffle"])
        yield* assessed(agent, { action_type, environment: "production" })
      const analyst = yield* newKey(owner, "test", ["read", "rules"])
      yield* compare(analyst, "POST")
      const done = yield* compare(analyst, "GET").pipe(
        Effect.filterOrFail(({ own_history }) => own_history?.state === "done"),
        Effect.retry(Schedule.spaced("500 millis"))
      )
      const own = done.own_history
      if (own === null) return yield* Effect.die(new Error("it was there"))
      const { actions, complete, lowered, raised, scored, transitions } = own
      expect([scored, complete]).toEqual([3, true])
      const counted = Object.values(transitions).flatMap((row) => Object.values(row))
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(3)
      expect(actions.reduce((sum, { records }) => sum + records, 0)).toBe(lowered + raised)
      expect(lowered + raised).toBeGreaterThan(0)
      const page = yield* (yield* signedIn(analyst)).get(comparePage)
      expect(plain(page.text)).toContain("On your own last 30 days 3 assessments")
      expect(page.text).toContain(`/test/assessments/${actions[0]?.assessment_id}`)
      // A key that may not read assessments learns nothing about them.
      const other = yield* newKey(owner, "test", ["rules"])
      expect((yield* compare(other, "GET")).own_history).toBe(null)
      const blind = yield* (yield* signedIn(other)).get(comparePage)
      expect(blind.text).not.toContain("own-history")
    })
  )
})
