/** A real server reports a review to receivers that are shaped like Slack and Teams: in time, once more if it is not closed, and then never again. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { scopes } from "../../src/domain/Caller.ts"
import { ApiKeys, KeyHasher } from "../../src/storage/ApiKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { Organizations } from "../../src/storage/Organizations.ts"
import { Secrets } from "../../src/storage/Secrets.ts"
import { ModeSql } from "../../src/storage/sql/Sql.ts"
import { serving } from "../support/actionRisk.ts"
import { chatProblems } from "../support/chatSchemas.ts"
import { verified } from "../support/dispatching.ts"
import { newKey, newOrganization } from "../support/fullService.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { webhookReceiver } from "../support/webhookReceiver.ts"

const pepper = "a pepper of this test"
const consoleUrl = "https://console.example"
const mode = "test"

const stores = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(KeyHasher.layer),
  Layer.provide(Layer.succeed(Secrets, { keyPeppers: [Redacted.make(pepper)] } as Secrets["Service"])),
  Layer.provideMerge(TestDatabase.layer)
)

const withinMs = 5_000

layer(stores, { excludeTestServices: true })("an endpoint for a chat, of a running service,", (it) => {
  it.effect(
    "is told about a review within 5 s, is reminded of it once, and gets the id by which the review is closed",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const receiver = yield* webhookReceiver
          const organization = yield* newOrganization("acme")
          const key = yield* newKey(organization, mode, scopes)
          const env = {
            DATABASE_URL: Redacted.value((yield* Database).url),
            KEY_PEPPER: pepper,
            CONSOLE_URL: consoleUrl,
            REVIEW_DUE_HOURS: "2",
            WEBHOOK_ALLOW_INSECURE: "loopback"
          }
          const server = yield* Effect.acquireRelease(
            Effect.promise(() => serving({ env })),
            ({ finished, signal }) => Effect.promise(() => (signal("SIGTERM"), finished))
          )
          const call = (method: string, path: string, body?: object) =>
            Effect.promise(async () => {
              const response = await fetch(`${server.url}/api/v1${path}`, {
                method,
                headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
                ...(body !== undefined && { body: JSON.stringify(body) })
              })
              return { status: response.status, body: JSON.parse(await response.text()) }
            })
          const endpoint = yield* call("POST", "/webhook-endpoints", {
            url: receiver.url("/services/T000/B000/0000"),
            format: "slack",
            events: ["review.opened", "review.overdue"]
          })
          expect(endpoint).toMatchObject({ status: 201, body: { format: "slack" } })
          const workflow = "/workflows/0123/triggers/manual/paths/invoke?sig=XXX"
          yield* call("POST", "/webhook-endpoints", {
            url: receiver.url(workflow),
            format: "teams",
            events: ["review.opened"]
          })

          const askedMs = Date.now()
          const { body: answer } = yield* call("POST", "/actions/assess", {
            action_type: "stripe.create_payout",
            environment: "production",
            agent_id: "<!channel> pay-agent",
            financial_value: 900_000,
            currency: "EUR",
            destination: "ACC-991"
          })
          expect(["high", "critical"]).toContain(answer.action_risk.level)
          const path = "/services/T000/B000/0000"
          yield* receiver.arrived(path, 1)
          yield* receiver.arrived(workflow, 1)
          expect(Date.now() - askedMs).toBeLessThan(withinMs)
          console.info(`both chats were told ${Date.now() - askedMs} ms after the question`)
          expect(receiver.at(workflow).flatMap(({ body }) => chatProblems("teams", body))).toEqual([])

          const sql = (yield* ModeSql).for(mode)
          // As if it had been open for that long, by the database's clock.
          const passHours = (hours: number) =>
            sql`UPDATE reviews SET opened_at = opened_at - ${`${hours} hours`}::interval`
          yield* passHours(2)
          yield* receiver.arrived(path, 2)
          const [first, reminder] = receiver.at(path)
          if (first === undefined || reminder === undefined) throw new Error("it did not arrive")
          for (const message of [first, reminder]) {
            verified({ ...message, body: message.body }, endpoint.body.secret)
            expect(chatProblems("slack", message.body)).toEqual([])
            expect(JSON.parse(message.body).text).not.toContain("channel")
            expect(message.body).toContain("pay-agent")
            expect(message.body).toContain("900,000 EUR")
          }
          expect(
            [first.headers["webhook-id"], reminder.headers["webhook-id"]].map((id) => id?.slice(37))
          ).toEqual(["opened", "overdue"])

          const linked = /https:\/\/console\.example\/test\/assessments\/([0-9a-f-]{36})/.exec(
            first.body
          )?.[1]
          const closed = yield* call("POST", `/reviews/${linked}/close`, { outcome: "risk_rejected" })
          expect(closed).toMatchObject({ status: 200, body: { state: "closed", id: answer.assessment_id } })
          yield* passHours(1_000)
          const waiting = yield* call("POST", `/webhook-endpoints/${endpoint.body.id}/test`)
          expect(waiting.status).toBe(202)
          yield* receiver.arrived(path, 3)
          expect(receiver.at(path).map(({ body }) => JSON.parse(body).text)).toEqual([
            expect.stringContaining("a review is waiting for a person"),
            expect.stringContaining("a review is still waiting for a person"),
            "A test of this webhook"
          ])
        })
      ),
    90_000
  )
})
