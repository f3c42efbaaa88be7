import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Organizations } from "../../src/storage/Organizations.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

layer(Organizations.layer.pipe(Layer.provide(TestDatabase.layer)))("Organizations", (it) => {
  it.effect("are found by their slug and listed by it", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const b = yield* organizations.create({
        slug: "b",
        name: "B'); DROP TABLE organizations; --",
        policySet: "none"
      })
      const a = yield* organizations.create({ slug: "a", name: "Ä 💡", policySet: "starter" })
      expect(yield* organizations.list).toEqual([a, b])
      expect(yield* organizations.bySlug("a")).toEqual(a)
      expect([a.name, a.policySet, b.name]).toEqual(["Ä 💡", "starter", "B'); DROP TABLE organizations; --"])
    })
  )

  it.effect("have slugs of their own: a second one of the same slug is refused", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const one = { slug: "twice", name: "One", policySet: "none" }
      const results = yield* Effect.forEach(
        ["One", "Two"],
        (name) => Effect.result(organizations.create({ ...one, name })),
        { concurrency: 2 }
      )
      expect(results.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
      expect((yield* Effect.flip(organizations.create(one)))._tag).toBe("OrganizationExists")
    })
  )

  it.effect("that are not there are told apart", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip((yield* Organizations).bySlug("ghost")))._tag).toBe("OrganizationNotFound")
    })
  )
})
