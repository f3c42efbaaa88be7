/** Reviewing in the console: a person reads an assessment, closes its review, asks What if and replays it, over sockets and a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { consoleRowsMax } from "../../src/limits.ts"
import { facets } from "../../src/storage/facets/facetTables.ts"
import { SealFollower } from "../../src/storage/facets/followSeals.ts"
import { ResourceSql } from "../../src/storage/sql/Sql.ts"
import { assessed, consoleService, signedIn } from "../support/consoleVisitor.ts"
import { ask, newKey, newOrganization } from "../support/fullService.ts"

const risky = {
  action_type: "hubspot.contacts.export",
  environment: "production",
  agent_id: "crm-cleaner",
  destination: "sftp://files.partner.example/inc"
}

const team = Effect.gen(function* () {
  const owner = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
  const agent = yield* newKey(owner, "test", ["assess"])
  const scopes = ["read", "reviews", "explain"] as const
  const reviewer = yield* newKey(owner, "test", scopes, null, "Ada <risk desk>")
  return { owner, agent, browser: yield* signedIn(reviewer), reviewer }
})

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "")

layer(consoleService, { excludeTestServices: true, timeout: "60 seconds" })("a reviewer", (it) => {
  it.effect(
    "reads the summary, the factors with what their rules saw, what was taken for what was missing",
    () =>
      Effect.gen(function* () {
        const { agent, browser } = yield* team
        const { assessment_id, summary } = yield* assessed(agent, risky)
        expect((yield* browser.get("/test/reviews")).text).toContain(`/test/assessments/${assessment_id}`)
        const { status, text } = yield* browser.get(`/test/assessments/${assessment_id}`)
        expect(status).toBe(200)
        expect(plain(text)).toContain(summary.replaceAll("’", "'").split(".")[0])
        expect(text).toContain("NOVEL_DESTINATION")
        expect(plain(text)).toMatch(/entities_affected is at least 100\s*500 assumed/)
        expect(plain(text)).toContain("critical from restricted on")
        expect(plain(text)).toContain("assumed by the model")
      })
  )

  it.effect("closes a review once, continues with the next one, and learns who was first", () =>
    Effect.gen(function* () {
      const { agent, browser, owner, reviewer } = yield* team
      const [older, newer] = [
        yield* assessed(agent, risky),
        yield* assessed(agent, { ...risky, agent_id: "other" })
      ]
      const path = `/test/reviews/${newer.assessment_id}/close`
      const done = yield* browser.post(path, { outcome: "acknowledged", note: "Planned.\r\nAsked the team." })
      expect(done.location).toBe(`/test/assessments/${older.assessment_id}?closed=${newer.assessment_id}`)
      const other = yield* signedIn(yield* newKey(owner, "test", ["read", "reviews"], null, "Somebody else"))
      const late = yield* other.post(path, { outcome: "risk_rejected", note: "<b>Not planned</b>" })
      expect(late.status).toBe(409)
      expect(late.text).toContain("Another person closed this review first")
      expect(late.text).toContain("&lt;b&gt;Not planned&lt;/b&gt;")
      const closed = yield* browser.get(`/test/assessments/${newer.assessment_id}`)
      expect(closed.text).toContain("Planned.\nAsked the team.")
      expect(plain(closed.text)).toMatch(/ago by Ada &lt;risk desk&gt;/)
      const { body } = yield* ask(reviewer, `/reviews/${newer.assessment_id}`)
      expect(body.closed_by).toEqual({
        key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "Ada <risk desk>"
      })
      expect((yield* ask(reviewer, `/reviews/${older.assessment_id}`)).body.closed_by).toBeNull()
      const again = yield* browser.post(path, { outcome: "acknowledged", note: "Another note" })
      expect([again.status, again.text.includes("first note stays")]).toEqual([409, true])
      const last = yield* browser.post(`/test/reviews/${older.assessment_id}/close`, { outcome: "escalated" })
      expect(last.location).toBe(`/test/reviews?closed=${older.assessment_id}`)
    })
  )

  it.effect("whose key covers other environments closes nothing, and reads why", () =>
    Effect.gen(function* () {
      const { agent, owner } = yield* team
      const { assessment_id: id } = yield* assessed(agent, risky)
      const sandbox = yield* signedIn(yield* newKey(owner, "test", ["read", "reviews"], ["sandbox"]))
      const why = "Your key does not cover production, so it cannot close this review."
      const { text } = yield* sandbox.get(`/test/assessments/${id}`)
      expect([text.includes(why), text.includes("Close review")]).toEqual([true, false])
      const closing = yield* sandbox.post(`/test/reviews/${id}/close`, { outcome: "acknowledged" })
      expect([closing.status, closing.text.includes(why)]).toEqual([422, true])
    })
  )

  it.effect("is told what is wrong with a filter by the name that the form gives it", () =>
    Effect.gen(function* () {
      const { browser } = yield* team
      const { status, text } = yield* browser.get("/test/assessments?from=2026-11-20&to=2026-11-01")
      expect(status).toBe(422)
      expect(plain(text)).toContain("From must be before “Until”.")
    })
  )

  it.effect("gets the worst review first, however old it is, and continues with the next worst", () =>
    Effect.gen(function* () {
      const { agent, browser } = yield* team
      const worst = yield* assessed(agent, {
        ...risky,
        action_description: "kubectl delete namespace checkout"
      })
      const others = [yield* assessed(agent, risky), yield* assessed(agent, risky)]
      const ordered = [worst, ...others.toReversed()]
      expect(worst.action_risk.score).toBeGreaterThan(others[0]?.action_risk.score ?? 100)
      const list = yield* browser.get("/test/reviews")
      expect(plain(list.text)).toContain("“kubectl delete namespace checkout”")
      const ids = [...list.text.matchAll(/class="act"><a href="\/test\/assessments\/([^"]+)"/g)].map(
        ([, id]) => id
      )
      expect(ids).toEqual(ordered.map(({ assessment_id }) => assessment_id))
      expect(plain(list.text)).toContain("Worst first.")
      const page = yield* browser.get(`/test/assessments/${ordered[1]?.assessment_id}`)
      expect(plain(page.text)).toContain("2 of 3 open")
      expect(page.text).toContain(`rel="prev" href="/test/assessments/${worst.assessment_id}"`)
      expect(page.text).toContain(`rel="next" href="/test/assessments/${ordered[2]?.assessment_id}"`)
      const outcome = { outcome: "acknowledged" }
      const done = yield* browser.post(`/test/reviews/${worst.assessment_id}/close`, outcome)
      expect(done.location).toContain(`/test/assessments/${ordered[1]?.assessment_id}`)
      const last = yield* browser.post(`/test/reviews/${ordered[2]?.assessment_id}/close`, outcome)
      expect(last.location).toContain(`/test/assessments/${ordered[1]?.assessment_id}`)
      const after = yield* browser.get("/test/reviews")
      expect(plain(after.text)).toMatch(/Open 1\s*Closed 2/)
    })
  )

  it.effect("pages through a long queue in that order, each review once, and finds one by a word", () =>
    Effect.gen(function* () {
      const { agent, browser, owner } = yield* team
      const many = consoleRowsMax + 3
      for (let n = 0; n < many; n++)
        yield* assessed(agent, {
          ...risky,
          ...(n % 4 === 0 && { action_description: "kubectl delete namespace checkout" }),
          target_resource: `list ${n} of the heron project`
        })
      const scores = (text: string) =>
        [...text.matchAll(/class="level [^>]*>.*?<b>(\d+)<\/b>/gs)].map(([, score]) => Number(score))
      const first = yield* browser.get("/test/reviews")
      const older = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      const second = yield* browser.get(older)
      const seen = [...scores(first.text), ...scores(second.text)]
      expect(scores(first.text)).toHaveLength(consoleRowsMax)
      expect(seen).toEqual(seen.toSorted((a, b) => b - a))
      const ids = [first, second].flatMap(({ text }) => text.match(/"act"><a href="[^"]+"/g) ?? [])
      expect(new Set(ids).size).toBe(seen.length)
      yield* sealUnsealed("test").pipe(Effect.provide(Seals.layer))
      yield* SealFollower.use(({ follow }) => follow(facets, "test", [owner.id])).pipe(
        Effect.provide(SealFollower.layer)
      )
      const found = yield* browser.get("/test/reviews?q=LIST+7+of")
      expect(found.text.match(/class="item"/g)).toHaveLength(1)
      expect(found.text).toContain("list 7 of the heron project")
      const none = yield* browser.get("/test/reviews?q=nobody+wrote+that")
      expect(plain(none.text)).toContain("No open review matches these filters.")
    })
  )

  it.effect("loses nothing of what was typed when no outcome was chosen", () =>
    Effect.gen(function* () {
      const { agent, browser } = yield* team
      const { assessment_id } = yield* assessed(agent, risky)
      const refused = yield* browser.post(`/test/reviews/${assessment_id}/close`, { note: "half a thought" })
      expect(refused.status).toBe(422)
      expect(refused.text).toMatch(/<textarea[^>]*>\nhalf a thought<\/textarea>/)
    })
  )

  it.effect("is told that the date in a filter is invalid", () =>
    Effect.gen(function* () {
      const { browser } = yield* team
      for (const day of ["2026-99-99", "0000-01-01"]) {
        const refused = yield* browser.get(`/test/assessments?to=${day}`)
        expect(refused.status).toBe(422)
        expect(plain(refused.text)).toContain("must be a date such as")
      }
      expect((yield* browser.get("/test/assessments?to=0001-01-01")).status).toBe(200)
    })
  )

  it.effect("asks what other statements would have changed, by a link, and nothing is stored", () =>
    Effect.gen(function* () {
      const { agent, browser, owner } = yield* team
      const { assessment_id } = yield* assessed(agent, risky)
      const path = `/test/assessments/${assessment_id}`
      const asked = yield* browser.get(
        `${path}?if.records_affected=3&if.entities_affected=3&if.data_classification=public`
      )
      expect(plain(asked.text)).toMatch(/high \d+→becomesmoderate \d+/)
      expect(plain(asked.text)).toMatch(/UNBOUNDED_SCOPE no longer raised/)
      const part = yield* browser.get(`${path}?if.data_classification=restricted`, { "svc-part": "what-if" })
      expect(part.text).toMatch(/^<div class="result" id="what-if-head"/)
      expect(part.text).toContain("critical <b>90</b>")
      const wrong = yield* browser.get(`${path}?if.records_affected=12.5&if.currency=dollars`)
      expect(plain(wrong.text)).toContain("No opinion on that.records affected must be an integer")
      const sql = (yield* ResourceSql).for("test")
      const rows = yield* sql`SELECT FROM assessments WHERE organization_id = ${owner.id}`
      expect(rows).toHaveLength(1)
    })
  )

  it.effect("replays an assessment to the digest that was recorded with it", () =>
    Effect.gen(function* () {
      const { agent, browser } = yield* team
      const { assessment_id } = yield* assessed(agent, risky)
      const whole = yield* browser.post(`/test/assessments/${assessment_id}/replay`, {})
      expect(whole.text).toContain("Equal, byte for byte.")
      const headers = { "svc-part": "replayed", "sec-fetch-site": "same-origin" }
      const part = yield* browser.post(`/test/assessments/${assessment_id}/replay`, {}, headers)
      expect(part.text).toMatch(/^<ul class="proof"><li>.*Equal, byte for byte\..*<\/li><\/ul>$/)
    })
  )

  it.effect("verifies the chain, and later visitors read when that was and what was found", () =>
    Effect.gen(function* () {
      const { agent, browser, owner } = yield* team
      for (let n = 0; n < 3; n++) yield* assessed(agent, risky)
      yield* sealUnsealed("test").pipe(Effect.provide(Seals.layer))
      expect(plain((yield* browser.get("/test/evidence")).text)).toContain(
        "No one has verified this chain yet."
      )
      const verified = yield* browser.get("/test/evidence?from=1&to=3")
      expect(plain(verified.text)).toContain("Entries 1 to 3 are as they were sealed.")
      yield* browser.get("/test/evidence?from=2&to=3")
      const later = plain((yield* browser.get("/test/evidence")).text)
      expect(later).toMatch(
        /Last verified.*Entries 2 to 3: as they were sealed.*All 3 entries: as they were sealed/s
      )
      const sql = (yield* ResourceSql).for("test")
      yield* sql`UPDATE verifications SET problem = 'its seal changed' WHERE organization_id = ${owner.id} AND whole`
      expect(plain((yield* browser.get("/test/evidence")).text)).toContain(
        "All 3 entries: not all as they were sealed"
      )
    })
  )

  it.effect("sees what their key's scopes open, and of other organizations and modes nothing", () =>
    Effect.gen(function* () {
      const { agent, owner } = yield* team
      const { assessment_id } = yield* assessed(agent, risky)
      const reader = yield* signedIn(yield* newKey(owner, "test", ["read"]))
      const page = yield* reader.get(`/test/assessments/${assessment_id}`)
      expect(page.text).not.toContain('id="what-if"')
      expect(page.text).not.toContain('id="review"')
      expect(page.text).toContain("need a key with the scope explain")
      expect((yield* reader.get("/test/reviews")).status).toBe(403)
      const strangers = [(yield* team).browser, yield* signedIn(yield* newKey(owner, "live", ["read"]))]
      const found = yield* Effect.forEach(strangers, ({ cookie, get }) =>
        get(`/${cookie().startsWith("console_live") ? "live" : "test"}/assessments/${assessment_id}`)
      )
      const unknown = yield* (strangers[0] ?? reader).get(`/test/assessments/${randomUUID()}`)
      expect(found.map(({ status }) => status)).toEqual([404, 404])
      expect(plain(unknown.text)).toBe(plain(found[0]?.text ?? ""))
    })
  )

  it.effect("finds an assessment by a word in it, and reads an opinion that asks for no review", () =>
    Effect.gen(function* () {
      const { agent, browser } = yield* team
      const calm = { action_type: "calendar.events.list", environment: "development", agent_id: "diary" }
      const { assessment_id } = yield* assessed(agent, calm)
      yield* assessed(agent, risky)
      const list = yield* browser.get("/test/assessments?q=DIARY")
      expect(list.text.match(/class="item"/g)).toHaveLength(1)
      const page = yield* browser.get(`/test/assessments/${assessment_id}`)
      expect([page.status, page.text.includes('id="review"')]).toEqual([200, false])
      expect(page.text).toContain('<a href="/test/assessments">← Assessments</a>')
      expect(page.text).toContain('<a href="/test/assessments" aria-current="page">Assessments</a>')
      const none = yield* browser.get("/test/assessments?q=%3Cscript%3E")
      expect(plain(none.text)).toContain("Text &lt;script&gt;")
    })
  )
})
