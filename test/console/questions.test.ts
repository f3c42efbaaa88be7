/** Questions to people on the overview, over sockets and a real database. */

import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Seals, sealUnsealed } from "../../src/evidence/Seals.ts"
import { facets } from "../../src/storage/facets/facetTables.ts"
import { SealFollower } from "../../src/storage/facets/followSeals.ts"
import { assessed, consoleService, signedIn } from "../support/consoleVisitor.ts"
import { ask, newKey, newOrganization } from "../support/fullService.ts"

const service = Layer.mergeAll(Seals.layer, SealFollower.layer).pipe(Layer.provideMerge(consoleService))

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("questions to people", (it) => {
  it.effect("are counted by action, of one organization and mode, and lead to what would answer them", () =>
    Effect.gen(function* () {
      const owner = yield* newOrganization("asking")
      const key = yield* newKey(owner, "test", ["assess", "outcomes"])
      const about = Effect.fnUntraced(function* (action_type: string, ...types: ReadonlyArray<string>) {
        const { assessment_id: id } = yield* assessed(key, {
          action_type,
          environment: "production",
          agent_id: "cleaner",
          ...(action_type === "mail.send" ? {} : { context: { session: "0123456789abcdef" } })
        })
        for (const type of types)
          expect((yield* ask(key, `/assessments/${id}/events`, { type })).status).toBe(200)
        return id
      })
      for (const type of ["person_agreed", "person_agreed", "person_declined"])
        yield* about("crm.contacts.update", type)
      const last = yield* about("crm.contacts.update", "person_agreed", "executed")
      yield* about("mail.send", "person_absent")
      yield* about("files.read", "executed")

      yield* sealUnsealed("test")
      const { follow } = yield* SealFollower
      yield* follow(facets, "test", [owner.id])
      const analyst = yield* signedIn(yield* newKey(owner, "test", ["read", "explain"]))
      const { text } = yield* analyst.get("/test/overview?days=7")
      expect(plain(text)).toContain(
        "Questions to people 5 , 60 % agreed to; on average 5 by each agent, 4 in each session."
      )
      expect(plain(text)).toMatch(/crm\.contacts\.update 75 % agreed to 4 mail\.send none agreed to 1/)
      expect(text).toContain(`href="/test/assessments/${last}/suggestion"`)

      const other = yield* newOrganization("silent")
      const request = { action_type: "x", environment: "production" }
      yield* assessed(yield* newKey(other, "test", ["assess"]), request)
      const stranger = yield* signedIn(yield* newKey(other, "test", ["read"]))
      expect((yield* stranger.get("/test/overview")).text).not.toContain("Questions to people")
    })
  )
})
