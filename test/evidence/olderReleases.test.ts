/** Assessments of older releases, recomputed by a service that serves a newer one. */

import { expect, it } from "@effect/vitest"
import { type Context, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { openOlderReleases } from "../../src/evidence/recorded/olderReleases.ts"
import { olderWaitingMax, olderWaitMs } from "../../src/limits.ts"
import { packageRoot } from "../../src/rules/files/readTree.ts"
import { ListeningServer } from "../../src/server/HttpServer.ts"
import type { StoredEvidence } from "../../src/storage/assessments/AssessmentRecord.ts"
import { laterReleases, rulesAt } from "../support/changedRules.ts"
import { signedIn } from "../support/consoleVisitor.ts"
import { storedAnswerTo } from "../support/consoleView.ts"
import { fullService, newKey, newOrganization } from "../support/fullService.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const [oldestVersion, oldVersion, newestVersion] = ["1.0.0", "1.1.0", "1.2.0"] as const
const root = laterReleases(oldVersion, newestVersion)

const request = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  destination: "sftp://files.partner.example/inc"
}

const ask = Effect.fnUntraced(function* (key: string, path: string, body?: object, method = "POST") {
  const { url } = yield* ListeningServer
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    // Byte for byte, except what is new in every exchange and service.
    const text = (await answer.text()).replaceAll(/req_\w+|127\.0\.0\.1:\d+/g, "")
    return { status: answer.status, text }
  })
})

/** On a machine that is too busy, opening the release takes longer than an answer may: clients retry. */
const explanationOf = (key: string, id: string) =>
  Effect.repeat(ask(key, `assessments/${id}/explanation`, undefined, "GET"), {
    while: ({ status }) => status === 503,
    times: 9
  })

/** Later answers of a service about an assessment: explanation, what if, replay. */
const consideredAgain = (key: string, id: string) =>
  Effect.all([
    explanationOf(key, id),
    ask(key, `assessments/${id}/what-if`, { changes: { records_affected: 3, agent_id: null } }),
    ask(key, `assessments/${id}/what-if`, { changes: { records_affected: 1.5 } }),
    ask(key, `assessments/${id}/replay`)
  ])

/** A service that serves `version`, on a database that several share; each ends before the next. */
const served = <A, E>(
  database: Context.Context<Layer.Success<typeof TestDatabase.layer>>,
  version: string,
  use: Effect.Effect<A, E, Layer.Success<ReturnType<typeof fullService>>>
) =>
  Effect.provide(
    use,
    Layer.fresh(
      fullService(
        { RULES_VERSION: version, CONSOLE_PORT: "0", TRUSTED_PROXIES: "127.0.0.1" },
        undefined,
        Layer.succeedContext(database),
        rulesAt(root)
      )
    )
  )

/** How many are answered in sequence, if opening a release here would delay all except the first. */
const others = 5

/** Whether `others` are answered while the first question about an assessment of another release is. */
const letsOthersPass = (key: string, id: string) =>
  Effect.gen(function* () {
    const opening = yield* Effect.forkChild(explanationOf(key, id), {
      startImmediately: true
    })
    yield* Effect.repeat(ask(key, `assessments/${id}`, undefined, "GET"), { times: others - 1 })
    const passed = opening.pollUnsafe() === undefined
    yield* Fiber.join(opening)
    return passed
  })

const assess = Effect.gen(function* () {
  const owner = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
  const key = yield* newKey(owner, "test", ["assess", "read", "explain"])
  const { text } = yield* ask(key, "actions/assess", request)
  const id = String(JSON.parse(text).assessment_id)
  return { key, id, before: yield* consideredAgain(key, id) }
})

it.live("an older release answers as it did while it was served, and nothing waits while it is opened", () =>
  Effect.gen(function* () {
    const database = yield* Layer.build(TestDatabase.layer)
    const [first, second] = [
      yield* served(database, oldestVersion, assess),
      yield* served(database, oldVersion, assess)
    ]
    const again = Effect.gen(function* () {
      // Opens what every service opens at its start, and warms up the handlers.
      yield* assess
      return [
        yield* letsOthersPass(first.key, first.id),
        yield* letsOthersPass(second.key, second.id),
        yield* consideredAgain(first.key, first.id),
        yield* consideredAgain(second.key, second.id)
      ] as const
    })
    const [olderPasses, oldPasses, older, old] = yield* served(database, newestVersion, again)
    expect(older).toEqual(first.before)
    expect(old).toEqual(second.before)
    expect(old.map(({ status }) => status)).toEqual([200, 200, 422, 200])
    expect([olderPasses, oldPasses]).toEqual([true, true])
  }).pipe(Effect.scoped)
)

