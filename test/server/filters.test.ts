/** Filters and statistics over HTTP, in the whole service: they select from what was answered, and a wrong one is reported. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { ActionItem } from "../../src/api/Actions.ts"
import type { Scope } from "../../src/domain/Caller.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { facets } from "../../src/storage/facets/facetTables.ts"
import { SealFollower } from "../../src/storage/facets/followSeals.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"

const scopes: ReadonlyArray<Scope> = ["assess", "read", "reviews"]

const requests = [
  {
    action_type: "database.drop",
    environment: "production",
    agent_id: "migrator",
    reversibility: "irreversible"
  },
  { action_type: "calendar.read", environment: "development", agent_id: "scribe", records_affected: 1 },
  {
    action_type: "stripe.payouts.create",
    environment: "production",
    agent_id: "sweeper",
    financial_value: 480_000,
    currency: "USD"
  },
  { action_type: "github.issues.list", environment: "staging", agent_id: "scribe" }
]

const ask = Effect.fnUntraced(function* (key: string, path: string, body?: object) {
  const { url } = yield* ListeningServer
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  })
})

const assessed = Effect.fnUntraced(function* (slug: string) {
  const owner = yield* newOrganization(slug)
  const key = yield* newKey(owner, "test", scopes)
  const answers: Array<{ codes: ReadonlyArray<string> } & Record<string, unknown>> = []
  for (const request of requests) {
    const { body } = yield* ask(key, "/actions/assess", request)
    const codes = body.risk_factors.map(({ code }: { readonly code: string }) => code)
    answers.push({ ...body, ...request, codes })
  }
  yield* sealUnsealed("test")
  const { follow } = yield* SealFollower
  yield* follow(facets, "test", [owner.id])
  return { key, answers }
})

const typesOf = ({ body }: { readonly body: { readonly data: ReadonlyArray<ActionItem> } }) =>
  body.data.map((item) => item.action_type)

const service = Layer.mergeAll(Seals.layer, SealFollower.layer).pipe(Layer.provideMerge(fullService()))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("filters over HTTP", (it) => {
  it.effect("leave the actions and the reviews that match", () =>
    Effect.gen(function* () {
      const { answers, key } = yield* assessed("filtered")
      const newest = answers.toReversed()
      const levels = new Map(answers.map((one) => [one["action_type"], one["action_risk"]]))
      expect(levels.get("database.drop")).toMatchObject({ level: "critical" })
      expect(typesOf(yield* ask(key, "/actions?level=critical"))).toContain("database.drop")
      expect(typesOf(yield* ask(key, "/actions?environment=staging,development"))).toEqual([
        "github.issues.list",
        "calendar.read"
      ])
      expect(typesOf(yield* ask(key, "/actions?agent_id=scribe&environment=staging"))).toEqual([
        "github.issues.list"
      ])
      expect(typesOf(yield* ask(key, "/actions?agent_id=scribe&q=calendar"))).toEqual(["calendar.read"])
      expect(typesOf(yield* ask(key, "/actions?category=financial"))).toEqual(["stripe.payouts.create"])
      const code = answers[0]?.codes[0] ?? ""
      expect(typesOf(yield* ask(key, `/actions?factor=${code}`))).toEqual(
        newest.filter(({ codes }) => codes.includes(code)).map((one) => one["action_type"])
      )
      const today = new Date().toISOString().slice(0, 10)
      expect(typesOf(yield* ask(key, `/actions?from=${today}&to=${today}`))).toHaveLength(4)
      expect(typesOf(yield* ask(key, `/actions?to=2001-01-01`))).toEqual([])

      const open = yield* ask(key, "/reviews?agent_id=migrator&state=open")
      expect(typesOf(open)).toEqual(["database.drop"])
      const { id } = open.body.data[0]
      yield* ask(key, `/reviews/${id}/close`, { outcome: "escalated" })
      expect(typesOf(yield* ask(key, "/reviews?agent_id=migrator&state=open"))).toEqual([])
      expect(typesOf(yield* ask(key, "/reviews?outcome=escalated"))).toEqual(["database.drop"])
      expect(typesOf(yield* ask(key, "/reviews?outcome=acknowledged"))).toEqual([])
    })
  )

  it.effect("name every problem of a query at once", () =>
    Effect.gen(function* () {
      const { key } = yield* assessed("mistaken")
      const wrong = yield* ask(
        key,
        "/actions?level=awful&environment=production,moon&factor=x&from=yesterday&has_review=maybe&agent_id="
      )
      expect(wrong.status).toBe(422)
      expect(wrong.body.error.details.map(({ field }: { readonly field: string }) => field)).toEqual([
        "agent_id",
        "environment",
        "factor",
        "from",
        "has_review",
        "level"
      ])
      expect(yield* ask(key, "/actions?from=2026-02-01&to=2026-01-01")).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: "from", message: "must be before to" }] } }
      })
      expect(yield* ask(key, "/reviews?outcome=approved&level=none")).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: "level" }, { field: "outcome" }] } }
      })
      expect(yield* ask(key, "/statistics?from=2026-13-01&by=day,day")).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: "by" }, { field: "from" }] } }
      })
      expect(yield* ask(key, "/statistics?from=2020-01-01&to=2026-01-01")).toMatchObject({
        status: 422,
        body: { error: { details: [{ field: "from" }] } }
      })
    })
  )

  it.effect("statistics count what was answered, of one organization and mode", () =>
    Effect.gen(function* () {
      const { answers, key } = yield* assessed("counted")
      const total = (data: ReadonlyArray<{ readonly count: number }>) =>
        data.reduce((sum, { count }) => sum + count, 0)
      const byLevel = yield* ask(key, "/statistics?by=day,level")
      expect(byLevel.body).toMatchObject({ by: ["day", "level"], environment_mode: "test" })
      expect(total(byLevel.body.data)).toBe(answers.length)
      const agents = yield* ask(key, "/statistics?by=agent_id")
      expect(agents.body.data[0]).toMatchObject({ agent_id: "scribe", count: 2 })
      const factors = yield* ask(key, "/statistics?by=factor")
      expect(total(factors.body.data)).toBe(answers.flatMap(({ codes }) => [...new Set(codes)]).length)
      const stranger = yield* newKey(yield* newOrganization("uncounted"), "test", scopes)
      expect((yield* ask(stranger, "/statistics")).body).toMatchObject({ data: [], counted_to: null })
    })
  )

  it.effect("statistics go back to the first day that a calendar of four digits has, and no further", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* newOrganization("ancient"), "test", scopes)
      const spans = [
        ["to=0001-01-01", "0001-01-01", "0001-01-01"],
        ["to=0001-01-20", "0001-01-01", "0001-01-20"],
        ["to=0001-02-15", "0001-01-17", "0001-02-15"],
        ["from=0001-01-01&to=0001-12-31", "0001-01-01", "0001-12-31"],
        ["from=9999-01-01&to=9999-12-31", "9999-01-01", "9999-12-31"]
      ]
      for (const [query, from, to] of spans)
        for (const by of ["day,level", "agent_id"])
          expect([query, yield* ask(key, `/statistics?${query}&by=${by}`)]).toMatchObject([
            query,
            { status: 200, body: { from, to, data: [] } }
          ])
      for (const [query, field] of [
        ["to=0000-12-31", "to"],
        ["from=0000-01-01&to=0000-01-02", "from"],
        ["from=-000001-12-31", "from"],
        ["from=0001-01-01", "from"],
        ["to=0001-02-29", "to"]
      ])
        expect([query, yield* ask(key, `/statistics?${query}`)]).toMatchObject([
          query,
          {
            status: 422,
            body: { error: { details: expect.arrayContaining([expect.objectContaining({ field })]) } }
          }
        ])
    })
  )
})
