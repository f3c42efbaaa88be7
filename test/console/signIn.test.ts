/** Signing in to the console over real sockets and a real database: by key, by link, and how a session ends. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { makeLink } from "../../src/console/SignIn.ts"
import { consoleSignInsMax, keyCacheMs } from "../../src/limits.ts"
import { ApiKeys } from "../../src/storage/ApiKeys.ts"
import { ControlSql } from "../../src/storage/sql/Sql.ts"
import { consoleService, signedIn, visitor } from "../support/consoleVisitor.ts"
import { newKey, newOrganization } from "../support/fullService.ts"

const organization = Effect.suspend(() => newOrganization(`org-${randomUUID().slice(0, 8)}`))

/** The scopes of a console key. */
const scopes = ["read", "reviews", "explain"] as const

layer(consoleService, { excludeTestServices: true, timeout: "60 seconds" })("the console", (it) => {
  it.effect(
    "exchanges a key for a cookie that no script and no other site can use, and keeps the key nowhere",
    () =>
      Effect.gen(function* () {
        const browser = yield* visitor
        const key = yield* newKey(yield* organization, "test", scopes)
        const answer = yield* browser.post("/sign-in", { key })
        expect([answer.status, answer.location]).toEqual([303, "/test/reviews"])
        expect(answer.headers["set-cookie"]?.[0]).toMatch(
          /^console_test=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/
        )
        const sql = yield* ControlSql
        const rows = yield* sql`SELECT encode(token_hash, 'escape') AS hash FROM console_sessions`
        const token = browser.cookie().split("=")[1] ?? ""
        expect(JSON.stringify(rows)).not.toContain(token)
        expect((yield* browser.get("/test/reviews")).status).toBe(200)
      })
  )

  it.effect("lets no visitor in without a session, and returns them to where they were going", () =>
    Effect.gen(function* () {
      const browser = yield* visitor
      const asked = yield* browser.get("/test/assessments?q=a%20b")
      expect([asked.status, asked.location]).toEqual([
        303,
        "/sign-in?next=%2Ftest%2Fassessments%3Fq%3Da%2520b"
      ])
      const key = yield* newKey(yield* organization, "test", scopes)
      const back = yield* browser.post("/sign-in", { key, next: "/test/assessments?q=a%20b" })
      expect(back.location).toBe("/test/assessments?q=a%20b")
      for (const next of [
        "https://evil.example/",
        "//evil.example",
        "/test//evil.example",
        "/\\evil.example",
        "javascript:1"
      ])
        expect((yield* browser.post("/sign-in", { key, next })).location).toBe("/test/reviews")
    })
  )

  it.effect("turns away a wrong key, a key without a screen and a used link", () =>
    Effect.gen(function* () {
      const browser = yield* visitor
      const owner = yield* organization
      const assessOnly = yield* newKey(owner, "test", ["assess"])
      const wrong = yield* browser.post("/sign-in", { key: `svc_test_${"a".repeat(49)}` })
      const narrow = yield* browser.post("/sign-in", { key: assessOnly })
      expect([wrong.status, narrow.status, browser.cookie()]).toEqual([401, 401, ""])
      expect(narrow.text).toContain("opens no screen")
    })
  )

  it.effect(
    "takes a link once, makes a key of it that can be revoked, and shows the link's organization and mode alone",
    () =>
      Effect.gen(function* () {
        const owner = yield* organization
        const path = yield* makeLink(owner, "live")
        const link = path.split("link=")[1] ?? ""
        const [first, second] = [yield* visitor, yield* visitor]
        expect((yield* first.get(path)).text).toContain("signs in once")
        expect((yield* first.post("/sign-in", { link })).location).toBe("/live/reviews")
        expect((yield* second.post("/sign-in", { link })).status).toBe(401)
        const page = yield* first.get("/live/reviews")
        expect(page.text).toContain(owner.slug)
        expect((yield* first.get("/test/reviews")).location).toMatch(/^\/sign-in/)
        const [key] = yield* ApiKeys.use(({ list }) => list(owner))
        expect(key).toMatchObject({
          mode: "live",
          scopes: ["read", "reviews", "explain", "rules", "webhooks"]
        })
      })
  )

  it.effect("refuses a link after its minute, and a session that was idle too long or is too old", () =>
    Effect.gen(function* () {
      const sql = yield* ControlSql
      const owner = yield* organization
      const link = (yield* makeLink(owner, "test")).split("link=")[1] ?? ""
      const [made] = yield* sql<{ link_hash: Uint8Array }>`
        DELETE FROM console_links WHERE organization_id = ${owner.id} RETURNING link_hash
      `
      yield* sql`
        INSERT INTO console_links (link_hash, organization_id, mode, expires_at)
        VALUES (${made?.link_hash ?? null}, ${owner.id}, 'test', now())
      `
      expect((yield* (yield* visitor).post("/sign-in", { link })).status).toBe(401)
      const ages = ["used_at = now() - interval '31 minutes'", "used_at = now() - interval '1 minute'"]
      const answers: Array<number> = []
      for (const age of ages) {
        const browser = yield* signedIn(yield* newKey(owner, "test", scopes))
        yield* sql.unsafe(`UPDATE console_sessions SET ${age}`)
        answers.push((yield* browser.get("/test/reviews")).status)
      }
      expect(answers).toEqual([303, 200])
    })
  )

  it.effect("ends within five seconds of a revocation and of a sign-out", () =>
    Effect.gen(function* () {
      const owner = yield* organization
      const browser = yield* signedIn(yield* newKey(owner, "test", scopes))
      const other = yield* signedIn(yield* newKey(owner, "test", scopes))
      expect((yield* browser.get("/test/reviews")).status).toBe(200)
      const kept = other.cookie()
      const out = yield* other.post("/test/sign-out", {})
      expect([out.location, other.cookie()]).toEqual(["/sign-in", ""])
      const keys = yield* ApiKeys
      const [first] = yield* keys.list(owner)
      yield* keys.revoke(first?.id ?? "")
      yield* Effect.sleep(keyCacheMs)
      expect((yield* browser.get("/test/reviews")).status).toBe(303)
      expect((yield* other.get("/test/reviews", { cookie: kept })).status).toBe(303)
    })
  )

  it.effect("does nothing for a form of another site, another port or an unknown place", () =>
    Effect.gen(function* () {
      const key = yield* newKey(yield* organization, "test", scopes)
      const browser = yield* signedIn(key)
      const foreign: ReadonlyArray<Record<string, string>> = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { origin: "http://127.0.0.1:1" },
        { origin: "null" },
        {}
      ]
      for (const headers of foreign) {
        expect((yield* browser.post("/test/sign-out", {}, headers)).status).toBe(403)
        expect((yield* browser.post("/sign-in", { key }, headers)).status).toBe(403)
      }
      expect((yield* browser.get("/test/reviews")).status).toBe(200)
    })
  )

  it.effect(
    "shows nothing under a host name that a stranger pointed here, and takes no form from its pages",
    () =>
      Effect.gen(function* () {
        const browser = yield* visitor
        const key = yield* newKey(yield* organization, "test", scopes)
        for (const host of [
          "evil.example",
          "evil.example:3001",
          "127.0.0.1.evil.example",
          "localhost.evil.example"
        ]) {
          const form = yield* browser.post("/sign-in", { key }, { host, origin: `http://${host}` })
          expect([form.status, browser.cookie()]).toEqual([421, ""])
          const page = yield* browser.get("/sign-in", { host })
          expect(page.status).toBe(421)
          expect(page.text).toContain("CONSOLE_URL")
        }
        for (const host of [
          "localhost:3001",
          "127.0.0.1",
          "[::1]:3001",
          "192.0.2.7:3001",
          "console.localhost"
        ])
          expect((yield* browser.get("/sign-in", { host })).status).toBe(200)
        const own = { host: "localhost:3001", origin: "http://localhost:3001" }
        expect((yield* browser.post("/sign-in", { key }, own)).status).toBe(303)
      })
  )

  it.effect("counts the attempts of an address to sign in, and tells when to come back", () =>
    Effect.gen(function* () {
      const browser = yield* visitor
      const statuses: Array<number> = []
      for (let attempt = 0; attempt < consoleSignInsMax + 1; attempt++)
        statuses.push((yield* browser.post("/sign-in", { key: "guess" })).status)
      expect(statuses.slice(0, consoleSignInsMax).every((status) => status === 401)).toBe(true)
      expect(statuses.at(-1)).toBe(429)
      expect((yield* (yield* visitor).post("/sign-in", { key: "guess" })).status).toBe(401)
    })
  )

  it.effect("brings the cookie along when a link on another site led here", () =>
    Effect.gen(function* () {
      const stranger = yield* visitor
      const led = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
      const page = yield* stranger.get("/test/reviews?state=closed", led)
      expect(page.text).toContain(`content="0;url=/test/reviews?state=closed"`)
      expect((yield* stranger.get("/test/reviews", { "sec-fetch-site": "same-origin" })).status).toBe(303)
    })
  )

  it.effect("gives every page the strict policy", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn(yield* newKey(yield* organization, "test", scopes))
      for (const path of ["/sign-in", "/test/reviews", "/test/nowhere", "/nowhere"]) {
        const { headers, text } = yield* browser.get(path)
        expect(headers["content-security-policy"]).toContain("trusted-types 'none'")
        expect(headers["cache-control"]).toBe("no-store")
        expect(text).not.toMatch(/<script>|<style>| style=| on[a-z]+="/)
      }
    })
  )
})
