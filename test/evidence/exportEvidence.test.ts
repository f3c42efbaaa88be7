import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { Assess } from "../../src/assessment/Assess.ts"
import { Assessments } from "../../src/assessment/Assessments.ts"
import type { Caller } from "../../src/domain/Caller.ts"
import { Eraser } from "../../src/evidence/Eraser.ts"
import { exportChain, exportEvidence } from "../../src/evidence/exportEvidence.ts"
import { evidencePageRows } from "../../src/limits.ts"
import { AssessmentRecords } from "../../src/storage/assessments/AssessmentRecords.ts"
import { assessCall, caller } from "../support/assessCall.ts"
import { eraser, sealAsOlder } from "../support/eraser.ts"
import { jsonOf } from "../support/jsonOf.ts"
import { useCase } from "../support/useCase.ts"

const everything = { since: null, until: null }

const ask = (asker: Caller, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    (_, i) =>
      Effect.flatMap(Assess, ({ assess }) =>
        assess(assessCall({ caller: asker, action: { entitiesAffected: i } }))
      ),
    { concurrency: 4 }
  )

const exported = (asker: Caller, span = everything as Parameters<typeof exportEvidence>[1]) =>
  Stream.runCollect(exportEvidence(asker, span)).pipe(Effect.map((bodies) => [...bodies]))

const idsOf = (bodies: ReadonlyArray<Uint8Array>): ReadonlyArray<string> =>
  bodies.map((body) => jsonOf(body).assessment_id)

layer(Layer.mergeAll(AssessmentRecords.layer, eraser).pipe(Layer.provideMerge(useCase())))(
  "an export of evidence",
  (it) => {
    it.effect(
      "contains the body of every stored assessment byte for byte, with its seal, oldest first, over several pages",
      () =>
        Effect.gen(function* () {
          const asker = caller()
          yield* ask(asker, evidencePageRows + 3)
          const bodies = yield* exported(asker)
          expect(bodies).toHaveLength(evidencePageRows + 3)
          const ids = idsOf(bodies)
          expect(ids).toStrictEqual(ids.toSorted())
          for (const i of [0, evidencePageRows - 1, evidencePageRows, evidencePageRows + 2]) {
            const { body } = yield* (yield* Assessments).get(asker, ids[i] ?? "")
            const [line = "", all = ""] = [bodies[i], body].map((bytes) =>
              Buffer.from(bytes ?? []).toString()
            )
            expect(
              line.startsWith(`${all.slice(0, -1)},"seal":{"organization_id":"${asker.organizationId}",`)
            ).toBe(true)
          }
        })
    )

    it.effect("contains one organization and mode only", () =>
      Effect.gen(function* () {
        const asker = caller()
        yield* ask(asker, 2)
        yield* ask({ ...asker, mode: "live" }, 1)
        yield* ask(caller(), 3)
        expect(yield* exported(asker)).toHaveLength(2)
        expect(yield* exported({ ...asker, mode: "live" })).toHaveLength(1)
        expect(yield* exported(caller())).toHaveLength(0)
      })
    )

    it.effect("contains erasures in their places, whether assessments or erasures fill the pages", () =>
      Effect.gen(function* () {
        const asker = caller()
        yield* ask(asker, 2 * evidencePageRows + 5)
        yield* sealAsOlder
        const ids = idsOf(yield* exported(asker))
        // More than a whole page is erased, then every third one.
        const isErased = (i: number) => i < evidencePageRows + 3 || i % 3 === 0
        yield* (yield* Eraser).erase(
          asker,
          ids.filter((_, i) => isErased(i)),
          "retention"
        )
        const chain = yield* Stream.runCollect(exportChain(asker, everything))
        expect(idsOf(chain.map(({ line }) => line))).toStrictEqual(ids)
        expect(chain.map(({ erased }) => erased)).toStrictEqual(ids.map((_, i) => isErased(i)))
        expect(idsOf(yield* exported(asker))).toStrictEqual(ids.filter((_, i) => !isErased(i)))
      })
    )

    it.effect("begins at an instant and ends before another", () =>
      Effect.gen(function* () {
        const asker = caller()
        // One after the other: requests that are read together share one instant.
        for (let n = 0; n < 4; n++) yield* ask(asker, 1)
        const all = yield* exported(asker)
        const [, second = "", , fourth = ""] = idsOf(all).map(instantOf)
        const some = yield* exported(asker, { since: second, until: fourth })
        expect(idsOf(some)).toStrictEqual(idsOf(all).slice(1, 3))
        expect(yield* exported(asker, { since: null, until: "2020-01-01T00:00:00Z" })).toHaveLength(0)
      })
    )
  }
)

/** The microsecond that an id begins with. */
const instantOf = (id: string): string => {
  const hex = id.replaceAll("-", "")
  const iso = new Date(Number.parseInt(hex.slice(0, 12), 16)).toISOString().slice(0, -1)
  return `${iso}${Number.parseInt(hex.slice(13, 16), 16).toString().padStart(3, "0")}Z`
}