it.live(
  "where too many ask at once, the API says when to ask again, and the console shows the page without conditions",
  () =>
    Effect.gen(function* () {
      const database = yield* Layer.build(TestDatabase.layer)
      const { id, key } = yield* served(database, oldestVersion, assess)
      const crowded = Effect.gen(function* () {
        const browser = yield* signedIn(key)
        const all = yield* Effect.forEach(Array.from({ length: olderWaitingMax + 2 }), () =>
          Effect.forkChild(ask(key, `assessments/${id}/explanation`, undefined, "GET"))
        )
        // The thread begins by starting itself and opening the release: until then all places stay taken.
        const refused = yield* Effect.raceAll(
          all.map((one) =>
            Effect.filterOrElse(
              Fiber.join(one),
              ({ status }) => status !== 200,
              () => Effect.never
            )
          )
        )
        const page = yield* browser.get(`/test/assessments/${id}`)
        const statuses = (yield* Effect.forEach(all, Fiber.join)).map(({ status }) => status)
        return { refused, page, statuses, later: yield* browser.get(`/test/assessments/${id}`) }
      })
      const { later, page, refused, statuses } = yield* served(database, newestVersion, crowded)
      expect(JSON.parse(refused.text).error).toMatchObject({ code: "RATE_LIMITED", retry_after_seconds: 5 })
      // On a machine that is too busy, some waiting requests get a 503.
      expect(statuses.map((status) => (status === 503 ? 200 : status)).toSorted()).toEqual([
        ...Array.from({ length: olderWaitingMax + 1 }, () => 200),
        429
      ])
      expect([page.status, later.status]).toEqual([200, 200])
      expect(page.text).toContain("The conditions behind the factors will appear in a moment.")
      expect(later.text).not.toContain("appear in a moment")
      expect(later.text).toContain('id="near"')
    }).pipe(Effect.scoped)
)

/** One organization that asks about one assessment by a release, and a thread of its own. */
const asking = Effect.gen(function* () {
  const { consider } = yield* openOlderReleases(packageRoot)
  const stored = storedAnswerTo(request)
  const told = (one: StoredEvidence) =>
    consider("test acme", { stored: one, question: { replay: true } }).pipe(
      Effect.map(({ problem }) => problem ?? "answered"),
      Effect.catchTags({
        RateLimited: ({ retryAfterSeconds }) => Effect.succeed(`RATE_LIMITED ${retryAfterSeconds}`),
        AssessmentUnavailable: ({ retryAfterSeconds }) =>
          Effect.succeed(`ASSESSMENT_UNAVAILABLE ${retryAfterSeconds}`)
      }),
      Effect.provide(Logger.layer([]))
    )
  return { stored, told }
})

it.live(
  "of those that ask at once, as many as may wait are answered, and the others are told when to ask again",
  () =>
    Effect.gen(function* () {
      const { stored, told } = yield* asking
      const all = Array.from({ length: olderWaitingMax + 3 }, () => told(stored))
      const answers = yield* Effect.all(all, { concurrency: "unbounded" })
      expect(answers.filter((answer) => answer === "answered")).toHaveLength(olderWaitingMax + 1)
      expect(answers.slice(olderWaitingMax + 1)).toEqual(["RATE_LIMITED 5", "RATE_LIMITED 5"])
    }).pipe(Effect.scoped)
)

it.live(
  "a thread that ends over one question fails that one alone, and the next thread answers those that wait",
  () =>
    Effect.gen(function* () {
      const { stored, told } = yield* asking
      const { resultDigest: _, ...broken } = stored
      const answers = yield* Effect.all([told(broken as StoredEvidence), told(stored)], {
        concurrency: "unbounded"
      })
      expect(answers).toEqual(["ASSESSMENT_UNAVAILABLE 5", "answered"])
    }).pipe(Effect.scoped)
)

it.effect("a caller that has waited for too long is told so, and leaves the queue", () =>
  Effect.gen(function* () {
    const { stored, told } = yield* asking
    const all = Array.from({ length: olderWaitingMax + 1 }, () => told(stored))
    const waiting = yield* Effect.forkChild(Effect.all(all, { concurrency: "unbounded" }), {
      startImmediately: true
    })
    yield* TestClock.adjust(olderWaitMs)
    expect(new Set(yield* Fiber.join(waiting))).toEqual(new Set(["ASSESSMENT_UNAVAILABLE 5"]))
    expect(yield* told(stored)).toBe("answered")
  }).pipe(Effect.scoped)
)
