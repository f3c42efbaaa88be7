/** Auditing in the console: from an assessment to the rules behind it as they were then, over sockets and a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { laterReleases, rewordedPolicy, rulesAt } from "../support/changedRules.ts"
import { assessed, consoleServiceOf, signedIn, type Visitor } from "../support/consoleVisitor.ts"
import { newKey, newOrganization } from "../support/fullService.ts"

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "")

const auditor = Effect.gen(function* () {
  const owner = yield* newOrganization(`org-${randomUUID().slice(0, 8)}`)
  const agent = yield* newKey(owner, "test", ["assess"])
  return { agent, browser: yield* signedIn(yield* newKey(owner, "test", ["read", "explain", "rules"])) }
})

/** Releases are read in a thread of its own; until then the page loads itself again. */
const read = Effect.fnUntraced(function* ({ get }: Visitor, path: string) {
  let seen = yield* get(path)
  while (seen.headers["refresh"] !== undefined) seen = yield* Effect.delay(get(path), 200)
  return seen
})

const service = consoleServiceOf(rulesAt(laterReleases("1.1.0")))

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("an auditor", (it) => {
  it.effect(
    "finds the policy behind an assessment in the version that answered, and how it read before",
    () =>
      Effect.gen(function* () {
        const { agent, browser } = yield* auditor
        const { assessment_id } = yield* assessed(agent, {
          action_type: "database.records.delete",
          environment: "production",
          records_affected: 9_000
        })
        const page = yield* browser.get(`/test/assessments/${assessment_id}`)
        const path = `/test/rules/policies/${rewordedPolicy}`
        expect(page.text).toContain(`${path}?set=starter&amp;version=1.1.0`)
        const now = yield* read(browser, `${path}?set=starter&version=1.1.0`)
        expect(plain(now.text)).toContain("of policy set starter, 1.1.0")
        expect(now.text).toContain('href="?version=1.0.0"')
        const before = yield* read(browser, `${path}?version=1.0.0`)
        expect(plain(before.text)).toContain("of policy set starter, 1.0.0")
        const digest = (text: string) => /class="hash mono soft">([0-9a-f]{64})</.exec(text)?.[1]
        expect(digest(before.text)).not.toBe(digest(now.text))
      })
  )

  it.effect("is shown nothing where an address names a version that is not installed, and no other one", () =>
    Effect.gen(function* () {
      const { browser } = yield* auditor
      for (const path of [
        "rules?version=9.9.9",
        "rules/LOOKALIKE_DESTINATION?version=9.9.9",
        "rules/policies/bulk-deletion-in-production?version=9.9.9",
        "rules/policies/bulk-deletion-in-production?set=another&version=1.0.0",
        "rules/compare?from=9.9.9&to=1.1.0",
        "rules/compare?from=1.0.0&to=9.9.9"
      ])
        expect([path, (yield* read(browser, `/test/${path}`)).status]).toEqual([path, 404])
    })
  )
})
